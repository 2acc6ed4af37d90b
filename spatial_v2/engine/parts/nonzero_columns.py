"""The columns of a matrix in which a row has entries, where its rows are variables of a tree."""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.compile.extend import overload, types
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["nonzero_columns"]


def nonzero_columns(above: Ints, m: int, Y: Floats, first: Ints, last: Ints) -> None:
    """Find columns first[i]:last[i] beyond which the m entries of row i of Y are zero, and those of
    the variables that it carries.

    In SIMD batches these are all columns, since no branch may depend on a number there. Variable
    ``above[i]`` is the one before variable i on the path from the base, or -1.
    """
    for i in range(above.size):
        first[i], last[i] = m, 0
    for i in range(above.size - 1, -1, -1):
        k = 0
        while k < first[i] and Y[i, k] == 0.0:
            k += 1
        first[i], k = k, m
        while k > last[i] and Y[i, k - 1] == 0.0:
            k -= 1
        last[i], j = k, above[i]
        if j >= 0:
            first[j], last[j] = min(first[j], first[i]), max(last[j], last[i])


def _all_columns(above: Ints, m: int, Y: Floats, first: Ints, last: Ints) -> None:
    for i in range(above.size):
        first[i], last[i] = 0, m


@overload(nonzero_columns, jit_options={"forceinline": True})
def _columns_of_kind(above: Any, m: Any, Y: Any, first: Any, last: Any) -> Any:
    return nonzero_columns if isinstance(Y.dtype, types.Float) else _all_columns
