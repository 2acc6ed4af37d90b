"""Ranges of indices that are not negative."""

import numpy as np

from spatial_v2.engine.compile.decorators import inline


@inline
def indices(first: int, last: int) -> range:
    """Return ``range(first, last)`` in unsigned integers, for short loops over entries of arrays.

    A signed index that is not counted from zero is compared with zero before it is used, which
    takes longer than a product. Arithmetic with other integers would give floating-point numbers.
    """
    return range(np.uint64(first), np.uint64(last))
