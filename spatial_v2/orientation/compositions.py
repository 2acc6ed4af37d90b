"""Conversions between representations of rotations, composed of two other conversions."""

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
    """Convert a rotation matrix to a Cayley vector (MATLAB ``rotToCayley``)."""
    return quatToCayley(rotToQuat(R))


@conversion
def rotToMRP(R: Any) -> Array:
    """Convert a rotation matrix to modified Rodrigues parameters (MATLAB ``rotToMRP``)."""
    return quatToMRP(rotToQuat(R))


@conversion
def quatToRpy(q: Any) -> Array:
    """Convert a quaternion to roll, pitch and yaw (MATLAB ``quatToRpy``)."""
    return rotToRpy(quatToRot(q))


@conversion
def angleAxisToRpy(phi: Any) -> Array:
    """Convert angle times axis to roll, pitch and yaw (MATLAB ``angleAxisToRpy``)."""
    return rotToRpy(angleAxisToRot(phi))


@conversion
def angleAxisToCayley(phi: Any) -> Array:
    """Convert angle times axis to a Cayley vector (MATLAB ``angleAxisToCayley``)."""
    return quatToCayley(angleAxisToQuat(phi))


@conversion
def angleAxisToMRP(phi: Any) -> Array:
    """Convert angle times axis to modified Rodrigues parameters (MATLAB ``angleAxisToMRP``)."""
    return quatToMRP(angleAxisToQuat(phi))


@conversion
def rpyToAngleAxis(rpy: Any) -> Array:
    """Convert roll, pitch and yaw to angle times axis (MATLAB ``rpyToAngleAxis``)."""
    return quatToAngleAxis(rpyToQuat(rpy))


@conversion
def rpyToCayley(rpy: Any) -> Array:
    """Convert roll, pitch and yaw to a Cayley vector (MATLAB ``rpyToCayley``)."""
    return quatToCayley(rpyToQuat(rpy))


@conversion
def rpyToMRP(rpy: Any) -> Array:
    """Convert roll, pitch and yaw to modified Rodrigues parameters (MATLAB ``rpyToMRP``)."""
    return rotToMRP(rpyToRot(rpy))


@conversion
def cayleyToRot(c: Any, n: int = 1) -> Array:
    """Convert a Cayley vector to a rotation matrix (MATLAB ``cayleyToRot``)."""
    return quatToRot(cayleyToQuat(c, n))


@conversion
def cayleyToAngleAxis(c: Any, n: int = 1) -> Array:
    """Convert a Cayley vector to angle times axis (MATLAB ``cayleyToAngleAxis``)."""
    return quatToAngleAxis(cayleyToQuat(c, n))


@conversion
def cayleyToRpy(c: Any, n: int = 1) -> Array:
    """Convert a Cayley vector to roll, pitch and yaw (MATLAB ``cayleyToRpy``)."""
    return rotToRpy(cayleyToRot(c, n))


@conversion
def cayleyToMRP(c: Any, n: int = 1) -> Array:
    """Convert a Cayley vector to modified Rodrigues parameters (MATLAB ``cayleyToMRP``)."""
    return quatToMRP(cayleyToQuat(c, n))


@conversion
def mrpToRot(mrp: Any) -> Array:
    """Convert modified Rodrigues parameters to a rotation matrix (MATLAB ``mrpToRot``)."""
    return quatToRot(mrpToQuat(mrp))


@conversion
def mrpToAngleAxis(mrp: Any) -> Array:
    """Convert modified Rodrigues parameters to angle times axis (MATLAB ``mrpToAngleAxis``)."""
    return quatToAngleAxis(mrpToQuat(mrp))


@conversion
def mrpToRpy(mrp: Any) -> Array:
    """Convert modified Rodrigues parameters to roll, pitch and yaw (MATLAB ``mrpToRpy``)."""
    return rotToRpy(mrpToRot(mrp))


@conversion
def mrpToCayley(mrp: Any) -> Array:
    """Convert modified Rodrigues parameters to a Cayley vector (MATLAB ``mrpToCayley``)."""
    return quatToCayley(mrpToQuat(mrp))
