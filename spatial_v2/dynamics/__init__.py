"""Dynamics: one algorithm a page, with a compiled kernel behind it."""

from spatial_v2.dynamics.apply_external_forces import apply_external_forces
from spatial_v2.dynamics.FDab import FDab
from spatial_v2.dynamics.forward_kinematics import BodyMotion, forward_kinematics
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics, GroundFrame
from spatial_v2.dynamics.HandC import HandC, HandCInfo, HandCResult
from spatial_v2.dynamics.Hinverse import Hinverse
from spatial_v2.dynamics.ID import ID, IDInfo
from spatial_v2.dynamics.weightless import weightless

__all__ = [
    "ID",
    "BodyMotion",
    "FDab",
    "GlobalDynamics",
    "GroundFrame",
    "HandC",
    "HandCInfo",
    "HandCResult",
    "Hinverse",
    "IDInfo",
    "apply_external_forces",
    "forward_kinematics",
    "get_gravity",
    "weightless",
]
