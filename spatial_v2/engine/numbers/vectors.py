"""Spatial vectors in registers: six numbers that are read once, combined, and stored."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.tree import Floats

Three = tuple[float, float, float]
Six = tuple[float, float, float, float, float, float]


@inline
def six(x: Floats) -> Six:
    """Return the six components of x."""
    return x[0], x[1], x[2], x[3], x[4], x[5]


@inline
def store(x: Six, out: Floats) -> None:
    """Write the components of x into out."""
    out[0], out[1], out[2], out[3], out[4], out[5] = x


@inline
def store_column(x: Six, k: int, out: Floats) -> None:
    """Write x into column k of a matrix: out[:, k] = x."""
    out[0, k], out[1, k], out[2, k], out[3, k], out[4, k], out[5, k] = x


@inline
def store_second(x: Six, j: int, k: int, out: Floats) -> None:
    """Write x into an array with three axes: out[:, j, k] = x."""
    out[0, j, k], out[1, j, k], out[2, j, k] = x[0], x[1], x[2]
    out[3, j, k], out[4, j, k], out[5, j, k] = x[3], x[4], x[5]


@inline
def add(x: Six, out: Floats) -> None:
    """Add a spatial vector to an array: out += x."""
    out[0] += x[0]
    out[1] += x[1]
    out[2] += x[2]
    out[3] += x[3]
    out[4] += x[4]
    out[5] += x[5]


@inline
def add_into(x: Floats, out: Floats) -> None:
    """Add arrays of any length, as sums over subtrees need: out += x."""
    for c in range(x.size):
        out[c] += x[c]


@inline
def combine(S: Floats, v0: int, v1: int, x: Floats, out: Floats) -> None:
    """Add a combination of the rows v0:v1 of S: out += S[v0:v1]^T x[v0:v1]."""
    y = six(out)
    for k in range(v0, v1):
        y = plus(y, times(x[k], six(S[k])))
    store(y, out)


@inline
def plus(x: Six, y: Six) -> Six:
    """Return the sum x + y."""
    return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5]


@inline
def minus(x: Six, y: Six) -> Six:
    """Return the difference x - y."""
    return x[0] - y[0], x[1] - y[1], x[2] - y[2], x[3] - y[3], x[4] - y[4], x[5] - y[5]


@inline
def times(a: float, x: Six) -> Six:
    """Return the multiple a x."""
    return a * x[0], a * x[1], a * x[2], a * x[3], a * x[4], a * x[5]


@inline
def dot3(u: Three, x: Six) -> float:
    """Return the scalar product of a 3-vector with the angular part of x."""
    return u[0] * x[0] + u[1] * x[1] + u[2] * x[2]


@inline
def dot6(x: Six, y: Six) -> float:
    """Return the scalar product of a motion and a force vector."""
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5]


@inline
def cross(a0: float, a1: float, a2: float, b0: float, b1: float, b2: float) -> Three:
    """Return the cross product a x b of 3-vectors given by components."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@inline
def crm(v: Six, x: Six) -> Six:
    """Return the spatial cross product of the motion vectors v and x."""
    m0, m1, m2 = cross(v[0], v[1], v[2], x[0], x[1], x[2])
    n0, n1, n2 = cross(v[0], v[1], v[2], x[3], x[4], x[5])
    k0, k1, k2 = cross(v[3], v[4], v[5], x[0], x[1], x[2])
    return m0, m1, m2, n0 + k0, n1 + k1, n2 + k2


@inline
def crf(v: Six, f: Six) -> Six:
    """Return the spatial cross product v x* f of a motion and a force vector."""
    m0, m1, m2 = cross(v[0], v[1], v[2], f[0], f[1], f[2])
    n0, n1, n2 = cross(v[0], v[1], v[2], f[3], f[4], f[5])
    k0, k1, k2 = cross(v[3], v[4], v[5], f[3], f[4], f[5])
    return m0 + k0, m1 + k1, m2 + k2, n0, n1, n2


@inline
def turn(R: Floats, x: float, y: float, z: float) -> Three:
    """Return the product of the upper left 3x3 block of R with a 3-vector."""
    return (
        R[0, 0] * x + R[0, 1] * y + R[0, 2] * z,
        R[1, 0] * x + R[1, 1] * y + R[1, 2] * z,
        R[2, 0] * x + R[2, 1] * y + R[2, 2] * z,
    )


@inline
def turn_back(R: Floats, x: float, y: float, z: float) -> Three:
    """Return the product of the transpose R^T with a 3-vector."""
    return (
        R[0, 0] * x + R[1, 0] * y + R[2, 0] * z,
        R[0, 1] * x + R[1, 1] * y + R[2, 1] * z,
        R[0, 2] * x + R[1, 2] * y + R[2, 2] * z,
    )


@inline
def turn_six(R: Floats, x: Six) -> Six:
    """Rotate a spatial vector x from a body's axes to those of the ground, by the rotation R."""
    a0, a1, a2 = turn(R, x[0], x[1], x[2])
    b0, b1, b2 = turn(R, x[3], x[4], x[5])
    return a0, a1, a2, b0, b1, b2


@inline
def turn_six_back(R: Floats, x: Six) -> Six:
    """Rotate a spatial vector x from the axes of the ground to those of a body, by R^T."""
    a0, a1, a2 = turn_back(R, x[0], x[1], x[2])
    b0, b1, b2 = turn_back(R, x[3], x[4], x[5])
    return a0, a1, a2, b0, b1, b2


@inline
def shift_motion(d: Floats, m: Six) -> Six:
    """Return a motion vector m about another point, which is at d relative to the present one."""
    n0, n1, n2 = cross(m[0], m[1], m[2], d[0], d[1], d[2])
    return m[0], m[1], m[2], m[3] + n0, m[4] + n1, m[5] + n2


@inline
def shift_force(d: Floats, f: Six) -> Six:
    """Return a force vector f about another point, relative to which the present one is at d."""
    n0, n1, n2 = cross(d[0], d[1], d[2], f[3], f[4], f[5])
    return f[0] + n0, f[1] + n1, f[2] + n2, f[3], f[4], f[5]


@inline
def force_at(p: Floats, f: Six) -> Six:
    """Return a force vector f about another point, which is at p relative to the present one."""
    n0, n1, n2 = cross(f[3], f[4], f[5], p[0], p[1], p[2])
    return f[0] + n0, f[1] + n1, f[2] + n2, f[3], f[4], f[5]


@inline
def in_body(R: Floats, p: Floats, m: Six) -> Six:
    """Return a motion vector m in the coordinates of a body with the pose R, p."""
    return turn_six_back(R, shift_motion(p, m))


@inline
def force_in_body(R: Floats, p: Floats, f: Six) -> Six:
    """Return a force vector f in the coordinates of a body with the pose R, p."""
    return turn_six_back(R, force_at(p, f))
