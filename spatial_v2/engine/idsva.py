"""First derivatives of inverse dynamics: IDSVA in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import add_crf, apply_inertia, dot6, near
from spatial_v2.engine.sweep import (
    add_coriolis,
    forward,
    gather,
    transpose_coriolis,
)

__all__ = ["idsva"]


@jit
def idsva(tree, q, qd, qdd, dq, dqd):
    """dtau_dq and dtau_dqd, each (B, nv, nv), zero before."""
    nb, nv, batch = tree.parent.size, qd.shape[1], q.shape[0]
    R, p, still, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.zeros((nb, 3)), np.empty(9)
    S, psid, psidd = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    rate, v, a = np.empty((nv, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IC, BC, fC = np.empty((nb, 10)), np.empty((nb, 12)), np.empty((nb, 6))
    F, G, P = np.empty(6), np.empty(6), np.empty(6)
    for b in range(batch):
        near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, still, S, psid, psidd, rate, v, a, IC, BC, fC, M)
        for i in range(nb - 1, -1, -1):
            par = tree.parent[i]
            v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
            for k in range(v0, v1):
                apply_inertia(IC[i], psidd[k], F)
                add_coriolis(BC[i], psid[k], F)
                add_crf(S[k], fC[i], F)
                apply_inertia(IC[i], rate[k], G)
                add_coriolis(BC[i], S[k], G)
                apply_inertia(IC[i], S[k], P)
                l0, l1, l2 = transpose_coriolis(BC[i], S[k])
                j = i
                while j >= 0:
                    w0, w1 = tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]
                    for t in range(w0, w1):
                        s, ps = S[t], psid[t]
                        x = l0 * ps[0] + l1 * ps[1] + l2 * ps[2]
                        y = l0 * s[0] + l1 * s[1] + l2 * s[2]
                        dq[b, k, t] = x + dot6(P, psidd[t])
                        dqd[b, k, t] = y + dot6(P, rate[t])
                        if j != i:
                            dq[b, t, k] = dot6(F, s)
                            dqd[b, t, k] = dot6(G, s)
                    j = tree.parent[j]
            gather(par, i, IC, BC, fC)
