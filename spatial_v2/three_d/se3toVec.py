"""se3toVec: conversion of 4x4 matrices of se(3) to twists."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.three_d.inv_skew import inv_skew

__all__ = ["se3toVec"]


def se3toVec(S: Any) -> Array:
    """Convert a 4x4 matrix [skew(omega), v; 0 0] to the twist [omega; v] (MATLAB ``se3toVec``).

    Parameters
    ----------
    S : array, shape (..., 4, 4)
        Matrices of se(3); only the skew-symmetric part of the upper left block is used.

    Returns
    -------
    array, shape (..., 6)
        Spatial motion vectors, angular part first.

    Raises
    ------
    ArrayShapeError
        If `S` does not hold 4x4 matrices.

    Examples
    --------
    >>> from spatial_v2.three_d import vecTose3
    >>> se3toVec(vecTose3([1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    S = as_matrix(S, "se3toVec: S", 4)
    return namespace(S).concat([inv_skew(S[..., :3, :3]), S[..., :3, 3]], axis=-1)
