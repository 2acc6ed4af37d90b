"""mT: a matrix times a tensor."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_matrix, as_tensor, match
from tensor_sva.contract import contract

__all__ = ["mT"]


def mT(B: Any, A: Any) -> Array:
    r"""Compute the product :math:`B \mathcal A`: B times every page of A.

    MATLAB: ``mT(B,A)``.

    Parameters
    ----------
    B : array, shape (..., a, l)
        Matrices.
    A : array, shape (..., l, b, c)
        Tensors.

    Returns
    -------
    array, shape (..., a, b, c)
        Entry [i, j, k] is ``sum_l B[i, l] A[l, j, k]``.

    Raises
    ------
    ArrayShapeError
        If the number of columns of B differs from the number of rows of A.

    Notes
    -----
    Singh, Russell, Wensing (2023), eq. (20).

    Examples
    --------
    >>> import numpy as np
    >>> B, A = np.arange(10.0).reshape(5, 2), np.arange(24.0).reshape(2, 3, 4)
    >>> np.array_equal(mT(B, A)[:, :, 2], B @ A[:, :, 2])
    True
    """
    B, A = as_matrix(B, "mT: B"), as_tensor(A, "mT: A")
    match("mT(B, A)", B, A, columns=-1, rows=-3)
    return contract("il,ljk->ijk", B, A)
