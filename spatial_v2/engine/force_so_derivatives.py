"""Second derivatives of the forces on the subtrees: identities K.

Of two joints on a path let t be the deeper, r at or above it. The terms are those of the composite
body i, if t carries it, and else, for all bodies above, those of the body of t. In the coordinates
of a body that r carries, what the motion of the frame adds drops out: ``S_r x*`` of the derivative
by t; if t carries it too, so does ``S_t x*`` of that by r.
"""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import add_lie_coriolis, apply_coriolis, coriolis_matrix
from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.force_derivatives import rates, to_body
from spatial_v2.engine.inertia import apply_inertia, apply_lie_inertia, lie_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import Six, crf, fold, minus, plus, put, six

__all__ = ["force_so_derivatives"]

Five = tuple[Floats, Floats, Floats, Floats, Floats]


@inline
def put_at(R: Floats, p: Floats, x: Six, j: int, k: int, out: Floats) -> None:
    """out[:, j, k] = x, in the coordinates of the pose R, p."""
    y = to_body(R, p, x)
    out[0, j, k], out[1, j, k], out[2, j, k] = y[0], y[1], y[2]
    out[3, j, k], out[4, j, k], out[5, j, k] = y[3], y[4], y[5]


@part
def put_pair(
    R: Floats, p: Floats, i: int, t: int, r: int, same: bool,
    qq: Six, vv: Six, vq: Six, qv: Six, aq: Six, qa: Six, out: Five,
) -> None:  # fmt: skip
    """Derivatives for body i by t and r, and those by r and t unless they are of one joint."""
    dq, dv, dvq, daq, dqa = out
    put_at(R, p, qq, t, r, dq[i])
    put_at(R, p, vv, t, r, dv[i])
    put_at(R, p, vq, t, r, dvq[i])
    put_at(R, p, aq, t, r, daq[i])
    put_at(R, p, aq, r, t, dqa[i])
    if not same:
        put_at(R, p, qq, r, t, dq[i])
        put_at(R, p, vv, r, t, dv[i])
        put_at(R, p, qv, r, t, dvq[i])
        put_at(R, p, qa, r, t, daq[i])
        put_at(R, p, qa, t, r, dqa[i])


@inline
def first(
    tree: Tree, i: int, S: Floats, psid: Floats, psidd: Floats, rate: Floats, I: Floats, B: Floats,
    x: Floats, y: Floats, z: Floats,
) -> None:  # fmt: skip
    """`rates` of the composite body i by the variables that carry it."""
    j = i
    while j >= 0:
        for k in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
            by = rates(I[i], B[i], six(S[k]), six(psid[k]), six(psidd[k]), six(rate[k]))
            put(by[0], x[k])
            put(by[1], y[k])
            put(by[2], z[k])
        j = tree.parent[j]


@part
def pairs(
    tree: Tree, i: int, j: int, t: int, S: Floats, psid: Floats, psidd: Floats, rate: Floats,
    R: Floats, p: Floats, I: Floats, f: Floats, D: Floats, E: Floats, M: Floats,
    x: Floats, y: Floats, z: Floats, ground: Five, body: Five,
) -> None:  # fmt: skip
    """The variable t of joint j and all at or above it, with the composite body i."""
    st, by_v, by_a = six(S[t]), six(y[t]), six(z[t])
    by_q, l = plus(six(x[t]), crf(st, six(f[i]))), j
    while l >= 0:
        for r in range(tree.joint[l, 3], tree.joint[l, 3] + tree.joint[l, 4]):
            s, ds = six(S[r]), six(psid[r])
            qq = plus(apply_coriolis(M, ds), apply_lie_inertia(D, six(psidd[r])))
            qv = plus(apply_coriolis(M, s), apply_lie_inertia(D, six(rate[r])))
            vv, vq, qa = apply_coriolis(E, s), apply_coriolis(E, ds), apply_lie_inertia(D, s)
            if l == j:
                vv = plus(crf(st, apply_inertia(I[i], s)), crf(s, by_a))
            aq = crf(s, by_a)
            none, turned_q, turned_v = minus(aq, aq), plus(qq, crf(s, by_q)), plus(vq, crf(s, by_v))
            put_pair(R[-1], p[-1], i, t, r, l == j, turned_q, vv, turned_v, qv, aq, qa, ground)
            own_q, own_v = minus(qq, crf(st, six(x[r]))), minus(qv, crf(st, six(y[r])))
            own_a = minus(qa, crf(st, six(z[r])))
            put_pair(R[i], p[i], i, t, r, l == j, own_q, vv, vq, own_v, none, own_a, body)
            m = tree.parent[i] if i == j else -1
            while m >= 0:
                put_pair(R[-1], p[-1], m, t, r, l == j, turned_q, vv, turned_v, qv, aq, qa, ground)
                if m >= l:
                    put_pair(R[m], p[m], m, t, r, l == j, qq, vv, vq, qv, none, qa, body)
                else:
                    put_pair(R[m], p[m], m, t, r, l == j, turned_q, vv, turned_v, qv, aq, qa, body)
                m = tree.parent[m]
        l = tree.parent[l]


@jit
def force_so_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, d2fc_dq: Floats, d2fc_dv: Floats,
    d2fc_dvq: Floats, d2fc_daq: Floats, d2fc_dqa: Floats, d2fc_dq_b: Floats, d2fc_dv_b: Floats,
    d2fc_dvq_b: Floats, d2fc_daq_b: Floats, d2fc_dqa_b: Floats,
) -> None:  # fmt: skip
    """The fields of `SpatialForceSODerivatives`, each (B, nb, 6, nv, nv), zero before."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, psid, psidd, rate = empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    v, a, f = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    I, B, D = empty(q, nb + 1, 10), empty(q, nb + 1, 12), empty(q, 9)
    E, M, x, y, z = empty(q, 12), empty(q, 12), empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    for b in range(q.shape[0]):
        ground = (d2fc_dq[b], d2fc_dv[b], d2fc_dvq[b], d2fc_daq[b], d2fc_dqa[b])
        body = (d2fc_dq_b[b], d2fc_dv_b[b], d2fc_dvq_b[b], d2fc_daq_b[b], d2fc_dqa_b[b])
        near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, False, S, psid, psidd, rate, v, a, I, B, f)
        for i in range(nb - 1, -1, -1):
            first(tree, i, S, psid, psidd, rate, I, B, x, y, z)
            j = i
            while j >= 0:
                for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                    lie_inertia(I[i], six(S[t]), D)
                    coriolis_matrix(I[i], six(S[t]), E)
                    coriolis_matrix(I[i], six(psid[t]), M)
                    add_lie_coriolis(B[i], six(S[t]), M)
                    pairs(
                        tree, i, j, t, S, psid, psidd, rate, R, p, I, f, D, E, M,
                        x, y, z, ground, body,
                    )  # fmt: skip
                j = tree.parent[j]
            fold(I[i], I[tree.parent[i]])
            fold(B[i], B[tree.parent[i]])
            fold(f[i], f[tree.parent[i]])
