"""quatToAngleAxis: conversion of quaternions to angle times axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace, real_part
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.linear import scaled
from spatial_v2.arrays.namespaces import settled
from spatial_v2.three_d.rv import quaternion_to_rotation_vector

__all__ = ["quatToAngleAxis"]


def quatToAngleAxis(q: Any) -> Array:
    """Convert quaternions to angle times axis, 0 <= angle <= pi (MATLAB ``quatToAngleAxis``).

    The conversion is direct, without a rotation matrix, so that rotations near zero or a half-turn
    keep all digits.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z] of any nonzero norm; q and -q are the same rotation.

    Returns
    -------
    array, shape (..., 3)
        Angle times axis [rad]; for half-turns, w = 0, the axis is along [x, y, z].

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Examples
    --------
    >>> quatToAngleAxis([1, 0, 0, 1e-9]), quatToAngleAxis([0, 0, 0, -1])
    (array([0.e+00, 0.e+00, 2.e-09]), array([ 0.        ,  0.        , -3.14159265]))
    """
    q, _ = scaled(as_vector(q, "quatToAngleAxis: q", 4))
    xp = namespace(q)
    turned = settled(xp.less(real_part(q[..., :1]), 0), generic=False)
    return quaternion_to_rotation_vector(xp.where(turned, -q, q))
