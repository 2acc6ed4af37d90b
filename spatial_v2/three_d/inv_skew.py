"""inv_skew: vector of the skew-symmetric part of a 3x3 matrix."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_matrix

__all__ = ["inv_skew"]


def inv_skew(A: Any) -> Array:
    """Return v with ``skew(v) = (A - A^T) / 2``, the skew part of `A` (MATLAB ``inv_skew``).

    Parameters
    ----------
    A : array, shape (..., 3, 3)
        Any matrices, skew-symmetric or not.

    Returns
    -------
    array, shape (..., 3)
        [A32 - A23, A13 - A31, A21 - A12] / 2.

    Raises
    ------
    ArrayShapeError
        If `A` does not hold 3x3 matrices.

    Examples
    --------
    >>> inv_skew([[0, -3, 2], [3, 0, -1], [-2, 1, 0]])
    array([1., 2., 3.])
    """
    A = as_matrix(A, "inv_skew: A", 3)
    parts = [A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1]]
    return namespace(A).stack(parts, axis=-1) / 2
