"""Generalised momentum H qd and C^T qd in O(N)."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import apply_inertia, dot6, ground_inertia
from spatial_v2.engine.velocity import velocities

__all__ = ["momentum"]


@jit
def momentum(tree, q, qd, Hqd, CTqd):
    """H qd and C^T qd, each (B, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, Sd, v = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6))
    I, h = np.empty(10), np.empty((nb, 6))
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], p[i], I)
            apply_inertia(I, v[i], h[i])
        for i in range(nb - 1, -1, -1):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                Hqd[b, k], CTqd[b, k] = dot6(S[k], h[i]), dot6(Sd[k], h[i])
            if par >= 0:
                for c in range(6):
                    h[par, c] += h[i, c]
