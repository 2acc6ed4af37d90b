"""Batches block by block, so that intermediate results stay in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["WIDEST", "batch_slices", "fill_blocks", "fill_up"]

WIDEST = 8
"""States that make whole SIMD batches, however wide these are."""


def batch_slices(states: int, size: int, room: int) -> Iterator[slice]:
    """Slices of a batch, of whole SIMD batches but the last, whose arrays fit into a room.

    Parameters
    ----------
    states : int
        States of the batch.
    size, room : int
        Numbers of one state, and of a block that has several SIMD batches.

    Examples
    --------
    >>> list(batch_slices(20, size=100, room=1000))
    [slice(0, 8, None), slice(8, 16, None), slice(16, 20, None)]
    """
    step = max(room // max(size * WIDEST, 1), 1) * WIDEST
    for first in range(0, states, step):
        yield slice(first, min(first + step, states))


def fill_up(arrays: Sequence[np.ndarray], batched: bool) -> list[np.ndarray]:
    """States that fill SIMD batches, the last one repeated, so that all are computed alike.

    What kernels make of a state then does not depend on how many there are. Forces that are none
    stay so.

    Examples
    --------
    >>> [x.shape for x in fill_up([np.ones((5, 2)), np.ones((0, 3))], True)]
    [(8, 2), (0, 3)]
    """
    more = -len(arrays[0]) % WIDEST if batched else 0
    if not more:
        return list(arrays)
    return [np.concatenate([x, x[-1:].repeat(more, axis=0)]) if len(x) else x for x in arrays]


def fill_blocks(
    made: Callable[..., Sequence[np.ndarray]],
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    batched: bool,
    size: int,
    room: int = 1 << 20,
) -> None:
    """Fill the results of a batch with what ``made(*arrays)`` returns for blocks of it.

    Parameters
    ----------
    made : callable
        Takes arrays of a block, which fills SIMD batches, and returns its results. Its errors are
        those of the states alone, without what fills SIMD batches.
    arrays, results : sequence of array, shapes (B, ...)
        The arguments of a batch, where some may be empty, and its results.
    batched : bool
        Whether states are computed several at a time.
    size, room : int
        Numbers that one state needs, and that a block may have: eight megabytes.
    """
    for part in batch_slices(len(arrays[0]), size, room):
        states = [x[part] if len(x) else x for x in arrays]
        try:
            out = made(*fill_up(states, batched))
        except SpatialError:
            made(*states)
            raise
        for x, y in zip(results, out, strict=True):
            x[part] = y[: part.stop - part.start]
