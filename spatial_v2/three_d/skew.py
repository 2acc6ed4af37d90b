"""skew: conversion of 3-vectors to cross-product matrices, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_numbers, as_vector, is_matrix
from spatial_v2.three_d.inv_skew import inv_skew

__all__ = ["CROSS", "TURN", "cross_matrix", "skew"]

CROSS = np.array(
    [
        [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
        [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
        [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
    ],
    dtype=np.int8,
)
"""CROSS[k] = skew(e_k), so that skew(v) = sum_k v_k CROSS[k]."""

TURN = np.ascontiguousarray(CROSS[2, :2, :2])
"""Planar rotation by a right angle, [0 -1; 1 0], so that omega x p = omega TURN p."""


def cross_matrix(v: Any) -> Array:
    """Return the cross-product matrix of v: ``cross_matrix(a) @ b == cross(a, b)``.

    Parameters
    ----------
    v : array, shape (..., 3) or (..., 3, 1)
        Vectors or columns.

    Returns
    -------
    array, shape (..., 3, 3)
        Skew-symmetric matrices.

    Raises
    ------
    ArrayShapeError
        If `v` does not hold 3-vectors.

    Examples
    --------
    >>> cross_matrix([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    return combination(as_vector(v, "skew: v", 3), CROSS)


def skew(v: Any) -> Array:
    """Convert vectors to cross-product matrices, or 3x3 matrices back (MATLAB ``skew``).

    ``skew(v)`` calls `cross_matrix`. If the last two axes are 3x3, ``skew(A)`` calls `inv_skew`. A
    3x3 array of three vectors would count as a matrix: for batches pass columns or call
    `cross_matrix`.

    Parameters
    ----------
    v : array, shape (..., 3), (..., 3, 1) or (..., 3, 3)
        Vectors, columns or matrices.

    Returns
    -------
    array, shape (..., 3, 3) or (..., 3)
        v = [v1, v2, v3] gives [0 -v3 v2; v3 0 -v1; -v2 v1 0].

    Raises
    ------
    ArrayShapeError
        If `v` holds neither 3-vectors nor 3x3 matrices.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8.

    Examples
    --------
    >>> skew(skew([1, 2, 3]))
    array([1., 2., 3.])
    """
    v = as_numbers(v, "skew: v")
    return inv_skew(v) if is_matrix(v, 3) else cross_matrix(v)
