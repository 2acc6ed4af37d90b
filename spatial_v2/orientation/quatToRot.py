"""quatToRot: conversion of quaternions to rotation matrices."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.three_d import quaternion_to_rotation

__all__ = ["quatToRot"]


def quatToRot(q: Any) -> Array:
    """Convert quaternions to rotation matrices, transposes of ``rq(q)`` (MATLAB ``quatToRot``).

    Quaternions are normalised. MATLAB does not normalise them and returns a matrix that is no
    rotation if the norm is not one.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z] of any nonzero norm.

    Returns
    -------
    array, shape (..., 3, 3)
        Rotation matrices, body to space.

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Notes
    -----
    R = 1 + 2 w skew(u) + 2 skew(u)^2 for unit quaternions [w, u].

    Examples
    --------
    >>> quatToRot([1, 0, 0, 1])
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    E = quaternion_to_rotation(as_vector(q, "quatToRot: q", 4))
    return namespace(E).matrix_transpose(E)
