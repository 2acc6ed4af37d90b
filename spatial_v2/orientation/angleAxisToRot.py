"""angleAxisToRot: conversion of angle times axis to rotation matrices."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector
from spatial_v2.three_d import rotation_vector_to_rotation

__all__ = ["angleAxisToRot"]


def angleAxisToRot(phi: Any) -> Array:
    """Compute R = exp(skew(phi)), the transpose of ``rv(phi)`` (MATLAB ``angleAxisToRot``).

    Parameters
    ----------
    phi : array, shape (..., 3) or (..., 3, 1)
        Angle times axis [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Rotation matrices, body to space.

    Raises
    ------
    ArrayShapeError
        If `phi` does not hold 3-vectors.

    Notes
    -----
    R = 1 + (sin t / t) W + ((1 - cos t) / t^2) W^2 with W = skew(phi) and t^2 = phi . phi.

    Examples
    --------
    >>> angleAxisToRot([0, 0, 1.5707963267948966]).round(12) + 0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return rotation_vector_to_rotation(-as_vector(phi, "angleAxisToRot: phi", 3))
