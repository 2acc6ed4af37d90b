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
    """Options that every accelerated function takes, by keyword."""

    out: Any
    """Preallocated results, as NumPy's ``out``: an array of the shape and dtype of the result, or a
    tuple of arrays for several results. It is returned.
    """
    workers: int | None
    """Number of threads that share a batch; -1 stands for all processors, -2 for all but one, and
    None for the number of `set_workers`, by default 1. Results of kernels do not depend on it;
    results for which NumPy multiplies matrices agree up to rounding.
    """


_WORKERS: ContextVar[int] = ContextVar("workers", default=1)


def get_workers() -> int:
    """Return the number of threads that share a batch, unless a call overrides it.

    Returns
    -------
    int
        The number given to `set_workers`, by default 1.

    Examples
    --------
    >>> get_workers()
    1
    """
    return _WORKERS.get()


@contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Let several threads share each batch, for all calls in a ``with`` block, as in `scipy.fft`.

    Parameters
    ----------
    workers : int
        Number of threads; -1 stands for all processors, -2 for all but one, and so on.

    Yields
    ------
    None
        Nothing; the number is in effect within the block.

    Raises
    ------
    SpatialError
        A wrong number of threads.

    Examples
    --------
    >>> from spatial_v2 import get_workers
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
    """Return the number of threads that an argument `workers` stands for."""
    if workers is None:
        return _WORKERS.get()
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer):
        raise SpatialError(f"workers: want a whole number, got {workers!r}")
    processors = os.cpu_count() or 1
    if workers == 0 or workers < -processors:
        raise SpatialError(f"workers: want 1 or more, or -1 to -{processors}, got {workers}")
    return int(workers) if workers > 0 else processors + 1 + int(workers)
