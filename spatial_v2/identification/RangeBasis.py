"""RangeBasis: an orthonormal basis of the range of a matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["TOLERANCE", "Basis", "RangeBasis", "as_plain_matrix", "check_tolerance"]

TOLERANCE = 1e-8
"""Relative singular value below which a direction counts as zero."""


@shown_in_notebooks
class Basis(NamedTuple):
    """An orthonormal basis of a subspace of dimension r, result of `RangeBasis`.

    Parameters
    ----------
    Q : array, shape (n, r)
        Orthonormal columns.
    c : float
        Largest over smallest singular value that is not zero; 1 if r is zero.

    Examples
    --------
    >>> RangeBasis([[3], [0]]).c
    1.0
    """

    Q: np.ndarray
    c: float


def RangeBasis(A: Any, tol: float = TOLERANCE) -> Basis:
    """Compute an orthonormal basis of the range of a matrix (MATLAB ``RangeBasis``).

    Parameters
    ----------
    A : array_like, shape (n, m)
        Columns that span the subspace; m may be zero.
    tol : float, optional
        Singular values below this fraction of the largest one count as zero; MATLAB's limit is
        absolute, 1.8e-12.

    Returns
    -------
    Q : array, shape (n, r)
        Orthonormal columns.
    c : float
        Condition number: largest over smallest singular value that is not zero. MATLAB's is the
        largest of all calls since a reset.

    Raises
    ------
    ArrayShapeError
        If `A` is not a real matrix.

    Examples
    --------
    >>> RangeBasis([[1, 2, 0], [1, 2, 0]]).Q.shape
    (2, 1)
    """
    A = as_plain_matrix(A, "RangeBasis: A")
    check_tolerance(tol, "RangeBasis: tol")
    if A.size == 0 or not A.any():
        return Basis(np.zeros((len(A), 0)), 1.0)
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    r = int(np.count_nonzero(s > tol * s[0]))
    return Basis(U[:, :r], float(s[0] / s[r - 1]))


def as_plain_matrix(A: Any, name: str, rows: int | None = None) -> np.ndarray:
    """Convert A to a real, finite matrix, and check its number of rows; it may have no columns.

    Examples
    --------
    >>> as_plain_matrix([1, 2], "A")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: A must be a matrix, got shape (2,)
    """
    A = np.asarray(as_real(A, name))
    if A.ndim != 2:
        raise ArrayShapeError(f"{name} must be a matrix, got shape {A.shape}")
    if rows is not None and len(A) != rows:
        raise ArrayShapeError(f"{name} must have {rows} rows, got shape {A.shape}")
    if not np.isfinite(A).all():
        raise ArrayShapeError(f"{name} must be finite, got entries that are NaN or infinite")
    return np.asarray(A)


def check_tolerance(tol: Any, name: str) -> None:
    """Raise an error unless `tol` is between 0 and 1.

    Examples
    --------
    >>> check_tolerance(2, "tol")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: tol must be a number between 0 and 1, got 2
    """
    if not isinstance(tol, (int, float)) or not 0 <= tol < 1:
        raise SpatialError(f"{name} must be a number between 0 and 1, got {tol!r}")
