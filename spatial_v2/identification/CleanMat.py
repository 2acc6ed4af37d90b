"""CleanMat: removal of rounding errors near 0, 1 and -1."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real

__all__ = ["CleanMat"]


def CleanMat(A: Any, tol: float = 1e-9) -> np.ndarray:
    """Round entries of a matrix that are close to 0, 1 or -1 (MATLAB ``CleanMat``).

    Parameters
    ----------
    A : array_like
        Real numbers.
    tol : float, optional
        Tolerance [-].

    Returns
    -------
    array
        A new array of the same shape.

    Raises
    ------
    ArrayShapeError
        If `A` is not real.

    Examples
    --------
    >>> CleanMat([1e-12, 1 - 1e-12, 0.5])
    array([0. , 1. , 0.5])
    """
    A = as_real(A, "CleanMat: A")
    for value in (0.0, 1.0, -1.0):
        A = np.where(np.abs(A - value) <= tol, value, A)
    return np.asarray(A)
