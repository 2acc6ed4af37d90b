"""SU2toQuat: conversion of complex 2x2 matrices to quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_matrix

__all__ = ["SU2toQuat"]


def SU2toQuat(U: Any) -> np.ndarray:
    """Convert matrices of SU(2) to quaternions, the inverse of `quatToSU2` (MATLAB ``SU2toQuat``).

    Parameters
    ----------
    U : array_like of complex, shape (..., 2, 2)
        Matrices [w + i z, -x - i y; x - i y, w - i z].

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        Quaternions [w, x, y, z]. Any part of a matrix that is not of this form is ignored.

    Raises
    ------
    ArrayShapeError
        If `U` does not hold 2x2 matrices.

    Examples
    --------
    >>> from spatial_v2.orientation import quatToSU2
    >>> SU2toQuat(quatToSU2([1, 2, 3, 4]))
    array([1., 2., 3., 4.])
    """
    U = np.asarray(as_matrix(U, "SU2toQuat: U", 2))
    diagonal, other = U[..., 0, 0] + U[..., 1, 1].conj(), U[..., 1, 0] - U[..., 0, 1].conj()
    return np.stack([diagonal.real, other.real, -other.imag, diagonal.imag], axis=-1) / 2
