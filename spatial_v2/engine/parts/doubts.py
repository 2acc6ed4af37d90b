"""Doubts whether the KKT equations can be solved by the inverse of the inertia matrix.

A doubt is a number: zero for none, else positive. So the states of a SIMD batch need no branches.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.constrained import Equations
from spatial_v2.engine.numbers.kinds import sign, simd_columns
from spatial_v2.engine.numbers.simd_columns import store_simd, take
from spatial_v2.engine.parts.kkt_arrays import Factors
from spatial_v2.engine.parts.outcomes import NEAR, SPREAD, SURE, ZERO
from spatial_v2.engine.tree import Floats


@inline
def ldl_pivots(D: Floats, w: Factors) -> None:
    """Factor D so that 1 / d is on its diagonal and d L^T above it, and set w.pivots to the ratio
    of each pivot to its diagonal entry.

    D has columns in whole blocks. Only what is on and above its diagonal is read.
    """
    n, m = w.pivots.size, simd_columns(D)
    for c in range(n):
        w.pivots[c] = D[c, c]
    for c in range(n):
        d = 1.0 / D[c, c]
        w.pivots[c] = D[c, c] / w.pivots[c]
        for r in range(c + 1, n):
            x = D[c, r] * d
            for k in range(r // m * m, D.shape[1], m):
                store_simd(take(D, r, k) - x * take(D, c, k), D, r, k)
        D[c, c] = d


@inline
def exceeds(x: float, least: float) -> float:
    """Return 0 if x is greater than a threshold, else a positive number; so for NaN."""
    return 1.0 - sign(x - least)


@inline
def doubts(of: Equations, H: Floats, least: Floats, w: Factors, firm: float, clear: float) -> float:
    """Return 0 if the inverse of H serves: inertias do not differ by too much, the relative pivots
    of H are greater than `firm`, and those of ``G H^-1 G^T + damping`` than `clear`; else a
    positive number.

    A pivot that may be a rounding error, see `least_pivots`, is a doubt, too.
    """
    doubt: float = 0.0 * H[0, 0]
    total: float = 0.0 * H[0, 0]
    for i in range(H.shape[0]):
        total += H[i, i] * (1.0 / (of.distances[i] * of.distances[i]))
    for i in range(H.shape[0]):
        pivot = 1.0 / w.L[i, i]
        doubt += exceeds(H[i, i] * (1.0 / (of.distances[i] * of.distances[i])), total / SPREAD)
        doubt += exceeds(pivot, firm * H[i, i])
        doubt += exceeds(pivot, SURE * least[i])
    for k in range(w.pivots.size):
        doubt += exceeds(w.pivots[k], clear)
    return doubt


@inline
def vanishing(size: Floats) -> float:
    """Return 0 if no row is nearly zero, else a positive number."""
    doubt: float = 0.0 * size[0]
    for k in range(size.size):
        doubt += exceeds(size[k], (NEAR * ZERO) ** 2)
    return doubt


@inline
def slanting(w: Factors) -> float:
    """Return 0 if no row nearly depends on others by its angle to them, else a positive number."""
    doubt: float = 0.0 * w.D[0, 0]
    ldl_pivots(w.D, w)
    for k in range(w.pivots.size):
        doubt += exceeds(w.pivots[k], NEAR * ZERO)
    return doubt


@inline
def doubts_of_rows(
    of: Equations, H: Floats, scales: tuple[Floats, Floats], w: Factors, firm: float, clear: float
) -> float:
    """Return 0 if the factors of `factorise` serve, with a step of refinement: `doubts` has none,
    and the rows are independent by their angles. With damping they may depend on each other.

    Pivots of ``G H^-1 G^T`` tell nothing of the angles where inertias differ: a heavy body counts
    as if it could not move.
    """
    size, least = scales
    doubt = doubts(of, H, least, w, firm, clear)
    if of.damping == 0.0 and size.size:
        doubt += vanishing(size) + slanting(w)
    return doubt
