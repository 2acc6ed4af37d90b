"""Values of tensors without their zeros, written one after another; see `spatial_v2.packed`."""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.extend import overload, types
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["LINE", "lay", "pour", "pour_rest", "scatter"]

LINE = 8
"""Numbers in a line of the cache; at most as many values wait for those of the next pair."""


@part
def lay(runs: Ints, W: Floats, above: int, n: int, waiting: Floats, count: Ints) -> None:
    """Put the scalars W[row, :n] of a pair (p, t) behind the values that wait.

    Of tensor k there are count[k] values in waiting[k]; `above` variables come before the joint.
    """
    for k in range(runs.shape[0]):
        tensor, row, sign, where = runs[k, 0], runs[k, 1], runs[k, 2], runs[k, 3]
        begin = above if where == 2 else 0
        end = above if where == 1 else n
        at = count[tensor] - begin
        for y in range(begin, end):
            waiting[tensor, at + y] = sign * W[row, y]
        count[tensor] = at + end


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
    for x in range(count[k]):
        out[b, done[k] + x] = waiting[k, x]
    done[k] += count[k]
    count[k] = 0


@overload(pour, jit_options={"forceinline": True})
@overload(pour_rest, jit_options={"forceinline": True})
def _of_kind(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_numbers(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        _write(waiting, count, k, out, b, done)

    return of_numbers if isinstance(waiting.dtype, types.Float) else None


@jit
def scatter(values: Floats, places: Ints, out: Floats) -> None:
    """out[b, places] = values[b, :n] for each state b."""
    for b in range(out.shape[0]):
        for x in range(places.size):
            out[b, places[x]] = values[b, x]
