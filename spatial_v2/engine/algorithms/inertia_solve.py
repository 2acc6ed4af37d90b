"""Linear equations with inertia matrices that have been computed."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.coupling import eliminate
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.tree import Floats, Ints


@jit
def inertia_solve(above: Ints, H: Floats, least: Floats, x: Floats, out: Floats) -> None:
    """Compute ``out = H^-1 x`` (B, n, k); NaN where a pivot is not larger than least (B, n)."""
    n = H.shape[1]
    L = empty(H, n, n)
    for b in range(H.shape[0]):
        for i in range(n):
            for j in range(i + 1):
                L[i, j] = H[b, i, j]
            for c in range(x.shape[2]):
                out[b, i, c] = x[b, i, c]
        eliminate(above, least[b], L)
        ltdl_columns(above, L, out[b])
