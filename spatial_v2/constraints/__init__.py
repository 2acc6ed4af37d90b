"""Constraints: contacts, loops, impacts; their rows, and dynamics under them."""

from spatial_v2.constraints.ConstraintSet import Constraint, ConstraintSet
from spatial_v2.constraints.FrameConstraint import FrameConstraint
from spatial_v2.constraints.KKT_FD import KKT_FD, ConstrainedAcceleration
from spatial_v2.constraints.PointConstraint import PointConstraint

__all__ = [
    "Constraint",
    "ConstraintSet",
    "ConstrainedAcceleration",
    "FrameConstraint",
    "KKT_FD",
    "PointConstraint",
]
