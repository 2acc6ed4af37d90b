"""Second derivatives of the accelerations of the rows of one constraint, weighted."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import LINE, ConstraintArrays
from spatial_v2.engine.numbers.vectors import (
    Six,
    add,
    crf,
    dot6,
    minus,
    plus,
    six,
    times,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.constraint_arrays import RowVectors, row_range
from spatial_v2.engine.parts.constraint_variations import frame_variation, point_variation
from spatial_v2.engine.parts.line_hessians import bend_line
from spatial_v2.engine.parts.paths import Paths
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats


@inline
def path_pairs(
    e: int, m: int, paths: Paths, sweep: Sweep, forces: tuple[Six, Six, Six], W: Floats,
    qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Add the entries [l, m] of end e to qq, qv and vv, for all l on the path to its body; to qq
    alone if vv is empty.

    `forces` are the vectors Y, Z and X of `row_vectors` at that end, summed with the weights.
    """
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    sign, n, at, (y, z, x) = 2.0 * e - 1.0, paths.counts[e], paths.place[e, m], forces
    index, first, last = paths.var[e], paths.first[e], paths.last[e]
    s, ds, dds, rs = six(S[m]), six(psid[m]), six(psidd[m]), six(rate[m])
    y2, y1, y0 = six(W[0]), six(W[1]), six(W[2])
    v1, v0 = six(W[3]), six(W[4])
    sy, sz = crf(s, y), crf(s, z)
    n2, n1 = minus(y2, sy), minus(y1, plus(times(2.0, crf(ds, y)), sz))
    n0 = minus(y0, plus(crf(dds, y), plus(crf(ds, z), crf(s, x))))
    w1, w0 = minus(v1, times(2.0, sy)), minus(v0, plus(crf(rs, y), sz))
    for k in range(n):
        l = index[k]
        sl, dsl, ddsl = six(S[l]), six(psid[l]), six(psidd[l])
        below = at >= 0 and at < last[k]
        beyond = at >= 0 and at < first[k]
        if below:
            qq[l, m] += sign * (dot6(ddsl, n2) + dot6(dsl, n1) + dot6(sl, n0))
        else:
            qq[l, m] += sign * (dot6(ddsl, y2) + dot6(dsl, y1) + dot6(sl, y0))
        if not vv.size:
            continue
        if beyond:
            qv[l, m] += sign * (dot6(dsl, w1) + dot6(sl, w0))
            vv[l, m] += sign * (dot6(sl, v1) - 2.0 * dot6(sl, sy))
        elif below:
            qv[l, m] += sign * (dot6(dsl, v1) + dot6(sl, v0))
            vv[l, m] += sign * (dot6(sl, v1) - dot6(sl, sy))
        else:
            qv[l, m] += sign * (dot6(dsl, v1) + dot6(sl, v0))
            vv[l, m] += sign * dot6(sl, v1)


class Weighted(NamedTuple):
    """Workspace of `add_hessians`."""

    F: Annotated[Floats, "4, 6"]  # weighted sums of the vectors Y, Z, X and Kd Y of rows
    f: Annotated[Floats, "5, 3"]  # weighted sums of directions of rows; see `point_variation`
    W: Annotated[Floats, "5, 6"]  # derivatives of such sums


new_weighted = allocator(Weighted, "q")


@inline
def sum_directions(
    constraints: ConstraintArrays, c: int, weight: Floats, rows: RowVectors, f: Floats
) -> None:
    """Compute the weighted sums f of `Weighted` for constraint c, which is no frame."""
    f[:, :] = 0.0
    for k in row_range(constraints, c):
        for i in range(3):
            x = weight[k] * rows.D[k, i]
            f[0, i] += x
            f[1, i] += constraints.Kd[k] * x
            f[2, i] += constraints.Kp[k] * x
            x = weight[k] * rows.D[k, 3 + i]
            f[3, i] += x
            f[4, i] += constraints.Kd[k] * x
        if constraints.ends[c, 2] == LINE:
            for i in range(3):
                f[1, i] += weight[k] * rows.B[k, i]
                f[2, i] += weight[k] * rows.B[k, 3 + i]


@inline
def sum_vectors(
    constraints: ConstraintArrays, c: int, e: int, weight: Floats, rows: RowVectors, F: Floats
) -> None:
    """Compute the weighted sums F of `Weighted` for end e of constraint c."""
    F[:, :] = 0.0
    for k in row_range(constraints, c):
        add(times(weight[k], six(rows.Y[e, k])), F[0])
        add(times(weight[k], six(rows.Z[e, k])), F[1])
        add(times(weight[k], six(rows.X[e, k])), F[2])
        add(times(weight[k] * constraints.Kd[k], six(rows.Y[e, k])), F[3])


@part
def add_hessians(
    constraints: ConstraintArrays, c: int, weight: Floats, sweep: Sweep, rows: RowVectors,
    paths: Paths, room: Weighted, qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Add the terms of constraint c to `constraint_SO_derivatives` of one state; to qq alone if vv
    is empty.

    `paths` is that of the constraint, `rows` the result of `row_vectors` with the origins of its
    two frames.
    """
    own, place, v, a = constraints.ends[c, 2], paths.place, sweep.v, sweep.a
    F, f, W = room
    if own < 0:
        sum_directions(constraints, c, weight, rows, f)
    for e in range(2):
        sum_vectors(constraints, c, e, weight, rows, F)
        for t in range(qq.shape[0]):
            here, there = place[e, t] >= 0, place[1 - e, t] >= 0
            if not here and (own < 0 or not there):
                continue
            s, ds = six(sweep.S[t]), six(sweep.psid[t])
            dds, rs = six(sweep.psidd[t]), six(sweep.rate[t])
            if own < 0:
                i = constraints.ends[c, e]
                point_variation(rows.pc[e], six(v[i]), six(a[i]), s, ds, dds, rs, f, W)
            else:
                o, i = constraints.ends[c, 1 - own], constraints.ends[c, own]
                on_o = 1.0 if place[1 - own, t] >= 0 else 0.0
                on_c = 1.0 if place[own, t] >= 0 else 0.0
                motion = six(v[o]), six(a[o]), six(v[i])
                frame_variation(motion, on_o, on_c, (s, ds, dds, rs), six(F[0]), six(F[3]), W)
            forces = six(F[0]), six(F[1]), six(F[2])
            path_pairs(e, t, paths, sweep, forces, W, qq, qv, vv)
    if own == LINE:
        bend_line(constraints, c, weight[constraints.ends[c, 3]], sweep, rows, paths, qq, qv, vv)
