"""Tm: a tensor times a matrix."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_matrix, as_tensor, match
from tensor_sva.contract import contract

__all__ = ["Tm"]


def Tm(A: Any, B: Any) -> Array:
    r"""Compute the product :math:`\mathcal A B`: every page of A times B.

    MATLAB: ``Tm(A,B)``.

    Parameters
    ----------
    A : array, shape (..., a, l, c)
        Tensors.
    B : array, shape (..., l, b)
        Matrices.

    Returns
    -------
    array, shape (..., a, b, c)
        Entry [i, j, k] is ``sum_l A[i, l, k] B[l, j]``.

    Raises
    ------
    ArrayShapeError
        If the number of columns of A differs from the number of rows of B.

    Notes
    -----
    Singh, Russell, Wensing (2023), eq. (18).

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.arange(24.0).reshape(2, 3, 4), np.arange(15.0).reshape(3, 5)
    >>> np.array_equal(Tm(A, B)[:, :, 2], A[:, :, 2] @ B)
    True
    """
    A, B = as_tensor(A, "Tm: A"), as_matrix(B, "Tm: B")
    match("Tm(A, B)", A, B, columns=-2, rows=-2)
    return contract("ilk,lj->ijk", A, B)
