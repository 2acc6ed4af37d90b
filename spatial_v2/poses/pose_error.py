"""The motion that brings a pose to its target."""

from __future__ import annotations

from typing import Any, Literal

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import check_leads
from spatial_v2.exceptions import SpatialError
from spatial_v2.poses.log3 import log3
from spatial_v2.poses.log6 import log6
from spatial_v2.poses.pose import as_pose, inverse_pose

__all__ = ["pose_error"]


def pose_error(T: Any, T_target: Any, *, axes: Literal["body", "base", "mixed"] = "body") -> Array:
    """Compute the motion that brings a pose to its target: the error of a controller.

    Parameters
    ----------
    T, T_target : array, shape (..., 4, 4)
        Poses [R p; 0 1] of the frame and of the target, with R from body to space coordinates, as
        `forward_kinematics` returns it.
    axes : {"body", "base", "mixed"}, optional
        Coordinates of the result, as for `FrameJacobian`: those of the frame, those of the base, or
        axes of the base at the origin of the frame.

    Returns
    -------
    array, shape (..., 6)
        Rotation first [rad, m]. In "body" and "base" coordinates the twist of the screw from pose
        to target; in "mixed" axes the rotation vector from R to its target and the displacement
        ``p_target - p``. All vanish at the target.

    Raises
    ------
    ArrayShapeError
        An argument that does not hold poses.
    SpatialError
        Unknown axes.

    Notes
    -----
    ``log6(inv(T) T_target)``, ``log6(T_target inv(T))``, ``[log3(R_target R^T); p_target - p]``.
    With J the `FrameJacobian` in the same axes, ``tau = J^T K e`` with a positive K is a spring
    that pulls the frame to its target, and ``qd = pinv(J) e`` moves it there.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import exp3, pose
    >>> turned = pose(exp3([0, 0, np.pi / 2]), [1.0, 0, 0])
    >>> target = pose(exp3([0, 0, np.pi / 2]), [3.0, 0, 0])
    >>> pose_error(turned, target, axes="mixed").round(3) + 0.0
    array([0., 0., 0., 2., 0., 0.])
    >>> pose_error(turned, target, axes="body").round(3) + 0.0
    array([ 0.,  0.,  0.,  0., -2.,  0.])
    """
    if axes not in ("body", "base", "mixed"):
        raise SpatialError(f"axes: want 'body', 'base' or 'mixed', got {axes!r}")
    T, to = alike(as_pose(T, "pose_error: T"), as_pose(T_target, "pose_error: T_target"))
    check_leads("pose_error", T=T.shape[:-2], T_target=to.shape[:-2])
    if axes == "body":
        return log6(inverse_pose(T) @ to)
    if axes == "base":
        return log6(to @ inverse_pose(T))
    xp = namespace(T)
    turn = log3(to[..., :3, :3] @ xp.matrix_transpose(T[..., :3, :3]))
    return xp.concat([turn, to[..., :3, 3] - T[..., :3, 3]], axis=-1)
