"""Memory of large results, used again when a result is gone.

A new array that is large is new memory from the system, each part filled with zeros first: that
takes longer than most of what is computed here. The memory of a result that nothing refers to any
more is therefore kept for the next ones, up to a limit.

There is no lock, so that nothing can wait for one: a process that was forked while threads called,
a signal handler, a callback of the garbage collector. Free memory is in a dict, and is taken by
``pop``, which is one step: of several that find the same memory one gets it.
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
"""Numbers from which on memory is kept: 128 KiB. Less comes from the allocator's own store."""

PIECES = 32
"""The most pieces of free memory that are kept."""

_FLOAT = np.dtype(np.float64).str
_LINE_BYTES = 8 * LINE
_LEAST_LIMIT, _MOST_LIMIT = 1 << 28, 1 << 30


def _first_limit() -> int:
    """A sixteenth of the machine's memory, from 256 MiB to 1 GiB."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _LEAST_LIMIT
    return max(_LEAST_LIMIT, min(whole // 16, _MOST_LIMIT))


class _Piece(NamedTuple):
    """Memory, where its first line of the cache begins, and whether it is for results."""

    raw: np.ndarray
    at: int
    result: bool


class _Owner:
    """The owner of the memory of an array: its base, which every view of it keeps alive.

    It is not an array, whose shape or type somebody could change through ``.base``. When it is gone
    its memory is free.
    """

    __slots__ = ("__array_interface__", "_piece")

    free: ClassVar[dict[int, _Piece]] = {}
    """Memory that nothing uses, that used last at the end."""
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
        """Give back what is free beyond the limit, the longest unused first."""
        kept = list(cls.free.values())
        size = sum([piece.raw.nbytes for piece in kept])
        for k, piece in enumerate(kept):
            if size <= cls.limit and len(kept) - k <= cls.pieces:
                break
            cls.free.pop(piece.at, None)
            size -= piece.raw.nbytes


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
    given: Any = limit
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise SpatialError(f"limit: want a number of bytes, 0 or more, got {limit!r}")
    _Owner.limit = limit
    _Owner.trim()


def allocate(shape: Sequence[int], *, result: bool = True) -> np.ndarray:
    """A contiguous float64 array with nothing in it yet; a large one begins a line of the cache.

    Intermediate results, which are read again from the cache, have memory of their own: results
    that are written past the cache would drive it out.
    """
    lengths = tuple(map(int, shape))
    size = math.prod(lengths)
    return (
        np.empty(lengths) if size < SMALLEST else np.asarray(_Owner(_take(size, result), lengths))
    )


def _take(size: int, result: bool) -> _Piece:
    """Memory that nothing uses, or new memory.

    Of what fits the smallest, so that there is something left that fits more, and of that what was
    used last.
    """
    size += LINE
    fitting = [
        piece
        for piece in reversed(list(_Owner.free.values()))
        if piece.result == result and size <= piece.raw.size <= size + size // 4
    ]
    for piece in sorted(fitting, key=lambda piece: piece.raw.size):
        taken = _Owner.free.pop(piece.at, None)
        if taken is not None and taken is piece:
            return taken
    raw = np.empty(size)
    return _Piece(raw, -(-int(raw.ctypes.data) // _LINE_BYTES) * _LINE_BYTES, result)
