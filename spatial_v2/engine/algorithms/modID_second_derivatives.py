"""Gradient and Hessian of lambda . ID without tensors, in O(N d) for a tree of depth d.

The sums over the torque index of Algorithm 1 are computed first. Its matrices A0, A1 and A4 are
summed over subtrees (C, N and P below), and lambda S over the path to the root (w below).
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.algorithms.modID_derivatives import weigh
from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    add,
    add_into,
    crf,
    crm,
    cross,
    dot3,
    dot6,
    plus,
    six,
    store,
    times,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.body_coriolis import (
    add_lie_coriolis,
    apply_coriolis,
    apply_transpose,
    coriolis_matrix,
)
from spatial_v2.engine.parts.external import (
    external,
    stationary_gradient,
    stationary_hessian,
    stationary_matrix,
)
from spatial_v2.engine.parts.inertia import apply_inertia, apply_lie_inertia, lie_inertia
from spatial_v2.engine.parts.joint_terms import add_diagonal, add_product
from spatial_v2.engine.parts.sweep import Sweep, add_to_parent, forward_pass, new_sweep
from spatial_v2.engine.tree import Floats, Tree


class Weighted(NamedTuple):
    """Sums of the symbols of Algorithm 1 over the torque index, with the weights lambda."""

    w: Annotated[Floats, "nb + 1, 6"]  # velocities of the bodies for joint velocities lambda
    sw: Annotated[Floats, "rows, 6"]  # S x w with w of the parent
    P: Annotated[Floats, "nb + 1, 6"]  # sums of A4 over subtrees
    N: Annotated[Floats, "nb + 1, 9"]  # sums of A1
    C: Annotated[Floats, "nb + 1, 3"]  # sums of A0
    ICs: Annotated[Floats, "rows, 6"]  # I S of each variable
    N1: Annotated[Floats, "rows, 9"]  # A1 of each variable
    B3: Annotated[Floats, "12"]  # scratch space


new_weighted = allocator(Weighted, "q, nb, rows")


class Hessian(NamedTuple):
    """Results for lambda . ID in one state, or in B states.

    Attributes
    ----------
    gq, gv : (nv,)
        Gradients with respect to q and qd; empty if not needed.
    qq, vv, qv : (nv, nv)
        Blocks of the Hessian; the first index of qv is that of q.
    dq, dqd : (nv, nv)
        First derivatives of ID; empty if not needed.
    """

    gq: Floats
    gv: Floats
    qq: Floats
    vv: Floats
    qv: Floats
    dq: Floats
    dqd: Floats


@inline
def close_body(tree: Tree, i: int, lam: Floats, sweep: Sweep, sums: Weighted) -> None:
    """Add the terms of body i to the sums P, N and C; store I S and A1 of its variables."""
    I, B, P, N, C = sweep.IC[i], sweep.BC[i], sums.P[i], sums.N[i], sums.C[i]
    for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
        s = six(sweep.S[k])
        F, c4 = apply_inertia(I, s), apply_transpose(B, s)
        store(F, sums.ICs[k])
        lie_inertia(I, s, sums.N1[k])
        add(times(lam[k], F), P)
        for c in range(9):
            N[c] += lam[k] * sums.N1[k, c]
        for c in range(3):
            C[c] += lam[k] * c4[c]


@inline
def inward_hessian(tree: Tree, lam: Floats, sweep: Sweep, sums: Weighted, out: Hessian) -> None:
    """Compute the Hessian of one state, and the other fields of `out` that are not empty."""
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    IC, BC, fC = sweep.IC, sweep.BC, sweep.fC
    w, sw, P, N, C = sums.w, sums.sw, sums.P, sums.N, sums.C
    ICs, N1, B3 = sums.ICs, sums.N1, sums.B3
    gq, gv, qq, vv, qv, dq, dqd = out
    P[:, :] = 0.0
    N[:, :] = 0.0
    C[:, :] = 0.0
    parent, joint, first = tree.parent, tree.joint, gq.size > 0
    for i in range(parent.size):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            store(crm(six(S[k]), six(w[parent[i]])), sw[k])
    for i in range(parent.size - 1, -1, -1):
        par, v0, v1 = parent[i], joint[i, 3], joint[i, 3] + joint[i, 4]
        wp = six(w[par])
        close_body(tree, i, lam, sweep, sums)
        vv[v0:v1, v0:v1] = 0.0
        for k in range(v0, v1):
            s, ds = six(S[k]), six(psid[k])
            # u9, u12 and u11 = u12 - u9 of Algorithm 1 (IDSVA-SO), summed over the subtree
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
        add_to_parent(tree, i, sweep)
        add_into(P[i], P[par])
        add_into(N[i], N[par])
        add_into(C[i], C[par])


@part
def copy_rows(x: Floats, y: Floats) -> None:
    """Copy rows of six numbers from x to y."""
    for i in range(x.shape[0]):
        store(six(x[i]), y[i])


@jit
def modID_second_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    results: Hessian,
) -> None:  # fmt: skip
    """Compute the gradient and the Hessian of ``lam . ID``, and first derivatives of ID."""
    gq, gv, qq, vv, qv, dq, dqd = results
    nb, nv = tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    sums = new_weighted(q, nb, nv)
    most = (nb + 1) * (f_ext.size > 0)
    e, c, K = empty(q, most, 6), empty(q, most, 6), empty(q, most, 18)
    for b in range(q.shape[0]):
        o = forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        external(f_ext, f_body, b, o, sweep, e)
        weigh(tree, lam[b], sweep.S, sums.w)
        out = Hessian(gq[b], gv[b], qq[b], vv[b], qv[b], dq[b], dqd[b])
        inward_hessian(tree, lam[b], sweep, sums, out)
        add_product(tree.stiffness, lam[b], gq[b])
        add_product(tree.damping, lam[b], gv[b])
        add_diagonal(tree.stiffness, dq[b])
        add_diagonal(tree.damping, dqd[b])
        if f_ext.size:
            copy_rows(e, c)
            stationary_gradient(tree, lam[b], sweep.S, c, sums.P, gq[b])
            copy_rows(e, c)
            stationary_matrix(tree, sweep.S, c, dq[b])
            stationary_hessian(tree, lam[b], sweep.S, e, K, qq[b])
