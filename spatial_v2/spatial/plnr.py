"""plnr: conversion of angle and translation to planar transforms, and back."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.angle import angle
from spatial_v2.arrays.checks import as_matrix, as_numbers, as_vector, check_leads
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.spatial.plux import transform_from, transform_parts
from spatial_v2.three_d.skew import TURN

__all__ = ["PlanarTransformParts", "planar_transform_from", "planar_transform_parts", "plnr"]


@shown_in_notebooks
class PlanarTransformParts(NamedTuple):
    """Angle and translation of a planar coordinate transform.

    Parameters
    ----------
    theta : array, shape (...)
        Angle of frame B relative to frame A [rad].
    r : array, shape (..., 2)
        Position of the origin of B in A coordinates [m].

    Examples
    --------
    >>> from spatial_v2 import planar_transform_parts
    >>> theta, r = planar_transform_parts(np.eye(3))
    """

    theta: Array
    r: Array


def planar_transform_from(theta: Any, r: Any) -> Array:
    """Compute planar transforms X = [1 0 0; s r_x - c r_y, c, s; c r_x + s r_y, -s, c].

    Parameters
    ----------
    theta : array, shape (...)
        Angle of frame B relative to frame A [rad].
    r : array, shape (..., 2) or (..., 2, 1)
        Position of the origin of B in A coordinates [m].

    Returns
    -------
    array, shape (..., 3, 3)
        Coordinate transforms for planar motion vectors [omega, vx, vy] from A to B, with c and s
        the cosine and sine of theta.

    Raises
    ------
    ArrayShapeError
        If `theta` is not numeric or `r` does not hold 2-vectors.

    Examples
    --------
    >>> planar_transform_from(0, [1, 2])
    array([[ 1.,  0.,  0.],
           [-2.,  1.,  0.],
           [ 1.,  0.,  1.]])
    """
    theta, r = as_numbers(theta, "plnr: theta"), as_vector(r, "plnr: r", 2)
    check_leads("plnr", theta=theta.shape, r=r.shape[:-1])
    theta = theta[..., None, None]
    xp = namespace(theta)
    E = xp.cos(theta) * constant(np.eye(2), theta) - xp.sin(theta) * constant(TURN, theta)
    return transform_from(E, r)


def planar_transform_parts(X: Any) -> PlanarTransformParts:
    """Compute angle and translation of a planar transform: inverse of `planar_transform_from`.

    Parameters
    ----------
    X : array, shape (..., 3, 3)
        Coordinate transforms for planar motion vectors from A to B.

    Returns
    -------
    theta : array, shape (...)
        Angle of frame B relative to frame A in (-pi, pi] [rad].
    r : array, shape (..., 2)
        Position of the origin of B in A coordinates [m].

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 3x3 matrices.

    Examples
    --------
    >>> from spatial_v2 import planar_transform_from
    >>> theta, r = planar_transform_parts(planar_transform_from(0.5, [1, 2]))
    >>> theta.round(12), r.round(12)
    (np.float64(0.5), array([1., 2.]))
    """
    E, r = transform_parts(as_matrix(X, "plnr: X", 3))
    return PlanarTransformParts(angle(E[..., 0, 1:], E[..., 0, :1])[..., 0], r)


@overload
def plnr(theta: Any, r: Any) -> Array: ...
@overload
def plnr(theta: Any) -> PlanarTransformParts: ...
def plnr(theta: Any, r: Any = None) -> Array | PlanarTransformParts:
    """``X = plnr(theta, r)`` or ``theta, r = plnr(X)``: planar transforms (MATLAB ``plnr``).

    Two arguments call `planar_transform_from`, one argument calls `planar_transform_parts`.

    Parameters
    ----------
    theta : array, shape (...)
        Angles [rad]; or, as the only argument, planar transforms (..., 3, 3).
    r : array, shape (..., 2), optional
        Position of the origin of the new frame in the old one [m].

    Returns
    -------
    array or (theta, r)
        Planar coordinate transforms for motion vectors, or their parts.

    Raises
    ------
    ArrayShapeError
        If the shapes fit neither form.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.16.

    Examples
    --------
    >>> theta, r = plnr(plnr(0.5, [1, 2]))
    >>> r.round(12)
    array([1., 2.])
    """
    return planar_transform_parts(theta) if r is None else planar_transform_from(theta, r)
