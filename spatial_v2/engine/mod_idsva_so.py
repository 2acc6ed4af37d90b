"""Gradient and Hessian of lambda . ID without the tensors: O(N d).

The sums over the torque index that Algorithm 1 leaves open are closed first: over subtrees for the
matrices A0, A1, A4 (P, N, C below), over the path to the root for lambda S (w below).
"""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import (
    add_lie_coriolis,
    apply_coriolis,
    apply_transpose,
    coriolis_matrix,
)
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.external import external, held_gradient, held_hessian, held_matrix
from spatial_v2.engine.inertia import apply_inertia, apply_lie_inertia, lie_inertia
from spatial_v2.engine.mod_idsva import weigh
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import (
    Six,
    Three,
    add,
    crf,
    crm,
    cross,
    dot6,
    fold,
    plus,
    put,
    six,
    times,
)

__all__ = ["mod_idsva_so"]


@inline
def dot3(u: Three, x: Six) -> float:
    """Product with the angular part of x."""
    return u[0] * x[0] + u[1] * x[1] + u[2] * x[2]


@inline
def close(
    lam: Floats, v0: int, v1: int, S: Floats, I: Floats, B: Floats,
    P: Floats, N: Floats, C: Floats, ICs: Floats, N1: Floats,
) -> None:  # fmt: skip
    """Add the variables v0:v1 of one body to P, N and C; keep their ICs = I S and N1."""
    for k in range(v0, v1):
        s = six(S[k])
        F, c4 = apply_inertia(I, s), apply_transpose(B, s)
        put(F, ICs[k])
        lie_inertia(I, s, N1[k])
        add(times(lam[k], F), P)
        for c in range(9):
            N[c] += lam[k] * N1[k, c]
        for c in range(3):
            C[c] += lam[k] * c4[c]


