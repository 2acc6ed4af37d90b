"""First derivatives of the forces on the bodies, alone and summed over subtrees."""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import apply_coriolis
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import (
    Six,
    crf,
    fold,
    force_at,
    plus,
    put_column,
    six,
    turn_six_back,
)

__all__ = ["force_derivatives", "rates", "to_body"]


@inline
def to_body(R: Floats, p: Floats, f: Six) -> Six:
    """A force vector in the coordinates of a body with the pose R, p."""
    return turn_six_back(R, force_at(p, f))


@inline
def rates(I: Floats, B: Floats, s: Six, ds: Six, dds: Six, r: Six) -> tuple[Six, Six, Six]:
    """I psidd + B psid, I rate + B S and I S; B is doubled."""
    dq = plus(apply_inertia(I, dds), apply_coriolis(B, ds))
    return dq, plus(apply_inertia(I, r), apply_coriolis(B, s)), apply_inertia(I, s)


@inline
def put_both(x: Six, y: Six, i: int, k: int, R: Floats, p: Floats, F: Floats, G: Floats) -> None:
    """Column k of body i is x in F, in ground coordinates, and y in G, in those of the body."""
    put_column(force_at(p[-1], x), k, F[i])
    put_column(to_body(R[i], p[i], y), k, G[i])


@inline
def derive(
    tree: Tree, summed: bool, S: Floats, psid: Floats, psidd: Floats, rate: Floats, R: Floats,
    p: Floats, I: Floats, B: Floats, f: Floats, dq: Floats, dv: Floats, da: Floats,
    dq_body: Floats, dv_body: Floats, da_body: Floats,
) -> None:  # fmt: skip
    """Derivatives of the forces f on the bodies or, `summed`, on the subtrees."""
    for i in range(tree.parent.size - 1, -1, -1):
        j = i
        while j >= 0:
            for k in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                s = six(S[k])
                x, y, z = rates(I[i], B[i], s, six(psid[k]), six(psidd[k]), six(rate[k]))
                turned = plus(x, crf(s, six(f[i])))
                put_both(turned, x, i, k, R, p, dq, dq_body)
                put_both(y, y, i, k, R, p, dv, dv_body)
                put_both(z, z, i, k, R, p, da, da_body)
                m = tree.parent[i] if summed and j == i else -1
                while m >= 0:
                    put_both(turned, turned, m, k, R, p, dq, dq_body)
                    put_both(y, y, m, k, R, p, dv, dv_body)
                    put_both(z, z, m, k, R, p, da, da_body)
                    m = tree.parent[m]
            j = tree.parent[j]
        if summed:
            fold(I[i], I[tree.parent[i]])
            fold(B[i], B[tree.parent[i]])
            fold(f[i], f[tree.parent[i]])


@jit
def force_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, df_dq: Floats, df_dv: Floats, df_da: Floats,
    dfC_dq: Floats, dfC_dv: Floats, dfC_da: Floats, df_dq_body: Floats, df_dv_body: Floats,
    df_da_body: Floats, dfC_dq_body: Floats, dfC_dv_body: Floats, dfC_da_body: Floats,
) -> None:  # fmt: skip
    """The fields of `SpatialForceDerivatives`, each (B, nb, 6, nv), zero before."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, psid, psidd, rate = empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    v, a, f = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    I, B = empty(q, nb + 1, 10), empty(q, nb + 1, 12)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, False, S, psid, psidd, rate, v, a, I, B, f)
        derive(
            tree, False, S, psid, psidd, rate, R, p, I, B, f,
            df_dq[b], df_dv[b], df_da[b], df_dq_body[b], df_dv_body[b], df_da_body[b],
        )  # fmt: skip
        derive(
            tree, True, S, psid, psidd, rate, R, p, I, B, f,
            dfC_dq[b], dfC_dv[b], dfC_da[b], dfC_dq_body[b], dfC_dv_body[b], dfC_da_body[b],
        )  # fmt: skip
