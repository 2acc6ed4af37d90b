"""Inertial parameters: MATLAB's folder ``inertia``.

A body has ten parameters, [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]; see `INERTIAL_PARAMETERS`.
"""

from spatial_v2.inertia.affineInvariantDistance import affineInvariantDistance
from spatial_v2.inertia.entropicDivergence import EntropicDivergence, entropicDivergence
from spatial_v2.inertia.inertiaMatToPinertia import inertiaMatToPinertia
from spatial_v2.inertia.inertiaMatToVec import inertiaMatToVec
from spatial_v2.inertia.inertiaVecToMat import inertiaVecToMat
from spatial_v2.inertia.inertiaVecToPinertia import inertiaVecToPinertia
from spatial_v2.inertia.logdetBregmanDivergence import logdetBregmanDivergence
from spatial_v2.inertia.model_parameters import (
    ModelInertialParams,
    getModelInertialParams,
    setModelInertialParams,
)
from spatial_v2.inertia.parameters import INERTIAL_PARAMETERS
from spatial_v2.inertia.pinertiaToVec import pinertiaToVec
from spatial_v2.inertia.pinocchio_order import inertiaVecToPinocchio, pinocchioToInertiaVec
from spatial_v2.inertia.pullbackMetric import pullbackMetric
from spatial_v2.inertia.urdf_order import inertiaVecToURDF, urdfToInertiaVec

__all__ = [
    "INERTIAL_PARAMETERS",
    "EntropicDivergence",
    "ModelInertialParams",
    "affineInvariantDistance",
    "entropicDivergence",
    "getModelInertialParams",
    "inertiaMatToPinertia",
    "inertiaMatToVec",
    "inertiaVecToMat",
    "inertiaVecToPinertia",
    "inertiaVecToPinocchio",
    "inertiaVecToURDF",
    "logdetBregmanDivergence",
    "pinertiaToVec",
    "pinocchioToInertiaVec",
    "pullbackMetric",
    "setModelInertialParams",
    "urdfToInertiaVec",
]
