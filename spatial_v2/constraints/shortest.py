"""The shortest solution of least squares."""

from __future__ import annotations

import numpy as np

__all__ = ["shortest"]

_CUT = 1e-10
"""Singular values below this part of the largest one are zero."""


def shortest(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The shortest least-squares solution x (..., n, k) of ``A x = b``; NaN where A is not finite.

    Examples
    --------
    >>> shortest(np.array([[1.0, 1.0], [0.0, 1e-12]]), np.array([[2.0], [1.0]]))
    array([[1.],
           [1.]])
    """
    finite = np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    inverse = np.linalg.pinv(np.where(finite, A, 0.0), rcond=_CUT)
    return np.asarray(np.where(finite, inverse, np.nan) @ b)
