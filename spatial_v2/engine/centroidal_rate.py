"""The rate of the centroidal momentum matrix."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.centroidal import gather, moved
from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import apply_inertia, cross, ground_inertia
from spatial_v2.engine.sweep import add_lie_inertia, lie_inertia
from spatial_v2.engine.velocity import velocities

__all__ = ["centroidal_rate"]


@jit
def centroidal_rate(tree, q, qd, Adot):
    """Adot (B, 6, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, Sd, v = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6))
    IC, lie, f, h = np.empty((nb + 1, 10)), np.empty((nb + 1, 9)), np.empty(6), np.empty(6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], p[i], IC[i])
            lie_inertia(IC[i], v[i], lie[i])
        gather(tree, IC)
        gather(tree, lie)
        # the first moment of all bodies, and its rate: their momentum
        m = IC[nb, 0]
        c0, c1, c2 = IC[nb, 1] / m, IC[nb, 2] / m, IC[nb, 3] / m
        d0, d1, d2 = lie[nb, 6] / m, lie[nb, 7] / m, lie[nb, 8] / m
        for i in range(nb):
            v0 = tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                apply_inertia(IC[i], Sd[k], f)
                add_lie_inertia(lie[i], S[k], f)
                moved(f, c0, c1, c2, Adot, b, k)
                apply_inertia(IC[i], S[k], h)
                n0, n1, n2 = cross(d0, d1, d2, h[3], h[4], h[5])
                Adot[b, 0, k] -= n0
                Adot[b, 1, k] -= n1
                Adot[b, 2, k] -= n2
