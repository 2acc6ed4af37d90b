"""Poses, motion subspaces and velocities in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import motion_transform
from spatial_v2.engine.velocity import velocities

__all__ = ["kinematics"]


@jit
def kinematics(tree, q, qd, S, Sd, X0, v):
    """S, Sd (B, 6, nv), X0 (B, nb, 6, 6) from base to body, zero before, and v (B, nb, 6)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    rows, rates = np.empty((nv, 6)), np.empty((nv, 6))
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, rows, rates, v[b])
        for c in range(6):
            for k in range(nv):
                S[b, c, k], Sd[b, c, k] = rows[k, c], rates[k, c]
        for i in range(nb):
            motion_transform(R[i], p[i], X0[b, i])
