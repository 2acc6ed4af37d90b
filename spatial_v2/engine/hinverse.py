"""Inverse joint-space inertia matrix in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.aba import dense_inertia, ldl, ldl_solve
from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import dot6, ground_inertia, poses

__all__ = ["articulate", "hinverse"]


@jit
def articulate(tree, q, S, U, D, IA):
    """Articulated-body inertias IA at q, with U = IA S (nv, 6) and the factors of D = S^T U."""
    nb, nv = tree.parent.size, S.shape[0]
    R, p, M, I10 = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((2, 3, 3)), np.empty(10)
    W = np.empty((6, 6))
    poses(tree, q, R, p, S, M)
    for i in range(nb):
        ground_inertia(tree.I[i], R[i], p[i], I10)
        dense_inertia(I10, IA[i])
    for i in range(nb - 1, -1, -1):
        par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
        for k in range(n):
            for r in range(6):
                U[v0 + k, r] = dot6(IA[i, r], S[v0 + k])
        for k in range(n):
            for s in range(n):
                D[i, k, s] = dot6(S[v0 + k], U[v0 + s])
        ldl(D[i], n)
        if par < 0:
            continue
        for r in range(6):
            for s in range(6):
                IA[par, r, s] += IA[i, r, s]
        for k in range(n):
            W[k, :] = U[v0 + k]
            for s in range(k):
                for r in range(6):
                    W[k, r] -= D[i, k, s] * W[s, r]
            for r in range(6):
                x = W[k, r] / D[i, k, k]
                for s in range(6):
                    IA[par, r, s] -= x * W[k, s]


@jit
def hinverse(tree, q, Hinv):
    """H^-1 (B, nv, nv), zero before."""
    nb, nv = tree.parent.size, Hinv.shape[1]
    S, U, F = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    D, IA, A = np.empty((nb, 6, 6)), np.empty((nb, 6, 6)), np.zeros((nb, nv, 6))
    x, sub = np.empty(6), np.zeros((nb, nv), dtype=np.bool_)
    for i in range(nb - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            sub[i, k] = True
        if tree.parent[i] >= 0:
            for k in range(nv):
                sub[tree.parent[i], k] |= sub[i, k]
    for b in range(q.shape[0]):
        articulate(tree, q[b], S, U, D, IA)
        F[:, :] = 0.0
        for i in range(nb - 1, -1, -1):
            v0, n = tree.joint[i, 3], tree.joint[i, 4]
            for c in range(nv):
                if not sub[i, c]:
                    continue
                for k in range(n):
                    x[k] = (1.0 if v0 + k == c else 0.0) - dot6(S[v0 + k], F[c])
                ldl_solve(D[i], n, x)
                for k in range(n):
                    Hinv[b, v0 + k, c] = x[k]
                    for r in range(6):
                        F[c, r] += U[v0 + k, r] * x[k]
        for i in range(nb):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            for c in range(v0, nv):
                if par >= 0:
                    for k in range(n):
                        x[k] = dot6(U[v0 + k], A[par, c])
                    ldl_solve(D[i], n, x)
                    for k in range(n):
                        Hinv[b, v0 + k, c] -= x[k]
                for r in range(6):
                    A[i, c, r] = A[par, c, r] if par >= 0 else 0.0
                for k in range(n):
                    for r in range(6):
                        A[i, c, r] += S[v0 + k, r] * Hinv[b, v0 + k, c]
                if c >= v0 + n:
                    for k in range(n):
                        Hinv[b, c, v0 + k] = Hinv[b, v0 + k, c]
