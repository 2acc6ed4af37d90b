"""Rows along the line between two points, whose direction turns with the points.

With r, u and a the position, velocity and acceleration of point 2 relative to point 1, the
direction is ``n = r / |r|``, and the residual of the row ``n . a + |P u|^2 / |r| + Kd n . u +
Kp (|r| - distance)`` with ``P = 1 - n n^T``. Its derivatives are those of a row in the fixed
direction n, and terms that are added here.
"""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.constrained import LINE, MEET, ConstraintArrays
from spatial_v2.engine.numbers.kinds import sign
from spatial_v2.engine.numbers.vectors import Six, Three, add, cross, six
from spatial_v2.engine.parts.constraint_arrays import RowVectors
from spatial_v2.engine.parts.constraint_variations import lin, turned_by
from spatial_v2.engine.parts.scalars import larger, root
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats


@inline
def three(x: Floats) -> Three:
    """Return the three components of x."""
    return x[0], x[1], x[2]


@inline
def dot(x: Three, y: Three) -> float:
    """Return the scalar product of three-vectors."""
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]


@inline
def mix(a: float, x: Three, b: float, y: Three) -> Three:
    """Return ``a x + b y``."""
    return a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]


@inline
def across(n: Three, x: Three) -> Three:
    """Return the part ``P x`` of x that is perpendicular to the unit vector n."""
    return mix(1.0, x, -dot(n, x), n)


@part
def point_direction(
    constraints: ConstraintArrays, c: int, k: int, p: Floats, pc: Floats, D: Floats
) -> None:
    """Compute the direction D (6,) of row k of two points pc (2, 3): given, or along their line,
    NaN where they coincide.
    """
    if constraints.ends[c, 2] != LINE:
        for i in range(6):
            D[i] = constraints.T[k, i]
        return
    r = mix(1.0, three(pc[1]), -1.0, three(pc[0]))
    far = 0.0 * r[0]
    for i in range(3):
        far = larger(far, abs(pc[0, i] - p[-1, i]) + abs(pc[1, i] - p[-1, i]))
    length = root(dot(r, r))
    apart = sign(length - MEET * far)
    apart += apart * apart
    x = apart / (apart * length)
    D[0], D[1], D[2] = x * r[0], x * r[1], x * r[2]
    D[3] = D[4] = D[5] = 0.0 * r[0]


@inline
def inverse_length(n: Three, pc: Floats) -> float:
    """Return the inverse of the distance of the points pc (2, 3), whose direction is n."""
    return 1.0 / (dot(n, three(pc[1])) - dot(n, three(pc[0])))


@part
def line_rest(
    constraints: ConstraintArrays, c: int, v1: Six, v2: Six, pc: Floats, D: Floats
) -> float:
    """Return the residual of the row along D (6,) less that of a row in a fixed direction, with the
    velocities of the two bodies.
    """
    n, k = three(D), constraints.ends[c, 3]
    u1, u2 = lin(v1, pc[0]), lin(v2, pc[1])
    u = across(n, mix(1.0, u2, -1.0, u1))
    rest: float = dot(u, u) * inverse_length(n, pc) - constraints.Kp[k] * constraints.T[k, 0]
    return rest


@inline
def relative_motion(
    constraints: ConstraintArrays, c: int, v: Floats, a: Floats, pc: Floats
) -> tuple[Three, Three]:
    """Return velocity and acceleration of point 2 relative to point 1."""
    i, j = constraints.ends[c, 0], constraints.ends[c, 1]
    v1, v2 = six(v[i]), six(v[j])
    u1, u2 = lin(v1, pc[0]), lin(v2, pc[1])
    b1 = mix(1.0, lin(six(a[i]), pc[0]), 1.0, turned_by(v1, u1))
    b2 = mix(1.0, lin(six(a[j]), pc[1]), 1.0, turned_by(v2, u2))
    return mix(1.0, u2, -1.0, u1), mix(1.0, b2, -1.0, b1)


@part
def turn_line(
    constraints: ConstraintArrays, c: int, v: Floats, a: Floats, rows: RowVectors
) -> None:
    """Add to Z and X of `row_vectors` what the turning of the line adds."""
    k, pc, B = constraints.ends[c, 3], rows.pc, rows.B
    n = three(rows.D[k])
    x, (u, b) = inverse_length(n, pc), relative_motion(constraints, c, v, a, pc)
    w, u, b = dot(n, u), across(n, u), across(n, b)
    s = dot(u, u)
    f = mix(x, u, x, u)
    g = mix(x, b, constraints.Kd[k] * x - 2.0 * w * x * x, u)
    g = mix(1.0, g, -s * x * x, n)
    B[k, 0], B[k, 1], B[k, 2], B[k, 3], B[k, 4], B[k, 5] = f[0], f[1], f[2], g[0], g[1], g[2]
    for e in range(2):
        p = three(pc[e])
        ue = lin(six(v[constraints.ends[c, e]]), pc[e])
        h = cross(p[0], p[1], p[2], f[0], f[1], f[2])
        add((h[0], h[1], h[2], f[0], f[1], f[2]), rows.Z[e, k])
        h = mix(
            1.0, cross(p[0], p[1], p[2], g[0], g[1], g[2]),
            1.0, cross(ue[0], ue[1], ue[2], f[0], f[1], f[2]),
        )  # fmt: skip
        add((h[0], h[1], h[2], g[0], g[1], g[2]), rows.X[e, k])


@inline
def accumulate(x: Three, factor: float, out: Floats) -> None:
    """Add a multiple of a three-vector to an array."""
    out[0] += factor * x[0]
    out[1] += factor * x[1]
    out[2] += factor * x[2]


@part
def relative_velocities(constraints: ConstraintArrays, c: int, S: Floats, rows: RowVectors) -> None:
    """Compute rows.J[0] (nv, 3), the velocities of point 2 relative to point 1 per unit of each
    velocity variable.
    """
    J, tree = rows.J[0], constraints.tree
    J[:, :] = 0.0
    for e in range(2):
        i, side, p = constraints.ends[c, e], 2.0 * e - 1.0, rows.pc[e]
        while i >= 0:
            for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                accumulate(lin(six(S[t]), p), side, J[t])
            i = tree.parent[i]


@part
def relative_rates(constraints: ConstraintArrays, c: int, sweep: Sweep, rows: RowVectors) -> None:
    """Compute rows.J[1:], the derivatives of the velocity and of the acceleration of point 2
    relative to point 1 with respect to q, then those of the acceleration with respect to qd.
    """
    J, tree = rows.J, constraints.tree
    J[1:, :, :] = 0.0
    for e in range(2):
        i, side, p = constraints.ends[c, e], 2.0 * e - 1.0, rows.pc[e]
        v, a = six(sweep.v[i]), six(sweep.a[i])
        u = lin(v, p)
        b = mix(1.0, lin(a, p), 1.0, turned_by(v, u))
        while i >= 0:
            for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                s, ds = six(sweep.S[t]), six(sweep.psid[t])
                accumulate(lin(ds, p), side, J[1, t])
                accumulate(turned_by(s, u), side, J[1, t])
                accumulate(lin(six(sweep.psidd[t]), p), side, J[2, t])
                accumulate(turned_by(s, b), side, J[2, t])
                accumulate(turned_by(ds, u), 2.0 * side, J[2, t])
                accumulate(lin(six(sweep.rate[t]), p), side, J[3, t])
                accumulate(turned_by(s, u), 2.0 * side, J[3, t])
            i = tree.parent[i]
