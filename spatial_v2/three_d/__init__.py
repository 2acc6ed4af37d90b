"""Rotations in three dimensions: MATLAB's folder ``3D``, with a name for each direction.

Every rotation matrix here is a *coordinate* rotation E, as in Featherstone's book: it transforms
coordinates in frame A to coordinates in frame B, and is the transpose of the matrix that rotates A
into B. Quaternions are [w, x, y, z].
"""

from spatial_v2.three_d.inv_skew import inv_skew
from spatial_v2.three_d.rq import quaternion_to_rotation, rotation_to_quaternion, rq
from spatial_v2.three_d.rqd import quaternion_rate_body, quaternion_rate_reference, rqd
from spatial_v2.three_d.rv import rotation_to_rotation_vector, rotation_vector_to_rotation, rv
from spatial_v2.three_d.rx import rx
from spatial_v2.three_d.ry import ry
from spatial_v2.three_d.rz import rz
from spatial_v2.three_d.se3toVec import se3toVec
from spatial_v2.three_d.skew import cross_matrix, skew
from spatial_v2.three_d.vecTose3 import vecTose3

__all__ = [
    "cross_matrix",
    "inv_skew",
    "quaternion_rate_body",
    "quaternion_rate_reference",
    "quaternion_to_rotation",
    "rotation_to_quaternion",
    "rotation_to_rotation_vector",
    "rotation_vector_to_rotation",
    "rq",
    "rqd",
    "rv",
    "rx",
    "ry",
    "rz",
    "se3toVec",
    "skew",
    "vecTose3",
]
