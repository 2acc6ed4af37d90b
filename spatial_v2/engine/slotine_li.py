"""H qdd + C qd_r + g in O(N), the Coriolis matrix being that of the Christoffel symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import apply_inertia, dot6, ground_inertia
from spatial_v2.engine.sweep import add_coriolis, coriolis
from spatial_v2.engine.velocity import velocities

__all__ = ["slotine_li"]


@jit
def slotine_li(tree, q, qd, qd_r, qdd, tau):
    """Joint forces tau (B, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, Sd, v = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6))
    w, a, f = np.empty((nb, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    I, B, half, m9 = np.empty(10), np.empty(12), np.empty(6), np.empty(9)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        for i in range(nb):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            for c in range(6):
                w[i, c] = 0.0 if par < 0 else w[par, c]
                a[i, c] = a[par, c] if par >= 0 else 0.0 if c < 3 else -tree.gravity[c - 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                for c in range(6):
                    w[i, c] += S[k, c] * qd_r[b, k]
                    a[i, c] += S[k, c] * qdd[b, k] + Sd[k, c] * qd_r[b, k]
            ground_inertia(tree.I[i], R[i], p[i], I)
            coriolis(I, v[i], m9, B)
            apply_inertia(I, a[i], f[i])
            half[:] = 0.0
            add_coriolis(B, w[i], half)
            for c in range(6):
                f[i, c] += 0.5 * half[c]
        for i in range(nb - 1, -1, -1):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                tau[b, k] = dot6(S[k], f[i])
            if par >= 0:
                for c in range(6):
                    f[par, c] += f[i, c]
