"""Records of arrays and numbers as 64-bit words, which entries of kernels read; see `entries`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.engine.compile.extend import typeof
from spatial_v2.engine.shipped.words import words_of

__all__ = ["Record"]


_KINDS: dict[Any, Any] = {}
"""Types of records by `_form`."""


def _form(x: Any) -> Any:
    """Return a key that tells types of records apart, which is faster than Numba's own types."""
    if isinstance(x, np.ndarray):
        return x.dtype.char, x.ndim, x.flags.num
    return (type(x), *map(_form, x)) if isinstance(x, tuple) else type(x)


class Record:
    """The first argument of a kernel, laid out as the kernel's entry reads it.

    Parameters
    ----------
    of : NamedTuple
        Contiguous arrays, numbers, and tuples of them.

    Attributes
    ----------
    address : int
        Address of the words, which last as long as this object.
    """

    def __init__(self, of: Any) -> None:
        self.of = of
        self._words = np.array(words_of(of), dtype=np.int64)
        self.address = int(self._words.ctypes.data)

    @functools.cached_property
    def kind(self) -> Any:
        """The type of the record, which the fast path does not need."""
        form = _form(self.of)
        if form not in _KINDS:
            _KINDS[form] = typeof(self.of)
        return _KINDS[form]
