"""rpyToQuat: conversion of roll, pitch and yaw to quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.three_d.quaternion_product import quaternion_product

__all__ = ["rpyToQuat"]


def rpyToQuat(rpy: Any) -> Array:
    """Compute the product of the quaternions of yaw, pitch and roll (MATLAB ``rpyToQuat``).

    Parameters
    ----------
    rpy : array, shape (..., 3) or (..., 3, 1)
        Angles [roll, pitch, yaw] about the fixed axes x, y, z in this order [rad].

    Returns
    -------
    array, shape (..., 4)
        Unit quaternions [w, x, y, z]; of either sign, continuous in the angles.

    Raises
    ------
    ArrayShapeError
        If `rpy` does not hold 3-vectors.

    Examples
    --------
    >>> rpyToQuat([0, 0, 1.5707963267948966]).round(4)
    array([0.7071, 0.    , 0.    , 0.7071])
    """
    half = as_vector(rpy, "rpyToQuat: rpy", 3) / 2
    xp = namespace(half)
    cos_sin = xp.stack([xp.cos(half), xp.sin(half)], axis=-1)
    x, y, z = (combination(cos_sin[..., k, :], _UNITS[[0, k + 1]]) for k in range(3))
    return quaternion_product(quaternion_product(z, y), x)


_UNITS = np.eye(4, dtype=np.int8)
