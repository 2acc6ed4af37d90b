"""Spatial and planar vector algebra: MATLAB's folder ``spatial``, with a name for each direction.

Motion vectors are [angular; linear], force vectors [couple; force]. X takes motion coordinates
from frame A to frame B; forces return with its transpose. Six rows are spatial, three planar.
"""

from spatial_v2.spatial.AdjointToSE3 import AdjointToSE3
from spatial_v2.spatial.crf import crf
from spatial_v2.spatial.crm import crm, motion_cross_matrix
from spatial_v2.spatial.crmExtract import crmExtract
from spatial_v2.spatial.factorFunctions import factorFunctions
from spatial_v2.spatial.Fpt import Fpt
from spatial_v2.spatial.icrf import icrf
from spatial_v2.spatial.mcI import InertiaParts, inertia_from, inertia_parts, mcI
from spatial_v2.spatial.plnr import (
    PlanarTransformParts,
    planar_transform_from,
    planar_transform_parts,
    plnr,
)
from spatial_v2.spatial.pluho import homogeneous_to_transform, pluho, transform_to_homogeneous
from spatial_v2.spatial.plux import TransformParts, plux, transform_from, transform_parts
from spatial_v2.spatial.rotx import rotx
from spatial_v2.spatial.roty import roty
from spatial_v2.spatial.rotz import rotz
from spatial_v2.spatial.SE3toAdjoint import SE3toAdjoint
from spatial_v2.spatial.Vpt import Vpt
from spatial_v2.spatial.xlt import xlt
from spatial_v2.spatial.Xpt import Xpt
from spatial_v2.spatial.XtoV import XtoV

__all__ = [
    "AdjointToSE3",
    "Fpt",
    "InertiaParts",
    "PlanarTransformParts",
    "SE3toAdjoint",
    "TransformParts",
    "Vpt",
    "Xpt",
    "XtoV",
    "crf",
    "crm",
    "crmExtract",
    "factorFunctions",
    "homogeneous_to_transform",
    "icrf",
    "inertia_from",
    "inertia_parts",
    "mcI",
    "motion_cross_matrix",
    "planar_transform_from",
    "planar_transform_parts",
    "plnr",
    "pluho",
    "plux",
    "rotx",
    "roty",
    "rotz",
    "transform_from",
    "transform_parts",
    "transform_to_homogeneous",
    "xlt",
]
