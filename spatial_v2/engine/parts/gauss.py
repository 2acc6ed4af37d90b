"""Steps of Gaussian elimination of small systems ``A x = b``, with x in place of b."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.tree import Floats


@inline
def eliminate_below(A: Floats, x: Floats, r: int, k: int) -> None:
    """Eliminate unknown k, whose pivot is ``A[k, k]``, from the equations k+1 to r-1."""
    for i in range(k + 1, r):
        f = A[i, k] / A[k, k]
        x[i] -= f * x[k]
        for j in range(k + 1, r):
            A[i, j] -= f * A[k, j]


@inline
def substitute_back(A: Floats, x: Floats, r: int) -> None:
    """Compute the r unknowns after the elimination."""
    for k in range(r - 1, -1, -1):
        for j in range(k + 1, r):
            x[k] -= A[k, j] * x[j]
        x[k] = x[k] / A[k, k]
