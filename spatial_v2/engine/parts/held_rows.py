"""Constraint rows of bodies whose motion is known, without the vectors of their derivatives."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import LINE, ConstraintArrays
from spatial_v2.engine.numbers.vectors import (
    crf,
    cross,
    dot6,
    minus,
    shift_force,
    six,
    store,
    turn_six,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.constraint_arrays import ends, row_range
from spatial_v2.engine.parts.lines import line_rest, point_direction
from spatial_v2.engine.parts.pivots import least_pivot, own_mass
from spatial_v2.engine.parts.poses import origins_about_last
from spatial_v2.engine.parts.row_jacobians import jacobian_and_sizes
from spatial_v2.engine.parts.row_vectors import pose_error
from spatial_v2.engine.parts.sweep import Moving
from spatial_v2.engine.tree import Floats, Tree


class HeldRows(NamedTuple):
    """Workspace of `held_rows`: v and a are velocities and accelerations of the two bodies of the
    current constraint, other fields those of `RowVectors`.
    """

    Rc: Annotated[Floats, "2, 3, 3"]
    pc: Annotated[Floats, "2, 3"]
    v: Annotated[Floats, "2, 6"]
    a: Annotated[Floats, "2, 6"]
    D: Annotated[Floats, "m, 6"]
    Y: Annotated[Floats, "2, m, 6"]


new_held_rows = allocator(HeldRows, "q, m")


@inline
def moved(constraints: ConstraintArrays, c: int, bodies: Moving, rows: HeldRows) -> None:
    """Compute velocities and accelerations of the two bodies of constraint c about the origin of
    the last one, from those about their own.
    """
    for e in range(2):
        i = constraints.ends[c, e]
        p0, p1, p2 = -bodies.p[i, 0], -bodies.p[i, 1], -bodies.p[i, 2]
        for x, out in ((bodies.v, rows.v), (bodies.a, rows.a)):
            w0, w1, w2, v0, v1, v2 = six(x[i])
            n0, n1, n2 = cross(w0, w1, w2, p0, p1, p2)
            store((w0, w1, w2, v0 + n0, v1 + n1, v2 + n2), out[e])


@inline
def point_rows(
    constraints: ConstraintArrays, c: int, e: int, rows: HeldRows, alpha: Floats
) -> None:
    """Compute the vectors of rows in directions D at end e, and the accelerations alpha.

    Rotations have no position error. A point of the base has nothing else.
    """
    sign, (_, pc, v, a, D, Y) = 2.0 * e - 1.0, rows
    p0, p1, p2 = pc[e, 0], pc[e, 1], pc[e, 2]
    if constraints.ends[c, e] < 0:
        for k in row_range(constraints, c) if alpha.size else range(0):
            alpha[k] += sign * constraints.Kp[k] * (D[k, 0] * p0 + D[k, 1] * p1 + D[k, 2] * p2)
        return
    for k in row_range(constraints, c):
        d0, d1, d2, c0, c1, c2 = six(D[k])
        n0, n1, n2 = cross(p0, p1, p2, d0, d1, d2)
        store((n0 + c0, n1 + c1, n2 + c2, d0, d1, d2), Y[e, k])
    if not alpha.size:
        return
    w0, w1, w2, v0, v1, v2 = six(v[e])
    b0, b1, b2, a0, a1, a2 = six(a[e])
    n0, n1, n2 = cross(w0, w1, w2, p0, p1, p2)
    u0, u1, u2 = v0 + n0, v1 + n1, v2 + n2
    n0, n1, n2 = cross(b0, b1, b2, p0, p1, p2)
    m0, m1, m2 = cross(w0, w1, w2, u0, u1, u2)
    a0, a1, a2 = a0 + n0 + m0, a1 + n1 + m1, a2 + n2 + m2
    for k in row_range(constraints, c):
        Kp, Kd = constraints.Kp[k], constraints.Kd[k]
        d0, d1, d2, c0, c1, c2 = six(D[k])
        rate = d0 * (a0 + Kd * u0 + Kp * p0) + c0 * (b0 + Kd * w0)
        rate += d1 * (a1 + Kd * u1 + Kp * p1) + c1 * (b1 + Kd * w1)
        rate += d2 * (a2 + Kd * u2 + Kp * p2) + c2 * (b2 + Kd * w2)
        alpha[k] += sign * rate


@inline
def frame_row(constraints: ConstraintArrays, c: int, k: int, rows: HeldRows, alpha: Floats) -> None:
    """Compute the vector of row k of a frame constraint, and its acceleration."""
    own, (Rc, pc, v, a, _, Y) = constraints.ends[c, 2], rows
    vc, vo, ac, ao = six(v[own]), six(v[1 - own]), six(a[own]), six(a[1 - own])
    y = shift_force(pc[own], turn_six(Rc[own], six(constraints.T[k])))
    store(y, Y[0, k])
    store(y, Y[1, k])
    if alpha.size:
        error, _ = pose_error(constraints.T[k], Rc, pc, own)
        w = minus(vc, vo)
        rate = dot6(minus(ac, ao), y) + dot6(w, crf(vc, y)) + constraints.Kd[k] * dot6(w, y)
        alpha[k] = (2.0 * own - 1.0) * (rate - constraints.Kp[k] * error)


@inline
def least_pivots_of(tree: Tree, bodies: Moving, IC: Floats, C: Floats, least: Floats) -> None:
    """Compute `pivots.least_pivot` of each velocity variable (nv,), from composite inertias and
    motion subspaces about the bodies' own origins; C (5,) is scratch space.
    """
    for i in range(tree.parent.size):
        own_mass(IC[i], C)
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            least[k] = least_pivot(C, six(bodies.S[k]))


@part
def held_rows(
    constraints: ConstraintArrays, bodies: Moving, rows: HeldRows, G: Floats, alpha: Floats,
    size: Floats,
) -> None:  # fmt: skip
    """Compute what `constraint_rows` does but least pivots, for qdd = 0, of bodies that are results
    of `inertias_and_bias`; p and S become those of `about_robot`. No accelerations are computed if
    alpha is empty.
    """
    tree, p, S = constraints.tree, bodies.p, bodies.S
    origins_about_last(tree, p)
    for i in range(tree.parent.size):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            n0, n1, n2 = cross(p[i, 0], p[i, 1], p[i, 2], S[k, 0], S[k, 1], S[k, 2])
            S[k, 3], S[k, 4], S[k, 5] = S[k, 3] + n0, S[k, 4] + n1, S[k, 5] + n2
    alpha[:] = 0.0
    for c in range(constraints.ends.shape[0]):
        ends(constraints, c, bodies.R, p, rows.Rc, rows.pc)
        if alpha.size:
            moved(constraints, c, bodies, rows)
        own = constraints.ends[c, 2]
        for k in row_range(constraints, c):
            if own >= 0:
                frame_row(constraints, c, k, rows, alpha)
            else:
                point_direction(constraints, c, k, p, rows.pc, rows.D[k])
        if own < 0:
            for e in range(2):
                point_rows(constraints, c, e, rows, alpha)
        if own == LINE and alpha.size:
            k = constraints.ends[c, 3]
            v1, v2 = six(rows.v[0]), six(rows.v[1])
            alpha[k] += line_rest(constraints, c, v1, v2, rows.pc, rows.D[k])
    jacobian_and_sizes(constraints, S, rows.Y, G, size)
