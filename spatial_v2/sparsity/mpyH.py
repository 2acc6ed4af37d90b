"""mpyH: the product of a branch-sparse matrix and a vector."""

from __future__ import annotations

from typing import Any, Unpack

from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.sparsity.branchwise import ancestors, branchwise

__all__ = ["mpyH"]


@branchwise("mpyH")
def mpyH(H: Any, lambda_: Any, x: Any, **options: Unpack[Options]) -> Array:
    """Compute H x, skipping the zeros between branches (MATLAB ``mpyH``).

    Parameters
    ----------
    H : array, shape (..., n, n)
        Symmetric matrices; in row i only the entries in the columns of i and its ancestors are
        read.
    lambda_ : sequence of int, length n
        Parent of each variable, counted from 0, -1 for none, ``lambda_[i] < i``. For a model, use
        ``expandLambda(model.parent, model.nv)``.
    x : array, shape (..., n) or (..., n, 1)
        Vectors; leading axes broadcast against those of `H`.

    Returns
    -------
    array, shape (..., n)
        H x.

    Raises
    ------
    ArrayShapeError
        If `H` does not hold n x n matrices or `x` n-vectors.
    SpatialError
        If `lambda_` is not an array of parents.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 6.5.

    Examples
    --------
    >>> mpyH([[3.0, 1, 2], [1, 1, 0], [2, 0, 4]], [-1, 0, 0], [1, 2, 3])
    array([11.,  3., 14.])
    """
    n, y = len(lambda_), [H[..., i, i : i + 1] * x[..., i : i + 1] for i in range(len(lambda_))]
    for i in range(n):
        for j in ancestors(lambda_, i):
            y[i] = y[i] + H[..., i, j : j + 1] * x[..., j : j + 1]
            y[j] = y[j] + H[..., i, j : j + 1] * x[..., i : i + 1]
    return namespace(H).concat(y, axis=-1)
