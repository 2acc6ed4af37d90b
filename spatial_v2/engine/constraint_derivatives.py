"""First derivatives of constraints, and of the joint forces that they make."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.constraint_rows import jacobian
from spatial_v2.engine.held import Held, ends, row_vectors
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.path import path
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import advance, rest
from spatial_v2.engine.tree import Floats, Ints
from spatial_v2.engine.vectors import add, crf, cross, dot6, six, times

__all__ = ["constraint_derivatives"]


@inline
def along(
    held: Held, S: Floats, psid: Floats, psidd: Floats, rate: Floats, Y: Floats, Z: Floats,
    X: Floats, dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Derivatives dq and dqd (m, nv) of the rows' acceleration; see `row_vectors`."""
    tree = held.tree
    dq[:, :] = 0.0
    dqd[:, :] = 0.0
    for c in range(held.ends.shape[0]):
        for e in range(2):
            i, sign = held.ends[c, e], 2.0 * e - 1.0
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s, ds, dds, rs = six(S[t]), six(psid[t]), six(psidd[t]), six(rate[t])
                    for k in range(held.ends[c, 3], held.ends[c, 3] + held.ends[c, 4]):
                        y, z = six(Y[e, k]), six(Z[e, k])
                        dq[k, t] += sign * (dot6(dds, y) + dot6(ds, z) + dot6(s, six(X[e, k])))
                        dqd[k, t] += sign * (dot6(rs, y) + dot6(s, z))
                i = tree.parent[i]


@inline
def pushed_point(
    held: Held, c: int, lam: Floats, S: Floats, pc: Floats,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Of a force at a point: it moves with the body but does not turn."""
    for e in range(2):
        p0, p1, p2 = pc[e, 0], pc[e, 1], pc[e, 2]
        f0 = f1 = f2 = 0.0 * p0
        for k in range(held.ends[c, 3], held.ends[c, 3] + held.ends[c, 4]):
            x = (2.0 * e - 1.0) * lam[k]
            f0, f1, f2 = f0 + x * held.T[k, 0], f1 + x * held.T[k, 1], f2 + x * held.T[k, 2]
        for x in range(path(held.tree, held.ends[c, e], index, first, last)):
            s = six(S[index[x]])
            n0, n1, n2 = cross(s[0], s[1], s[2], p0, p1, p2)
            n0, n1, n2 = cross(s[3] + n0, s[4] + n1, s[5] + n2, f0, f1, f2)
            for y in range(last[x]):
                w = S[index[y]]
                push = w[0] * n0 + w[1] * n1 + w[2] * n2
                out[index[x], index[y]] += push
                if y < first[x]:
                    out[index[y], index[x]] += push


@inline
def pushed_frame(
    held: Held, c: int, lam: Floats, S: Floats, Y: Floats, f: Floats,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Of a force that turns with the frame whose axes it has."""
    tree = held.tree
    f[:] = 0.0
    for k in range(held.ends[c, 3], held.ends[c, 3] + held.ends[c, 4]):
        add(times(lam[k], six(Y[0, k])), f)
    for e in range(2):
        sign = 2.0 * e - 1.0
        n = path(tree, held.ends[c, e], index, first, last)
        for y in range(n):
            g = crf(six(S[index[y]]), six(f))
            for x in range(first[y], n):
                out[index[x], index[y]] -= sign * dot6(six(S[index[x]]), g)
        j = held.ends[c, held.ends[c, 2]]
        while j >= 0:
            for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                g = crf(six(S[t]), six(f))
                for x in range(n):
                    out[index[x], t] += sign * dot6(six(S[index[x]]), g)
            j = tree.parent[j]


@jit
def constraint_derivatives(
    held: Held, q: Floats, qd: Floats, qdd: Floats, lam: Floats,
    G: Floats, dq: Floats, dqd: Floats, push: Floats,
) -> None:  # fmt: skip
    """G, and derivatives of the rows' acceleration less the wanted one, (B, m, nv).

    And those of ``G^T lam`` along q at constant lam, push (B, nv, nv).
    """
    tree, m = held.tree, held.T.shape[0]
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    psid, psidd, rate = empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    v, a, f, alpha = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6), empty(q, m)
    Rc, pc = empty(q, 2, 3, 3), empty(q, 2, 3)
    Y, Z, X = empty(q, 2, m, 6), empty(q, 2, m, 6), empty(q, 2, m, 6)
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        rest(tree, v, a)
        for i in range(nb):
            vp, ap = six(v[tree.parent[i]]), six(a[tree.parent[i]])
            advance(tree, i, vp, ap, qd[b], qdd[b], S, psid, psidd, rate, v, a, f)
        row_vectors(held, R, p, v, a, Rc, pc, Y, Z, X, alpha)
        jacobian(held, S, Y, G[b])
        along(held, S, psid, psidd, rate, Y, Z, X, dq[b], dqd[b])
        push[b, :, :] = 0.0
        for c in range(held.ends.shape[0]):
            if held.ends[c, 2] < 0:
                ends(held, c, R, p, Rc, pc)
                pushed_point(held, c, lam[b], S, pc, index, first, last, push[b])
            else:
                pushed_frame(held, c, lam[b], S, Y, f, index, first, last, push[b])
