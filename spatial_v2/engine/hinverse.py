"""Inverse joint-space inertia matrix, by the articulated-body algorithm."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.aba import deflate, dense_inertia, ldl, ldl_solve
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import dot6, ground_inertia
from spatial_v2.engine.local import poses_local, shift_force, shift_inertia

__all__ = ["articulate", "hinverse"]


@jit
def articulate(tree, q, R, d, S, U, D, IA):
    """Articulated-body inertias IA at q, with U = IA S (nv, 6) and the factors of D = S^T U."""
    nb = tree.parent.size
    p, I10, zero = np.empty((nb, 3)), np.empty(10), np.zeros(3)
    W, W6 = np.empty((6, 6)), np.empty((6, 6))
    poses_local(tree, q, R, d, S, p)
    for i in range(nb):
        ground_inertia(tree.I[i], R[i], zero, I10)
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
        if par >= 0:
            for r in range(6):
                for s in range(6):
                    W6[r, s] = IA[i, r, s]
            deflate(D[i], n, U[v0 : v0 + n], W, W6)
            shift_inertia(d[i], W6, IA[par])


@jit
def subtrees(tree, columns, count):
    """Velocity variables of the subtree of each body: columns[i, :count[i]]."""
    count[:] = 0
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            columns[i, count[i]] = k
            count[i] += 1
        par = tree.parent[i]
        if par >= 0:
            for c in range(count[i]):
                columns[par, count[par]] = columns[i, c]
                count[par] += 1


@inline
def shift_columns(d, A, par, i, c0, nv):
    """`shift_motion` from the parent to body i for the columns of A (nb, 6, nv) from c0 on."""
    if par < 0:
        A[i, :, c0:] = 0.0
        return
    P, Q = A[par], A[i]
    for r in range(3):
        for c in range(c0, nv):
            Q[r, c] = P[r, c]
    for r in range(3):
        s, t = (r + 1) % 3, (r + 2) % 3
        ds, dt = d[s], d[t]
        for c in range(c0, nv):
            Q[3 + r, c] = P[3 + r, c] + P[s, c] * dt - P[t, c] * ds


@inline
def project(U, A, v0, n, c0, nv, y):
    """y[k] = U[v0 + k] . A, column by column from c0 on."""
    for k in range(n):
        u = U[v0 + k]
        for c in range(c0, nv):
            y[k, c] = (
                u[0] * A[0, c] + u[1] * A[1, c] + u[2] * A[2, c]
                + u[3] * A[3, c] + u[4] * A[4, c] + u[5] * A[5, c]
            )  # fmt: skip


@inline
def ldl_columns(D, n, v0, nv, y):
    """`ldl_solve` for all columns of y from v0 on."""
    for r in range(n):
        for k in range(r):
            for c in range(v0, nv):
                y[r, c] -= D[r, k] * y[k, c]
    for r in range(n - 1, -1, -1):
        for c in range(v0, nv):
            y[r, c] /= D[r, r]
        for k in range(r + 1, n):
            for c in range(v0, nv):
                y[r, c] -= D[k, r] * y[k, c]


@jit
def invert(tree, d, S, U, D, columns, count, F, A, y, H):
    """H = the inverse inertia matrix from what `articulate` left; F, A, y are scratch space."""
    nb, nv = tree.parent.size, H.shape[0]
    x = np.empty(6)
    F[:, :] = 0.0
    for i in range(nb - 1, -1, -1):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for at in range(count[i]):
            c = columns[i, at]
            for k in range(n):
                x[k] = (1.0 if v0 + k == c else 0.0) - dot6(S[v0 + k], F[c])
            ldl_solve(D[i], n, x)
            for k in range(n):
                H[v0 + k, c] = x[k]
                for r in range(6):
                    F[c, r] += U[v0 + k, r] * x[k]
            shift_force(d[i], F[c])
    for i in range(nb):
        par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
        shift_columns(d[i], A, par, i, v0, nv)
        if par >= 0:
            project(U, A[i], v0, n, v0, nv, y)
            ldl_columns(D[i], n, v0, nv, y)
            for k in range(n):
                for c in range(v0, nv):
                    H[v0 + k, c] -= y[k, c]
        for r in range(6):
            for k in range(n):
                for c in range(v0, nv):
                    A[i, r, c] += S[v0 + k, r] * H[v0 + k, c]
    for r in range(nv):
        for c in range(r):
            H[r, c] = H[c, r]


@jit
def hinverse(tree, q, Hinv):
    """H^-1 (B, nv, nv), zero before."""
    nb, nv = tree.parent.size, Hinv.shape[1]
    R, d, D = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((nb, 6, 6))
    S, U, F = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    IA, A, y = np.empty((nb, 6, 6)), np.empty((nb, 6, nv)), np.empty((6, nv))
    columns, count = np.empty((nb, nv), dtype=np.int64), np.empty(nb, dtype=np.int64)
    subtrees(tree, columns, count)
    for b in range(q.shape[0]):
        articulate(tree, q[b], R, d, S, U, D, IA)
        invert(tree, d, S, U, D, columns, count, F, A, y, Hinv[b])
