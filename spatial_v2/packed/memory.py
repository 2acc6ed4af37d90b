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
_kept: list[tuple[np.ndarray, int, bool]] = []
"""Memory in use or free, its size in numbers, whether for results; that used last is at the end."""


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


def allocate(shape: Sequence[int], line: int = LINE, *, result: bool = True) -> np.ndarray:
    """A contiguous float64 array with nothing in it yet; a large one begins a line of the cache.

    What results are made of, which is read again from the cache, has memory of its own: results
    that are written past the cache would drive it out.
    """
    size = math.prod(map(int, shape))
    if size < SMALLEST:
        return np.empty(shape)
    with _lock:
        raw = _take(size + line, result)
    skip = -(raw.ctypes.data // raw.itemsize) % line
    return raw[skip : skip + size].reshape(shape)


def _take(size: int, result: bool) -> np.ndarray:
    """Kept memory that nothing uses, or new memory.

    Of what fits the smallest, so that there is something left that fits more, and of that what was
    used last.
    """
    found, least = -1, size + size // 4
    for k in _drop():
        _, held, same = _kept[k]
        if same == result and size <= held <= least:
            found, least = k, held
    if found >= 0:
        _kept.append(_kept.pop(found))
        return _kept[-1][0]
    raw = np.empty(size)
    if raw.nbytes <= _limit:
        _kept.append((raw, size, result))
        del _kept[:-PIECES]
    return raw


def _drop() -> list[int]:
    """Give back what is free beyond the limit, the longest unused first, and say which are free."""
    free = [k for k, users in enumerate(_users(_kept)) if users <= _NONE]
    size = 8 * sum([_kept[k][1] for k in free])
    if size <= _limit:
        return free
    gone = []
    for k in free:
        if size > _limit:
            size -= 8 * _kept[k][1]
            gone.append(k)
    _kept[:] = [piece for k, piece in enumerate(_kept) if k not in gone]
    return [k for k, users in enumerate(_users(_kept)) if users <= _NONE]


def _users(pieces: Sequence[tuple[np.ndarray, int, bool]]) -> list[int]:
    """What the interpreter counts of those that refer to each piece."""
    return [sys.getrefcount(raw) for raw, _, _ in pieces]


(_NONE,) = _users([(np.empty(0), 0, True)])
"""The count where nothing but the list refers to a piece."""
