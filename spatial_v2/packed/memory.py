"""A pool of memory for large results, which is reused when the results are no longer referenced.

The operating system fills the memory of each large new array with zeros, which takes longer than
most computations here. The memory of results that are no longer referenced is therefore kept for
later results, up to a limit.

The pool has no lock, so it cannot deadlock in a process forked while threads run, in a signal
handler, or in a callback of the garbage collector. Free memory is in a dict and is removed by
``pop``, which is atomic: if several threads find the same memory, one gets it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.exceptions import SpatialError

__all__ = ["allocate", "keep_memory"]

SMALLEST = 1 << 14
"""Least size of pooled memory, in numbers: 128 KiB. The allocator reuses smaller blocks itself."""

PIECES = 32
"""Maximum number of free blocks in the pool."""

_FLOAT = np.dtype(np.float64).str
_LINE_BYTES = 8 * LINE
_LEAST_LIMIT, _MOST_LIMIT = 1 << 28, 1 << 30


def _first_limit() -> int:
    """Return the default limit: a sixteenth of the machine's memory, from 256 MiB to 1 GiB."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _LEAST_LIMIT
    return max(_LEAST_LIMIT, min(whole // 16, _MOST_LIMIT))


class _Piece(NamedTuple):
    """A block of memory, the address of its first cache line, and True if it is for results."""

    raw: np.ndarray
    at: int
    result: bool


class _Owner:
    """Owner of the memory of an array: the array's base, which every view of the array keeps alive.

    It is not an array, so that no caller can change a shape or dtype through ``.base``. When it is
    deleted, its memory returns to the pool.
    """

    __slots__ = ("__array_interface__", "_piece")

    free: ClassVar[dict[int, _Piece]] = {}
    """Free blocks, the most recently used last."""
    limit: ClassVar[int] = _first_limit()
    pieces: ClassVar[int] = PIECES

    def __init__(self, piece: _Piece, shape: tuple[int, ...]) -> None:
        self._piece = piece
        data = piece.at, False
        self.__array_interface__ = {"version": 3, "typestr": _FLOAT, "shape": shape, "data": data}

    def __del__(self) -> None:
        self.free[self._piece.at] = self._piece
        self.trim()

    @classmethod
    def trim(cls) -> None:
        """Release free blocks beyond the limit, the least recently used first."""
        kept = list(cls.free.values())
        size = sum([piece.raw.nbytes for piece in kept])
        for k, piece in enumerate(kept):
            if size <= cls.limit and len(kept) - k <= cls.pieces:
                break
            cls.free.pop(piece.at, None)
            size -= piece.raw.nbytes


def keep_memory(limit: int) -> None:
    """Set the number of bytes of free memory that are kept for later large results.

    Parameters
    ----------
    limit : int
        Limit of the free memory in bytes; 0 for none. The default is a sixteenth of the machine's
        memory, at least 256 MiB and at most 1 GiB.

    Raises
    ------
    SpatialError
        A limit that is not an integer of 0 or more.

    Examples
    --------
    >>> keep_memory(2**28)
    """
    given: Any = limit
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise SpatialError(f"limit: want a number of bytes, 0 or more, got {limit!r}")
    _Owner.limit = limit
    _Owner.trim()


def allocate(shape: Sequence[int], *, result: bool = True) -> np.ndarray:
    """Return an uninitialised contiguous float64 array; a large one begins at a cache line.

    If `result` is False, the array is a workspace. Workspaces have a pool of their own, so that
    results do not evict them from the cache.
    """
    size = math.prod(shape)
    if size < SMALLEST:
        return np.empty(shape)
    return np.asarray(_Owner(_take(int(size), result), tuple(map(int, shape))))


def _take(size: int, result: bool) -> _Piece:
    """Return a free block of memory, or a new one.

    The smallest free block that fits is chosen, and of several the most recently used.
    """
    size += LINE
    fitting = []
    for piece in reversed(list(_Owner.free.values())):
        if piece.result == result and size <= piece.raw.size <= size + size // 4:
            fitting.append(piece)
            if piece.raw.size == size:
                break
    for piece in sorted(fitting, key=lambda piece: piece.raw.size):
        taken = _Owner.free.pop(piece.at, None)
        if taken is not None and taken is piece:
            return taken
    raw = np.empty(size)
    return _Piece(raw, -(-int(raw.ctypes.data) // _LINE_BYTES) * _LINE_BYTES, result)
