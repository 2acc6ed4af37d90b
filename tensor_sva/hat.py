"""hat and vee: conversion of motion vectors to 4x4 matrices of se(3), and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.exceptions import SpatialError
from spatial_v2.three_d import se3toVec, vecTose3

__all__ = ["hat", "vee"]


def hat(v: Any) -> Array:
    r"""Convert a motion vector to the matrix :math:`v^\wedge = [\omega\times, v; 0, 0]` of se(3).

    MATLAB: ``vecTose3(v)``. `hat` is the name that the paper uses.

    Parameters
    ----------
    v : array, shape (..., 6), or columns (..., 6, 1)
        Motion vectors [omega; v].

    Returns
    -------
    array, shape (..., 4, 4)
        Matrices of se(3).

    Raises
    ------
    ArrayShapeError
        If `v` does not consist of vectors with six entries.

    Notes
    -----
    Singh, Russell, Wensing (2023), eq. (8). ``hat(crm(u) @ v)`` is ``[hat(u), hat(v)]``.

    Examples
    --------
    >>> hat([0, 0, 1, 2, 3, 4])
    array([[ 0., -1.,  0.,  2.],
           [ 1.,  0.,  0.,  3.],
           [ 0.,  0.,  0.,  4.],
           [ 0.,  0.,  0.,  0.]])
    """
    return vecTose3(v)


def vee(E: Any) -> Array:
    r"""Convert a matrix of se(3) to the motion vector :math:`E^\vee`: the inverse of `hat`.

    MATLAB: ``se3toVec(E)``, which accepts any matrix.

    Parameters
    ----------
    E : array, shape (..., 4, 4)
        Matrices [skew(omega), v; 0, 0] of se(3).

    Returns
    -------
    array, shape (..., 6)
        Motion vectors [omega; v].

    Raises
    ------
    ArrayShapeError
        If `E` does not consist of 4x4 matrices.
    SpatialError
        If `E` is a NumPy array that is not in se(3), for example a homogeneous transform.

    Notes
    -----
    Singh, Russell, Wensing (2023), eq. (8).

    Examples
    --------
    >>> from tensor_sva import hat
    >>> vee(hat([1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    E = as_matrix(E, "vee: E", 4)
    v = se3toVec(E)
    if isinstance(E, np.ndarray) and E.dtype.kind in "fc" and not np.allclose(hat(v), E):
        raise SpatialError(
            "vee: E must have the form [omega x, v; 0 0 0 0] with a skew-symmetric block omega x. "
            "Of a homogeneous transform, compute the logarithm first"
        )
    return v
