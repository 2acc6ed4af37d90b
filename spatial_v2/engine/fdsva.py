"""First derivatives of forward dynamics, without products with the inverse inertia matrix.

A change of the configuration along freedom t of joint j acts on the dynamics, at the accelerations
it would have without it, like three things: an acceleration psidd_t added at joint j, a force
2 B_l psid_t on each body l beyond it, and a force fC_j xbar* S_t on its parent. The
articulated-body algorithm answers them with the change of the accelerations, for all t side by
side. So no sum of large joint forces is ever formed, and less is lost in rounding than by
``-H^-1 dtau_dq``. For qd the three things are psid_t + Sd_t, 2 B_l S_t and none.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.aba import aba, ldl_solve
from spatial_v2.engine.compile import jit
from spatial_v2.engine.hinverse import (
    articulate,
    invert,
    ldl_columns,
    project,
    shift_columns,
    subtrees,
)
from spatial_v2.engine.kin import add_crf, dot6
from spatial_v2.engine.local import shift_force
from spatial_v2.engine.sweep import forward

__all__ = ["fdsva"]


@jit
def articulated_coriolis(tree, d, S, U, D, BC, BA, SB):
    """BA (nb, 3, 6): the force that a subtree, free to move, returns for B x, per component of x.

    SB (nv, 3) is S_k . BA of the body that k moves.
    """
    w, f = np.empty(6), np.empty(6)
    for i in range(tree.parent.size):
        h0, h1, h2 = 2.0 * BC[i, 9], 2.0 * BC[i, 10], 2.0 * BC[i, 11]
        BA[i, 0, 3], BA[i, 0, 4], BA[i, 0, 5] = 0.0, -h2, h1
        BA[i, 1, 3], BA[i, 1, 4], BA[i, 1, 5] = h2, 0.0, -h0
        BA[i, 2, 3], BA[i, 2, 4], BA[i, 2, 5] = -h1, h0, 0.0
        for c in range(3):
            for r in range(3):
                BA[i, c, r] = BC[i, 3 * r + c]
    for i in range(tree.parent.size - 1, -1, -1):
        par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
        for c in range(3):
            for k in range(n):
                SB[v0 + k, c] = w[k] = dot6(S[v0 + k], BA[i, c])
            if par < 0:
                continue
            ldl_solve(D[i], n, w)
            for r in range(6):
                f[r] = BA[i, c, r]
                for k in range(n):
                    f[r] -= U[v0 + k, r] * w[k]
            shift_force(d[i], f)
            for r in range(6):
                BA[par, c, r] += f[r]


@jit
def inward(tree, j, t, x, y, g, d, S, U, D, IA, BA, SB, columns, count, u):
    """u[:, t]: joint forces left by the disturbance (x, y, g) at joint j, towards the root.

    x is the motion that B multiplies, y the acceleration at the joint, g the force on the parent.
    """
    p, w = np.empty(6), np.empty(6)
    for at in range(count[j]):
        k = columns[j, at]
        u[k, t] = -(SB[k, 0] * x[0] + SB[k, 1] * x[1] + SB[k, 2] * x[2])
    for r in range(6):
        p[r] = dot6(IA[j, r], y) + BA[j, 0, r] * x[0] + BA[j, 1, r] * x[1] + BA[j, 2, r] * x[2]
    i = j
    while i >= 0:
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for k in range(n):
            u[v0 + k, t] = w[k] = -dot6(S[v0 + k], p)
        ldl_solve(D[i], n, w)
        for k in range(n):
            for r in range(6):
                p[r] += U[v0 + k, r] * w[k]
        if i == j:
            for r in range(6):
                p[r] += g[r]
        shift_force(d[i], p)
        i = tree.parent[i]


@jit
def outward(tree, jump, d, S, U, D, u, A, y, out):
    """Accelerations out (nv, nv) from the forces u, column by column; jump[t] is added at t."""
    nv = out.shape[0]
    for i in range(tree.parent.size):
        par, v0, n = tree.parent[i], tree.joint[i, 3], tree.joint[i, 4]
        shift_columns(d[i], A, par, i, 0, nv)
        project(U, A[i], v0, n, 0, nv, y)
        for k in range(n):
            for c in range(nv):
                y[k, c] = u[v0 + k, c] - y[k, c]
        ldl_columns(D[i], n, 0, nv, y)
        for k in range(n):
            for c in range(nv):
                out[v0 + k, c] = y[k, c]
            for r in range(6):
                for c in range(nv):
                    A[i, r, c] += S[v0 + k, r] * y[k, c]
                A[i, r, v0 + k] += jump[v0 + k, r]


@jit
def fdsva(tree, q, qd, tau, dq, dqd, Minv):
    """dqdd_dq, dqdd_dqd and H^-1, each (B, nv, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, d, S = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((nv, 6))
    psid, psidd, rate = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    p, v, a, M = np.zeros((nb, 3)), np.empty((nb, 6)), np.empty((nb, 6)), np.empty(9)
    I10, BC, fC = np.empty((nb, 10)), np.empty((nb, 12)), np.empty((nb, 6))
    U, D, IA = np.empty((nv, 6)), np.empty((nb, 6, 6)), np.empty((nb, 6, 6))
    BA, SB, u = np.empty((nb, 3, 6)), np.empty((nv, 3)), np.empty((nv, nv))
    A, y, F = np.empty((nb, 6, nv)), np.empty((6, nv)), np.empty((nv, 6))
    g, none, qdd = np.empty(6), np.zeros(6), np.empty_like(tau)
    columns, count = np.empty((nb, nv), dtype=np.int64), np.empty(nb, dtype=np.int64)
    subtrees(tree, columns, count)
    aba(tree, q, qd, tau, np.empty((0, 0, 6)), qdd)
    for b in range(q.shape[0]):
        articulate(tree, q[b], R, d, S, U, D, IA)
        invert(tree, d, S, U, D, columns, count, F, A, y, Minv[b])
        forward(tree, qd[b], qdd[b], R, p, d, S, psid, psidd, rate, v, a, I10, BC, fC, M)
        for i in range(nb - 1, -1, -1):
            if tree.parent[i] >= 0:
                for c in range(6):
                    g[c] = fC[i, c]
                shift_force(d[i], g)
                for c in range(6):
                    fC[tree.parent[i], c] += g[c]
        articulated_coriolis(tree, d, S, U, D, BC, BA, SB)
        u[:, :] = 0.0
        for j in range(nb):
            for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                g[:] = 0.0
                add_crf(S[t], fC[j], g)
                inward(tree, j, t, psid[t], psidd[t], g, d, S, U, D, IA, BA, SB, columns, count, u)
        outward(tree, psidd, d, S, U, D, u, A, y, dq[b])
        u[:, :] = 0.0
        for j in range(nb):
            for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                inward(tree, j, t, S[t], rate[t], none, d, S, U, D, IA, BA, SB, columns, count, u)
        outward(tree, rate, d, S, U, D, u, A, y, dqd[b])
