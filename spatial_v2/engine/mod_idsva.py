"""Gradient of lambda . ID in one sweep each way: O(N)."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import add_crf, apply_inertia, dot6, near
from spatial_v2.engine.sweep import (
    add_coriolis,
    forward,
    gather,
    transpose_coriolis,
)

__all__ = ["mod_idsva", "weigh"]


@inline
def weigh(tree, i, lam, S, w):
    """w[i], the velocity of the parent if lambda were the joint velocity; w[nb + i] that of i."""
    nb, par = tree.parent.size, tree.parent[i]
    for c in range(6):
        w[i, c] = w[nb + par, c] if par >= 0 else 0.0
        w[nb + i, c] = w[i, c]
    for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
        for c in range(6):
            w[nb + i, c] += S[k, c] * lam[k]


@jit
def mod_idsva(tree, q, qd, qdd, lam, dq, dqd):
    """Gradients dq and dqd (B, nv) of lam . ID."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, still, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.zeros((nb, 3)), np.empty(9)
    S, psid, psidd = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    rate, v, a = np.empty((nv, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IC, BC, fC = np.empty((nb, 10)), np.empty((nb, 12)), np.empty((nb, 6))
    w, L, P = np.empty((2 * nb, 6)), np.empty((nb, 3)), np.empty((nb, 6))
    F, G = np.empty(6), np.empty(6)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, still, S, psid, psidd, rate, v, a, IC, BC, fC, M)
        for i in range(nb):
            weigh(tree, i, lam[b], S, w)
        L[:, :] = 0.0
        P[:, :] = 0.0
        for i in range(nb - 1, -1, -1):
            par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
            for k in range(v0, v1):
                apply_inertia(IC[i], S[k], F)
                l0, l1, l2 = transpose_coriolis(BC[i], S[k])
                L[i, 0] += lam[b, k] * l0
                L[i, 1] += lam[b, k] * l1
                L[i, 2] += lam[b, k] * l2
                for c in range(6):
                    P[i, c] += lam[b, k] * F[c]
            for k in range(v0, v1):
                apply_inertia(IC[i], psidd[k], F)
                add_coriolis(BC[i], psid[k], F)
                add_crf(S[k], fC[i], F)
                apply_inertia(IC[i], rate[k], G)
                add_coriolis(BC[i], S[k], G)
                x = dot6(P[i], psidd[k]) + dot6(w[i], F)
                y = dot6(P[i], rate[k]) + dot6(w[i], G)
                for c in range(3):
                    x += L[i, c] * psid[k, c]
                    y += L[i, c] * S[k, c]
                dq[b, k], dqd[b, k] = x, y
            gather(par, i, IC, BC, fC)
            if par >= 0:
                for c in range(6):
                    P[par, c] += P[i, c]
                for c in range(3):
                    L[par, c] += L[i, c]
