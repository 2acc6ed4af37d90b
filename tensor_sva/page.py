"""Conversion of matrices to tensors with one page, and back."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.checks import as_matrix, as_tensor

__all__ = ["page", "unpage"]


def page(M: Any) -> Array:
    """Convert a matrix to a tensor with one page.

    Parameters
    ----------
    M : array, shape (..., a, b)
        Matrices.

    Returns
    -------
    array, shape (..., a, b, 1)
        Tensors.

    Raises
    ------
    ArrayShapeError
        If `M` has fewer than two axes.

    Examples
    --------
    >>> page([[1, 2], [3, 4]])[0].round(3)
    array([[1.],
           [2.]])
    """
    return as_matrix(M, "page: M")[..., None]


def unpage(A: Any) -> Array:
    """Convert a tensor with one page to a matrix.

    Parameters
    ----------
    A : array, shape (..., a, b, 1)
        Tensors with one page.

    Returns
    -------
    array, shape (..., a, b)
        Matrices.

    Raises
    ------
    ArrayShapeError
        If `A` does not have exactly one page.

    Examples
    --------
    >>> unpage([[[1], [2]], [[3], [4]]])
    array([[1., 2.],
           [3., 4.]])
    """
    A = as_tensor(A, "unpage: A")
    if A.shape[-1] != 1:
        raise ArrayShapeError(f"unpage: A must have one page, got shape {tuple(A.shape)}")
    return A[..., 0]
