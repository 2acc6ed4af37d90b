"""Orientation: MATLAB's folder ``orientation_tools``.

Six representations of a rotation, conversions between every two of them, products and rates.
Rotation matrices R here are *active*, from body to space coordinates: ``Rx(t) = rx(t)^T``, and
`quatToRot` is the transpose of `rq`. Quaternions, angles and axes are the same as in
`spatial_v2.three_d`.
"""

from spatial_v2.orientation.angleAxisRateLeft import angleAxisRateLeft
from spatial_v2.orientation.angleAxisRateRight import angleAxisRateRight
from spatial_v2.orientation.angleAxisToAngleAndAxis import AngleAndAxis, angleAxisToAngleAndAxis
from spatial_v2.orientation.angleAxisToQuat import angleAxisToQuat
from spatial_v2.orientation.angleAxisToRot import angleAxisToRot
from spatial_v2.orientation.cayleyProduct import cayleyProduct
from spatial_v2.orientation.cayleyRateLeft import cayleyRateLeft
from spatial_v2.orientation.cayleyRateRight import cayleyRateRight
from spatial_v2.orientation.cayleyToQuat import cayleyToQuat
from spatial_v2.orientation.compositions import (
    angleAxisToCayley,
    angleAxisToMRP,
    angleAxisToRpy,
    cayleyToAngleAxis,
    cayleyToMRP,
    cayleyToRot,
    cayleyToRpy,
    mrpToAngleAxis,
    mrpToCayley,
    mrpToRot,
    mrpToRpy,
    quatToRpy,
    rotToCayley,
    rotToMRP,
    rpyToAngleAxis,
    rpyToCayley,
    rpyToMRP,
)
from spatial_v2.orientation.elementary import Rx, Ry, Rz
from spatial_v2.orientation.isEqualModSign import isEqualModSign
from spatial_v2.orientation.mrpProduct import mrpProduct
from spatial_v2.orientation.mrpRateLeft import mrpRateLeft
from spatial_v2.orientation.mrpRateRight import mrpRateRight
from spatial_v2.orientation.mrpShadow import mrpShadow
from spatial_v2.orientation.mrpToQuat import mrpToQuat
from spatial_v2.orientation.quatConj import quatConj
from spatial_v2.orientation.quatL import quatL
from spatial_v2.orientation.quatProduct import quatProduct
from spatial_v2.orientation.quatR import quatR
from spatial_v2.orientation.quatRateLeft import quatRateLeft
from spatial_v2.orientation.quatRateRight import quatRateRight
from spatial_v2.orientation.quatToAngleAxis import quatToAngleAxis
from spatial_v2.orientation.quatToCayley import quatToCayley
from spatial_v2.orientation.quatToMRP import quatToMRP
from spatial_v2.orientation.quatToRot import quatToRot
from spatial_v2.orientation.quatToSU2 import quatToSU2
from spatial_v2.orientation.rotToAngleAxis import rotToAngleAxis
from spatial_v2.orientation.rotToEulerAngles import EulerAngles, rotToEulerAngles
from spatial_v2.orientation.rotToFixedAngles import rotToFixedAngles
from spatial_v2.orientation.rotToQuat import rotToQuat
from spatial_v2.orientation.rotToRpy import rotToRpy
from spatial_v2.orientation.rpyToQuat import rpyToQuat
from spatial_v2.orientation.rpyToRot import rpyToRot
from spatial_v2.orientation.SU2toQuat import SU2toQuat

__all__ = [
    "AngleAndAxis",
    "EulerAngles",
    "Rx",
    "Ry",
    "Rz",
    "SU2toQuat",
    "angleAxisRateLeft",
    "angleAxisRateRight",
    "angleAxisToAngleAndAxis",
    "angleAxisToCayley",
    "angleAxisToMRP",
    "angleAxisToQuat",
    "angleAxisToRot",
    "angleAxisToRpy",
    "cayleyProduct",
    "cayleyRateLeft",
    "cayleyRateRight",
    "cayleyToAngleAxis",
    "cayleyToMRP",
    "cayleyToQuat",
    "cayleyToRot",
    "cayleyToRpy",
    "isEqualModSign",
    "mrpProduct",
    "mrpRateLeft",
    "mrpRateRight",
    "mrpShadow",
    "mrpToAngleAxis",
    "mrpToCayley",
    "mrpToQuat",
    "mrpToRot",
    "mrpToRpy",
    "quatConj",
    "quatL",
    "quatProduct",
    "quatR",
    "quatRateLeft",
    "quatRateRight",
    "quatToAngleAxis",
    "quatToCayley",
    "quatToMRP",
    "quatToRot",
    "quatToRpy",
    "quatToSU2",
    "rotToAngleAxis",
    "rotToCayley",
    "rotToEulerAngles",
    "rotToFixedAngles",
    "rotToMRP",
    "rotToQuat",
    "rotToRpy",
    "rpyToAngleAxis",
    "rpyToCayley",
    "rpyToMRP",
    "rpyToQuat",
    "rpyToRot",
]
