"""Constraints: contacts, closed loops, impacts; their Jacobians, and dynamics under constraints."""

from spatial_v2.constraints.actuation_forces import ActuationForces, actuation_forces
from spatial_v2.constraints.constraint_bias import constraint_bias
from spatial_v2.constraints.constraint_derivatives import (
    ConstraintDerivatives,
    constraint_derivatives,
)
from spatial_v2.constraints.constraint_jacobian import constraint_jacobian
from spatial_v2.constraints.constraint_SO_derivatives import (
    ConstraintSODerivatives,
    constraint_SO_derivatives,
)
from spatial_v2.constraints.constraint_velocity import constraint_velocity
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.DistanceConstraint import DistanceConstraint
from spatial_v2.constraints.FrameConstraint import FrameConstraint
from spatial_v2.constraints.Impact_dyn import Impact, Impact_dyn
from spatial_v2.constraints.KKT_FD import KKT_FD, ConstrainedAcceleration
from spatial_v2.constraints.KKT_ID import KKT_ID
from spatial_v2.constraints.loop_constraints import loop_constraints
from spatial_v2.constraints.named import (
    ball_loop,
    hinge_loop,
    point_contact,
    surface_contact,
    weld,
)
from spatial_v2.constraints.PointConstraint import PointConstraint
from spatial_v2.constraints.position_error import position_error
from spatial_v2.constraints.project_configuration import (
    ProjectedConfiguration,
    project_configuration,
)
from spatial_v2.constraints.project_velocity import project_velocity

__all__ = [
    "KKT_FD",
    "KKT_ID",
    "ActuationForces",
    "ConstrainedAcceleration",
    "ConstraintDerivatives",
    "ConstraintSODerivatives",
    "ConstraintSet",
    "DistanceConstraint",
    "FrameConstraint",
    "Impact",
    "Impact_dyn",
    "PointConstraint",
    "ProjectedConfiguration",
    "actuation_forces",
    "ball_loop",
    "constraint_SO_derivatives",
    "constraint_bias",
    "constraint_derivatives",
    "constraint_jacobian",
    "constraint_velocity",
    "hinge_loop",
    "loop_constraints",
    "point_contact",
    "position_error",
    "project_configuration",
    "project_velocity",
    "surface_contact",
    "weld",
]
