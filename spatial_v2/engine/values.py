"""Values of tensors without their zeros, written one after another; see `spatial_v2.packed`."""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.compile import inline, part
from spatial_v2.engine.extend import overload, types
from spatial_v2.engine.numbers import abreast
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["LINE", "MARGIN", "lay", "pour", "pour_rest", "slot"]

LINE = 8
"""Numbers in a line of the cache; at most as many values wait for those of the next pair."""
MARGIN = LINE + 16
"""Room behind values that wait, for what is moved too far."""


@inline
def slot(x: int, rows: int, n: int) -> int:
    """Where variable x stands in the first row of its block, of so many rows of n numbers.

    Variables r are treated `abreast`, n at a time: variable x is in column x % n of block x // n.
    """
    return x // n * rows * n + x % n


@part
def lay(runs: Ints, W: Floats, rows: int, above: int, n: int, waiting: Floats, count: Ints) -> None:
    """Put the scalars of a pair (p, t) behind the values that wait.

    They are in blocks of W, for the first n variables, of which `above` come before the joint of t.
    Of tensor k there are count[k] values in waiting[k].
    Blocks are moved whole; what is moved too far the next values replace.
    """
    m = abreast(W)
    for k in range(runs.shape[0]):
        tensor, sign, where = runs[k, 0], float(runs[k, 2]), runs[k, 3]
        source, target = W[runs[k, 1] * m :], waiting[tensor, count[tensor] :]
        if where == 2:
            for y in range(n - above):
                target[y] = sign * source[slot(y + above, rows, m)]
            count[tensor] += n - above
            continue
        end = above if where == 1 else n
        for block in range((end + m - 1) // m):
            for column in range(m):
                target[block * m + column] = sign * source[block * rows * m + column]
        count[tensor] += end


def pour(waiting: Floats, count: Ints, k: int, out: Floats, b: int, done: Ints) -> None:
    """Write values of tensor k that wait to out[b], behind the done[k] that are there.

    Of packs, as many as fill lines of the cache; the rest waits on.
    """
    _write(waiting, count, k, out, b, done)


def pour_rest(waiting: Floats, count: Ints, k: int, out: Floats, b: int, done: Ints) -> None:
    """Write all values of tensor k that wait."""
    _write(waiting, count, k, out, b, done)


@part
def _write(waiting: Floats, count: Ints, k: int, out: Floats, b: int, done: Ints) -> None:
    source, target = waiting[k], out[b, done[k] :]
    for x in range(count[k]):
        target[x] = source[x]
    done[k] += count[k]
    count[k] = 0


@overload(pour, jit_options={"forceinline": True})
@overload(pour_rest, jit_options={"forceinline": True})
def _of_kind(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_numbers(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        _write(waiting, count, k, out, b, done)

    return of_numbers if isinstance(waiting.dtype, types.Float) else None
