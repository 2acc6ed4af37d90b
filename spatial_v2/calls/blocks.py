"""Processing of batches block by block, so that intermediate results stay in the cache."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from spatial_v2.engine.kernel import WIDEST
from spatial_v2.exceptions import SpatialError

T = TypeVar("T")

ROOM = 1 << 20
"""Largest number of entries of a block, which are eight megabytes."""


def batch_slices(states: int, size: int, room: int) -> Iterator[slice]:
    """Yield slices of a batch, whole SIMD batches but for the last, of at most `room` entries if a
    state has `size`; each has one SIMD batch at least.

    Examples
    --------
    >>> list(batch_slices(20, size=100, room=1000))
    [slice(0, 8, None), slice(8, 16, None), slice(16, 20, None)]
    """
    step = max(room // max(size * WIDEST, 1), 1) * WIDEST
    for first in range(0, states, step):
        yield slice(first, min(first + step, states))


def fill_up(arrays: Sequence[np.ndarray], batched: bool) -> list[np.ndarray]:
    """Pad states to whole SIMD batches by repeating the last one, so that the results of a state do
    not depend on their number. Empty arrays of forces stay empty.
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
    room: int = ROOM,
) -> None:
    """Compute the results (B, ...) of a batch by calls ``made(*arrays)`` for one block at a time.

    If `made` raises an error, it is called again without padding, so that the error refers to
    states of the batch. `size` is the number of entries that one state needs, `room` that of a
    block.
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


def in_threads(workers: int, states: int, task: Callable[[slice], T]) -> list[T]:
    """Call task(slice) for slices of a batch, one for each worker, in threads."""
    try:
        from spatial_v2.engine.compile.share import share
    except RuntimeError:  # the interpreter exits, and loads no module that uses threads
        return [task(slice(0, states))]
    return share(workers, states, task)
