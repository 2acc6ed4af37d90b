"""rq: quaternions to coordinate rotations, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, constant, namespace, real_part
from spatial_v2.checks import as_matrix, as_vector, is_matrix
from spatial_v2.three_d.skew import CROSS, cross_matrix

__all__ = ["quaternion_to_rotation", "rotation_to_quaternion", "rq"]


def quaternion_to_rotation(q: Any) -> Array:
    """E = 1 + 2 (u x u x - w u x) / (q . q) for quaternions q = [w, u] of any nonzero norm.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Orientation of frame B relative to frame A, [w, x, y, z].

    Returns
    -------
    array, shape (..., 3, 3)
        Coordinate rotations E from A to B: the transpose of the matrix that turns A into B.

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
    q = as_vector(q, "rq: q", 4)
    w, U = q[..., :1, None], cross_matrix(q[..., 1:])
    norm2 = namespace(q).sum(q * q, axis=-1)[..., None, None]
    return (U @ U - w * U) * 2 / norm2 + constant(np.eye(3), q)


def _outer_product_basis() -> np.ndarray:
    """B with 4 q q^T = 1 + sum_ij E_ij B[3i + j] for the coordinate rotation E of a unit q."""
    B = np.zeros((3, 3, 4, 4), dtype=np.int8)
    for i in range(3):
        B[i, i, 0, 0] = 1
        for j in range(3):
            B[i, j, 0, 1:] = B[i, j, 1:, 0] = -CROSS[:, i, j]
            B[i, j, 1 + i, 1 + j] += 1
            B[i, j, 1 + j, 1 + i] += 1
            if i == j:
                B[i, i, 1:, 1:] -= np.eye(3, dtype=np.int8)
    return B.reshape(9, 4, 4)


_OUTER = _outer_product_basis()


def rotation_to_quaternion(E: Any) -> Array:
    """The unit quaternion q with w >= 0 of coordinate rotations; the way back of the above.

    The matrix 4 q q^T is linear in E; its column with the largest diagonal element is normalised,
    so that every angle, half-turns included, is equally accurate.

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
        q = xp.where(other > largest, Q[..., k], q)
        largest = xp.where(other > largest, other, largest)
    q = q / xp.sqrt(xp.sum(q * q, axis=-1, keepdims=True))
    return xp.where(real_part(q[..., :1]) < 0, -q, q)


def rq(q: Any) -> Array:
    """Quaternions to coordinate rotations or, for 3x3 matrices, the way back (MATLAB ``rq``).

    ``rq(q)`` is `quaternion_to_rotation`, ``rq(E)`` is `rotation_to_quaternion`; the last two axes
    decide.

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
    Featherstone, Rigid Body Dynamics Algorithms (2008), Eq. 4.12.

    Examples
    --------
    >>> rq(rq([0.5, 0.5, 0.5, 0.5]))
    array([0.5, 0.5, 0.5, 0.5])
    """
    return rotation_to_quaternion(q) if is_matrix(q, 3) else quaternion_to_rotation(q)
