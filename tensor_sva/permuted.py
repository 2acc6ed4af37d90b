"""Permutation of the last axes of an array."""

from __future__ import annotations

from spatial_v2.arrays import Array, namespace

__all__ = ["T", "permuted"]


def permuted(A: Array, *order: int) -> Array:
    """Permute the last ``len(order)`` axes of `A` to the order `order`; keep leading axes.

    Examples
    --------
    >>> import numpy as np
    >>> permuted(np.zeros((9, 2, 3, 4)), 2, 0, 1).shape
    (9, 4, 2, 3)
    """
    n = A.ndim - len(order)
    return namespace(A).permute_dims(A, (*range(n), *(n + k for k in order)))


def T(M: Array) -> Array:
    """Transpose matrices (..., a, b).

    Examples
    --------
    >>> import numpy as np
    >>> T(np.zeros((5, 2, 3))).shape
    (5, 3, 2)
    """
    return permuted(M, 1, 0)
