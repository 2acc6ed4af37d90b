"""Plücker transforms to frames, from the poses of these."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.poses.pose import as_pose
from spatial_v2.spatial import transform_from

__all__ = ["pose_to_transform"]


def pose_to_transform(T: Any) -> Array:
    """Convert the pose T = [R p; 0 1] of a frame to the Plücker transform to this frame.

    Parameters
    ----------
    T : array, shape (..., 4, 4)
        Poses of frame B in A: R from B to A coordinates, p the origin of B in A.

    Returns
    -------
    array, shape (..., 6, 6)
        Transforms of motion vectors from A to B, ``plux(R^T, p)``: what `Frame`, ``Xtree``,
        `attach` and `inverse_kinematics` take. The argument of `pluho` is inv(T), which transforms
        points from A to B.

    Raises
    ------
    ArrayShapeError
        If `T` does not hold poses.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import pose, xlt
    >>> np.array_equal(pose_to_transform(pose(np.eye(3), [1, 2, 3])), xlt([1, 2, 3]))
    True
    """
    T = as_pose(T, "pose_to_transform: T")
    return transform_from(namespace(T).matrix_transpose(T[..., :3, :3]), T[..., :3, 3])
