"""Least-squares solutions of least norm."""

from __future__ import annotations

import numpy as np

__all__ = ["shortest"]

_CUT = 1e-10
"""Singular values below this fraction of the largest one count as zero."""


def shortest(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the least-norm least-squares solution of ``A x = b``; NaN if A is not finite.

    Examples
    --------
    >>> shortest(np.array([[1.0, 1.0], [0.0, 1e-12]]), np.array([[2.0], [1.0]]))
    array([[1.],
           [1.]])
    """
    finite = np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    inverse = np.linalg.pinv(np.where(finite, A, 0.0), rcond=_CUT)
    return np.asarray(np.where(finite, inverse, np.nan) @ b)
