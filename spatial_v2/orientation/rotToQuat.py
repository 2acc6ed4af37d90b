"""rotToQuat: conversion of rotation matrices to quaternions."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_rotation
from spatial_v2.three_d import rotation_to_quaternion

__all__ = ["rotToQuat"]


def rotToQuat(R: Any) -> Array:
    """Convert rotation matrices to unit quaternions with w >= 0 (MATLAB ``rotToQuat``).

    The result is accurate at every angle. MATLAB's function uses the logarithm of the matrix and is
    wrong for half-turns about coordinate axes.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotation matrices, body to space.

    Returns
    -------
    array, shape (..., 4)
        Unit quaternions [w, x, y, z], w >= 0; for w = 0 the dominant component is positive.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold 3x3 rotation matrices.

    Examples
    --------
    >>> rotToQuat([[-1, 0, 0], [0, -1, 0], [0, 0, 1]])
    array([0., 0., 0., 1.])
    """
    R = as_rotation(R, "rotToQuat: R")
    return rotation_to_quaternion(namespace(R).matrix_transpose(R))
