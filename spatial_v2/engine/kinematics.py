"""Poses, motion subspaces and velocities in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.velocity import velocities

__all__ = ["kinematics"]


@jit
def kinematics(tree, q, qd, S, Sd, X0, v):
    """S, Sd (B, 6, nv), X0 (B, nb, 6, 6) from base to body, zero before, and v (B, nb, 6)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((2, 3, 3))
    rows, rates = np.empty((nv, 6)), np.empty((nv, 6))
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, rows, rates, v[b], M)
        for c in range(6):
            for k in range(nv):
                S[b, c, k], Sd[b, c, k] = rows[k, c], rates[k, c]
        for i in range(nb):
            for r in range(3):
                # rows of [E, 0; -E p x, E] with E = R^T
                e0, e1, e2 = R[i, 0, r], R[i, 1, r], R[i, 2, r]
                X0[b, i, r, 0] = X0[b, i, 3 + r, 3] = e0
                X0[b, i, r, 1] = X0[b, i, 3 + r, 4] = e1
                X0[b, i, r, 2] = X0[b, i, 3 + r, 5] = e2
                X0[b, i, 3 + r, 0] = e2 * p[i, 1] - e1 * p[i, 2]
                X0[b, i, 3 + r, 1] = e0 * p[i, 2] - e2 * p[i, 0]
                X0[b, i, 3 + r, 2] = e1 * p[i, 0] - e0 * p[i, 1]
