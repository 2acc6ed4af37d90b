"""Linear equations for any kind of array."""

from __future__ import annotations

from spatial_v2.arrays.namespaces import Array, namespace

__all__ = ["solve"]


def solve(A: Array, B: Array) -> Array:
    """X with ``A X = B`` for small symmetric A (..., n, n) and B (..., n, m).

    Gauss elimination without pivoting: only sums, products and quotients, so that object arrays and
    numbers with infinitesimal parts pass through.

    Examples
    --------
    >>> import numpy as np
    >>> solve(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[3.0], [3.0]]))
    array([[1.],
           [1.]])
    """
    xp = namespace(A, B)
    n = A.shape[-1]
    if n == 1:
        return B / A
    pivot, row, low = A[..., :1, :1], A[..., :1, 1:], A[..., 1:, :1]
    ratio = low / pivot
    rest = solve(A[..., 1:, 1:] - ratio @ row, B[..., 1:, :] - ratio @ B[..., :1, :])
    first = (B[..., :1, :] - row @ rest) / pivot
    return xp.concat([xp.broadcast_to(first, (*rest.shape[:-2], *first.shape[-2:])), rest], axis=-2)
