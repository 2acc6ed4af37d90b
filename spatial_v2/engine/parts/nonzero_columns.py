"""The columns of a matrix in which a row has entries, where its rows are variables of a tree."""

from typing import Any

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.compile.extend import overload, types
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.tree import Floats, Ints


def nonzero_columns(above: Ints, m: int, Y: Floats, first: Ints, last: Ints) -> None:
    """Find columns first[i]:last[i] beyond which the m entries of row i of Y are zero, and those of
    the variables that it carries.

    In SIMD batches, where no branch may depend on a number, they are as they were: see
    `columns_on_paths`. Variable ``above[i]`` is the one before variable i on the path from the
    base, or -1.
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


def _same_columns(above: Ints, m: int, Y: Floats, first: Ints, last: Ints) -> None:
    """Leave the columns as they are."""


@overload(nonzero_columns, jit_options={"forceinline": True})
def _columns_of_kind(above: Any, m: Any, Y: Any, first: Any, last: Any) -> Any:
    return nonzero_columns if isinstance(Y.dtype, types.Float) else _same_columns


@part
def columns_on_paths(of: ConstraintArrays, first: Ints, last: Ints) -> None:
    """Find columns first[i]:last[i] for the rows of constraints: those of the constraints whose
    bodies variable i moves.
    """
    for i in range(first.size):
        first[i], last[i] = of.T.shape[0], 0
    for c in range(of.ends.shape[0]):
        row, end = of.ends[c, 3], of.ends[c, 3] + of.ends[c, 4]
        for e in range(2):
            i = of.ends[c, e]
            while i >= 0:
                for t in range(of.tree.joint[i, 3], of.tree.joint[i, 3] + of.tree.joint[i, 4]):
                    first[t], last[t] = min(first[t], row), max(last[t], end)
                i = of.tree.parent[i]
