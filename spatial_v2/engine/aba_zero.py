"""Product of the inverse joint-space inertia matrix with vectors, at rest and without gravity."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.aba import ldl_solve
from spatial_v2.engine.compile import jit
from spatial_v2.engine.hinverse import articulate
from spatial_v2.engine.kin import dot6
from spatial_v2.engine.local import shift_force, shift_motion

__all__ = ["aba_zero"]


@jit
def aba_zero(tree, q, f, out):
    """out = H(q)^-1 f (B, nv); states with the same q as the one before reuse its factors."""
    nb, nv = tree.parent.size, f.shape[1]
    R, d = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, U, D, IA = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6, 6)), np.empty((nb, 6, 6))
    u, w, pA, a = np.empty(nv), np.empty(6), np.empty((nb, 6)), np.empty((nb, 6))
    for b in range(q.shape[0]):
        same = b > 0
        for c in range(q.shape[1]):
            same = same and q[b, c] == q[b - 1, c]
        if not same:
            articulate(tree, q[b], R, d, S, U, D, IA)
        pA[:, :] = 0.0
        for i in range(nb - 1, -1, -1):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            for k in range(n):
                u[v0 + k] = w[k] = f[b, v0 + k] - dot6(S[v0 + k], pA[i])
            if par < 0:
                continue
            ldl_solve(D[i], n, w)
            for k in range(n):
                for r in range(6):
                    pA[i, r] += U[v0 + k, r] * w[k]
            shift_force(d[i], pA[i])
            for r in range(6):
                pA[par, r] += pA[i, r]
        for i in range(nb):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            if par >= 0:
                shift_motion(d[i], a[par], a[i])
            else:
                a[i, :] = 0.0
            for k in range(n):
                w[k] = u[v0 + k] - dot6(U[v0 + k], a[i])
            ldl_solve(D[i], n, w)
            for k in range(n):
                out[b, v0 + k] = w[k]
                for r in range(6):
                    a[i, r] += S[v0 + k, r] * w[k]
