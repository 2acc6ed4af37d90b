"""Options of every accelerated function: preallocated results, the number of threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypedDict

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["Options", "get_workers", "set_workers"]


class Options(TypedDict, total=False):
    """Options of all accelerated functions, by keyword."""

    out: Any
    """Where the result goes, as NumPy's ``out``: an array of its shape and dtype, or for several
    results a tuple of arrays. It is returned."""
    workers: int | None
    """How many threads share a batch; -1 stands for all processors, -2 for all but one, and None
    for what `set_workers` says, else 1. Results of a kernel are the same to the last bit, those
    that products of NumPy have a part in to rounding."""


_WORKERS: ContextVar[int] = ContextVar("workers", default=1)


def get_workers() -> int:
    """The number of threads that share a batch unless a call says otherwise.

    Returns
    -------
    int
        What `set_workers` was given, else 1.

    Examples
    --------
    >>> get_workers()
    1
    """
    return _WORKERS.get()


@contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Let several threads share each batch, for all calls of a block; as in `scipy.fft`.

    Parameters
    ----------
    workers : int
        Number of threads; -1 stands for all processors, -2 for all but one, and so on.

    Yields
    ------
    None
        Nothing; the number holds in the block.

    Raises
    ------
    SpatialError
        No such number.

    Examples
    --------
    >>> with set_workers(2):
    ...     get_workers()
    2
    """
    token = _WORKERS.set(count_workers(workers))
    try:
        yield
    finally:
        _WORKERS.reset(token)


def count_workers(workers: Any) -> int:
    """The number of threads that an argument `workers` means."""
    if workers is None:
        return _WORKERS.get()
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer):
        raise SpatialError(f"workers: want a whole number, got {workers!r}")
    processors = os.cpu_count() or 1
    if workers == 0 or workers < -processors:
        raise SpatialError(f"workers: want 1 or more, or -1 to -{processors}, got {workers}")
    return int(workers) if workers > 0 else processors + 1 + int(workers)
