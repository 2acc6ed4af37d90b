"""rpyToRot: conversion of roll, pitch and yaw to rotation matrices."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector
from spatial_v2.orientation.elementary import Rx, Ry, Rz

__all__ = ["rpyToRot"]


def rpyToRot(rpy: Any) -> Array:
    """Compute the rotation matrix R = Rz(yaw) Ry(pitch) Rx(roll) (MATLAB ``rpyToRot``).

    Parameters
    ----------
    rpy : array, shape (..., 3) or (..., 3, 1)
        Angles [roll, pitch, yaw] about the fixed axes x, y, z in this order [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Rotation matrices, body to space.

    Raises
    ------
    ArrayShapeError
        If `rpy` does not hold 3-vectors.

    Examples
    --------
    >>> rpyToRot([0, 0, 1.5707963267948966]).round(12) + 0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    rpy = as_vector(rpy, "rpyToRot: rpy", 3)
    return Rz(rpy[..., 2]) @ Ry(rpy[..., 1]) @ Rx(rpy[..., 0])
