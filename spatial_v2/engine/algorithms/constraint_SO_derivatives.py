"""Weighted sums of second derivatives of constraint accelerations, without tensors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
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
from spatial_v2.engine.parts.constraint_arrays import (
    ConstraintArrays,
    ends,
    new_row_vectors,
    row_range,
    row_sweep,
)
from spatial_v2.engine.parts.constraint_variations import frame_variation, point_variation
from spatial_v2.engine.parts.path import path_variables
from spatial_v2.engine.parts.sweep import Sweep, new_sweep
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["constraint_SO_derivatives"]


class Paths(NamedTuple):
    """The variables between the bodies of a constraint and the base; see `path_variables`.

    Attributes
    ----------
    var, first, last : (2, nv) int64
        Results of `path_variables` for each end of the constraint.
    place : (2, nv) int64
        Index of each variable on the path to each end, or -1.
    counts : (2,) int64
        Number of variables on the path to each end.
    """

    var: Ints
    first: Ints
    last: Ints
    place: Ints
    counts: Ints


@inline
def path_pairs(
    e: int, m: int, paths: Paths, sweep: Sweep, forces: tuple[Six, Six, Six], W: Floats,
    qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Add the entries [l, m] of end e to qq, qv and vv, for all l on the path to its body.

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
        if beyond:
            qv[l, m] += sign * (dot6(dsl, w1) + dot6(sl, w0))
            vv[l, m] += sign * (dot6(sl, v1) - 2.0 * dot6(sl, sy))
        elif below:
            qv[l, m] += sign * (dot6(dsl, v1) + dot6(sl, v0))
            vv[l, m] += sign * (dot6(sl, v1) - dot6(sl, sy))
        else:
            qv[l, m] += sign * (dot6(dsl, v1) + dot6(sl, v0))
            vv[l, m] += sign * dot6(sl, v1)


@jit
def constraint_SO_derivatives(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, weight: Floats,
    qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Compute second derivatives (B, nv, nv) of the weighted accelerations
    ``weight . (alpha - a*)`` of the rows.

    alpha are the accelerations of the constraint rows and a* the desired ones. They are taken with
    respect to (q, q), (q, qd) and (qd, qd) for qq, qv and vv. Gains Kp of frames are treated as
    zero.
    """
    tree, m, nv = constraints.tree, constraints.T.shape[0], qd.shape[1]
    sweep = new_sweep(q, tree.parent.size, nv)
    R, p, v, a = sweep.R, sweep.p, sweep.v, sweep.a
    S, psid, psidd, rate = sweep.S, sweep.psid, sweep.psidd, sweep.rate
    vJ, alpha = empty(q, 6), empty(q, m)
    rows = new_row_vectors(q, m)
    Rc, pc, Y, Z, X = rows.Rc, rows.pc, rows.Y, rows.Z, rows.X
    F, f, W = empty(q, 4, 6), empty(q, 5, 3), empty(q, 5, 6)
    index, first = np.empty((2, nv), dtype=np.int64), np.empty((2, nv), dtype=np.int64)
    last, place = np.empty((2, nv), dtype=np.int64), np.empty((2, nv), dtype=np.int64)
    count = np.empty(2, dtype=np.int64)
    paths = Paths(index, first, last, place, count)
    for b in range(q.shape[0]):
        row_sweep(constraints, q[b], qd[b], qdd[b], sweep, vJ, rows, alpha)
        qq[b, :, :] = 0.0
        qv[b, :, :] = 0.0
        vv[b, :, :] = 0.0
        for c in range(constraints.ends.shape[0]):
            ends(constraints, c, R, p, Rc, pc)
            own = constraints.ends[c, 2]
            for e in range(2):
                place[e, :] = -1
                count[e] = path_variables(tree, constraints.ends[c, e], index[e], first[e], last[e])
                for k in range(count[e]):
                    place[e, index[e, k]] = k
            f[:, :] = 0.0
            for k in row_range(constraints, c):
                for i in range(3):
                    x = weight[b, k] * constraints.T[k, i]
                    f[0, i] += x
                    f[1, i] += constraints.Kd[k] * x
                    f[2, i] += constraints.Kp[k] * x
                    x = weight[b, k] * constraints.T[k, 3 + i]
                    f[3, i] += x
                    f[4, i] += constraints.Kd[k] * x
            for e in range(2):
                F[:, :] = 0.0
                for k in row_range(constraints, c):
                    add(times(weight[b, k], six(Y[e, k])), F[0])
                    add(times(weight[b, k], six(Z[e, k])), F[1])
                    add(times(weight[b, k], six(X[e, k])), F[2])
                    add(times(weight[b, k] * constraints.Kd[k], six(Y[e, k])), F[3])
                for t in range(nv):
                    here, there = place[e, t] >= 0, place[1 - e, t] >= 0
                    if not here and (own < 0 or not there):
                        continue
                    s, ds, dds, rs = six(S[t]), six(psid[t]), six(psidd[t]), six(rate[t])
                    if own < 0:
                        i = constraints.ends[c, e]
                        point_variation(pc[e], six(v[i]), six(a[i]), s, ds, dds, rs, f, W)
                    else:
                        o, i = constraints.ends[c, 1 - own], constraints.ends[c, own]
                        on_o = 1.0 if place[1 - own, t] >= 0 else 0.0
                        on_c = 1.0 if place[own, t] >= 0 else 0.0
                        motion = six(v[o]), six(a[o]), six(v[i])
                        rates = s, ds, dds, rs
                        frame_variation(motion, on_o, on_c, rates, six(F[0]), six(F[3]), W)
                    forces = six(F[0]), six(F[1]), six(F[2])
                    path_pairs(e, t, paths, sweep, forces, W, qq[b], qv[b], vv[b])
