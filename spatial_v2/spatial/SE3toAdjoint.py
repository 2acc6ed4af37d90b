"""SE3toAdjoint: conversion of homogeneous transforms to 6x6 adjoint matrices."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.spatial.pluho import homogeneous_to_transform

__all__ = ["SE3toAdjoint"]


def SE3toAdjoint(T: Any) -> Array:
    """Convert T = [R p; 0 1] to the adjoint X = [R 0; skew(p) R, R] (MATLAB ``SE3toAdjoint``).

    This is `homogeneous_to_transform` under its name in Lie group theory.

    Parameters
    ----------
    T : array, shape (..., 4, 4)
        Homogeneous transforms of point coordinates: for the pose of B in A, with R from B to A
        coordinates, X takes motion vectors from B to A. `pose_to_transform` is its inverse.

    Returns
    -------
    array, shape (..., 6, 6)
        Adjoint matrices, angular part first.

    Raises
    ------
    ArrayShapeError
        If `T` does not hold 4x4 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> np.array_equal(SE3toAdjoint(np.eye(4)), np.eye(6))
    True
    """
    return homogeneous_to_transform(T)
