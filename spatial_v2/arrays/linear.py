"""Linear equations, and lengths of vectors without overflow, for any kind of array."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import objects
from spatial_v2.arrays.namespaces import Array, constant, namespace, real_part

__all__ = ["inverse", "length", "pivots", "scaled", "solve"]


def scaled(x: Array) -> tuple[Array, Array]:
    """Divide vectors (..., n) by the size (..., 1) of their largest entry; return that size, too.

    Squares of the results neither overflow nor underflow. The size is taken from the real parts, so
    that complex steps do not change it. It is one for arrays of objects.

    Examples
    --------
    >>> import numpy as np
    >>> scaled(np.array([3e200, -4e200]))
    (array([ 0.75, -1.  ]), array([4.e+200]))
    """
    if namespace(x) is objects:
        return x, 0 * x[..., :1] + 1
    real = real_part(x)
    xp = namespace(real)
    size = xp.max(xp.abs(real), axis=-1, keepdims=True)
    size = xp.where(size > 0, size, 0 * size + 1)
    return x / size, size


def length(x: Array) -> Array:
    """Return the square root (..., 1) of x . x, without overflow.

    It is an analytic function of complex x.

    Examples
    --------
    >>> import numpy as np
    >>> length(np.array([3e-200, -4e-200]))
    array([5.e-200])
    """
    y, size = scaled(x)
    xp = namespace(y)
    return size * xp.sqrt(xp.sum(y * y, axis=-1, keepdims=True))


def solve(A: Array, B: Array) -> Array:
    """Solve ``A X = B`` for small symmetric A (..., n, n) and B (..., n, m).

    Gaussian elimination without pivoting has only sums, products and quotients, so that it works
    for symbols and for numbers with infinitesimal parts.

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


def inverse(A: Array) -> Array:
    """Return the inverse of small symmetric matrices A (..., n, n), by `solve`.

    Examples
    --------
    >>> inverse(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return solve(A, constant(np.eye(A.shape[-1]), A) + namespace(A).zeros_like(A))


def pivots(A: Array) -> Array:
    """Return the pivots (..., n) of Gaussian elimination without pivoting; see `solve`.

    Examples
    --------
    >>> pivots(np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([2. , 1.5])
    """
    first = A[..., 0, :1]
    if A.shape[-1] == 1:
        return first
    rest = A[..., 1:, 1:] - A[..., 1:, :1] @ A[..., :1, 1:] / first[..., None]
    return namespace(A).concat([first, pivots(rest)], axis=-1)
