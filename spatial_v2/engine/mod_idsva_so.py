"""Gradient and Hessian of lambda . ID without the tensors: O(N d).

The sums over the torque index that Algorithm 1 leaves open are closed first: over subtrees for the
matrices A0, A1, A4 (P, N, C below), over the path to the root for lambda S (w below).
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.idsva import idsva
from spatial_v2.engine.kin import add_crf, add_crm, apply_inertia, dot6, near
from spatial_v2.engine.mod_idsva import weigh
from spatial_v2.engine.sweep import (
    add_coriolis,
    add_lie_inertia,
    coriolis,
    forward,
    gather,
    lie_coriolis,
    lie_inertia,
    transpose_coriolis,
)

__all__ = ["mod_idsva_so"]


@inline
def dot3(u, x):
    """Product of the angular parts."""
    return u[0] * x[0] + u[1] * x[1] + u[2] * x[2]


@inline
def deep(P, N, C, s, ds, u):
    """u5, u9, u12 - u9, u12 of the summed matrices for one t, as rows of u."""
    u[:, :] = 0.0
    add_crf(ds, P, u[0])
    add_lie_inertia(N, ds, u[2])
    add_crf(s, P, u[1])
    add_lie_inertia(N, s, u[3])
    for c in range(6):
        u[0, c] -= u[2, c]
        u[2, c] = u[3, c] - u[1, c]
    u[0, 0] -= C[1] * s[2] - C[2] * s[1]
    u[0, 1] -= C[2] * s[0] - C[0] * s[2]
    u[0, 2] -= C[0] * s[1] - C[1] * s[0]


@jit
def mod_idsva_so(tree, q, qd, qdd, lam, gq, gv, qq, vv, qv, dq, dqd):
    """Gradients (B, nv), Hessian blocks qq, vv, qv and first derivatives dq, dqd (B, nv, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, still, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.zeros((nb, 3)), np.empty(9)
    S, psid, psidd = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    rate, v, a = np.empty((nv, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IC, BC, fC = np.empty((nb, 10)), np.empty((nb, 12)), np.empty((nb, 6))
    w, sw = np.empty((2 * nb, 6)), np.empty((nv, 6))
    P, N, C = np.empty((nb, 6)), np.empty((nb, 9)), np.empty((nb, 3))
    ICs, N1, B3, scratch = np.empty((nv, 6)), np.empty((nv, 9)), np.empty(12), np.empty(9)
    z5, z7, x0, x1 = np.empty(6), np.empty(6), np.empty(6), np.empty(6)
    u = np.empty((4, 6))
    idsva(tree, q, qd, qdd, dq, dqd)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, still, S, psid, psidd, rate, v, a, IC, BC, fC, M)
        for i in range(nb):
            weigh(tree, i, lam[b], S, w)
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                sw[k, :] = 0.0
                add_crm(S[k], w[i], sw[k])
        for r in range(nv):
            for c in range(nv):
                gq[b, c] += lam[b, r] * dq[b, r, c]
                gv[b, c] += lam[b, r] * dqd[b, r, c]
        P[:, :] = 0.0
        N[:, :] = 0.0
        C[:, :] = 0.0
        for i in range(nb - 1, -1, -1):
            par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
            for k in range(v0, v1):
                apply_inertia(IC[i], S[k], ICs[k])
                lie_inertia(IC[i], S[k], N1[k])
                c4 = transpose_coriolis(BC[i], S[k])
                for c in range(6):
                    P[i, c] += lam[b, k] * ICs[k, c]
                for c in range(9):
                    N[i, c] += lam[b, k] * N1[k, c]
                for c in range(3):
                    C[i, c] += lam[b, k] * c4[c]
            for k in range(v0, v1):
                s = S[k]
                deep(P[i], N[i], C[i], s, psid[k], u)
                coriolis(IC[i], psid[k], scratch, B3)
                lie_coriolis(BC[i], s, B3)
                x3 = transpose_coriolis(B3, w[i])
                x1[:] = 0.0
                add_lie_inertia(N1[k], w[i], x1)
                x0[:] = 0.0
                add_crf(w[i], ICs[k], x0)
                xB = x1[0] - x0[0], x1[1] - x0[1], x1[2] - x0[2]
                apply_inertia(IC[i], psidd[k], z5)
                add_coriolis(BC[i], psid[k], z5)
                add_crf(s, fC[i], z5)
                apply_inertia(IC[i], rate[k], z7)
                add_coriolis(BC[i], s, z7)
                j = i
                while j >= 0:
                    for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                        d = dot6(u[0], psid[t]) + dot6(u[1], psidd[t])
                        y = dot3(x3, psid[t]) + dot6(x1, psidd[t]) - dot6(z5, sw[t])
                        qq[b, k, t] += d + y
                        qv[b, t, k] += dot3(xB, psid[t]) - dot6(z7, sw[t]) - dot3(u[2], psid[t])
                        if j != i:
                            qq[b, t, k] += d + y
                            qv[b, k, t] += dot6(u[0], S[t]) + dot6(u[1], rate[t])
                            qv[b, k, t] += dot3(x3, S[t]) + dot6(x1, rate[t])
                            z = dot3(xB, S[t]) - dot3(u[2], S[t])
                            vv[b, k, t] += z
                            vv[b, t, k] += z
                        else:
                            vv[b, k, t] -= dot6(u[3], S[t])
                            vv[b, t, k] -= dot6(ICs[t], sw[k]) + dot6(ICs[k], sw[t])
                    j = tree.parent[j]
            gather(par, i, IC, BC, fC)
            if par >= 0:
                for c in range(9):
                    N[par, c] += N[i, c]
                for c in range(6):
                    P[par, c] += P[i, c]
                for c in range(3):
                    C[par, c] += C[i, c]
