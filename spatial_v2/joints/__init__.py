"""Joint types: the joint table, and the functions `jcalc` and `jinfo`."""

from spatial_v2.joints.jcalc import jcalc
from spatial_v2.joints.jinfo import jinfo
from spatial_v2.joints.table import JOINT_TYPES, JointType, JointTypeLike, joint_type

__all__ = ["JOINT_TYPES", "JointType", "JointTypeLike", "jcalc", "jinfo", "joint_type"]
