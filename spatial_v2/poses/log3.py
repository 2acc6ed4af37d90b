"""The logarithm of SO(3)."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_rotation
from spatial_v2.three_d import rotation_to_rotation_vector

__all__ = ["log3"]


def log3(R: Any) -> Array:
    """Compute the rotation vector phi of R = exp(skew(phi)), the logarithm of SO(3).

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotations from body to space coordinates, as `forward_kinematics` returns them. Coordinate
        rotations E, their transposes, are the argument of `rv`.

    Returns
    -------
    array, shape (..., 3)
        Rotation vectors, 0 <= angle <= pi [rad]; at a half-turn the component that is largest in
        size is positive. They are accurate at every angle.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold rotations.

    Examples
    --------
    >>> from spatial_v2 import exp3
    >>> log3(exp3([0.3, -0.2, 0.5])).round(12)
    array([ 0.3, -0.2,  0.5])
    """
    R = as_rotation(R, "log3: R")
    return rotation_to_rotation_vector(namespace(R).matrix_transpose(R))
