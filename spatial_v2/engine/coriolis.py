"""Coriolis matrix, inertia matrix and its rate: Algorithm 1 of Echeandia and Wensing (2021)."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine import sweep
from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import apply_inertia, dot6, ground_inertia
from spatial_v2.engine.velocity import velocities

__all__ = ["coriolis"]


@jit
def coriolis(tree, q, qd, C, Hdot, H):
    """C, Hdot and H, each (B, nv, nv), zero before; BC is twice the body Coriolis matrix."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, Sd, v = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6))
    IC, BC, m9 = np.empty((nb, 10)), np.empty((nb, 12)), np.empty(9)
    F1, F2, half = np.empty(6), np.empty(6), np.empty(6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], p[i], IC[i])
            sweep.coriolis(IC[i], v[i], m9, BC[i])
        for i in range(nb - 1, -1, -1):
            v0 = tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                s = S[k]
                apply_inertia(IC[i], s, F2)
                apply_inertia(IC[i], Sd[k], F1)
                half[:] = 0.0
                sweep.add_coriolis(BC[i], s, half)
                for c in range(6):
                    F1[c] += 0.5 * half[c]
                l0, l1, l2 = sweep.transpose_coriolis(BC[i], s)
                j = i
                while j >= 0:
                    w0 = tree.joint[j, 3]
                    for t in range(w0, w0 + tree.joint[j, 4]):
                        x = S[t]
                        up = dot6(x, F1)
                        down = dot6(Sd[t], F2) + 0.5 * (l0 * x[0] + l1 * x[1] + l2 * x[2])
                        C[b, k, t] = down
                        H[b, k, t] = H[b, t, k] = dot6(x, F2)
                        Hdot[b, k, t] = Hdot[b, t, k] = up + down
                        if j != i:
                            C[b, t, k] = up
                    j = tree.parent[j]
            par = tree.parent[i]
            if par >= 0:
                for c in range(10):
                    IC[par, c] += IC[i, c]
                for c in range(12):
                    BC[par, c] += BC[i, c]
