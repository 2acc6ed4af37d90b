"""Values of tensors without their zeros, written one after another; see `spatial_v2.packed`.

The scalars of a pair (p, t) are the rows of blocks, for so many variables r as are treated
`abreast`: variable x is in column x % m of block x // m, m numbers a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spatial_v2.engine.compile import inline, part
from spatial_v2.engine.extend import overload, types
from spatial_v2.engine.lanes.beside import put_beside
from spatial_v2.engine.numbers import abreast
from spatial_v2.engine.runs import Run, Runs
from spatial_v2.engine.tree import Floats, Ints
from spatial_v2.engine.vectors import Six

__all__ = ["MARGIN", "PILE", "lay_of", "pour", "pour_rest", "six_at"]

PILE = 64
"""Values of a tensor that wait before they are written."""
MARGIN = PILE + 16
"""Room behind those of a pair: for those that wait, and for what is moved too far."""


@inline
def six_at(Z: Floats, k: int, c: int) -> Six:
    """Six numbers, or packs of them, in row k of Z from column c on."""
    return Z[k, c], Z[k, c + 1], Z[k, c + 2], Z[k, c + 3], Z[k, c + 4], Z[k, c + 5]


@inline
def _way(
    W: Floats, w: Floats, row: int, sign: float, begin: int, end: int,
    waiting: Floats, k: int, at: int,
) -> None:  # fmt: skip
    """Values of tensor k: those of the first variables. What is too much the next ones replace."""
    m = abreast(W)
    for block in range((end + m - 1) // m):
        put_beside(sign * w[block, row], waiting, k, at + block * m)


@inline
def _joint(
    W: Floats, w: Floats, row: int, sign: float, begin: int, end: int,
    waiting: Floats, k: int, at: int,
) -> None:  # fmt: skip
    """The same for the variables begin:end."""
    m = abreast(W)
    for y in range(begin, end):
        waiting[k, at + y - begin] = sign * W[y // m, row * m + y % m]


_PARTS = {
    "way": ("_way", "0", "n"),
    "above": ("_way", "0", "above"),
    "joint": ("_joint", "above", "n"),
}


def lay_of(runs: Runs) -> tuple[Callable[..., None], Callable[..., None]]:
    """Functions that put the scalars of a pair (p, t) behind the values that wait.

    ``lay(W, w, above, n, waiting, count)``: they are in W, which w shows as packs, for the first n
    variables, of which `above` come before the joint of t; count[k] values are in waiting[k].
    The first function is for t of a joint above that of p, the second for t of the same joint. As
    the runs are known when they are compiled, no time is spent on reading a table.
    """
    return _compiled(runs.general, runs.tensors), _compiled(runs.own, runs.tensors)


def _compiled(runs: tuple[Run, ...], tensors: int) -> Callable[..., None]:
    lines = ["def lay(W, w, above, n, waiting, count):"]
    for k in range(tensors):
        lines.append(f"    at = count[{k}]")
        for run in runs:
            if run.tensor == k:
                move, begin, end = _PARTS[run.part]
                given = f"W, w, {run.scalar}, {float(run.sign)}, {begin}, {end}, waiting, {k}, at"
                lines += [f"    {move}({given})", f"    at += {end} - {begin}"]
        lines.append(f"    count[{k}] = at")
    made: dict[str, Any] = {"_way": _way, "_joint": _joint, "__name__": __name__}
    exec("\n".join(lines), made)
    lay: Callable[..., None] = inline(made["lay"])
    return lay


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
