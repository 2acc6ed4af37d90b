"""rotToAngleAxis: conversion of rotation matrices to angle times axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_rotation
from spatial_v2.three_d import rotation_to_rotation_vector

__all__ = ["rotToAngleAxis"]


def rotToAngleAxis(R: Any) -> Array:
    """Convert rotation matrices to angle times axis, 0 <= angle <= pi (MATLAB ``rotToAngleAxis``).

    This is the logarithm of R, accurate at every angle. MATLAB's function uses ``logm``, which
    returns zero for half-turns about coordinate axes and has small imaginary parts elsewhere.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotation matrices, body to space.

    Returns
    -------
    array, shape (..., 3)
        Angle times axis [rad]; at a half-turn the dominant component is positive.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold 3x3 rotation matrices.

    Examples
    --------
    >>> rotToAngleAxis([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 1.5708])
    """
    R = as_rotation(R, "rotToAngleAxis: R")
    return rotation_to_rotation_vector(namespace(R).matrix_transpose(R))
