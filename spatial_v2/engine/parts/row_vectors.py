"""Force vectors of constraint rows, and the residuals of the rows."""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import LINE, ConstraintArrays
from spatial_v2.engine.numbers.vectors import (
    Six,
    crf,
    cross,
    dot6,
    minus,
    plus,
    shift_force,
    six,
    store,
    times,
    turn_six,
)
from spatial_v2.engine.parts.constraint_arrays import RowVectors, ends, row_range
from spatial_v2.engine.parts.lines import line_rest, point_direction, turn_line
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.sweep import Sweep, advance, still
from spatial_v2.engine.tree import Floats


@inline
def point_row(
    constraints: ConstraintArrays, c: int, k: int, v: Floats, a: Floats, rows: RowVectors
) -> float:
    """Compute `row_vectors` of row k, whose direction D[k] is along the base's axes; return its
    acceleration.

    Rotations have no position error.
    """
    pc, Y, Z, X = rows.pc, rows.Y, rows.Z, rows.X
    d0, d1, d2, c0, c1, c2 = six(rows.D[k])
    Kp, Kd = constraints.Kp[k], constraints.Kd[k]
    alpha: float = 0.0 * pc[0, 0]
    for e in range(2):
        vb, ab = six(v[constraints.ends[c, e]]), six(a[constraints.ends[c, e]])
        p0, p1, p2 = pc[e, 0], pc[e, 1], pc[e, 2]
        n0, n1, n2 = cross(vb[0], vb[1], vb[2], p0, p1, p2)
        u0, u1, u2 = vb[3] + n0, vb[4] + n1, vb[5] + n2
        n0, n1, n2 = cross(ab[0], ab[1], ab[2], p0, p1, p2)
        m0, m1, m2 = cross(vb[0], vb[1], vb[2], u0, u1, u2)
        a0, a1, a2 = ab[3] + n0 + m0, ab[4] + n1 + m1, ab[5] + n2 + m2
        n0, n1, n2 = cross(p0, p1, p2, d0, d1, d2)
        y = (n0 + c0, n1 + c1, n2 + c2, d0, d1, d2)
        n0, n1, n2 = cross(u0, u1, u2, d0, d1, d2)
        m0, m1, m2 = cross(vb[0], vb[1], vb[2], c0, c1, c2)
        z = (2.0 * n0 + m0, 2.0 * n1 + m1, 2.0 * n2 + m2, 0.0, 0.0, 0.0)
        t = (n0 + m0, n1 + m1, n2 + m2, 0.0, 0.0, 0.0)
        n0, n1, n2 = cross(a0, a1, a2, d0, d1, d2)
        m0, m1, m2 = cross(ab[0], ab[1], ab[2], c0, c1, c2)
        x = (n0 + m0, n1 + m1, n2 + m2, 0.0, 0.0, 0.0)
        store(y, Y[e, k])
        store(plus(z, times(Kd, y)), Z[e, k])
        store(plus(x, plus(times(Kd, t), times(Kp, y))), X[e, k])
        part = d0 * a0 + d1 * a1 + d2 * a2 + Kd * (d0 * u0 + d1 * u1 + d2 * u2)
        part += c0 * ab[0] + c1 * ab[1] + c2 * ab[2]
        part += Kd * (c0 * vb[0] + c1 * vb[1] + c2 * vb[2])
        part += Kp * (d0 * p0 + d1 * p1 + d2 * p2)
        alpha = part - alpha
    return alpha


@inline
def pose_error(T: Floats, Rc: Floats, pc: Floats, c: int) -> tuple[float, Six]:
    """Return the position error of a row T (6,) of a frame constraint, and M^T T.

    Both are in the axes of end c; M is the derivative of the position error of all six directions
    with respect to the relative motion.
    """
    o = 1 - c
    r = pc[o, 0] - pc[c, 0], pc[o, 1] - pc[c, 1], pc[o, 2] - pc[c, 2]
    p0 = Rc[c, 0, 0] * r[0] + Rc[c, 1, 0] * r[1] + Rc[c, 2, 0] * r[2]
    p1 = Rc[c, 0, 1] * r[0] + Rc[c, 1, 1] * r[1] + Rc[c, 2, 1] * r[2]
    p2 = Rc[c, 0, 2] * r[0] + Rc[c, 1, 2] * r[1] + Rc[c, 2, 2] * r[2]
    trace = v0 = v1 = v2 = h0 = h1 = h2 = 0.0 * p0
    for i in range(3):
        c0, c1, c2 = Rc[c, i, 0], Rc[c, i, 1], Rc[c, i, 2]
        o0, o1, o2 = Rc[o, i, 0], Rc[o, i, 1], Rc[o, i, 2]
        trace += c0 * o0 + c1 * o1 + c2 * o2
        v0 += c2 * o1 - c1 * o2
        v1 += c0 * o2 - c2 * o0
        v2 += c1 * o0 - c0 * o1
        x = c0 * T[0] + c1 * T[1] + c2 * T[2]
        h0 += o0 * x
        h1 += o1 * x
        h2 += o2 * x
    e = 0.5 * (T[0] * v0 + T[1] * v1 + T[2] * v2) + T[3] * p0 + T[4] * p1 + T[5] * p2
    n0, n1, n2 = cross(p0, p1, p2, T[3], T[4], T[5])
    m0 = 0.5 * (trace * T[0] - h0) + n0
    m1 = 0.5 * (trace * T[1] - h1) + n1
    m2 = 0.5 * (trace * T[2] - h2) + n2
    return e, (m0, m1, m2, T[3], T[4], T[5])


