"""Arguments of kernels as 64-bit words, which their entries read; see `compile.entries`."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["words_of"]


def words_of(*values: Any) -> list[int]:
    """Return the words of arrays, numbers, and tuples; the caller must keep the arrays alive."""
    words: list[int] = []
    for x in values:
        if isinstance(x, np.ndarray):
            words += [x.ctypes.data, *x.shape]
        elif isinstance(x, tuple):
            words += words_of(*x)
        else:
            words.append(int(np.float64(x).view(np.int64)) if isinstance(x, float) else int(x))
    return words
