"""Factors ``L^T D L`` of an inertia matrix with rows in whole blocks, which are SIMD values."""

from typing import Any

from spatial_v2.engine.compile.extend import overload, types
from spatial_v2.engine.numbers.kinds import simd_columns
from spatial_v2.engine.numbers.simd_columns import store_simd, take
from spatial_v2.engine.parts.ltdl import ltdl
from spatial_v2.engine.tree import Floats, Ints


def ltdl_rows(above: Ints, L: Floats) -> None:
    """Factor L in place as `ltdl` does, which has rows in whole blocks. What is above its diagonal
    is lost.

    Products with zeros, where paths part, are computed too: for one state that takes less time than
    to follow the path from entry to entry. SIMD batches follow it.
    """
    m = simd_columns(L)
    for k in range(above.size - 1, -1, -1):
        d = 1.0 / L[k, k]
        for c in range(0, k + 1, m):
            # Entries of the block are read as they were, and divided by the pivot after that.
            y, i = take(L, k, c) * d, above[k]
            while i >= c:
                store_simd(take(L, i, c) - L[k, i] * y, L, i, c)
                i = above[i]
            store_simd(y, L, k, c)
        L[k, k] = d


def _along_paths(above: Ints, L: Floats) -> None:
    ltdl(above, L)


@overload(ltdl_rows, jit_options={"forceinline": True})
def _rows_of_kind(above: Any, L: Any) -> Any:
    return ltdl_rows if isinstance(L.dtype, types.Float) else _along_paths
