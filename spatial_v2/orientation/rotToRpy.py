"""rotToRpy: conversion of rotation matrices to roll, pitch and yaw."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_rotation
from spatial_v2.orientation.rotToFixedAngles import rotToFixedAngles

__all__ = ["rotToRpy"]


def rotToRpy(R: Any) -> Array:
    """Convert R = Rz(yaw) Ry(pitch) Rx(roll) to roll, pitch and yaw (MATLAB ``rotToRpy``).

    MATLAB's first output is the other solution, [roll + pi, pi - pitch, yaw + pi], and so are the
    results of its ``angleAxisToRpy``, ``cayleyToRpy`` and ``mrpToRpy``, but not of ``quatToRpy``.
    Here all of these functions return the solution with pitch between -pi/2 and pi/2;
    ``rotToFixedAngles(R, (1, 2, 3))`` returns both.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotation matrices, body to space.

    Returns
    -------
    array, shape (..., 3)
        Angles [roll, pitch, yaw] [rad]. If pitch is a right angle (gimbal lock), yaw is zero. The
        angles represent R accurately also near gimbal lock.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold 3x3 rotation matrices.

    Examples
    --------
    >>> rotToRpy([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 1.5708])
    """
    return rotToFixedAngles(as_rotation(R, "rotToRpy: R"), (1, 2, 3)).a2
