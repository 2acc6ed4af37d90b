"""Quantities for controllers: gravity forces, Jacobian of the centre of mass, manipulability,
inertia in operational space, inverse kinematics of several tasks, linear-quadratic regulators,
profiles of motions, quadratic programs of whole-body controllers.
"""

import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from spatial_v2.tasks.AccelerationTask import AccelerationTask
from spatial_v2.tasks.centre_of_mass_jacobian import centre_of_mass_jacobian
from spatial_v2.tasks.CentreOfMassTask import CentreOfMassTask
from spatial_v2.tasks.cubic_motion import cubic_motion
from spatial_v2.tasks.differential_inverse_kinematics import differential_inverse_kinematics
from spatial_v2.tasks.dlqr import dlqr
from spatial_v2.tasks.gravity_forces import gravity_forces
from spatial_v2.tasks.inverse_kinematics_of_tasks import (
    TaskKinematics,
    inverse_kinematics_of_tasks,
)
from spatial_v2.tasks.LookAtTask import LookAtTask
from spatial_v2.tasks.lqr import Regulator, lqr
from spatial_v2.tasks.manipulability import manipulability
from spatial_v2.tasks.manipulability_derivatives import (
    ManipulabilityDerivatives,
    manipulability_derivatives,
)
from spatial_v2.tasks.operational_space_inertia import operational_space_inertia
from spatial_v2.tasks.PoseTask import PoseTask
from spatial_v2.tasks.PostureTask import PostureTask
from spatial_v2.tasks.profiles import Motion, MotionAt
from spatial_v2.tasks.quintic_motion import quintic_motion
from spatial_v2.tasks.trapezoidal_motion import trapezoidal_motion
from spatial_v2.tasks.whole_body_problem import WholeBodyProblem, whole_body_problem

__all__ = [
    "AccelerationTask",
    "CentreOfMassTask",
    "LookAtTask",
    "ManipulabilityDerivatives",
    "Motion",
    "MotionAt",
    "PoseTask",
    "PostureTask",
    "Regulator",
    "TaskKinematics",
    "WholeBodyProblem",
    "centre_of_mass_jacobian",
    "cubic_motion",
    "differential_inverse_kinematics",
    "dlqr",
    "gravity_forces",
    "inverse_kinematics_of_tasks",
    "lqr",
    "manipulability",
    "manipulability_derivatives",
    "operational_space_inertia",
    "quintic_motion",
    "trapezoidal_motion",
    "whole_body_problem",
]
