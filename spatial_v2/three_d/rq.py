"""rq: conversion of quaternions to coordinate rotations, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, constant, namespace, real_part
from spatial_v2.arrays.checks import as_matrix, as_numbers, as_vector, is_matrix
from spatial_v2.arrays.linear import scaled
from spatial_v2.arrays.namespaces import settled
from spatial_v2.three_d.skew import CROSS

__all__ = ["quaternion_to_rotation", "rotation_to_quaternion", "rq"]


def _davenport() -> np.ndarray:
    """Return the constant array K (3, 3, 4, 4) with E_ij = q^T K[i, j] q for unit quaternions q.

    Its inverse relation is 4 q q^T = 1 + sum_ij E_ij K[i, j].
    """
    K = np.zeros((3, 3, 4, 4), dtype=np.int8)
    one = np.eye(3, dtype=np.int8)
    for i, j in np.ndindex(3, 3):
        unit = np.outer(one[i], one[j])
        K[i, j, 0, 0] = one[i, j]
        K[i, j, 0, 1:] = K[i, j, 1:, 0] = -CROSS[:, i, j]
        K[i, j, 1:, 1:] = unit + unit.T - one[i, j] * one
    return K


_ROTATION = np.ascontiguousarray(_davenport().reshape(3, 3, 16).transpose(2, 0, 1))
_OUTER = _davenport().reshape(9, 4, 4)


def quaternion_to_rotation(q: Any) -> Array:
    """Convert quaternions of any nonzero norm to coordinate rotations E.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Orientation of frame B relative to frame A, [w, x, y, z].

    Returns
    -------
    array, shape (..., 3, 3)
        Coordinate rotations E from A to B: the transpose of the matrix that rotates A into B.

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Examples
    --------
    >>> quaternion_to_rotation([1, 1, 0, 0])
    array([[ 1.,  0.,  0.],
           [ 0.,  0.,  1.],
           [ 0., -1.,  0.]])
    """
    q, _ = scaled(as_vector(q, "rq: q", 4))
    row, col = q[..., None, :], q[..., None]
    outer = namespace(q).reshape(col * row, (*q.shape[:-1], 16))
    return combination(outer, _ROTATION) / (row @ col)


def rotation_to_quaternion(E: Any) -> Array:
    """Convert coordinate rotations to unit quaternions with w >= 0.

    The matrix 4 q q^T - 1 is linear in E (Davenport's K). The column of 4 q q^T with the largest
    diagonal element is normalised, so that the result is accurate at every angle, half-turns
    included. For symbols the first column is used, which vanishes at half-turns only.

    Parameters
    ----------
    E : array, shape (..., 3, 3)
        Coordinate rotations from A to B.

    Returns
    -------
    array, shape (..., 4)
        Unit quaternions [w, x, y, z], w >= 0; for w = 0 the dominant component is positive.

    Raises
    ------
    ArrayShapeError
        If `E` does not hold 3x3 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> rotation_to_quaternion(np.diag([-1.0, 1.0, -1.0]))
    array([0., 0., 1., 0.])
    """
    E = as_matrix(E, "rq: E", 3)
    xp = namespace(E)
    Q = combination(xp.reshape(E, (*E.shape[:-2], 9)), _OUTER) + constant(np.eye(4), E)
    q, largest = Q[..., 0], real_part(Q[..., :1, 0])
    for k in range(1, 4):
        other = real_part(Q[..., k : k + 1, k])
        larger = settled(xp.less(largest, other), generic=False)
        q = xp.where(larger, Q[..., k], q)
        largest = xp.where(larger, other, largest)
    q = q / xp.sqrt(xp.sum(q * q, axis=-1, keepdims=True))
    turned = settled(xp.less(real_part(q[..., :1]), 0), generic=False)
    return xp.where(turned, -q, q)


def rq(q: Any) -> Array:
    """Convert quaternions to coordinate rotations, or 3x3 matrices back (MATLAB ``rq``).

    ``rq(q)`` calls `quaternion_to_rotation`. If the last two axes are 3x3, ``rq(E)`` calls
    `rotation_to_quaternion`.

    Parameters
    ----------
    q : array, shape (..., 4), (..., 4, 1) or (..., 3, 3)
        Quaternions [w, x, y, z] or coordinate rotations E.

    Returns
    -------
    array, shape (..., 3, 3) or (..., 4)
        Coordinate rotations or unit quaternions.

    Raises
    ------
    ArrayShapeError
        If `q` holds neither 4-vectors nor 3x3 matrices.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 4.5.

    Examples
    --------
    >>> rq(rq([0.5, 0.5, 0.5, 0.5]))
    array([0.5, 0.5, 0.5, 0.5])
    """
    q = as_numbers(q, "rq: q")
    return rotation_to_quaternion(q) if is_matrix(q, 3) else quaternion_to_rotation(q)
