"""mTm: a matrix times a tensor times a matrix."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_matrix, as_tensor, match
from tensor_sva.contract import contract

__all__ = ["mTm"]


def mTm(B: Any, A: Any, C: Any) -> Array:
    r"""Compute the product :math:`B \mathcal A C`: ``B A_k C`` for every page A_k.

    Parameters
    ----------
    B : array, shape (..., a, l)
        Matrices.
    A : array, shape (..., l, m, c)
        Tensors.
    C : array, shape (..., m, b)
        Matrices.

    Returns
    -------
    array, shape (..., a, b, c)
        Entry [i, j, k] is ``sum_lm B[i, l] A[l, m, k] C[m, j]``.

    Raises
    ------
    ArrayShapeError
        If numbers of columns and rows do not match.

    Notes
    -----
    `contract` chooses the cheaper order of the two products.

    Examples
    --------
    >>> import numpy as np
    >>> B, A, C = np.ones((5, 2)), np.arange(24.0).reshape(2, 3, 4), np.ones((3, 6))
    >>> np.array_equal(mTm(B, A, C)[:, :, 1], B @ A[:, :, 1] @ C)
    True
    """
    B, A, C = as_matrix(B, "mTm: B"), as_tensor(A, "mTm: A"), as_matrix(C, "mTm: C")
    match("mTm(B, A, C), B A", B, A, columns=-1, rows=-3)
    match("mTm(B, A, C), A C", A, C, columns=-2, rows=-2)
    return contract("il,lmk,mj->ijk", B, A, C)
