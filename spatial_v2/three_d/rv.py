"""rv: conversion of rotation vectors to coordinate rotations, and back."""

from __future__ import annotations

from functools import cache
from math import inf, log10
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace, real_part
from spatial_v2.arrays.checks import as_matrix, as_numbers, as_rotation, as_vector, is_matrix
from spatial_v2.arrays.entire import cosc, sinc
from spatial_v2.arrays.namespaces import digits, settled
from spatial_v2.three_d.rq import rotation_to_quaternion
from spatial_v2.three_d.skew import cross_matrix

__all__ = [
    "quaternion_to_rotation_vector",
    "rotation_to_rotation_vector",
    "rotation_vector_to_rotation",
    "rv",
]

_ROTATION = 1e-6
"""Difference from an orthonormal matrix up to which a 3x3 argument is a rotation: three vectors are
another.
"""


def rotation_vector_to_rotation(v: Any) -> Array:
    """Convert rotation vectors v to coordinate rotations E = exp(-skew(v)).

    Parameters
    ----------
    v : array, shape (..., 3) or (..., 3, 1)
        Angle times axis of frame B relative to frame A [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Coordinate rotations E from A to B: the transpose of the matrix that rotates A into B.

    Raises
    ------
    ArrayShapeError
        If `v` does not hold 3-vectors.

    Examples
    --------
    >>> import numpy as np
    >>> rotation_vector_to_rotation([np.pi / 2, 0, 0]).round(3) + 0.0
    array([[ 1.,  0.,  0.],
           [ 0.,  0.,  1.],
           [ 0., -1.,  0.]])
    """
    v = as_vector(v, "rv: v", 3)
    V = cross_matrix(v)
    s = namespace(v).sum(v * v, axis=-1)[..., None, None]
    return cosc(s) * (V @ V) - sinc(s) * V + constant(np.eye(3), v)


@cache
def _terms(digits: float) -> int:
    """Return how many terms of the arctan series are needed for a number of digits."""
    return 1 + int(digits / log10(16))


def _arctan_ratio(s: Array) -> Array:
    """Compute arctan(x) / x from s = x^2, for |x| <= 1."""
    xp, exact = namespace(s), digits(s) == inf
    small = xp.equal(s, 0) if exact else xp.less(real_part(s), 1 / 16)
    near, one = xp.where(small, s, 0 * s), 0 * s + 1
    x = xp.sqrt(xp.where(small, one, s))
    terms = 0 if exact else _terms(digits(s))
    series = one / (2 * terms + 1)
    for k in reversed(range(terms)):
        series = one / (2 * k + 1) - near * series
    return xp.where(small, series, xp.atan(x) / x)


def quaternion_to_rotation_vector(q: Array) -> Array:
    """Convert quaternions (..., 4) with w >= 0 to angle times axis; their norm is arbitrary.

    Examples
    --------
    >>> import numpy as np
    >>> quaternion_to_rotation_vector(np.array([1.0, 1.0, 0.0, 0.0])).round(4)
    array([1.5708, 0.    , 0.    ])
    """
    xp = namespace(q)
    w, u = q[..., :1], q[..., 1:]
    s, c = xp.sum(u * u, axis=-1, keepdims=True), w * w
    near = settled(xp.less_equal(real_part(s), real_part(c)), generic=True)
    less, more = xp.where(near, s, c), xp.where(near, c, s)
    ratio, far, pi = 2 * _arctan_ratio(less / more), xp.sqrt(more), 4 * xp.atan(0 * w + 1)
    below = ratio / xp.where(near, w, 0 * w + 1)
    return xp.where(near, below, (pi - w / far * ratio) / far) * u


def rotation_to_rotation_vector(E: Any) -> Array:
    """Convert coordinate rotations to angle times axis, 0 <= angle <= pi: the logarithm of E^T.

    The result is accurate at every angle: near the identity by a series, near and at half-turns by
    way of the quaternion. (At half-turns MATLAB returns zero for an exactly symmetric E.)

    Parameters
    ----------
    E : array, shape (..., 3, 3)
        Coordinate rotations from A to B.

    Returns
    -------
    array, shape (..., 3)
        Rotation vectors [rad]; at a half-turn the dominant component is positive.

    Raises
    ------
    ArrayShapeError
        If `E` does not hold 3x3 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> rotation_to_rotation_vector(np.diag([1.0, -1.0, -1.0]))
    array([3.14159265, 0.        , 0.        ])
    """
    return quaternion_to_rotation_vector(rotation_to_quaternion(as_matrix(E, "rv: E", 3)))


def rv(v: Any) -> Array:
    """Convert rotation vectors to coordinate rotations, or 3x3 matrices back (MATLAB ``rv``).

    ``rv(v)`` calls `rotation_vector_to_rotation`. If the last two axes are 3x3, ``rv(E)`` calls
    `rotation_to_rotation_vector`. A 3x3 array of three vectors would count as a matrix: for batches
    pass columns or call `rotation_vector_to_rotation`.

    Parameters
    ----------
    v : array, shape (..., 3), (..., 3, 1) or (..., 3, 3)
        Rotation vectors [rad] or coordinate rotations E.

    Returns
    -------
    array, shape (..., 3, 3) or (..., 3)
        Coordinate rotations or rotation vectors.

    Raises
    ------
    ArrayShapeError
        If `v` holds neither 3-vectors nor 3x3 matrices, or matrices far from rotations.

    Notes
    -----
    Rotations are computed by the Euler-Rodrigues formula, rotation vectors by way of the
    quaternion.

    Examples
    --------
    >>> rv(rv([0.3, -0.2, 0.5])).round(12)
    array([ 0.3, -0.2,  0.5])
    """
    E = as_numbers(v, "rv: v")
    if not is_matrix(E, 3):
        return rotation_vector_to_rotation(E)
    hint = "; for three rotation vectors at once pass columns, shape (3, 3, 1)"
    return rotation_to_rotation_vector(as_rotation(E, "rv: a 3x3 argument", _ROTATION, hint))
