"""Utilities: random and symbolic quantities of MATLAB's folder ``utility``."""

from spatial_v2.utility.random_matrices import (
    randomInertia,
    randomInertialParams,
    randomPinertia,
    randomPositiveDefinite,
    randomSkew,
    randomSymmetric,
)
from spatial_v2.utility.random_motions import (
    random_se3,
    randomAdSE3,
    randomQuat,
    randomRotation,
    randomSE3,
)
from spatial_v2.utility.rightJacobianOfExp import rightJacobianOfExp
from spatial_v2.utility.symbolicCartesian import symbolicCartesian
from spatial_v2.utility.symbolicForce import symbolicForce
from spatial_v2.utility.symbolicInertia import symbolicInertia
from spatial_v2.utility.symbolicInertialParams import symbolicInertialParams
from spatial_v2.utility.symbolicStruct import symbolicStruct
from spatial_v2.utility.symbolicVelocity import symbolicVelocity

__all__ = [
    "randomAdSE3",
    "randomInertia",
    "randomInertialParams",
    "randomPinertia",
    "randomPositiveDefinite",
    "randomQuat",
    "randomRotation",
    "randomSE3",
    "randomSkew",
    "randomSymmetric",
    "random_se3",
    "rightJacobianOfExp",
    "symbolicCartesian",
    "symbolicForce",
    "symbolicInertia",
    "symbolicInertialParams",
    "symbolicStruct",
    "symbolicVelocity",
]
