"""Poses of the bodies, and their velocities in body coordinates."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import cross, motion_transform
from spatial_v2.engine.velocity import velocities

__all__ = ["body_motion"]


@jit
def body_motion(tree, q, qd, X0, R, p, v):
    """X0 (B, nb, 6, 6), zero before, R (B, nb, 3, 3), p (B, nb, 3) and v (B, nb, 6)."""
    nb, nv = tree.parent.size, qd.shape[1]
    S, Sd, w = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6))
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R[b], p[b], S, Sd, w)
        for i in range(nb):
            motion_transform(R[b, i], p[b, i], X0[b, i])
            r, u = p[b, i], w[i]
            x, y, z = cross(u[0], u[1], u[2], r[0], r[1], r[2])
            x, y, z = x + u[3], y + u[4], z + u[5]
            for c in range(3):
                e0, e1, e2 = R[b, i, 0, c], R[b, i, 1, c], R[b, i, 2, c]
                v[b, i, c] = e0 * u[0] + e1 * u[1] + e2 * u[2]
                v[b, i, 3 + c] = e0 * x + e1 * y + e2 * z
