"""LTDL: factorisation H = L^T D L that preserves branch-induced sparsity."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.sparsity.branchwise import ancestors, branchwise, matrix

__all__ = ["LTDL", "LTDLFactors"]


@shown_in_notebooks
class LTDLFactors(NamedTuple):
    """The factors L and D of H = L^T D L.

    Parameters
    ----------
    L : array, shape (..., n, n)
        Unit lower triangular matrices.
    D : array, shape (..., n, n)
        Diagonal matrices.

    Examples
    --------
    >>> from spatial_v2 import LTDL
    >>> LTDL([[2.0]], [-1]).D
    array([[2.]])
    """

    L: Array
    D: Array


@branchwise("LTDL")
def LTDL(H: Any, lambda_: Any, **options: Unpack[Options]) -> LTDLFactors:
    """Factor H = L^T D L with L unit lower triangular and D diagonal (MATLAB ``LTDL``).

    No square roots are taken; H may be indefinite as long as no pivot is zero.

    Parameters
    ----------
    H : array, shape (..., n, n)
        Symmetric matrices, such as joint-space inertias. In row i only the entries in the columns
        of i and its ancestors are read.
    lambda_ : sequence of int, length n
        Parent of each variable, counted from 0, -1 for none, ``lambda_[i] < i``. For a model, use
        ``expandLambda(model.parent, model.nv)``.

    Returns
    -------
    L : array, shape (..., n, n)
        Unit lower triangular matrices, with the zeros of H between branches.
    D : array, shape (..., n, n)
        Diagonal matrices.

    Raises
    ------
    ArrayShapeError
        If `H` does not hold n x n matrices.
    SpatialError
        If `lambda_` is not an array of parents.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Table 6.3.

    Examples
    --------
    >>> import numpy as np
    >>> L, D = LTDL(np.array([[3.0, 1, 2], [1, 1, 0], [2, 0, 4]]), [-1, 0, 0])
    >>> L[1:].tolist(), D.diagonal().tolist()
    ([[1.0, 1.0, 0.0], [0.5, 0.0, 1.0]], [1.0, 1.0, 4.0])
    """
    n = len(lambda_)
    L = {(k, j): H[..., k, j : j + 1] for k in range(n) for j in (k, *ancestors(lambda_, k))}
    for k in reversed(range(n)):
        for i in ancestors(lambda_, k):
            a = L[k, i] / L[k, k]
            for j in (i, *ancestors(lambda_, i)):
                L[i, j] = L[i, j] - a * L[k, j]
        for i in ancestors(lambda_, k):
            L[k, i] = L[k, i] / L[k, k]
    D = {(k, k): L[k, k] for k in range(n)}
    return LTDLFactors(matrix({**L, **{k: 0 * d + 1 for k, d in D.items()}}, n), matrix(D, n))
