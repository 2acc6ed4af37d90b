"""Poses of frames, from the Plücker transforms to these."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.poses.pose import homogeneous
from spatial_v2.spatial import transform_parts

__all__ = ["transform_to_pose"]


def transform_to_pose(X: Any) -> Array:
    """Convert the Plücker transform to a frame to the pose T = [R p; 0 1] of this frame.

    Parameters
    ----------
    X : array, shape (..., 6, 6)
        Transforms of motion vectors from A to B, such as ``forward_kinematics(model, q).X0``.

    Returns
    -------
    array, shape (..., 4, 4)
        Poses of frame B in A: R from B to A coordinates, p the origin of B in A.

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 matrices.

    Examples
    --------
    >>> from spatial_v2 import xlt
    >>> transform_to_pose(xlt([1, 2, 3]))[:3, 3]
    array([1., 2., 3.])
    """
    E, r = transform_parts(as_matrix(X, "transform_to_pose: X", 6))
    return homogeneous(namespace(E).matrix_transpose(E), r)
