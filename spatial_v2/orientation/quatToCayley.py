"""quatToCayley: conversion of quaternions to Cayley vectors."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector

__all__ = ["quatToCayley"]


def quatToCayley(q: Any) -> Array:
    """Return Cayley vectors c = [x, y, z] / w, tan(angle/2) times axis (MATLAB ``quatToCayley``).

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z] of any nonzero norm.

    Returns
    -------
    array, shape (..., 3)
        Cayley vectors of order 1 [-]; not finite for half-turns.

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Examples
    --------
    >>> quatToCayley([1, 0, 0, 1])
    array([0., 0., 1.])
    """
    q = as_vector(q, "quatToCayley: q", 4)
    return q[..., 1:] / q[..., :1]
