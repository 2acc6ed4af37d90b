"""Frames fixed in bodies: motion, Jacobians, and inverse kinematics."""

from spatial_v2.frames.frame_acceleration import frame_acceleration
from spatial_v2.frames.frame_velocity import frame_velocity
from spatial_v2.frames.FrameJacobian import FrameJacobian
from spatial_v2.frames.FrameJacobianTimeDerivative import FrameJacobianTimeDerivative
from spatial_v2.frames.inverse_kinematics import InverseKinematics, inverse_kinematics

__all__ = [
    "FrameJacobian",
    "FrameJacobianTimeDerivative",
    "InverseKinematics",
    "frame_acceleration",
    "frame_velocity",
    "inverse_kinematics",
]
