"""Rigid-body inertias as ten numbers [m, h, xx, yy, zz, xy, xz, yz], and their transformations.

m is the mass, h = m c the first moment, and the others are the entries of the rotational inertia
about the origin, along the ground's axes.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import Six, add_into, cross, plus, six, times, turn
from spatial_v2.engine.tree import Floats, Tree

Nine = tuple[float, float, float, float, float, float, float, float, float]


@inline
def place_inertia(I: Floats, R: Floats, p: Floats, out: Floats) -> None:
    """Compute the ten numbers of a body at p, from the 6x6 matrix I in body coordinates."""
    turn_inertia(I, R, out)
    c0, c1, c2, xx, yy, zz, xy, xz, yz = shifted(p, out)
    out[1], out[2], out[3], out[4], out[5] = c0, c1, c2, xx, yy
    out[6], out[7], out[8], out[9] = zz, xy, xz, yz


@inline
def inertias(tree: Tree, R: Floats, p: Floats, I: Floats) -> None:
    """Compute the ten numbers of each body, as rows of I, from poses R, p."""
    for i in range(tree.parent.size):
        place_inertia(tree.I[i], R[i], p[i], I[i])


@inline
def sum_rows(tree: Tree, M: Floats) -> None:
    """Sum the rows of M over subtrees, in place; row -1 becomes the sum over the whole tree."""
    M[-1, :] = 0.0
    for i in range(tree.parent.size - 1, -1, -1):
        add_into(M[i], M[tree.parent[i]])


@inline
def turn_inertia(I: Floats, R: Floats, out: Floats) -> None:
    """Compute the ten numbers of a body about its own origin, from the 6x6 matrix I in its axes."""
    h0, h1, h2 = turn(R, I[2, 4], I[0, 5], I[1, 3])
    xx = yy = zz = xy = xz = yz = 0.0 * h0
    for k in range(3):
        r0, r1, r2 = R[0, k], R[1, k], R[2, k]
        g0, g1, g2 = turn(R, I[0, k], I[1, k], I[2, k])
        xx, yy, zz = xx + g0 * r0, yy + g1 * r1, zz + g2 * r2
        xy, xz, yz = xy + g0 * r1, xz + g0 * r2, yz + g1 * r2
    out[0], out[1], out[2], out[3] = I[5, 5], h0, h1, h2
    out[4], out[5], out[6], out[7], out[8], out[9] = xx, yy, zz, xy, xz, yz


@inline
def shifted(d: Floats, I: Floats) -> Nine:
    """Return the first moment and the rotational inertia of ten numbers I, shifted by d.

    To a point from which the present one is at d, the rotational inertia grows by
    ``(d . (h + c)) 1 - (d c^T + h d^T)``, with the first moments h and c = h + m d.
    """
    m, h0, h1, h2, d0, d1, d2 = I[0], I[1], I[2], I[3], d[0], d[1], d[2]
    c0, c1, c2 = h0 + m * d0, h1 + m * d1, h2 + m * d2
    w0, w1, w2 = d0 * (h0 + c0), d1 * (h1 + c1), d2 * (h2 + c2)
    xx, yy, zz = I[4] + (w1 + w2), I[5] + (w0 + w2), I[6] + (w0 + w1)
    xy, xz = I[7] - (d0 * c1 + h0 * d1), I[8] - (d0 * c2 + h0 * d2)
    return c0, c1, c2, xx, yy, zz, xy, xz, I[9] - (d1 * c2 + h1 * d2)


@inline
def add_inertia(d: Floats, I: Floats, out: Floats) -> None:
    """Shift the ten numbers I of a body by d to the parent's origin, and add them to out."""
    c0, c1, c2, xx, yy, zz, xy, xz, yz = shifted(d, I)
    out[0] += I[0]
    out[1] += c0
    out[2] += c1
    out[3] += c2
    out[4] += xx
    out[5] += yy
    out[6] += zz
    out[7] += xy
    out[8] += xz
    out[9] += yz


@inline
def turn_inertias(tree: Tree, R: Floats, I: Floats) -> None:
    """Compute `turn_inertia` of each body, as rows of I."""
    for i in range(tree.parent.size):
        turn_inertia(tree.I[i], R[i], I[i])


@inline
def apply_inertia(I: Floats, x: Six) -> Six:
    """Return the force vector I x of an inertia of ten numbers and a motion vector."""
    w0, w1, w2, u0, u1, u2 = x
    m, h0, h1, h2, xy, xz, yz = I[0], I[1], I[2], I[3], I[7], I[8], I[9]
    n0, n1, n2 = cross(h0, h1, h2, u0, u1, u2)
    g0, g1, g2 = cross(h0, h1, h2, w0, w1, w2)
    return (
        I[4] * w0 + xy * w1 + xz * w2 + n0,
        xy * w0 + I[5] * w1 + yz * w2 + n1,
        xz * w0 + yz * w1 + I[6] * w2 + n2,
        m * u0 - g0,
        m * u1 - g1,
        m * u2 - g2,
    )


@inline
def apply_matrix(I: Floats, x: Six) -> Six:
    """Return the force vector I x of the 6x6 matrix of an inertia and a motion vector."""
    w0, w1, w2, u0, u1, u2 = x
    m, h0, h1, h2 = I[5, 5], I[2, 4], I[0, 5], I[1, 3]
    a0, a1, a2 = turn(I, w0, w1, w2)
    n0, n1, n2 = cross(h0, h1, h2, u0, u1, u2)
    g0, g1, g2 = cross(h0, h1, h2, w0, w1, w2)
    return a0 + n0, a1 + n1, a2 + n2, m * u0 - g0, m * u1 - g1, m * u2 - g2


