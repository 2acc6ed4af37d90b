"""Second derivatives of inverse dynamics: IDSVA-SO in the ground frame, on compact matrices.

For each velocity variable p the matrices A0 .. A7 of Algorithm 1 reduce to a few vectors: A0, A4,
A5 and A7 are xbar* of a force vector, A1 and A3 are compact matrices. For each t on the way to the
root the vectors u follow, and their products with all r between t and the root are formed together
over contiguous arrays.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_coriolis import (
    add_lie_coriolis,
    apply_coriolis,
    apply_transpose,
    coriolis_matrix,
)
from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.external import external
from spatial_v2.engine.inertia import apply_inertia, apply_lie_inertia, lie_inertia
from spatial_v2.engine.lanes.beside import packs
from spatial_v2.engine.numbers import abreast, empty
from spatial_v2.engine.path import path
from spatial_v2.engine.poses import near
from spatial_v2.engine.runs import ID_SO
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.values import MARGIN, PILE, lay_of, pour, pour_rest, six_at
from spatial_v2.engine.vectors import Six, Three, crf, crm, cross, dot6, fold, plus, six

__all__ = ["idsva_so"]

lay, lay_own = lay_of(ID_SO)


@part
def spread(
    index: Ints, n: int, S: Floats, psid: Floats, psidd: Floats, rate: Floats, Z: Floats
) -> None:
    """Rows 0-5, 6-11, 12-17, 18-23 of the blocks of Z get the columns of S, psid, psidd, rate."""
    m = abreast(Z)
    for x in range(n):
        k, block, column = index[x], x // m, x % m
        for c in range(6):
            Z[block, c * m + column] = S[k, c]
            Z[block, (6 + c) * m + column] = psid[k, c]
            Z[block, (12 + c) * m + column] = psidd[k, c]
            Z[block, (18 + c) * m + column] = rate[k, c]


@inline
def dot3(u: Three, x: Six) -> float:
    """Product with the angular part of x."""
    return u[0] * x[0] + u[1] * x[1] + u[2] * x[2]


@part
def products(
    P: Six, M1: Floats, B3: Floats, c4: Three, z5: Six, z7: Six,
    s: Six, ds: Six, dds: Six, rs: Six, z: Floats, blocks: int, w: Floats,
) -> None:  # fmt: skip
    """The scalars of Algorithm 1 for one pair (p, t) and so many blocks of variables r.

    Columns of w, a row a block: 0 p1, 1 p2, 2 u1.psid + u2.psidd, 3 u1.s + u2.rate, 4 u3.s,
    5 u5.s + u9.rate, 6 u6.s, 7 u7.s, 8 a = s.A1 s, 9 b = s.A0 s, 10 a - b, 11 a + b.
    """
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
    """Column 11 of w for s and t of one joint: u4.s, from the momentum P of s."""
    u4 = plus(crf(s, apply_inertia(I, t)), crf(t, P))
    for k in range(blocks):
        w[k, 11] = dot6(u4, six_at(z, k, 0))


@part
def held_products(y: Six, z: Floats, blocks: int, w: Floats) -> None:
    """Add y.s to column 1 of w: what forces constant in the base add to tau_p."""
    for k in range(blocks):
        w[k, 1] += dot6(y, six_at(z, k, 0))


@part
def inward(
    tree: Tree, S: Floats, psid: Floats, psidd: Floats, rate: Floats,
    IC: Floats, BC: Floats, fC: Floats, e: Floats, index: Ints, first: Ints, last: Ints,
    M1: Floats, B3: Floats, Z: Floats, z: Floats, W: Floats, w: Floats,
    waiting: Floats, count: Ints, done: Ints, b: int,
    qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """The values of the tensors of state b; IC, BC, fC and e become those of the subtrees."""
    count[:], done[:] = 0, 0
    for i in range(tree.parent.size - 1, -1, -1):
        n = path(tree, i, index, first, last)
        spread(index, n, S, psid, psidd, rate, Z)
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            s, ds = six(S[k]), six(psid[k])
            P, c4 = apply_inertia(IC[i], s), apply_transpose(BC[i], s)
            lie_inertia(IC[i], s, M1)
            coriolis_matrix(IC[i], ds, B3)
            add_lie_coriolis(BC[i], s, B3)
            z5 = plus(apply_inertia(IC[i], six(psidd[k])), apply_coriolis(BC[i], ds))
            z5 = plus(z5, crf(s, six(fC[i])))
            z7 = plus(apply_inertia(IC[i], six(rate[k])), apply_coriolis(BC[i], s))
            for x in range(n):
                t, above, m = index[x], first[x], last[x]
                blocks = (m + abreast(Z) - 1) // abreast(Z)
                st, dst, ddst, rst = six(S[t]), six(psid[t]), six(psidd[t]), six(rate[t])
                products(P, M1, B3, c4, z5, z7, st, dst, ddst, rst, z, blocks, w)
                if e.shape[0]:
                    held_products(crf(crm(st, s), six(e[i])), z, blocks, w)
                if m == n:
                    own_products(s, st, P, IC[i], z, blocks, w)
                    lay_own(W, w, above, m, waiting, count)
                else:
                    lay(W, w, above, m, waiting, count)
                if count[0] >= PILE:
                    pour(waiting, count, 0, qq, b, done)
                    pour(waiting, count, 1, vv, b, done)
                    pour(waiting, count, 2, qv, b, done)
                    pour(waiting, count, 3, dM, b, done)
        par = tree.parent[i]
        fold(BC[i], BC[par])
        fold(IC[i], IC[par])
        fold(fC[i], fC[par])
        if e.shape[0]:
            fold(e[i], e[par])
    pour_rest(waiting, count, 0, qq, b, done)
    pour_rest(waiting, count, 1, vv, b, done)
    pour_rest(waiting, count, 2, qv, b, done)
    pour_rest(waiting, count, 3, dM, b, done)


@jit
def idsva_so(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats,
    qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """Values of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq, each (B, values); see `lay`."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, psid = empty(q, nv, 6), empty(q, nv, 6)
    psidd, rate = empty(q, nv, 6), empty(q, nv, 6)
    v, a, fC = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    IC, BC, M1, B3 = empty(q, nb + 1, 10), empty(q, nb + 1, 12), empty(q, 9), empty(q, 12)
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    count, done = np.empty(4, dtype=np.int64), np.empty(4, dtype=np.int64)
    blocks = (nv + abreast(q) - 1) // abreast(q)
    Z, W = empty(q, blocks, 24 * abreast(q)), empty(q, blocks, 12 * abreast(q))
    waiting = empty(q, 4, 6 * nv + MARGIN)
    e = empty(q, (nb + 1) * (f_ext.size > 0), 6)
    Z[:] = 0.0
    z, w = packs(Z), packs(W)
    for b in range(q.shape[0]):
        o = near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, False, S, psid, psidd, rate, v, a, IC, BC, fC)
        external(f_ext, f_body, b, o, R, p, fC, e)
        inward(
            tree, S, psid, psidd, rate, IC, BC, fC, e, index, first, last,
            M1, B3, Z, z, W, w, waiting, count, done, b, qq, vv, qv, dM,
        )  # fmt: skip
