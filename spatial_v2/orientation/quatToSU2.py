"""quatToSU2: conversion of quaternions to complex 2x2 matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real, as_vector

__all__ = ["quatToSU2"]


def quatToSU2(q: Any) -> np.ndarray:
    """Return [w + i z, -x - i y; x - i y, w - i z], a matrix of SU(2) (MATLAB ``quatToSU2``).

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Real quaternions [w, x, y, z]. Complex ones raise an error, since their imaginary parts
        would mix with those of the matrix.

    Returns
    -------
    numpy.ndarray of complex, shape (..., 2, 2)
        Matrices; a product of quaternions corresponds to the product of their matrices.

    Raises
    ------
    ArrayShapeError
        If `q` does not hold real 4-vectors.

    Examples
    --------
    >>> quatToSU2([1, 0, 0, 1])
    array([[1.+1.j, 0.+0.j],
           [0.+0.j, 1.-1.j]])
    """
    w, x, y, z = np.moveaxis(as_vector(as_real(q, "quatToSU2: q"), "quatToSU2: q", 4), -1, 0)
    rows = np.stack([w + 1j * z, -x - 1j * y, x - 1j * y, w - 1j * z], axis=-1) + 0
    return rows.reshape(*w.shape, 2, 2)
