"""What the pages on derivatives share: matrices with one column, and arrays with one entry, per DoF."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.model import Model

__all__ = ["ancestry", "each", "per_velocity"]


def per_velocity(model: Model, *xs: Array) -> list[Array]:
    """Arrays (..., NB, 6, 6) or (..., NB, 6) of bodies, repeated for each velocity variable.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> per_velocity(autoTree(2).replace(jtype=["Fb", "R"]), np.zeros((2, 6)))[0].shape
    (7, 6)
    """
    body = model.body_of_v.tolist()
    out = []
    for x in xs:
        axis = -3 if x.shape[-1] == x.shape[-2] and x.ndim > 2 else -2
        take = (lambda i: x[..., i, :, :]) if axis == -3 else (lambda i: x[..., i, :])
        out.append(namespace(x).stack([take(i) for i in body], axis=axis))
    return out


def each(M: Array, X: Array) -> Array:
    """Column k of the result is ``M[k] @ X[:, k]``: (..., NV, 6, 6), (..., 6, NV) -> (..., 6, NV)."""
    T = namespace(M, X).matrix_transpose
    return T(uncolumn(M @ column(T(X))))


def ancestry(model: Model, like: Array) -> tuple[Array, Array]:
    """Two masks (NV, NV) of zeros and ones, about the bodies of velocity variables i and j.

    Returns
    -------
    below : array
        1 where the body of j is the body of i or an ancestor of it.
    above : array
        1 where the body of i is an ancestor of the body of j, not the same.
    """
    n, body = model.NB, model.body_of_v
    reach = np.zeros((n, n))
    for i, above_i in enumerate(model.ancestors):
        reach[i, above_i] = 1.0
    below = reach[np.ix_(body, body)]
    above = (reach - np.eye(n))[np.ix_(body, body)].T
    return constant(below, like), constant(np.ascontiguousarray(above), like)
