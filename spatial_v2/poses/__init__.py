"""Poses: rotations R and homogeneous matrices T = [R p; 0 1], their exponentials and logarithms.

R rotates vectors from body to space coordinates, as `forward_kinematics` returns it and as robot
files, graphics and most other libraries write it: the columns of R are the axes of the body. It is
the transpose of the coordinate rotation E in a Plücker transform (`spatial_v2.three_d`).
"""

from spatial_v2.poses.exp3 import exp3
from spatial_v2.poses.exp6 import exp6
from spatial_v2.poses.log3 import log3
from spatial_v2.poses.log6 import log6
from spatial_v2.poses.pose import pose
from spatial_v2.poses.pose_error import pose_error
from spatial_v2.poses.pose_to_transform import pose_to_transform
from spatial_v2.poses.transform_to_pose import transform_to_pose

__all__ = [
    "exp3",
    "exp6",
    "log3",
    "log6",
    "pose",
    "pose_error",
    "pose_to_transform",
    "transform_to_pose",
]
