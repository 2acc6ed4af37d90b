"""A pool of memory for large results, which is reused when the results are no longer referenced.

The operating system fills the memory of each large new array with zeros, which takes longer than
most computations here. The memory of results that are no longer referenced is therefore kept for
later results, up to a limit.

The pool has no lock, so it cannot deadlock in a process forked while threads run, in a signal
handler, or in a callback of the garbage collector. Free memory is in lists and is removed by
``pop``, which is atomic: each block goes to one thread.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, ClassVar, NamedTuple

import numpy as np

from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.exceptions import SpatialError

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
    """A block of memory, the address of its first cache line, and its kind; see `_kind`."""

    raw: np.ndarray
    at: int
    kind: int


class _Owner:
    """Owner of the memory of an array: the array's base, which every view of the array keeps alive.

    It is not an array, so that no caller can change a shape or dtype through ``.base``. When it is
    deleted, its memory returns to the pool.
    """

    __slots__ = ("__array_interface__", "_piece")

    free: ClassVar[dict[int, list[tuple[int, _Piece]]]] = {}
    """Free blocks by their kinds, each with the number of its release."""
    clock: ClassVar[Iterator[int]] = count()
    size: ClassVar[int] = 0
    """Number of free bytes. Threads that change it at once may make it wrong, until `trim` counts
    the free blocks.
    """
    pieces: ClassVar[int] = 0
    """Number of free blocks, in the same sense."""
    limit: ClassVar[int] = _first_limit()

    def __init__(self, piece: _Piece, shape: tuple[int, ...]) -> None:
        self._piece = piece
        data = piece.at, False
        self.__array_interface__ = {"version": 3, "typestr": _FLOAT, "shape": shape, "data": data}

    def __del__(self) -> None:
        cls, piece = type(self), self._piece
        cls.free.setdefault(piece.kind, []).append((next(cls.clock), piece))
        cls.size += piece.raw.nbytes
        cls.pieces += 1
        if cls.size > cls.limit or cls.pieces > PIECES:
            cls.trim()

    @classmethod
    def trim(cls) -> None:
        """Release free blocks beyond the limits, the least recently used first."""
        blocks = sorted(x for released in list(cls.free.values()) for x in list(released))
        size, pieces = sum([piece.raw.nbytes for _, piece in blocks]), len(blocks)
        for block in blocks:
            if size <= cls.limit and pieces <= PIECES:
                break
            # Another thread may have taken it since the list was made.
            with suppress(ValueError):
                cls.free[block[1].kind].remove(block)
            size, pieces = size - block[1].raw.nbytes, pieces - 1
        cls.size, cls.pieces = size, pieces


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
    value: Any = limit
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
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


def _kind(size: int, result: bool) -> int:
    """Return the size of blocks for arrays of a size, an eighth larger at most; workspaces' < 0."""
    step = 1 << max(size.bit_length() - 4, 0)
    whole = -(-size // step) * step
    return whole if result else -whole


def _take(size: int, result: bool) -> _Piece:
    """Return the most recently used free block of the right kind, or a new one."""
    kind = _kind(size + LINE, result)
    try:
        _, piece = _Owner.free[kind].pop()
    except (KeyError, IndexError):
        _Owner.trim()
        raw = np.empty(abs(kind))
        return _Piece(raw, -(-int(raw.ctypes.data) // _LINE_BYTES) * _LINE_BYTES, kind)
    _Owner.size -= piece.raw.nbytes
    _Owner.pieces -= 1
    return piece
