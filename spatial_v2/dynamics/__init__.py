"""Dynamics: one algorithm per file, each with a reference implementation and a compiled kernel."""

from spatial_v2.dynamics.apply_external_forces import apply_external_forces
from spatial_v2.dynamics.bodyFrame_dyn import BodyFrame, bodyFrame_dyn
from spatial_v2.dynamics.BodyJacobian import BodyJacobian
from spatial_v2.dynamics.BodyJacobianTimeDerivative import BodyJacobianTimeDerivative
from spatial_v2.dynamics.CMM import CMM
from spatial_v2.dynamics.CMM_from_CRBA import CMM_from_CRBA
from spatial_v2.dynamics.CMMTimeDerivative import CMMTimeDerivative
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.EIDAmb import EIDAmb
from spatial_v2.dynamics.EnerMo import EnergyMomentum, EnerMo
from spatial_v2.dynamics.factorization import Factorization
from spatial_v2.dynamics.fbanim import fbanim
from spatial_v2.dynamics.fbkin import fbkin
from spatial_v2.dynamics.FDab import FDab
from spatial_v2.dynamics.FDcrb import FDcrb
from spatial_v2.dynamics.FDfb import FDfb, FDfbResult
from spatial_v2.dynamics.FDgq import FDgq
from spatial_v2.dynamics.floating_base_joints import (
    FloatingBaseJoints,
    FloatingBaseRates,
    floating_base_joints,
)
from spatial_v2.dynamics.floating_base_state import FloatingBaseState, floating_base_state
from spatial_v2.dynamics.forward_kinematics import BodyMotion, forward_kinematics
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.dynamics.GlobalDynamics import (
    GlobalDynamics,
    GlobalDynamicsInfo,
    GroundFrame,
)
from spatial_v2.dynamics.ground_kinematics import GroundKinematics, ground_kinematics
from spatial_v2.dynamics.HamiltonianDynamics import HamiltonianDynamics, HamiltonianRates
from spatial_v2.dynamics.HandC import HandC, HandCInfo, HandCResult
from spatial_v2.dynamics.HD import HD, HDResult
from spatial_v2.dynamics.Hinverse import Hinverse
from spatial_v2.dynamics.Hqd_and_CTqd import GeneralisedMomentum, Hqd_and_CTqd
from spatial_v2.dynamics.ID import ID, IDInfo
from spatial_v2.dynamics.ID_SlotineLi import ID_SlotineLi
from spatial_v2.dynamics.IDfb import IDfb, IDfbResult
from spatial_v2.dynamics.IMMAmb import IMMAmb
from spatial_v2.dynamics.weightless import weightless

__all__ = [
    "CMM",
    "CRBA",
    "HD",
    "ID",
    "BodyFrame",
    "BodyJacobian",
    "BodyJacobianTimeDerivative",
    "BodyMotion",
    "CMMTimeDerivative",
    "CMM_from_CRBA",
    "EIDAmb",
    "EnerMo",
    "EnergyMomentum",
    "FDab",
    "FDcrb",
    "FDfb",
    "FDfbResult",
    "FDgq",
    "Factorization",
    "FloatingBaseJoints",
    "FloatingBaseRates",
    "FloatingBaseState",
    "GeneralisedMomentum",
    "GlobalDynamics",
    "GlobalDynamicsInfo",
    "GroundFrame",
    "GroundKinematics",
    "HDResult",
    "HamiltonianDynamics",
    "HamiltonianRates",
    "HandC",
    "HandCInfo",
    "HandCResult",
    "Hinverse",
    "Hqd_and_CTqd",
    "IDInfo",
    "ID_SlotineLi",
    "IDfb",
    "IDfbResult",
    "IMMAmb",
    "apply_external_forces",
    "bodyFrame_dyn",
    "fbanim",
    "fbkin",
    "floating_base_joints",
    "floating_base_state",
    "forward_kinematics",
    "get_gravity",
    "ground_kinematics",
    "weightless",
]
