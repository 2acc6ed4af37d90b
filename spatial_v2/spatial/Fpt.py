"""Fpt: conversion of forces at points to spatial forces."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, constant, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads, is_column
from spatial_v2.three_d.skew import TURN, cross_matrix

__all__ = ["Fpt"]


def Fpt(fp: Any, p: Any) -> Array:
    """Convert forces f at points p to spatial forces [p x f; f] (MATLAB ``Fpt``).

    Forces and points are rows here: transpose MATLAB's 3xn arrays of columns. Arrays of columns
    raise an error, except 3x3 arrays, which are read as rows.

    Parameters
    ----------
    fp : array, shape (..., 3) or planar (..., 2); columns (..., 3, 1) or (..., 2, 1)
        Forces [N]; the argument order is force, point.
    p : array, shape as `fp`
        Points of application in the same coordinates [m]; leading axes broadcast.

    Returns
    -------
    array, shape (..., 6) or planar (..., 3); columns if `fp` holds columns
        Spatial forces [n; f] about the origin [N m, N].

    Raises
    ------
    ArrayShapeError
        If `fp` does not hold 3- or 2-vectors, or `p` points of the same space.

    Examples
    --------
    >>> Fpt([0, 0, 5], [1, 2, 0])
    array([10., -5.,  0.,  0.,  0.,  5.])
    """
    force = as_vector(fp, "Fpt: fp", 3, 2)
    n = force.shape[-1]
    force, point = alike(force, as_vector(p, "Fpt: p", n))
    check_leads("Fpt", fp=force.shape[:-1], p=point.shape[:-1])
    lever = cross_matrix(point) if n == 3 else (point @ constant(TURN.T, point))[..., None, :]
    moment = lever @ column(force)
    xp = namespace(force)
    f = xp.broadcast_to(column(force), (*moment.shape[:-2], n, 1))
    result = xp.concat([moment, f], axis=-2)
    return result if is_column(fp, n) else uncolumn(result)
