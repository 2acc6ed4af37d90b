"""rotToFixedAngles: conversion of rotation matrices to angles about three fixed axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spatial_v2.arrays import namespace
from spatial_v2.orientation.rotToEulerAngles import EulerAngles, as_sequence, rotToEulerAngles

__all__ = ["rotToFixedAngles"]


def rotToFixedAngles(R: Any, sequence: Sequence[int] = (1, 2, 3)) -> EulerAngles:
    """Return both solutions of R = R_s3(a[2]) R_s2(a[1]) R_s1(a[0]) (MATLAB ``rotToFixedAngles``).

    The rotation axes are fixed in space. The angles are those of `rotToEulerAngles` for the
    reversed sequence, in reversed order.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotation matrices, body to space.
    sequence : three of 1, 2, 3
        The rotation axes s1, s2, s3 in the order of the rotations, with x = 1, y = 2, z = 3 as in
        MATLAB. Consecutive axes must differ.

    Returns
    -------
    a1, a2 : array, shape (..., 3)
        Angles in (-pi, pi] [rad], in MATLAB's order, see `rotToEulerAngles`. For the sequence 123,
        roll, pitch and yaw, a2 is the usual one.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold 3x3 rotation matrices.
    SpatialError
        If `sequence` is not a valid sequence of axes.

    Examples
    --------
    >>> from spatial_v2.orientation import rpyToRot
    >>> rotToFixedAngles(rpyToRot([0.1, 0.2, 0.3]), (1, 2, 3)).a2.round(12)
    array([0.1, 0.2, 0.3])
    """
    a1, a2 = rotToEulerAngles(R, as_sequence(sequence)[::-1])
    xp = namespace(a1)
    return EulerAngles(xp.flip(a1, axis=-1), xp.flip(a2, axis=-1))
