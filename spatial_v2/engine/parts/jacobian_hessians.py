"""Second derivatives of the joint forces of one constraint, with respect to q."""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import LINE, ConstraintArrays
from spatial_v2.engine.numbers.vectors import (
    Six,
    Three,
    add,
    crf,
    crm,
    cross,
    dot6,
    six,
    times,
)
from spatial_v2.engine.parts.constraint_arrays import RowVectors, row_range
from spatial_v2.engine.parts.constraint_variations import lin
from spatial_v2.engine.parts.line_hessians import add_line_hessian
from spatial_v2.engine.parts.paths import Paths
from spatial_v2.engine.tree import Floats


@inline
def vector_product(a: Three, b: Three) -> Three:
    """Return the cross product of two three-vectors."""
    return cross(a[0], a[1], a[2], b[0], b[1], b[2])


@inline
def triple(a: Three, b: Three, c: Three) -> float:
    """Return the triple product ``a . (b x c)``."""
    d0, d1, d2 = vector_product(b, c)
    return a[0] * d0 + a[1] * d1 + a[2] * d2


@inline
def point_motion(s: Six, p: Floats) -> tuple[Three, Three]:
    """Return the angular velocity of a motion s, and its velocity of the point p."""
    return (s[0], s[1], s[2]), lin(s, p)


@part
def add_point_hessian(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors, paths: Paths,
    out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv, nv) the second derivatives of the joint forces of point constraint c.

    Their first derivatives are ``f . (w_a x J_b) + m . (w_j x w_i)``, with the force f and the
    couple m at the point, which do not turn. w is the angular and J the linear velocity of the
    point per unit of a variable, a the variable nearer to the base of i and j, and b the other one.
    The second term is there only if j is above i, or in its joint. A variable above, or in the same
    joint, turns w and J; one below moves the point.
    """
    (var, _, last, _, counts), pc = paths, rows.pc
    zero = 0.0 * pc[0, 0], 0.0 * pc[0, 0], 0.0 * pc[0, 0]
    for e in range(2):
        f, m = zero, zero
        for k in row_range(constraints, c):
            x, T = (2.0 * e - 1.0) * lam[k], rows.D[k]
            f = f[0] + x * T[0], f[1] + x * T[1], f[2] + x * T[2]
            m = m[0] + x * T[3], m[1] + x * T[4], m[2] + x * T[5]
        for i in range(counts[e]):
            w_i, J_i = point_motion(six(S[var[e, i]]), pc[e])
            for j in range(counts[e]):
                w_j, J_j = point_motion(six(S[var[e, j]]), pc[e])
                above, row = j < last[e, i], out[var[e, i], var[e, j]]
                a, b = (j, i) if above else (i, j)
                w_a, w_b, J_b = (w_j, w_i, J_i) if above else (w_i, w_j, J_j)
                for k in range(counts[e]):
                    w, J = point_motion(six(S[var[e, k]]), pc[e])
                    turns = k < last[e, b]
                    x = triple(f, w_a, vector_product(w, J_b) if turns else vector_product(w_b, J))
                    if k < last[e, a]:
                        x += triple(f, vector_product(w, w_a), J_b)
                    if above and k < last[e, j]:
                        x += triple(m, vector_product(w, w_j), w_i)
                    if above and turns:
                        x += triple(m, w_j, vector_product(w, w_i))
                    row[var[e, k]] += x


@inline
def is_above(paths: Paths, e: int, k: int, j: int) -> bool:
    """Test if variable k is above variable j, or in its joint, on the path to end e."""
    own, place = paths.place[e, j], paths.place[e]
    return own >= 0 and place[k] >= 0 and place[k] < paths.last[e, own]  # type: ignore[no-any-return]


@part
def add_frame_hessian(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors, paths: Paths,
    F: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv, nv) the second derivatives of the joint forces of frame constraint c.

    The joint force of variable i is ``s_i . F`` with the force F, which moves with the body along
    whose axes the rows are. F (6,) is a workspace.
    """
    own, nv = constraints.ends[c, 2], out.shape[0]
    place = paths.place
    F[:] = 0.0
    for k in row_range(constraints, c):
        add(times(lam[k], six(rows.Y[0, k])), F)
    f = six(F)
    for e in range(2):
        sign = 2.0 * e - 1.0
        for i in range(nv):
            if place[e, i] < 0:
                continue
            s_i = six(S[i])
            for j in range(nv):
                moves, turns = place[own, j] >= 0, is_above(paths, e, j, i)
                if moves == turns:
                    continue
                s_j, factor = six(S[j]), sign if moves else -sign
                g = crf(s_j, f)
                for k in range(nv):
                    s, x = six(S[k]), 0.0 * F[0]
                    if is_above(paths, e, k, i):
                        x += dot6(crm(s, s_i), g)
                    if is_above(paths, 0, k, j) or is_above(paths, 1, k, j):
                        x += dot6(s_i, crf(crm(s, s_j), f))
                    if place[own, k] >= 0:
                        x += dot6(s_i, crf(s_j, crf(s, f)))
                    out[i, j, k] += factor * x


@part
def add_force_hessian(
    constraints: ConstraintArrays, c: int, lam: Floats, S: Floats, rows: RowVectors, paths: Paths,
    F: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add to out (nv, nv, nv) the second derivatives of ``G^T lam`` with respect to q, for the rows
    of constraint c at constant lam. F (6,) is a workspace.
    """
    own = constraints.ends[c, 2]
    if own >= 0:
        add_frame_hessian(constraints, c, lam, S, rows, paths, F, out)
        return
    add_point_hessian(constraints, c, lam, S, rows, paths, out)
    if own == LINE:
        add_line_hessian(constraints, c, lam, S, rows, paths, out)