@inline
def inward(
    tree: Tree, lam: Floats, S: Floats, psid: Floats, psidd: Floats, rate: Floats,
    IC: Floats, BC: Floats, fC: Floats, w: Floats, sw: Floats, P: Floats, N: Floats, C: Floats,
    ICs: Floats, N1: Floats, B3: Floats, qq: Floats, vv: Floats, qv: Floats,
    gq: Floats, gv: Floats, dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Hessian blocks (nv, nv) of one state, zero before.

    Gradients gq, gv (nv,) and first derivatives dq, dqd (nv, nv) as well, if they are not empty.
    """
    P[:, :] = 0.0
    N[:, :] = 0.0
    C[:, :] = 0.0
    parent, joint, first = tree.parent, tree.joint, gq.size > 0
    for i in range(parent.size):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            put(crm(six(S[k]), six(w[parent[i]])), sw[k])
    for i in range(parent.size - 1, -1, -1):
        par, v0, v1 = parent[i], joint[i, 3], joint[i, 3] + joint[i, 4]
        wp = six(w[par])
        close(lam, v0, v1, S, IC[i], BC[i], P[i], N[i], C[i], ICs, N1)
        vv[v0:v1, v0:v1] = 0.0
        for k in range(v0, v1):
            s, ds = six(S[k]), six(psid[k])
            # u5, u9, u12 - u9, u12 of the summed matrices
            u9, u12, e = crf(s, six(P[i])), apply_lie_inertia(N[i], s), crf(ds, six(P[i]))
            u11 = u12[0] - u9[0], u12[1] - u9[1], u12[2] - u9[2]
            c0, c1, c2 = cross(C[i, 0], C[i, 1], C[i, 2], s[0], s[1], s[2])
            u5 = plus(e, times(-1.0, apply_lie_inertia(N[i], ds)))
            u5 = plus(u5, (-c0, -c1, -c2, 0.0, 0.0, 0.0))
            F, c4 = six(ICs[k]), apply_transpose(BC[i], s)
            coriolis_matrix(IC[i], ds, B3)
            add_lie_coriolis(BC[i], s, B3)
            x3, x1, x0 = apply_transpose(B3, wp), apply_lie_inertia(N1[k], wp), crf(wp, F)
            y5 = plus(u5, (x3[0], x3[1], x3[2], 0.0, 0.0, 0.0))
            y9 = plus(u9, x1)
            y11 = x1[0] - x0[0] - u11[0], x1[1] - x0[1] - u11[1], x1[2] - x0[2] - u11[2]
            z5 = plus(apply_inertia(IC[i], six(psidd[k])), apply_coriolis(BC[i], ds))
            z5 = plus(z5, crf(s, six(fC[i])))
            z7 = plus(apply_inertia(IC[i], six(rate[k])), apply_coriolis(BC[i], s))
            if first:
                c = C[i, 0], C[i, 1], C[i, 2]
                gq[k] = dot6(six(P[i]), six(psidd[k])) + dot6(wp, z5) + dot3(c, ds)
                gv[k] = dot6(six(P[i]), six(rate[k])) + dot6(wp, z7) + dot3(c, s)
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    st, dst, ddst = six(S[t]), six(psid[t]), six(psidd[t])
                    rst, swt = six(rate[t]), six(sw[t])
                    if first:
                        dq[k, t] = dot3(c4, dst) + dot6(F, ddst)
                        dqd[k, t] = dot3(c4, st) + dot6(F, rst)
                        if j != i:
                            dq[t, k] = dot6(z5, st)
                            dqd[t, k] = dot6(z7, st)
                    d = dot6(y5, dst) + dot6(y9, ddst) - dot6(z5, swt)
                    qq[k, t] = d
                    qv[t, k] = dot3(y11, dst) - dot6(z7, swt)
                    if j != i:
                        qq[t, k] = d
                        qv[k, t] = dot6(y5, st) + dot6(y9, rst)
                        vv[k, t] = vv[t, k] = dot3(y11, st)
                    else:
                        vv[k, t] -= dot6(u12, st)
                        vv[t, k] -= dot6(six(ICs[t]), six(sw[k])) + dot6(F, swt)
                j = parent[j]
        fold(BC[i], BC[par])
        fold(IC[i], IC[par])
        fold(fC[i], fC[par])
        fold(P[i], P[par])
        fold(N[i], N[par])
        fold(C[i], C[par])


@jit
def mod_idsva_so(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    gq: Floats, gv: Floats, qq: Floats, vv: Floats, qv: Floats, dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Gradients (B, nv), Hessian blocks qq, vv, qv and first derivatives dq, dqd (B, nv, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, psid = empty(q, nv, 6), empty(q, nv, 6)
    psidd, rate = empty(q, nv, 6), empty(q, nv, 6)
    v, a, fC = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    IC, BC, B3 = empty(q, nb + 1, 10), empty(q, nb + 1, 12), empty(q, 12)
    P, N, C = empty(q, nb + 1, 6), empty(q, nb + 1, 9), empty(q, nb + 1, 3)
    w, sw, ICs, N1 = empty(q, nb + 1, 6), empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 9)
    most = (nb + 1) * (f_ext.size > 0)
    e, c, K = empty(q, most, 6), empty(q, most, 6), empty(q, most, 18)
    for b in range(q.shape[0]):
        o = near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, False, S, psid, psidd, rate, v, a, IC, BC, fC)
        external(f_ext, f_body, b, o, R, p, fC, e)
        weigh(tree, lam[b], S, w)
        inward(
            tree, lam[b], S, psid, psidd, rate, IC, BC, fC, w, sw, P, N, C,
            ICs, N1, B3, qq[b], vv[b], qv[b], gq[b], gv[b], dq[b], dqd[b],
        )  # fmt: skip
        if f_ext.size:
            c[:, :] = e
            held_gradient(tree, lam[b], S, c, P, gq[b])
            c[:, :] = e
            held_matrix(tree, S, c, dq[b])
            held_hessian(tree, lam[b], S, e, K, qq[b])
