"""Factors ``L^T D L`` of an inertia matrix with rows in whole blocks, which are SIMD values."""

from typing import Any

from spatial_v2.engine.compile.extend import overload, types
from spatial_v2.engine.numbers.kinds import simd_columns
from spatial_v2.engine.parts.ltdl import ltdl
from spatial_v2.engine.tree import Floats, Ints


def ltdl_rows(above: Ints, L: Floats, blocks: Floats) -> None:
    """Factor L in place as `ltdl` does; `blocks` views its rows. What is above its diagonal is
    lost.

    Products with zeros, where paths part, are computed too: for one state that takes less time than
    to follow the path from entry to entry. SIMD batches follow it.
    """
    m = simd_columns(L)
    for k in range(above.size - 1, -1, -1):
        d = 1.0 / L[k, k]
        i = above[k]
        while i >= 0:
            x = L[k, i] * d
            for c in range(i // m + 1):
                blocks[i, c] -= x * blocks[k, c]
            i = above[i]
        for c in range(k // m + 1):
            blocks[k, c] *= d
        L[k, k] = d


def _along_paths(above: Ints, L: Floats, blocks: Floats) -> None:
    ltdl(above, L)


@overload(ltdl_rows, jit_options={"forceinline": True})
def _rows_of_kind(above: Any, L: Any, blocks: Any) -> Any:
    return ltdl_rows if isinstance(L.dtype, types.Float) else _along_paths
