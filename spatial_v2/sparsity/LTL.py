"""LTL: factorisation H = L^T L that preserves branch-induced sparsity."""

from __future__ import annotations

from typing import Any, Unpack

from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.sparsity.branchwise import ancestors, branchwise, matrix

__all__ = ["LTL"]


@branchwise("LTL", positive=True)
def LTL(H: Any, lambda_: Any, **options: Unpack[Options]) -> Array:
    """Factor H = L^T L with L lower triangular (MATLAB ``LTL``).

    L has zeros between branches wherever H has. The Cholesky factorisation, H = L L^T, would fill
    these zeros.

    Parameters
    ----------
    H : array, shape (..., n, n)
        Symmetric positive definite matrices, such as joint-space inertias. In row i only the
        entries in the columns of i and its ancestors are read.
    lambda_ : sequence of int, length n
        Parent of each variable, counted from 0, -1 for none, ``lambda_[i] < i``. For a model, use
        ``expandLambda(model.parent, model.nv)``.

    Returns
    -------
    array, shape (..., n, n)
        Factors; `H` is not changed.

    Raises
    ------
    ArrayShapeError
        If `H` does not hold n x n matrices, or a real matrix is not positive definite; `LTDL`
        accepts such matrices.
    SpatialError
        If `lambda_` is not an array of parents.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Table 6.3.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[3.0, 1, 2], [1, 1, 0], [2, 0, 4]])
    >>> L = LTL(H, [-1, 0, 0])
    >>> L
    array([[1., 0., 0.],
           [1., 1., 0.],
           [1., 0., 2.]])
    >>> np.array_equal(L.T @ L, H)
    True
    """
    xp, n = namespace(H), len(lambda_)
    L = {(k, j): H[..., k, j : j + 1] for k in range(n) for j in (k, *ancestors(lambda_, k))}
    for k in reversed(range(n)):
        L[k, k] = xp.sqrt(L[k, k])
        for i in ancestors(lambda_, k):
            L[k, i] = L[k, i] / L[k, k]
        for i in ancestors(lambda_, k):
            for j in (i, *ancestors(lambda_, i)):
                L[i, j] = L[i, j] - L[k, i] * L[k, j]
    return matrix(L, n)
