"""Memory of large results, used again when a result is gone.

A new array that is large is new memory from the system, page by page, each filled with zeros: that
takes longer than most of what is computed here. What results of these functions leave behind,
when nothing refers to them any more, is therefore kept for the next ones, up to a limit.
"""

from __future__ import annotations

import math
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.lines import LINE
from spatial_v2.exceptions import SpatialError

__all__ = ["allocate", "keep_memory"]

SMALLEST = 1 << 14
"""Numbers from which on an array is kept: 128 KiB. Less comes from the allocator's own store."""

PIECES = 32
"""The most arrays that are looked after, those used last: a result among many that live is not."""

_LEAST_LIMIT, _MOST_LIMIT = 1 << 28, 1 << 30


def _first_limit() -> int:
    """A sixteenth of the machine's memory, from 256 MiB to 1 GiB."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _LEAST_LIMIT
    return max(_LEAST_LIMIT, min(whole // 16, _MOST_LIMIT))


_lock = threading.Lock()
_limit = _first_limit()
_kept: list[np.ndarray] = []
"""Memory in use or free, that used last at the end."""


def keep_memory(limit: int) -> None:
    """Say how many bytes of free memory are kept for the next large results.

    Parameters
    ----------
    limit : int
        At most so many bytes are kept that no result uses; 0 for none. At first a sixteenth of the
        machine's memory, at least 256 MiB and at most 1 GiB.

    Raises
    ------
    SpatialError
        A number that is no size.

    Examples
    --------
    >>> keep_memory(2**28)
    """
    global _limit
    given: Any = limit
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise SpatialError(f"limit: want a number of bytes, 0 or more, got {limit!r}")
    with _lock:
        _limit = limit
        _drop()


def allocate(shape: Sequence[int], line: int = LINE) -> np.ndarray:
    """A contiguous float64 array with nothing in it yet; a large one begins a line of the cache."""
    size = math.prod(map(int, shape))
    if size < SMALLEST:
        return np.empty(shape)
    with _lock:
        raw = _take(size + line)
    skip = -(raw.ctypes.data // raw.itemsize) % line
    return raw[skip : skip + size].reshape(shape)


def _take(size: int) -> np.ndarray:
    """Kept memory that nothing uses, or new memory."""
    _drop()
    for k in range(len(_kept)):
        if _is_free(k) and size <= _kept[k].size <= size + size // 4:
            _kept.append(_kept.pop(k))
            return _kept[-1]
    raw = np.empty(size)
    if raw.nbytes <= _limit:
        _kept.append(raw)
        del _kept[:-PIECES]
    return raw


def _is_free(k: int) -> bool:
    """Whether only the list refers to a piece of memory: it, and the question."""
    return sys.getrefcount(_kept[k]) <= _LEAST


def _drop() -> None:
    """Give back what is free beyond the limit, the longest unused first."""
    free = [k for k in range(len(_kept)) if _is_free(k)]
    size = sum(_kept[k].nbytes for k in free)
    for k in free:
        if size > _limit:
            size -= _kept[k].nbytes
            _kept[k] = np.empty(0)
    _kept[:] = [raw for raw in _kept if raw.size]


_PROBE = [np.empty(0)]
_LEAST = sys.getrefcount(_PROBE[0])
"""What the interpreter counts for an array that only a list refers to."""
