"""The last axes of an array in another order."""

from __future__ import annotations

from spatial_v2.arrays import Array, namespace

__all__ = ["permuted"]


def permuted(A: Array, *order: int) -> Array:
    """`A` with its last ``len(order)`` axes permuted as `order` says, the leading axes kept.

    Examples
    --------
    >>> import numpy as np
    >>> permuted(np.zeros((9, 2, 3, 4)), 2, 0, 1).shape
    (9, 4, 2, 3)
    """
    n = A.ndim - len(order)
    return namespace(A).permute_dims(A, (*range(n), *(n + k for k in order)))
