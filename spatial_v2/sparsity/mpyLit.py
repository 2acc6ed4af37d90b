"""mpyLit: the product of an inverse transposed factor and a vector."""

from __future__ import annotations

from typing import Any, Unpack

from spatial_v2.arrays import Array, namespace
from spatial_v2.calls.options import Options
from spatial_v2.sparsity.branchwise import ancestors, branchwise

__all__ = ["mpyLit"]


@branchwise("mpyLit")
def mpyLit(L: Any, lambda_: Any, x: Any, **options: Unpack[Options]) -> Array:
    """Compute L^-T x, skipping the zeros between branches (MATLAB ``mpyLit``).

    Parameters
    ----------
    L : array, shape (..., n, n)
        Factors from `LTL` or `LTDL`; in row i only the entries in the columns of i and its
        ancestors are read.
    lambda_ : sequence of int, length n
        Parent of each variable, counted from 0, -1 for none, ``lambda_[i] < i``. For a model, use
        ``expandLambda(model.parent, model.nv)``.
    x : array, shape (..., n) or (..., n, 1)
        Vectors; leading axes broadcast against those of `L`.

    Returns
    -------
    array, shape (..., n)
        L^-T x.

    Raises
    ------
    ArrayShapeError
        If `L` does not hold n x n matrices or `x` n-vectors.
    SpatialError
        If `lambda_` is not an array of parents.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 6.5.

    Examples
    --------
    >>> mpyLit([[1.0, 0, 0], [1, 1, 0], [1, 0, 2]], [-1, 0, 0], [1, 2, 3])
    array([-2.5,  2. ,  1.5])
    """
    y = [x[..., i : i + 1] for i in range(len(lambda_))]
    for i in reversed(range(len(lambda_))):
        y[i] = y[i] / L[..., i, i : i + 1]
        for j in ancestors(lambda_, i):
            y[j] = y[j] - L[..., i, j : j + 1] * y[i]
    return namespace(L).concat(y, axis=-1)
