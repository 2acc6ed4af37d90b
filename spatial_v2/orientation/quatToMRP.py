"""quatToMRP: conversion of quaternions to modified Rodrigues parameters."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace, real_part
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.linear import length
from spatial_v2.arrays.namespaces import settled

__all__ = ["quatToMRP"]


def quatToMRP(q: Any) -> Array:
    """Return m = [x, y, z] / (1 + w), tan(angle/4) times axis (MATLAB ``quatToMRP``).

    As in MATLAB, q is replaced by -q if w < -0.99, near the singularity at w = -1. For other
    negative w the result is the longer of the two vectors that represent the rotation, see
    `mrpShadow`.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z] of any nonzero norm.

    Returns
    -------
    array, shape (..., 3)
        Modified Rodrigues parameters [-].

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Examples
    --------
    >>> quatToMRP([0.6, 0, 0, 0.8])
    array([0. , 0. , 0.5])
    """
    q = as_vector(q, "quatToMRP: q", 4)
    xp = namespace(q)
    q = q / length(q)
    turned = settled(xp.less(real_part(q[..., :1]), -0.99), generic=False)
    q = xp.where(turned, -q, q)
    return q[..., 1:] / (1 + q[..., :1])
