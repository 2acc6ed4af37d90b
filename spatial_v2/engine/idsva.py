"""First derivatives of inverse dynamics: IDSVA in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import apply_coriolis, apply_transpose
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.external import external, held_matrix
from spatial_v2.engine.inertia import apply_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import crf, dot6, fold, plus, six

__all__ = ["idsva"]


@inline
def inward(
    tree: Tree, S: Floats, psid: Floats, psidd: Floats, rate: Floats,
    IC: Floats, BC: Floats, fC: Floats, dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """dtau_dq and dtau_dqd (nv, nv); the bodies' IC, BC and fC become those of the subtrees."""
    parent, joint = tree.parent, tree.joint
    for i in range(parent.size - 1, -1, -1):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            s, ds = six(S[k]), six(psid[k])
            F = plus(apply_inertia(IC[i], six(psidd[k])), apply_coriolis(BC[i], ds))
            F = plus(F, crf(s, six(fC[i])))
            G = plus(apply_inertia(IC[i], six(rate[k])), apply_coriolis(BC[i], s))
            P, l = apply_inertia(IC[i], s), apply_transpose(BC[i], s)
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    s, ds = six(S[t]), six(psid[t])
                    x = l[0] * ds[0] + l[1] * ds[1] + l[2] * ds[2]
                    y = l[0] * s[0] + l[1] * s[1] + l[2] * s[2]
                    dq[k, t] = x + dot6(P, six(psidd[t]))
                    dqd[k, t] = y + dot6(P, six(rate[t]))
                    if j != i:
                        dq[t, k] = dot6(F, s)
                        dqd[t, k] = dot6(G, s)
                j = parent[j]
        par = parent[i]
        fold(BC[i], BC[par])
        fold(IC[i], IC[par])
        fold(fC[i], fC[par])


@jit
def idsva(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """dtau_dq and dtau_dqd, each (B, nv, nv), zero before.

    External forces (B, nb, 6) are constant in the base or in the bodies, or none: (0, 0, 6).
    """
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, psid = empty(q, nv, 6), empty(q, nv, 6)
    psidd, rate = empty(q, nv, 6), empty(q, nv, 6)
    v, a, fC = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    IC, BC, e = empty(q, nb + 1, 10), empty(q, nb + 1, 12), empty(q, (nb + 1) * (f_ext.size > 0), 6)
    for b in range(q.shape[0]):
        o = near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, False, S, psid, psidd, rate, v, a, IC, BC, fC)
        external(f_ext, f_body, b, o, R, p, fC, e)
        inward(tree, S, psid, psidd, rate, IC, BC, fC, dq[b], dqd[b])
        if f_ext.size:
            held_matrix(tree, S, e, dq[b])
