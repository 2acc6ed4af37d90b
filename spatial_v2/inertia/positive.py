"""Check of positive definite matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_matrix, as_numbers
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["as_positive"]

_SYMMETRIC = 1e-9
"""Part of the largest entry by which a matrix may differ from its transpose."""


def as_positive(P: Any, name: str, *sizes: int) -> Array:
    """Check positive definite matrices (..., n, n), of one of `sizes` if any are given.

    Only NumPy numbers are checked, by their real parts; other arrays are returned unchecked.

    Examples
    --------
    >>> as_positive([[1, 2], [2, 1]], "P")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: P must be positive definite, ... eigenvalue is -1
    """
    P = as_numbers(P, name)
    P = as_matrix(P, name, *(sizes or P.shape[-1:] or (1,)))
    if isinstance(P, np.ndarray) and P.dtype.kind in "fc" and P.size:
        real = P.real.astype(float)
        if not np.isfinite(real).all():
            raise ArrayShapeError(f"{name} must be finite, got entries that are NaN or infinite")
        transposed = real.swapaxes(-1, -2)
        if np.abs(real - transposed).max() > _SYMMETRIC * np.abs(real).max():
            raise ArrayShapeError(
                f"{name} must be symmetric, but differs from its transpose by up to "
                f"{np.abs(real - transposed).max():.3g}"
            )
        least = np.linalg.eigvalsh((real + transposed) / 2)[..., 0].min()
        if not least > 0:
            raise ArrayShapeError(
                f"{name} must be positive definite, but its smallest eigenvalue is {least:.3g}"
            )
    return P
