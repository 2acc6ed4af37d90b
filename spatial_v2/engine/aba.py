"""Articulated-body algorithm, about each body's own origin along the ground's axes."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import (
    add_crf,
    add_crm,
    add_force,
    apply_inertia,
    dot6,
    ground_inertia,
)
from spatial_v2.engine.local import poses_local, shift_force, shift_inertia, shift_motion

__all__ = ["aba", "deflate", "dense_inertia", "ldl", "ldl_solve"]


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


@inline
def deflate(D, n, U, W, IA):
    """IA -= U D^-1 U^T with the factors in D; W (6, 6) is scratch space."""
    for k in range(n):
        for r in range(6):
            W[k, r] = U[k, r]
        for s in range(k):
            for r in range(6):
                W[k, r] -= D[k, s] * W[s, r]
        for r in range(6):
            x = W[k, r] / D[k, k]
            for s in range(6):
                IA[r, s] -= x * W[k, s]


@jit
def aba(tree, q, qd, tau, f_ext, qdd):
    """Joint accelerations qdd (B, nv) under the joint forces tau (B, nv)."""
    nb, nv, batch = tree.parent.size, qd.shape[1], q.shape[0]
    R, d, S = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((nv, 6))
    v, c, a, pA = np.empty((nb, 6)), np.empty((nb, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IA, U, D, p = np.empty((nb, 6, 6)), np.empty((nv, 6)), np.empty((nb, 6, 6)), np.empty((nb, 3))
    I10, h, vJ, u = np.empty(10), np.empty(6), np.empty(6), np.empty(nv)
    w, W, zero = np.empty(6), np.empty((6, 6)), np.zeros(3)
    for b in range(batch):
        poses_local(tree, q[b], R, d, S, p)
        for i in range(nb):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            vJ[:] = 0.0
            for k in range(v0, v0 + tree.joint[i, 4]):
                for r in range(6):
                    vJ[r] += S[k, r] * qd[b, k]
            if par < 0:
                v[i, :] = 0.0
            else:
                shift_motion(d[i], v[par], v[i])
            for r in range(6):
                v[i, r] += vJ[r]
            c[i, :] = 0.0
            add_crm(v[i], vJ, c[i])
            ground_inertia(tree.I[i], R[i], zero, I10)
            apply_inertia(I10, v[i], h)
            pA[i, :] = 0.0
            add_crf(v[i], h, pA[i])
            if f_ext.size:
                for r in range(3):
                    p[i, r] = d[i, r] + (p[par, r] if par >= 0 else 0.0)
                add_force(f_ext[b, i], p[i], -1.0, pA[i])
            dense_inertia(I10, IA[i])
        for i in range(nb - 1, -1, -1):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            for r in range(6):
                pA[i, r] += dot6(IA[i, r], c[i])
            for k in range(n):
                for r in range(6):
                    U[v0 + k, r] = dot6(IA[i, r], S[v0 + k])
                u[v0 + k] = tau[b, v0 + k] - dot6(S[v0 + k], pA[i])
            for k in range(n):
                for s in range(n):
                    D[i, k, s] = dot6(S[v0 + k], U[v0 + s])
            ldl(D[i], n)
            if par < 0:
                continue
            for k in range(n):
                w[k] = u[v0 + k]
            ldl_solve(D[i], n, w)
            for k in range(n):
                for r in range(6):
                    pA[i, r] += U[v0 + k, r] * w[k]
            shift_force(d[i], pA[i])
            for r in range(6):
                pA[par, r] += pA[i, r]
            deflate(D[i], n, U[v0 : v0 + n], W, IA[i])
            shift_inertia(d[i], IA[i], IA[par])
        for i in range(nb):
            par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
            if par >= 0:
                shift_motion(d[i], a[par], a[i])
            else:
                for r in range(6):
                    a[i, r] = 0.0 if r < 3 else -tree.gravity[r - 3]
            x = qdd[b, v0 : v0 + n]
            for k in range(n):
                x[k] = u[v0 + k] - dot6(U[v0 + k], a[i])
            ldl_solve(D[i], n, x)
            for r in range(6):
                a[i, r] += c[i, r]
                for k in range(n):
                    a[i, r] += S[v0 + k, r] * x[k]
