"""Pivots of the joint-space inertia matrix, and the size below which they have no correct digit.

The pivot of a joint variable is what is left of the inertia that the joint carries when the joints
beyond it may move freely: ``S^T IA S`` of the articulated-body algorithm. It is a difference of
terms as large as the inertia carried, and is rounded accordingly. The measure of that inertia, for
a motion subspace ``S = [w; v]``, is ``R |w|^2 + m |v|^2``: m is the mass of all bodies that the
joint carries, and R their second moment of mass about the body's origin, the sum of ``m r^2``, half
the trace of the rotational inertia. A change of units multiplies pivot and measure by one number.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.kinds import sign
from spatial_v2.engine.numbers.vectors import Six
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.engine.tree import Floats


@inline
def own_mass(I: Floats, C: Floats) -> None:
    """Set C to mass, first moment and second moment of a body with the ten numbers I."""
    C[0], C[1], C[2], C[3] = I[0], I[1], I[2], I[3]
    C[4] = 0.5 * (I[4] + I[5] + I[6])


@inline
def carry(d: Floats, C: Floats, out: Floats) -> None:
    """Shift mass, first and second moment by d to the parent's origin, and add them to out."""
    m, h0, h1, h2, d0, d1, d2 = C[0], C[1], C[2], C[3], d[0], d[1], d[2]
    c0, c1, c2 = h0 + m * d0, h1 + m * d1, h2 + m * d2
    out[0] += m
    out[1] += c0
    out[2] += c1
    out[3] += c2
    out[4] += C[4] + (d0 * (h0 + c0) + d1 * (h1 + c1) + d2 * (h2 + c2))


@inline
def least_pivot(C: Floats, S: Six) -> float:
    """Return the size up to which a pivot is rounding error, for a motion subspace S."""
    w0, w1, w2, v0, v1, v2 = S
    turning, sliding = w0 * w0 + w1 * w1 + w2 * w2, v0 * v0 + v1 * v1 + v2 * v2
    least: float = SHARE * (C[4] * turning + C[0] * sliding)
    return least


@inline
def reciprocal(pivot: float, least: float) -> float:
    """Return 1 / pivot; NaN if the pivot is not larger than `least`, whatever its sign."""
    k = sign(abs(pivot) - abs(least))
    k += abs(k)
    return k / (k * pivot)