@inline
def lie_inertia(I: Floats, x: Six, M: Floats) -> None:
    """Compute M = ``crf(x) I - I crm(x)``, the rate of the inertia I moving with velocity x.

    M[:6] are second moments xx yy zz xy xz yz, and M[6:9] the linear momentum d of I moving with x:
    the matrix is ``[M, skew(d); -skew(d), 0]``.
    """
    w0, w1, w2, u0, u1, u2 = x
    m, c0, c1, c2 = I[0], I[1], I[2], I[3]
    xx, yy, zz, xy, xz, yz = I[4], I[5], I[6], I[7], I[8], I[9]
    t0, t1, t2 = 2.0 * u0 * c0, 2.0 * u1 * c1, 2.0 * u2 * c2
    # skew(w) Ib - Ib skew(w) is symmetric: K + K^T with K = skew(w) Ib
    M[0] = 2.0 * (w1 * xz - w2 * xy) + t1 + t2
    M[1] = 2.0 * (w2 * xy - w0 * yz) + t0 + t2
    M[2] = 2.0 * (w0 * yz - w1 * xz) + t0 + t1
    M[3] = w1 * yz - w2 * yy + w2 * xx - w0 * xz - u0 * c1 - u1 * c0
    M[4] = w1 * zz - w2 * yz + w0 * xy - w1 * xx - u0 * c2 - u2 * c0
    M[5] = w2 * xz - w0 * zz + w0 * yy - w1 * xy - u1 * c2 - u2 * c1
    g0, g1, g2 = cross(w0, w1, w2, c0, c1, c2)
    M[6], M[7], M[8] = m * u0 + g0, m * u1 + g1, m * u2 + g2


@inline
def apply_lie_inertia(M: Floats, x: Six) -> Six:
    """Return the force vector M x, for the matrix M of `lie_inertia`."""
    w0, w1, w2, u0, u1, u2 = x
    xy, xz, yz, d0, d1, d2 = M[3], M[4], M[5], M[6], M[7], M[8]
    n0, n1, n2 = cross(d0, d1, d2, u0, u1, u2)
    g0, g1, g2 = cross(w0, w1, w2, d0, d1, d2)
    return (
        M[0] * w0 + xy * w1 + xz * w2 + n0,
        xy * w0 + M[1] * w1 + yz * w2 + n1,
        xz * w0 + yz * w1 + M[2] * w2 + n2,
        g0,
        g1,
        g2,
    )


@inline
def dense_inertia(I: Floats, out: Floats) -> None:
    """Expand an inertia of ten numbers to the symmetric 6x6 matrix out."""
    out[:, :] = 0.0
    m, h0, h1, h2 = I[0], I[1], I[2], I[3]
    out[0, 0], out[1, 1], out[2, 2] = I[4], I[5], I[6]
    out[0, 1] = out[1, 0] = I[7]
    out[0, 2] = out[2, 0] = I[8]
    out[1, 2] = out[2, 1] = I[9]
    out[3, 3] = out[4, 4] = out[5, 5] = m
    out[1, 3] = out[3, 1] = h2
    out[2, 4] = out[4, 2] = h0
    out[0, 5] = out[5, 0] = h1
    out[2, 3] = out[3, 2] = -h1
    out[0, 4] = out[4, 0] = -h2
    out[1, 5] = out[5, 1] = -h0


@inline
def apply_symmetric(I: Floats, x: Six) -> Six:
    """Return the product I x of a symmetric 6x6 matrix."""
    y = plus(times(x[0], six(I[0])), times(x[1], six(I[1])))
    y = plus(y, plus(times(x[2], six(I[2])), times(x[3], six(I[3]))))
    return plus(y, plus(times(x[4], six(I[4])), times(x[5], six(I[5]))))


@inline
def shift_inertia(d: Floats, I: Floats, out: Floats) -> None:
    """Shift the symmetric 6x6 matrix I by d to the parent's origin, and add it to out."""
    d0, d1, d2 = d[0], d[1], d[2]
    for c in range(3):
        # I = [A, B; B^T, C] in 3x3 blocks: column c of the new upper right block B + skew(d) C
        b0, b1, b2 = I[0, 3 + c], I[1, 3 + c], I[2, 3 + c]
        n0, n1, n2 = cross(d0, d1, d2, I[3, 3 + c], I[4, 3 + c], I[5, 3 + c])
        e0, e1, e2 = b0 + n0, b1 + n1, b2 + n2
        out[0, 3 + c] += e0
        out[1, 3 + c] += e1
        out[2, 3 + c] += e2
        out[3 + c, 0] += e0
        out[3 + c, 1] += e1
        out[3 + c, 2] += e2
        for r in range(3):
            out[3 + r, 3 + c] += I[3 + r, 3 + c]
        # subtract that block times skew(d): its column c times row c of skew(d)
        x0 = 0.0 if c == 0 else d2 if c == 1 else -d1
        x1 = -d2 if c == 0 else 0.0 if c == 1 else d0
        x2 = d1 if c == 0 else -d0 if c == 1 else 0.0
        out[0, 0] -= e0 * x0
        out[0, 1] -= e0 * x1
        out[0, 2] -= e0 * x2
        out[1, 0] -= e1 * x0
        out[1, 1] -= e1 * x1
        out[1, 2] -= e1 * x2
        out[2, 0] -= e2 * x0
        out[2, 1] -= e2 * x1
        out[2, 2] -= e2 * x2
        # add A + skew(d) B^T to the upper left block: column c of B^T is row c of B
        n0, n1, n2 = cross(d0, d1, d2, I[c, 3], I[c, 4], I[c, 5])
        out[0, c] += I[0, c] + n0
        out[1, c] += I[1, c] + n1
        out[2, c] += I[2, c] + n2
