"""Sums over subtrees as products with masks, and matrices with one column per velocity variable."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, on_first, uncolumn
from spatial_v2.model.model import Model

__all__ = ["composite", "each", "ground_inertias", "reach"]


def reach(model: Model) -> np.ndarray:
    """Return a matrix (NB, NB): entry [i, j] is 1 if body j is body i or an ancestor of it, else 0.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> reach(autoTree(3, 2))
    array([[1., 0., 0.],
           [1., 1., 0.],
           [1., 0., 1.]])
    """
    mask = np.zeros((model.NB, model.NB))
    for i, ancestors in enumerate(model.ancestors):
        mask[i, ancestors] = 1.0
    return mask


def composite(model: Model, M: Array) -> Array:
    """Sum M (..., NB, n, m) over the subtree that each velocity variable moves: (..., NV, n, m).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> composite(autoTree(3, 2), np.ones((3, 1, 1)))[:, 0, 0]
    array([3., 1., 1.])
    """
    sums = constant(np.ascontiguousarray(reach(model)[:, model.body_of_v].T), M)
    return on_first(sums, M)


def each(M: Array, X: Array) -> Array:
    """Multiply column k of X (..., 6, NV) by matrix k of M (..., NV, 6, 6).

    Examples
    --------
    >>> each(np.stack([np.eye(2), 2 * np.eye(2)]), np.ones((2, 2)))
    array([[1., 2.],
           [1., 2.]])
    """
    T = namespace(M, X).matrix_transpose
    return T(uncolumn(M @ column(T(X))))


def ground_inertias(model: Model, X0: Array) -> Array:
    """Return the inertias of the bodies in base coordinates, for transforms X0 from base to body.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> ground_inertias(autoTree(1), np.eye(6)[None]).shape
    (1, 6, 6)
    """
    return namespace(X0).matrix_transpose(X0) @ constant(model.I, X0) @ X0
