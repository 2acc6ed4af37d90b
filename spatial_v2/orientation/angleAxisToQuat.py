"""angleAxisToQuat: conversion of angle times axis to quaternions."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.entire import cosc, sinc

__all__ = ["angleAxisToQuat"]


def angleAxisToQuat(phi: Any) -> Array:
    """Convert angle times axis to unit quaternions (MATLAB ``angleAxisToQuat``).

    Parameters
    ----------
    phi : array, shape (..., 3) or (..., 3, 1)
        Angle times axis [rad]. The angle may have any size; between pi and 3 pi, w is negative.

    Returns
    -------
    array, shape (..., 4)
        Unit quaternions [w, x, y, z] = [cos(t/2), sin(t/2) phi/t], with t the length of phi.

    Raises
    ------
    ArrayShapeError
        If `phi` does not hold 3-vectors.

    Examples
    --------
    >>> angleAxisToQuat([0, 0, 1.5707963267948966]).round(4)
    array([0.7071, 0.    , 0.    , 0.7071])
    """
    phi = as_vector(phi, "angleAxisToQuat: phi", 3)
    xp = namespace(phi)
    half = phi / 2
    s = xp.sum(half * half, axis=-1, keepdims=True)
    return xp.concat([1 - s * cosc(s), sinc(s) * half], axis=-1)
