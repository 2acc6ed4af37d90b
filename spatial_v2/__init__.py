"""Spatial vector algebra and rigid-body dynamics: the functions of MATLAB's spatial_v2."""

from spatial_v2.configuration import *
from spatial_v2.dynamics import *
from spatial_v2.dynamics import FDab as ABA
from spatial_v2.dynamics import HandC as CRBA
from spatial_v2.dynamics import ID as RNEA
from spatial_v2.exceptions import (
    ArrayShapeError,
    InertiaWarning,
    JointTypeError,
    ModelError,
    ModelFileError,
    SpatialError,
)
from spatial_v2.io import load_model, load_urdf, model_names
from spatial_v2.joints import JOINT_TYPES, jcalc, jinfo
from spatial_v2.model import Model
from spatial_v2.models import *
from spatial_v2.spatial import *
from spatial_v2.three_d import *
