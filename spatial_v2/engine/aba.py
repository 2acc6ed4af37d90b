"""Articulated-body algorithm in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import add_crf, add_crm, apply_inertia, dot6, ground_inertia, poses

__all__ = ["aba", "dense_inertia", "ldl", "ldl_solve"]


@jit
def dense_inertia(I, out):
    """The symmetric 6x6 matrix of an inertia of ten numbers."""
    out[:, :] = 0.0
    out[0, 0], out[1, 1], out[2, 2] = I[4], I[5], I[6]
    out[0, 1] = out[1, 0] = I[7]
    out[0, 2] = out[2, 0] = I[8]
    out[1, 2] = out[2, 1] = I[9]
    out[0, 4] = out[4, 0] = -I[3]
    out[0, 5] = out[5, 0] = I[2]
    out[1, 3] = out[3, 1] = I[3]
    out[1, 5] = out[5, 1] = -I[1]
    out[2, 3] = out[3, 2] = -I[2]
    out[2, 4] = out[4, 2] = I[1]
    out[3, 3] = out[4, 4] = out[5, 5] = I[0]


@jit
def ldl(D, n):
    """Factors D = L diag(d) L^T of the leading n x n block, in place; D may be indefinite."""
    for c in range(n):
        for k in range(c):
            D[c, c] -= D[c, k] * D[c, k] * D[k, k]
        for r in range(c + 1, n):
            for k in range(c):
                D[r, c] -= D[r, k] * D[c, k] * D[k, k]
            D[r, c] /= D[c, c]


@jit
def ldl_solve(D, n, x):
    """Solve in place for the vector x, with the factors in D."""
    for r in range(n):
        for k in range(r):
            x[r] -= D[r, k] * x[k]
    for r in range(n - 1, -1, -1):
        x[r] /= D[r, r]
        for k in range(r + 1, n):
            x[r] -= D[k, r] * x[k]


@jit
def aba(tree, q, qd, tau, f_ext, qdd):
    """Joint accelerations qdd (B, nv) under the joint forces tau (B, nv)."""
    nb, nv, batch = tree.parent.size, qd.shape[1], q.shape[0]
    R, p, S, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((nv, 6)), np.empty((2, 3, 3))
    v, c, a, pA = np.empty((nb, 6)), np.empty((nb, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IA, U, D = np.empty((nb, 6, 6)), np.empty((nv, 6)), np.empty((nb, 6, 6))
    I10, h, vJ, u = np.empty(10), np.empty(6), np.empty(6), np.empty(nv)
    w, W = np.empty(6), np.empty((6, 6))
    for b in range(batch):
        poses(tree, q[b], R, p, S, M)
        for i in range(nb):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            vJ[:] = 0.0
            for k in range(v0, v0 + tree.joint[i, 4]):
                for r in range(6):
                    vJ[r] += S[k, r] * qd[b, k]
            for r in range(6):
                v[i, r] = vJ[r] + (v[par, r] if par >= 0 else 0.0)
            c[i, :] = 0.0
            add_crm(v[i], vJ, c[i])
            ground_inertia(tree.I[i], R[i], p[i], I10)
            apply_inertia(I10, v[i], h)
            pA[i, :] = 0.0
            add_crf(v[i], h, pA[i])
            if f_ext.size:
                for r in range(6):
                    pA[i, r] -= f_ext[b, i, r]
            dense_inertia(I10, IA[i])
        for i in range(nb - 1, -1, -1):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            for r in range(6):
                for s in range(6):
                    pA[i, r] += IA[i, r, s] * c[i, s]
            for k in range(n):
                for r in range(6):
                    x = 0.0
                    for s in range(6):
                        x += IA[i, r, s] * S[v0 + k, s]
                    U[v0 + k, r] = x
                u[v0 + k] = tau[b, v0 + k] - dot6(S[v0 + k], pA[i])
            for k in range(n):
                for s in range(n):
                    D[i, k, s] = dot6(S[v0 + k], U[v0 + s])
            ldl(D[i], n)
            if par < 0:
                continue
            for k in range(n):
                w[k] = u[v0 + k]
                for r in range(6):
                    W[k, r] = U[v0 + k, r]
                for s in range(k):
                    w[k] -= D[i, k, s] * w[s]
                    for r in range(6):
                        W[k, r] -= D[i, k, s] * W[s, r]
            for r in range(6):
                pA[par, r] += pA[i, r]
                for s in range(6):
                    IA[par, r, s] += IA[i, r, s]
            for k in range(n):
                for r in range(6):
                    x = W[k, r] / D[i, k, k]
                    pA[par, r] += x * w[k]
                    for s in range(6):
                        IA[par, r, s] -= x * W[k, s]
        for i in range(nb):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            for r in range(6):
                if par >= 0:
                    a[i, r] = a[par, r]
                else:
                    a[i, r] = 0.0 if r < 3 else -tree.gravity[r - 3]
            x6 = qdd[b, v0 : v0 + n]
            for k in range(n):
                x6[k] = u[v0 + k] - dot6(U[v0 + k], a[i])
            ldl_solve(D[i], n, x6)
            for r in range(6):
                a[i, r] += c[i, r]
            for k in range(n):
                for r in range(6):
                    a[i, r] += S[v0 + k, r] * x6[k]
