"""Columns, blocks and combinations of constant matrices, for any kind of array; leading axes."""

from __future__ import annotations

import math

import numpy as np

from spatial_v2.arrays import objects
from spatial_v2.arrays.namespaces import Array, constant, namespace

__all__ = ["block", "column", "combination", "flattened", "on_first", "uncolumn"]


def column(x: Array) -> Array:
    """Convert vectors (..., n) to columns (..., n, 1), for matrix products `A @ x`."""
    return x[..., None]


def uncolumn(x: Array) -> Array:
    """Convert columns (..., n, 1) to vectors (..., n)."""
    return x[..., 0]


def combination(v: Array, basis: np.ndarray) -> Array:
    """Return the linear combination ``sum_k v[..., k] basis[k]`` of constant matrices basis[k].

    Examples
    --------
    >>> combination(np.array([2.0, 3.0]), np.array([[[1, 0], [0, 1]], [[0, 1], [-1, 0]]]))
    array([[ 2.,  3.],
           [-3.,  2.]])
    """
    shape, flat = (*v.shape[:-1], *basis.shape[1:]), basis.reshape(len(basis), -1)
    if type(v) is np.ndarray and v.dtype.kind in "fc":
        # A product with integers would be several times slower.
        return (v @ flat.astype(v.dtype)).reshape(shape)
    xp = namespace(v)
    combined = objects.combination(v, flat) if xp is objects else v @ constant(flat, v)
    return xp.reshape(combined, shape)


def flattened(x: np.ndarray, lead: tuple[int, ...], core: int) -> np.ndarray:
    """Broadcast an array to the leading axes `lead`, and flatten these to one axis: (B, ...). The
    last `core` axes stay.

    Examples
    --------
    >>> flattened(np.ones(2), (3, 4), 1).shape
    (12, 2)
    """
    shape = x.shape[x.ndim - core :]
    whole = x if x.shape == (*lead, *shape) else np.broadcast_to(x, (*lead, *shape))
    return whole.reshape(math.prod(lead), *shape)


def on_first(A: Array, T: Array) -> Array:
    """Multiply A (..., n, m) along the first index of T (..., m, p, r): ``sum_j A[i, j] T[j]``.

    Examples
    --------
    >>> on_first(np.ones((1, 2)), np.ones((2, 1, 3)))
    array([[[2., 2., 2.]]])
    """
    xp, (p, r) = namespace(A, T), T.shape[-2:]
    flat = A @ xp.reshape(T, (*T.shape[:-2], p * r))
    return xp.reshape(flat, (*flat.shape[:-1], p, r))


def block(*rows: tuple[Array, ...]) -> Array:
    """Assemble a matrix from rows of blocks; every block has the same leading axes.

    Examples
    --------
    >>> block((np.eye(1), np.ones((1, 2))))
    array([[1., 1., 1.]])
    """
    xp = namespace(*(x for row in rows for x in row))
    return xp.concat([xp.concat(row, axis=-1) for row in rows], axis=-2)
