"""AdjointToSE3: conversion of 6x6 adjoint matrices to homogeneous transforms."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.spatial.pluho import transform_to_homogeneous

__all__ = ["AdjointToSE3"]


def AdjointToSE3(X: Any) -> Array:
    """Convert an adjoint X = [R 0; skew(p) R, R] to T = [R p; 0 1] (MATLAB ``AdjointToSE3``).

    This is `transform_to_homogeneous` under its name in Lie group theory.

    Parameters
    ----------
    X : array, shape (..., 6, 6)
        Adjoint matrices, angular part first.

    Returns
    -------
    array, shape (..., 4, 4)
        Homogeneous transforms of SE(3).

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 matrices.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> AdjointToSE3(xlt([1, 2, 3]))[:3, 3]
    array([-1., -2., -3.])
    """
    return transform_to_homogeneous(X)
