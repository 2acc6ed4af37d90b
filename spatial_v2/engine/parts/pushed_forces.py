"""Derivatives of the joint forces of constraints at constant multipliers."""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import LINE, ConstraintArrays
from spatial_v2.engine.numbers.vectors import crf, cross, dot6, plus, six, times
from spatial_v2.engine.parts.constraint_arrays import RowVectors, ends, row_range
from spatial_v2.engine.parts.lines import across, dot, inverse_length, relative_velocities, three
from spatial_v2.engine.parts.paths import path_variables
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats, Ints


@inline
def pushed_point(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv) the derivatives of the joint forces of a point constraint c along q.

    They are due to a force and a couple at the point, which move with the body but do not turn.
    """
    for e in range(2):
        p0, p1, p2 = rows.pc[e, 0], rows.pc[e, 1], rows.pc[e, 2]
        f0 = f1 = f2 = c0 = c1 = c2 = 0.0 * p0
        for k in row_range(constraints, c):
            x, T = (2.0 * e - 1.0) * lam[k], rows.D[k]
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
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv) the derivatives with respect to q of the joint forces of frame constraint
    c, as far as they arise because the constraint force turns with the constraint's frame.
    """
    tree = constraints.tree
    zero = 0.0 * S[0, 0]
    f = zero, zero, zero, zero, zero, zero
    for k in row_range(constraints, c):
        f = plus(f, times(lam[k], six(rows.Y[0, k])))
    for e in range(2):
        sign = 2.0 * e - 1.0
        n = path_variables(tree, constraints.ends[c, e], index, first, last)
        for y in range(n):
            g = crf(six(S[index[y]]), f)
            for x in range(first[y], n):
                out[index[x], index[y]] -= sign * dot6(six(S[index[x]]), g)
        j = constraints.ends[c, constraints.ends[c, 2]]
        while j >= 0:
            for t in range(tree.joint[j, 3], tree.joint[j, 3] + tree.joint[j, 4]):
                g = crf(six(S[t]), f)
                for x in range(n):
                    out[index[x], t] += sign * dot6(six(S[index[x]]), g)
            j = tree.parent[j]


@inline
def pushed_line(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors, out: Floats
) -> None:
    """Add to out (nv, nv) the derivatives of the joint forces of the row of constraint c, as far as
    they arise because its direction turns.
    """
    k, J = constraints.ends[c, 3], rows.J[0]
    n = three(rows.D[k])
    force = lam[k] * inverse_length(n, rows.pc)
    relative_velocities(constraints, c, S, rows)
    for i in range(out.shape[0]):
        side = across(n, three(J[i]))
        for j in range(out.shape[0]):
            out[i, j] += force * dot(side, three(J[j]))


@part
def push_forces(
    constraints: ConstraintArrays, c: int, lam: Floats, sweep: Sweep, rows: RowVectors,
    index: Ints, first: Ints, last: Ints, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv) the derivatives of ``G^T lam`` with respect to q, for the rows of
    constraint c at constant lam.

    `rows` are results of `row_sweep`; index, first and last (nv,) are workspaces.
    """
    S, own = sweep.S, constraints.ends[c, 2]
    if own >= 0:
        pushed_frame(constraints, c, lam, S, rows, index, first, last, out)
        return
    ends(constraints, c, sweep.R, sweep.p, rows.Rc, rows.pc)
    pushed_point(constraints, c, lam, S, rows, index, first, last, out)
    if own == LINE:
        pushed_line(constraints, c, lam, S, rows, out)
