"""Second derivatives of inverse dynamics: IDSVA-SO in the ground frame, on compact matrices.

Symbols and line numbers are those of Algorithm 1 of the paper. For each velocity variable p its
matrices A0 .. A7 reduce to a few vectors: A0, A4, A5 and A7 are xbar* of a force vector, A1 and A3
are compact matrices. For each variable t on the path from p to the root, the vectors u1 .. u12 are
computed, and their products with the vectors of all r between t and the root, which are contiguous.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.numbers.kinds import empty, simd_columns
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.numbers.vectors import (
    Six,
    Three,
    add,
    crf,
    crm,
    cross,
    dot3,
    dot6,
    plus,
    six,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.body_coriolis import (
    add_lie_coriolis,
    apply_coriolis,
    apply_transpose,
    coriolis_matrix,
)
from spatial_v2.engine.parts.external import external
from spatial_v2.engine.parts.inertia import apply_inertia, apply_lie_inertia, lie_inertia
from spatial_v2.engine.parts.paths import path_variables
from spatial_v2.engine.parts.sweep import Sweep, add_to_parent, forward_pass, new_sweep
from spatial_v2.engine.tensors.flush import flush, flush_all
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.engine.tensors.values import MARGIN, PILE, lay_of, six_at
from spatial_v2.engine.tree import Floats, Ints, Tree

lay, lay_own = lay_of(ID_SO)


class Variable(NamedTuple):
    """Vectors P, c4, z5, z7 of A0, A4, A5, A7 and matrices M1, B3 of A1, A3, for a variable p."""

    P: Six
    M1: Floats
    B3: Floats
    c4: Three
    z5: Six
    z7: Six


class Workspace(NamedTuple):
    """The workspace of `inward_tensors`; rows of Z and W are blocks of m variables on the path."""

    var: Annotated[Ints, "nv"]  # the variables between a body and the base; see `path_variables`
    first: Annotated[Ints, "nv"]
    last: Annotated[Ints, "nv"]
    M1: Annotated[Floats, "9"]  # matrices of the variable p; see `Variable`
    B3: Annotated[Floats, "12"]
    Z: Floats  # columns of S, psid, psidd and rate
    W: Floats  # scalars
    z: Floats  # views of Z and W as SIMD batches
    w: Floats
    pending: Annotated[Floats, "4, pile"]  # buffered values
    counts: Annotated[Ints, "4"]  # their numbers
    done: Annotated[Ints, "4"]  # numbers of values already written


_allocate = allocator(Workspace, "q, nv, pile, Z, W, z, w")


@within
def new_workspace(q: Floats, nv: int) -> Workspace:
    """Allocate the workspace of `inward_tensors`, for the kind of number of q."""
    m = simd_columns(q)
    blocks = (nv + m - 1) // m
    Z, W = empty(q, blocks, 24 * m), empty(q, blocks, 12 * m)
    Z[:] = 0.0
    return _allocate(q, nv, 6 * nv + MARGIN, Z, W, as_simd(Z), as_simd(W))


class Values(NamedTuple):
    """Values of the tensors d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq, each (B, values)."""

    qq: Floats
    vv: Floats
    qv: Floats
    dM: Floats


@part
def spread_columns(index: Ints, n: int, sweep: Sweep, Z: Floats) -> None:
    """Set rows 0-5, 6-11, 12-17, 18-23 of the blocks of Z to columns of S, psid, psidd, rate."""
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    m = simd_columns(Z)
    for x in range(n):
        k, block, column = index[x], x // m, x % m
        for c in range(6):
            Z[block, c * m + column] = S[k, c]
            Z[block, (6 + c) * m + column] = psid[k, c]
            Z[block, (12 + c) * m + column] = psidd[k, c]
            Z[block, (18 + c) * m + column] = rate[k, c]


@part
def pair_products(
    p: Variable, t: tuple[Six, Six, Six, Six], z: Floats, blocks: int, w: Floats
) -> None:
    """Compute the scalars of Algorithm 1 for one pair (p, t) and the given blocks of variables r.

    The vectors of t are its rows of S, psid, psidd and rate. The columns of w, which has one row
    for each block, are: 0 p1, 1 p2, 2 u1.psid + u2.psidd, 3 u1.s + u2.rate, 4 u3.s, 5 u5.s +
    u9.rate, 6 u6.s, 7 u7.s, 8 a = s.A1 s, 9 b = s.A0 s, 10 a - b, 11 a + b.
    """
    (P, M1, B3, c4, z5, z7), (s, ds, dds, rs) = p, t
    u9, u12, e, g = crf(s, P), apply_lie_inertia(M1, s), crf(ds, P), apply_lie_inertia(M1, ds)
    x0, x1, x2 = cross(c4[0], c4[1], c4[2], s[0], s[1], s[2])
    u5 = e[0] - g[0] - x0, e[1] - g[1] - x1, e[2] - g[2] - x2, e[3] - g[3], e[4] - g[4], e[5] - g[5]
    u6 = plus(crf(s, z7), plus(e, g))
    u3 = plus(crf(s, z5), plus(apply_coriolis(B3, ds), apply_lie_inertia(M1, dds)))
    u7 = plus(apply_coriolis(B3, s), apply_lie_inertia(M1, rs))
    u1 = apply_transpose(B3, s)
    u11 = u12[0] - u9[0], u12[1] - u9[1], u12[2] - u9[2]
    for k in range(blocks):
        x = six_at(z, k, 0)
        a, b, s3, s5 = dot6(u12, x), dot6(u9, x), dot3(u1, x), dot6(u5, x)
        s4, s6, s7 = dot6(u3, x), dot6(u6, x), dot6(u7, x)
        x = six_at(z, k, 18)
        s3 += dot6(u12, x)
        s5 += dot6(u9, x)
        x = six_at(z, k, 6)
        s0, s1, s2 = dot3(u11, x), dot6(u5, x), dot3(u1, x)
        x = six_at(z, k, 12)
        s1 += dot6(u9, x)
        s2 += dot6(u12, x)
        w[k, 0], w[k, 1], w[k, 2], w[k, 3] = s0, s1, s2, s3
        w[k, 4], w[k, 5], w[k, 6], w[k, 7] = s4, s5, s6, s7
        w[k, 8], w[k, 9], w[k, 10], w[k, 11] = a, b, a - b, a + b


@part
def own_products(s: Six, t: Six, P: Six, I: Floats, z: Floats, blocks: int, w: Floats) -> None:
    """Set column 11 of w to u4.s_r, for p and t of one joint with subspaces s and t; P is I s."""
    u4 = plus(crf(s, apply_inertia(I, t)), crf(t, P))
    for k in range(blocks):
        w[k, 11] = dot6(u4, six_at(z, k, 0))


@part
def stationary_products(y: Six, z: Floats, blocks: int, w: Floats) -> None:
    """Add y . s_r to column 1 of w: the part of p2 due to forces that are constant in the base."""
    for k in range(blocks):
        w[k, 1] += dot6(y, six_at(z, k, 0))


@part
def inward_tensors(
    tree: Tree, sweep: Sweep, e: Floats, room: Workspace, b: int, out: Values
) -> None:
    """Compute the tensors of state b; IC, BC, fC and e of bodies become sums over subtrees."""
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    IC, BC, fC = sweep.IC, sweep.BC, sweep.fC
    index, first, last, M1, B3, Z, W, z, w, pending, count, done = room
    count[:], done[:] = 0, 0
    for i in range(tree.parent.size - 1, -1, -1):
        n = path_variables(tree, i, index, first, last)
        spread_columns(index, n, sweep, Z)
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            s, ds = six(S[k]), six(psid[k])
            P, c4 = apply_inertia(IC[i], s), apply_transpose(BC[i], s)
            lie_inertia(IC[i], s, M1)
            coriolis_matrix(IC[i], ds, B3)
            add_lie_coriolis(BC[i], s, B3)
            z5 = plus(apply_inertia(IC[i], six(psidd[k])), apply_coriolis(BC[i], ds))
            z5 = plus(z5, crf(s, six(fC[i])))
            z7 = plus(apply_inertia(IC[i], six(rate[k])), apply_coriolis(BC[i], s))
            p = Variable(P, M1, B3, c4, z5, z7)
            for x in range(n):
                t, above, m = index[x], first[x], last[x]
                blocks = (m + simd_columns(Z) - 1) // simd_columns(Z)
                st = six(S[t])
                rows = st, six(psid[t]), six(psidd[t]), six(rate[t])
                pair_products(p, rows, z, blocks, w)
                if e.shape[0]:
                    stationary_products(crf(crm(st, s), six(e[i])), z, blocks, w)
                if m == n:
                    own_products(s, st, P, IC[i], z, blocks, w)
                    lay_own(W, w, above, m, pending, count)
                else:
                    lay(W, w, above, m, pending, count)
                if count[0] >= PILE:
                    flush(pending, count, 0, out.qq, b, done)
                    flush(pending, count, 1, out.vv, b, done)
                    flush(pending, count, 2, out.qv, b, done)
                    flush(pending, count, 3, out.dM, b, done)
        add_to_parent(tree, i, sweep)
        if e.shape[0]:
            add(six(e[i]), e[tree.parent[i]])
    flush_all(pending, count, 0, out.qq, b, done)
    flush_all(pending, count, 1, out.vv, b, done)
    flush_all(pending, count, 2, out.qv, b, done)
    flush_all(pending, count, 3, out.dM, b, done)


@jit
def ID_SO_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats,
    qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """Compute the values (B, n) of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq.

    They are written into qq, vv, qv and dM in the order of the table `ID_SO`.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    sweep, room, out = new_sweep(q, nb, nv), new_workspace(q, nv), Values(qq, vv, qv, dM)
    e = empty(q, (nb + 1) * (f_ext.size > 0), 6)
    for b in range(q.shape[0]):
        o = forward_pass(tree, q[b], qd[b], qdd[b], sweep)
        external(f_ext, f_body, b, o, sweep, e)
        inward_tensors(tree, sweep, e, room, b, out)
