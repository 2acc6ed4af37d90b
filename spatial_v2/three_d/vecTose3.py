"""vecTose3: conversion of twists to 4x4 matrices of se(3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector
from spatial_v2.three_d.skew import CROSS

__all__ = ["vecTose3"]

_BASIS = np.zeros((6, 4, 4), dtype=np.int8)
_BASIS[:3, :3, :3] = CROSS
_BASIS[3:, :3, 3] = np.eye(3)


def vecTose3(v: Any) -> Array:
    """Convert a twist [omega; v] to the 4x4 matrix [skew(omega), v; 0 0] (MATLAB ``vecTose3``).

    Parameters
    ----------
    v : array, shape (..., 6) or (..., 6, 1)
        Spatial motion vectors, angular part first.

    Returns
    -------
    array, shape (..., 4, 4)
        Matrices of se(3); their exponentials are homogeneous transforms.

    Raises
    ------
    ArrayShapeError
        If `v` does not hold 6-vectors.

    Examples
    --------
    >>> vecTose3([1, 2, 3, 4, 5, 6])
    array([[ 0., -3.,  2.,  4.],
           [ 3.,  0., -1.,  5.],
           [-2.,  1.,  0.,  6.],
           [ 0.,  0.,  0.,  0.]])
    """
    return combination(as_vector(v, "vecTose3: v", 6), _BASIS)
