"""Body Coriolis matrices, doubled, as twelve numbers.

``crf(v) I - I crm(v) + icrf(I v)`` is ``[T, 0; -2 skew(h), 0]`` with the linear momentum h and
``T = W Ib - Ib W - (U C + C U) - N``. Ib is the rotational inertia, and W, U, C and N are the skew
matrices of angular velocity w, linear velocity u, first moment c and angular momentum n. So the
product depends only on the angular part of its argument. The matrix is stored as T row by row,
then h.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import Six, Three, cross
from spatial_v2.engine.parts.inertia import lie_inertia
from spatial_v2.engine.tree import Floats


@inline
def coriolis_matrix(I: Floats, x: Six, B: Floats) -> None:
    """Compute the doubled body Coriolis matrix ``B = crf(x) I - I crm(x) + icrf(I x)``."""
    w0, w1, w2, u0, u1, u2 = x
    xy, xz, yz = I[7], I[8], I[9]
    k0, k1, k2 = cross(I[1], I[2], I[3], u0, u1, u2)
    n0 = I[4] * w0 + xy * w1 + xz * w2 + k0
    n1 = xy * w0 + I[5] * w1 + yz * w2 + k1
    n2 = xz * w0 + yz * w1 + I[6] * w2 + k2
    lie_inertia(I, x, B)
    B[9], B[10], B[11] = B[6], B[7], B[8]
    yy, zz, xy, xz, yz = B[1], B[2], B[3], B[4], B[5]
    B[1], B[2] = xy + n2, xz - n1
    B[3], B[4], B[5] = xy - n2, yy, yz + n0
    B[6], B[7], B[8] = xz + n1, yz - n0, zz


@inline
def add_lie_coriolis(B: Floats, x: Six, out: Floats) -> None:
    """Add ``crf(x) B - B crm(x)`` to out, as twelve numbers; B is a result of `coriolis_matrix`."""
    w0, w1, w2, u0, u1, u2 = x
    h0, h1, h2 = B[9], B[10], B[11]
    g0, g1, g2 = cross(w0, w1, w2, h0, h1, h2)
    # the term skew(u) (-2 skew(h)) is -2 (h u^T - (u . h) 1)
    t = 2.0 * (u0 * h0 + u1 * h1 + u2 * h2)
    out[0] += t
    out[4] += t
    out[8] += t
    for r in range(3):
        a0, a1, a2 = cross(w0, w1, w2, B[r], B[3 + r], B[6 + r])
        b0, b1, b2 = cross(w0, w1, w2, B[3 * r], B[3 * r + 1], B[3 * r + 2])
        out[r] += a0
        out[3 + r] += a1
        out[6 + r] += a2
        h = 2.0 * B[9 + r]
        out[3 * r] += b0 - h * u0
        out[3 * r + 1] += b1 - h * u1
        out[3 * r + 2] += b2 - h * u2
    out[9] += g0
    out[10] += g1
    out[11] += g2


@inline
def apply_coriolis(B: Floats, x: Six) -> Six:
    """Return the force vector B x, for a matrix B of `coriolis_matrix`."""
    w0, w1, w2, _, _, _ = x
    g0, g1, g2 = cross(w0, w1, w2, B[9], B[10], B[11])
    return (
        B[0] * w0 + B[1] * w1 + B[2] * w2,
        B[3] * w0 + B[4] * w1 + B[5] * w2,
        B[6] * w0 + B[7] * w1 + B[8] * w2,
        2.0 * g0,
        2.0 * g1,
        2.0 * g2,
    )


@inline
def apply_transpose(B: Floats, x: Six) -> Three:
    """Return the angular part of B^T x for a matrix of `coriolis_matrix`; the other is zero."""
    a0, a1, a2, b0, b1, b2 = x
    g0, g1, g2 = cross(B[9], B[10], B[11], b0, b1, b2)
    return (
        B[0] * a0 + B[3] * a1 + B[6] * a2 + 2.0 * g0,
        B[1] * a0 + B[4] * a1 + B[7] * a2 + 2.0 * g1,
        B[2] * a0 + B[5] * a1 + B[8] * a2 + 2.0 * g2,
    )
