"""Second derivatives of rows along lines, and of their joint forces: what the turning adds."""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.vectors import Three, six
from spatial_v2.engine.parts.constraint_arrays import RowVectors
from spatial_v2.engine.parts.constraint_variations import lin, turned_by
from spatial_v2.engine.parts.lines import (
    across,
    dot,
    inverse_length,
    mix,
    relative_motion,
    relative_rates,
    relative_velocities,
    three,
)
from spatial_v2.engine.parts.paths import Paths
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats


@inline
def on_paths(paths: Paths, t: int) -> bool:
    """Test if variable t moves one of the two points."""
    return paths.place[0, t] >= 0 or paths.place[1, t] >= 0  # type: ignore[no-any-return]


@part
def bend_line(
    constraints: ConstraintArrays, c: int, weight: float, sweep: Sweep, rows: RowVectors,
    paths: Paths, qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Add second derivatives of the residual of the row of constraint c, times a weight, as far as
    they are products of first derivatives of the points' motion; to qq alone if vv is empty.

    The second derivatives of the residual with respect to r, u and a are matrices: (r, r), (r, u),
    (r, a) and (u, u).
    """
    k, nv, J = constraints.ends[c, 3], qq.shape[0], rows.J
    n = three(rows.D[k])
    x = inverse_length(n, rows.pc)
    u, a = relative_motion(constraints, c, sweep.v, sweep.a, rows.pc)
    Kp, Kd, w, b, u = constraints.Kp[k], constraints.Kd[k], dot(n, u), dot(n, a), across(n, u)
    s, x2, x3 = dot(u, u), x * x, x * x * x
    mixed = mix(-x2, across(n, a), 4.0 * w * x3 - Kd * x2, u)
    turn = (2.0 * w * w - s) * x3 - (b + Kd * w) * x2 + Kp * x
    slow = Kd * x - 2.0 * w * x2
    relative_velocities(constraints, c, sweep.S, rows)
    relative_rates(constraints, c, sweep, rows)
    for m in range(nv):
        if not on_paths(paths, m):
            continue
        j, j_q, a_q, a_v = three(J[0, m]), three(J[1, m]), three(J[2, m]), three(J[3, m])
        nj, uj, P_j, P_v = dot(n, j), dot(u, j), across(n, j), across(n, j_q)
        ru = mix(1.0, mix(slow, P_j, -2.0 * x2 * uj, n), -2.0 * x2 * nj, u)
        ru_q = mix(1.0, mix(slow, P_v, -2.0 * x2 * dot(u, j_q), n), -2.0 * x2 * dot(n, j_q), u)
        rr = mix(1.0, mix(turn, P_j, dot(mixed, j) + 2.0 * s * x3 * nj, n), nj, mixed)
        rr = mix(1.0, rr, -2.0 * x3 * uj, u)
        by_r = mix(1.0, mix(1.0, rr, 1.0, ru_q), x, across(n, a_q))
        by_u, by_v = mix(1.0, ru, 2.0 * x, P_v), mix(1.0, ru, x, across(n, a_v))
        for l in range(nv):
            i, i_q, i_a = three(J[0, l]), three(J[1, l]), three(J[2, l])
            qq[l, m] += weight * (dot(i, by_r) + dot(i_q, by_u) + x * dot(i_a, P_j))
            if vv.size:
                qv[l, m] += weight * (dot(i, by_v) + 2.0 * x * dot(i_q, P_j))
                vv[l, m] += weight * 2.0 * x * dot(i, P_j)


@inline
def turn_of(S: Floats, pc: Floats, paths: Paths, e: int, i: int, j: int) -> Three:
    """Return the derivative along variable j of the velocity of point e per unit of variable i."""
    at_i, at_j = paths.place[e, i], paths.place[e, j]
    if at_i < 0 or at_j < 0:
        return 0.0 * pc[e, 0], 0.0 * pc[e, 0], 0.0 * pc[e, 0]
    s_i, s_j = six(S[i]), six(S[j])
    if at_j < paths.last[e, at_i]:
        return turned_by(s_j, lin(s_i, pc[e]))
    return turned_by(s_i, lin(s_j, pc[e]))


@part
def add_line_hessian(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors, paths: Paths,
    out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv, nv) the second derivatives of the joint forces of the row of constraint
    c, as far as they arise because its direction turns.
    """
    row, nv, J = constraints.ends[c, 3], out.shape[0], rows.J[0]
    n = three(rows.D[row])
    x = inverse_length(n, rows.pc)
    force = lam[row] * x
    relative_velocities(constraints, c, S, rows)
    for i in range(nv):
        if not on_paths(paths, i):
            continue
        J_i = three(J[i])
        n_i, P_i = dot(n, J_i), across(n, J_i)
        for j in range(nv):
            J_j = three(J[j])
            one, two = turn_of(S, rows.pc, paths, 0, i, j), turn_of(S, rows.pc, paths, 1, i, j)
            h = across(n, mix(1.0, two, -1.0, one))
            for k in range(nv):
                J_k = three(J[k])
                y = force * dot(J_k, h)
                shorter = dot(n, J_j) * dot(P_i, J_k) + n_i * dot(J_j, across(n, J_k))
                shorter += dot(n, J_k) * dot(P_i, J_j)
                out[i, j, k] += y - force * x * shorter
                out[k, i, j] += y
                out[i, k, j] += y
