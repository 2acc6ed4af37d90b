"""Homogeneous matrices of poses, from rotation and position."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, block, column, constant, namespace
from spatial_v2.arrays.checks import as_matrix, as_rotation, as_vector, check_leads
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["as_pose", "homogeneous", "inverse_pose", "pose"]


def pose(R: Any, p: Any) -> Array:
    """Return the pose T = [R p; 0 1] of a body with rotation R and position p.

    Parameters
    ----------
    R : array, shape (..., 3, 3)
        Rotations from body to space coordinates, as `forward_kinematics` returns them.
    p : array, shape (..., 3)
        Positions of the origin of the body in space [m].

    Returns
    -------
    array, shape (..., 4, 4)
        Poses: ``T [x; 1]`` is the place in space of the point x of the body.

    Raises
    ------
    ArrayShapeError
        If `R` does not hold rotations or `p` does not hold 3-vectors.

    Examples
    --------
    >>> import numpy as np
    >>> pose(np.eye(3), [1.0, 2.0, 3.0])[:3]
    array([[1., 0., 0., 1.],
           [0., 1., 0., 2.],
           [0., 0., 1., 3.]])
    """
    R, p = alike(as_rotation(R, "pose: R"), as_vector(p, "pose: p", 3))
    check_leads("pose", R=R.shape[:-2], p=p.shape[:-1])
    return homogeneous(R, p)


def homogeneous(R: Array, p: Array) -> Array:
    """Return [R p; 0 1]."""
    p = column(p)
    R, p = R + 0 * p, p + 0 * R[..., :1]
    last = constant(np.eye(4)[3:], R) + namespace(R).zeros_like(p[..., :1, :])
    return block((block((R, p)),), (last,))


def inverse_pose(T: Array) -> Array:
    """Return the pose of space relative to the body, ``[R^T, -R^T p; 0 1]``."""
    R = namespace(T).matrix_transpose(T[..., :3, :3])
    return homogeneous(R, -(R @ T[..., :3, 3:])[..., 0])


def as_pose(T: Any, name: str, within: float = 1e-3) -> Array:
    """Check that T holds poses [R p; 0 1], with rotations `within` a tolerance, and return them as
    an array.

    Examples
    --------
    >>> as_pose(2 * np.eye(4), "log6: T")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: log6: T: want poses [R p; 0 1], whose last row is ...
    """
    T = as_matrix(T, name, 4)
    is_numbers = isinstance(T, np.ndarray) and T.dtype.kind in "fc"
    if is_numbers and not (T.real[..., 3, :] == [0, 0, 0, 1]).all():
        raise ArrayShapeError(
            f"{name}: want poses [R p; 0 1], whose last row is [0 0 0 1]; "
            f"got {T[..., 3, :].tolist()}"
        )
    as_rotation(T[..., :3, :3], f"{name}: R", within)
    return T
