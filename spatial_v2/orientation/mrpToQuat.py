"""mrpToQuat: conversion of modified Rodrigues parameters to quaternions."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_vector

__all__ = ["mrpToQuat"]


def mrpToQuat(mrp: Any) -> Array:
    """Return the quaternion [1 - m^2, 2 m] / (1 + m^2), m^2 = m . m (MATLAB ``mrpToQuat``).

    Parameters
    ----------
    mrp : array, shape (..., 3) or (..., 3, 1)
        Modified Rodrigues parameters m: tan(angle/4) times axis [-].

    Returns
    -------
    array, shape (..., 4)
        Unit quaternions [w, x, y, z]; w is negative if m is longer than one.

    Raises
    ------
    ArrayShapeError
        If `mrp` does not hold 3-vectors.

    Examples
    --------
    >>> mrpToQuat([0, 0, 0.5])
    array([0.6, 0. , 0. , 0.8])
    """
    m = as_vector(mrp, "mrpToQuat: mrp", 3)
    xp = namespace(m)
    s = xp.sum(m * m, axis=-1, keepdims=True)
    return xp.concat([1 - s, 2 * m], axis=-1) / (1 + s)
