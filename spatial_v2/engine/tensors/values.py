"""Values of packed tensors, written in order; see `spatial_v2.packed`.

The scalars of a pair (p, t) are rows of blocks of variables r (`simd_columns`): variable x is in
column x % m of block x // m, with m numbers in a row.
"""

from collections.abc import Callable
from typing import Any

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.kinds import simd_columns
from spatial_v2.engine.numbers.simd_columns import store_simd
from spatial_v2.engine.numbers.vectors import Six
from spatial_v2.engine.tensors.runs import Run, Runs
from spatial_v2.engine.tree import Floats

PILE = 64
"""Number of values of a tensor that are buffered before they are written."""
MARGIN = PILE + 16
"""Entries of the buffer besides the values of a pair, with surplus entries of SIMD batches."""


@inline
def six_at(Z: Floats, k: int, c: int) -> Six:
    """Load six numbers, or SIMD batches, of row k of Z from column c on."""
    return Z[k, c], Z[k, c + 1], Z[k, c + 2], Z[k, c + 3], Z[k, c + 4], Z[k, c + 5]


@inline
def _path(
    W: Floats, w: Floats, row: int, sign: float, begin: int, end: int,
    pending: Floats, k: int, place: int,
) -> None:  # fmt: skip
    """Append values of tensor k for the variables :end; surplus entries are overwritten later."""
    m = simd_columns(W)
    for block in range((end + m - 1) // m):
        store_simd(sign * w[block, row], pending, k, place + block * m)


@inline
def _joint(
    W: Floats, w: Floats, row: int, sign: float, begin: int, end: int,
    pending: Floats, k: int, place: int,
) -> None:  # fmt: skip
    """Append values of tensor k for the variables begin:end."""
    m = simd_columns(W)
    for y in range(begin, end):
        pending[k, place + y - begin] = sign * W[y // m, row * m + y % m]


_PARTS = {
    "path": ("_path", "0", "n"),
    "above": ("_path", "0", "above"),
    "joint": ("_joint", "above", "n"),
}


def lay_of(runs: Runs) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return functions that append the scalars of a pair (p, t) to the buffered values.

    They are called as ``lay(W, w, above, n, waiting, count)``. W has the scalars for the first n
    variables, of which `above` come before the joint of t; w is W viewed as SIMD batches.
    waiting[k] has count[k] buffered values of tensor k. The first function is for a variable t of a
    joint above that of p, the second for t of the same joint. The runs are constants of the
    compiled code, so no table is read.
    """
    return _compiled(runs.general, runs.tensors), _compiled(runs.own, runs.tensors)


def _compiled(runs: tuple[Run, ...], tensors: int) -> Callable[..., None]:
    lines = ["def lay(W, w, above, n, waiting, count):"]
    for k in range(tensors):
        lines.append(f"    place = count[{k}]")
        for run in runs:
            if run.tensor == k:
                move, begin, end = _PARTS[run.part]
                value = f"W, w, {run.scalar}, {float(run.sign)}"
                lines.append(f"    {move}({value}, {begin}, {end}, waiting, {k}, place)")
                lines.append(f"    place += {end} - {begin}")
        lines.append(f"    count[{k}] = place")
    made: dict[str, Any] = {"_path": _path, "_joint": _joint, "__name__": __name__}
    exec("\n".join(lines), made)
    lay: Callable[..., None] = inline(made["lay"])
    return lay
