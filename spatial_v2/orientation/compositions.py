"""Conversions between representations of rotations that are two of the elementary ones."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.orientation.angleAxisToQuat import angleAxisToQuat
from spatial_v2.orientation.angleAxisToRot import angleAxisToRot
from spatial_v2.orientation.cayleyToQuat import cayleyToQuat
from spatial_v2.orientation.mrpToQuat import mrpToQuat
from spatial_v2.orientation.quatToAngleAxis import quatToAngleAxis
from spatial_v2.orientation.quatToCayley import quatToCayley
from spatial_v2.orientation.quatToMRP import quatToMRP
from spatial_v2.orientation.quatToRot import quatToRot
from spatial_v2.orientation.representations import conversion
from spatial_v2.orientation.rotToQuat import rotToQuat
from spatial_v2.orientation.rotToRpy import rotToRpy
from spatial_v2.orientation.rpyToQuat import rpyToQuat
from spatial_v2.orientation.rpyToRot import rpyToRot

__all__ = [
    "angleAxisToCayley",
    "angleAxisToMRP",
    "angleAxisToRpy",
    "cayleyToAngleAxis",
    "cayleyToMRP",
    "cayleyToRot",
    "cayleyToRpy",
    "mrpToAngleAxis",
    "mrpToCayley",
    "mrpToRot",
    "mrpToRpy",
    "quatToRpy",
    "rotToCayley",
    "rotToMRP",
    "rpyToAngleAxis",
    "rpyToCayley",
    "rpyToMRP",
]


@conversion
def rotToCayley(R: Any) -> Array:
    """The Cayley vector of a rotation matrix (MATLAB ``rotToCayley``)."""
    return quatToCayley(rotToQuat(R))


@conversion
def rotToMRP(R: Any) -> Array:
    """The modified Rodrigues parameters of a rotation matrix (MATLAB ``rotToMRP``)."""
    return quatToMRP(rotToQuat(R))


@conversion
def quatToRpy(q: Any) -> Array:
    """Roll, pitch and yaw of a quaternion (MATLAB ``quatToRpy``)."""
    return rotToRpy(quatToRot(q))


@conversion
def angleAxisToRpy(phi: Any) -> Array:
    """Roll, pitch and yaw of an angle times an axis (MATLAB ``angleAxisToRpy``)."""
    return rotToRpy(angleAxisToRot(phi))


@conversion
def angleAxisToCayley(phi: Any) -> Array:
    """The Cayley vector of an angle times an axis (MATLAB ``angleAxisToCayley``)."""
    return quatToCayley(angleAxisToQuat(phi))


@conversion
def angleAxisToMRP(phi: Any) -> Array:
    """The modified Rodrigues parameters of an angle times an axis (MATLAB ``angleAxisToMRP``)."""
    return quatToMRP(angleAxisToQuat(phi))


@conversion
def rpyToAngleAxis(rpy: Any) -> Array:
    """Angle times axis of roll, pitch and yaw (MATLAB ``rpyToAngleAxis``)."""
    return quatToAngleAxis(rpyToQuat(rpy))


@conversion
def rpyToCayley(rpy: Any) -> Array:
    """The Cayley vector of roll, pitch and yaw (MATLAB ``rpyToCayley``)."""
    return quatToCayley(rpyToQuat(rpy))


@conversion
def rpyToMRP(rpy: Any) -> Array:
    """The modified Rodrigues parameters of roll, pitch and yaw (MATLAB ``rpyToMRP``)."""
    return rotToMRP(rpyToRot(rpy))


@conversion
def cayleyToRot(c: Any, n: int = 1) -> Array:
    """The rotation matrix of a Cayley vector (MATLAB ``cayleyToRot``)."""
    return quatToRot(cayleyToQuat(c, n))


@conversion
def cayleyToAngleAxis(c: Any, n: int = 1) -> Array:
    """Angle times axis of a Cayley vector (MATLAB ``cayleyToAngleAxis``)."""
    return quatToAngleAxis(cayleyToQuat(c, n))


@conversion
def cayleyToRpy(c: Any, n: int = 1) -> Array:
    """Roll, pitch and yaw of a Cayley vector (MATLAB ``cayleyToRpy``)."""
    return rotToRpy(cayleyToRot(c, n))


@conversion
def cayleyToMRP(c: Any, n: int = 1) -> Array:
    """The modified Rodrigues parameters of a Cayley vector (MATLAB ``cayleyToMRP``)."""
    return quatToMRP(cayleyToQuat(c, n))


@conversion
def mrpToRot(mrp: Any) -> Array:
    """The rotation matrix of modified Rodrigues parameters (MATLAB ``mrpToRot``)."""
    return quatToRot(mrpToQuat(mrp))


@conversion
def mrpToAngleAxis(mrp: Any) -> Array:
    """Angle times axis of modified Rodrigues parameters (MATLAB ``mrpToAngleAxis``)."""
    return quatToAngleAxis(mrpToQuat(mrp))


@conversion
def mrpToRpy(mrp: Any) -> Array:
    """Roll, pitch and yaw of modified Rodrigues parameters (MATLAB ``mrpToRpy``)."""
    return rotToRpy(mrpToRot(mrp))


@conversion
def mrpToCayley(mrp: Any) -> Array:
    """The Cayley vector of modified Rodrigues parameters (MATLAB ``mrpToCayley``)."""
    return quatToCayley(mrpToQuat(mrp))
