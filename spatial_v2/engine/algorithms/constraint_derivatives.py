"""First derivatives of constraints, and of the joint forces of their multipliers."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.algorithms.constraint_rows import jacobian
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import add, crf, cross, dot6, six, times
from spatial_v2.engine.parts.constraint_arrays import ends, new_row_vectors, row_range, row_sweep
from spatial_v2.engine.parts.path import path_variables
from spatial_v2.engine.parts.sweep import new_sweep
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["constraint_derivatives"]


@inline
def row_derivatives(
    constraints: ConstraintArrays, S: Floats, psid: Floats, psidd: Floats, rate: Floats, Y: Floats,
    Z: Floats, X: Floats, dq: Floats, dqd: Floats,
) -> None:  # fmt: skip
    """Compute derivatives dq and dqd (m, nv) of the accelerations of the constraint rows.

    S, psid, psidd and rate are motion subspaces and their rates as in `Sweep`; Y, Z and X are
    results of `row_vectors`.
    """
    tree = constraints.tree
    dq[:, :] = 0.0
    dqd[:, :] = 0.0
    for c in range(constraints.ends.shape[0]):
        for e in range(2):
            i, sign = constraints.ends[c, e], 2.0 * e - 1.0
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s, ds, dds, rs = six(S[t]), six(psid[t]), six(psidd[t]), six(rate[t])
                    for k in row_range(constraints, c):
                        y, z = six(Y[e, k]), six(Z[e, k])
                        dq[k, t] += sign * (dot6(dds, y) + dot6(ds, z) + dot6(s, six(X[e, k])))
                        dqd[k, t] += sign * (dot6(rs, y) + dot6(s, z))
                i = tree.parent[i]


@inline
def pushed_point(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, pc: Floats,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv) the derivatives of the joint forces of a point constraint c along q.

    They are due to a force and a couple at the point, which move with the body but do not turn.
    """
    for e in range(2):
        p0, p1, p2 = pc[e, 0], pc[e, 1], pc[e, 2]
        f0 = f1 = f2 = c0 = c1 = c2 = 0.0 * p0
        for k in row_range(constraints, c):
            x, T = (2.0 * e - 1.0) * lam[k], constraints.T[k]
            f0, f1, f2 = f0 + x * T[0], f1 + x * T[1], f2 + x * T[2]
            c0, c1, c2 = c0 + x * T[3], c1 + x * T[4], c2 + x * T[5]
        n = path_variables(constraints.tree, constraints.ends[c, e], index, first, last)
        for x in range(n):
            s = six(S[index[x]])
            n0, n1, n2 = cross(s[0], s[1], s[2], p0, p1, p2)
            n0, n1, n2 = cross(s[3] + n0, s[4] + n1, s[5] + n2, f0, f1, f2)
            m0, m1, m2 = cross(s[0], s[1], s[2], c0, c1, c2)
            for y in range(last[x]):
                w = S[index[y]]
                push = w[0] * n0 + w[1] * n1 + w[2] * n2
                out[index[x], index[y]] += push + w[0] * m0 + w[1] * m1 + w[2] * m2
                if y < first[x]:
                    out[index[y], index[x]] += push


@inline
def pushed_frame(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, Y: Floats, f: Floats,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv) the derivatives with respect to q of the joint forces of frame constraint
    c, as far as they arise because the constraint force turns with the constraint's frame.
    """
    tree = constraints.tree
    f[:] = 0.0
    for k in row_range(constraints, c):
        add(times(lam[k], six(Y[0, k])), f)
    for e in range(2):
        sign = 2.0 * e - 1.0
        n = path_variables(tree, constraints.ends[c, e], index, first, last)
        for y in range(n):
            g = crf(six(S[index[y]]), six(f))
            for x in range(first[y], n):
                out[index[x], index[y]] -= sign * dot6(six(S[index[x]]), g)
        j = constraints.ends[c, constraints.ends[c, 2]]
        while j >= 0:
            for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                g = crf(six(S[t]), six(f))
                for x in range(n):
                    out[index[x], t] += sign * dot6(six(S[index[x]]), g)
            j = tree.parent[j]


@jit
def constraint_derivatives(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, lam: Floats,
    G: Floats, dq: Floats, dqd: Floats, push: Floats,
) -> None:  # fmt: skip
    """Compute the Jacobian G, and the derivatives dq and dqd, with respect to q and qd, of the
    acceleration of the rows minus the desired one.

    Arguments: q, qd, qdd and the multipliers lam (B, m). G, dq and dqd are (B, m, nv). push (B, nv,
    nv) is the derivative of ``G^T lam`` with respect to q at constant lam.
    """
    m, nb, nv = constraints.T.shape[0], constraints.tree.parent.size, qd.shape[1]
    sweep = new_sweep(q, nb, nv)
    R, p = sweep.R, sweep.p
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    f, alpha = empty(q, 6), empty(q, m)
    rows = new_row_vectors(q, m)
    Rc, pc, Y, Z, X = rows.Rc, rows.pc, rows.Y, rows.Z, rows.X
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    for b in range(q.shape[0]):
        row_sweep(constraints, q[b], qd[b], qdd[b], sweep, f, rows, alpha)
        jacobian(constraints, S, Y, G[b])
        row_derivatives(constraints, S, psid, psidd, rate, Y, Z, X, dq[b], dqd[b])
        push[b, :, :] = 0.0
        for c in range(constraints.ends.shape[0]):
            if constraints.ends[c, 2] < 0:
                ends(constraints, c, R, p, Rc, pc)
                pushed_point(constraints, c, lam[b], S, pc, index, first, last, push[b])
            else:
                pushed_frame(constraints, c, lam[b], S, Y, f, index, first, last, push[b])