@inline
def frame_row(
    constraints: ConstraintArrays, c: int, k: int, v: Floats, a: Floats, rows: RowVectors
) -> float:
    """Compute `row_vectors` of row k of a frame constraint; return its acceleration.

    With v_c, a_c the motion of the body along whose axes the row is, and v_o, a_o that of the other
    body, ``Z = (v_o + v_c) x* Y`` and ``X = a_o x* Y + v_o x* (v_c x* Y)`` at both ends.
    """
    own, Rc, pc, Y, Z, X = constraints.ends[c, 2], rows.Rc, rows.pc, rows.Y, rows.Z, rows.X
    Kp, Kd, sign = constraints.Kp[k], constraints.Kd[k], 2.0 * own - 1.0
    vc, vo = six(v[constraints.ends[c, own]]), six(v[constraints.ends[c, 1 - own]])
    ac, ao = six(a[constraints.ends[c, own]]), six(a[constraints.ends[c, 1 - own]])
    y = shift_force(pc[own], turn_six(Rc[own], six(constraints.T[k])))
    e, m = pose_error(constraints.T[k], Rc, pc, own)
    m = shift_force(pc[own], turn_six(Rc[own], m))
    t, vcy = crf(vo, y), crf(vc, y)
    z, x = plus(t, vcy), plus(crf(ao, y), crf(vo, vcy))
    for end in range(2):
        store(y, Y[end, k])
        store(plus(z, times(Kd, y)), Z[end, k])
        store(plus(x, plus(times(Kd, t), times(Kp, m))), X[end, k])
    w = minus(vc, vo)
    alpha: float = dot6(minus(ac, ao), y) + dot6(w, vcy) + Kd * dot6(w, y) - Kp * e
    alpha *= sign
    return alpha


@inline
def row_vectors(
    constraints: ConstraintArrays, R: Floats, p: Floats, v: Floats, a: Floats, rows: RowVectors,
    alpha: Floats,
) -> None:  # fmt: skip
    """Compute the force vectors Y, Z, X (2, m, 6) of the rows at both ends, and the residual alpha
    - a* (m,).

    alpha is the acceleration of the constraint rows and a* the desired one. Row k of the Jacobian
    is ``Y . S``; the derivatives of alpha - a* are ``Y . psidd + Z . psid + X . S`` with respect to
    q and ``Y . (psid + Sd) + Z . S`` with respect to qd. All three are the products of end 1, for
    joints that carry body 2, minus those of end 0, for joints that carry body 1.
    """
    for c in range(constraints.ends.shape[0]):
        own = constraints.ends[c, 2]
        ends(constraints, c, R, p, rows.Rc, rows.pc)
        for k in row_range(constraints, c):
            if own >= 0:
                alpha[k] = frame_row(constraints, c, k, v, a, rows)
                continue
            point_direction(constraints, c, k, p, rows.pc, rows.D[k])
            alpha[k] = point_row(constraints, c, k, v, a, rows)
            if own == LINE:
                v1, v2 = six(v[constraints.ends[c, 0]]), six(v[constraints.ends[c, 1]])
                alpha[k] += line_rest(constraints, c, v1, v2, rows.pc, rows.D[k])
                turn_line(constraints, c, v, a, rows)


@part
def row_sweep(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, sweep: Sweep, vJ: Floats,
    rows: RowVectors, alpha: Floats,
) -> None:  # fmt: skip
    """Compute the motion of all bodies, the rates of their motion subspaces, and `row_vectors`."""
    tree = constraints.tree
    about_robot(tree, q, sweep.R, sweep.p, sweep.S)
    still(sweep.v, sweep.a)
    for i in range(tree.parent.size):
        vp, ap = six(sweep.v[tree.parent[i]]), six(sweep.a[tree.parent[i]])
        advance(tree, i, vp, ap, qd, qdd, sweep, vJ)
    row_vectors(constraints, sweep.R, sweep.p, sweep.v, sweep.a, rows, alpha)
