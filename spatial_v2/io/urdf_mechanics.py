"""Transforms, joint codes and inertias from the records of a URDF file, for all parts at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.io.urdf_xml import Origin, UrdfInertial, UrdfJoint
from spatial_v2.spatial import mcI, plux
from spatial_v2.three_d import rx, ry, rz
from spatial_v2.three_d.skew import cross_matrix

__all__ = ["frame_transforms", "joint_motions", "link_inertias"]


def frame_transforms(origins: Sequence[Origin]) -> np.ndarray:
    """Compute motion transforms (n, 6, 6) into frames with position xyz and angles rpy.

    The transform has E = (Rz(yaw) Ry(pitch) Rx(roll)).T and r = xyz.
    """
    roll, pitch, yaw = np.reshape([o.rpy for o in origins], (-1, 3)).T
    r = np.reshape([o.xyz for o in origins], (-1, 3))
    return np.asarray(plux(rx(roll) @ ry(pitch) @ rz(yaw), r))


def joint_motions(joints: Sequence[UrdfJoint]) -> tuple[list[list[str]], np.ndarray]:
    """Return, for each joint of the file, its joint codes and the rotation to its body frame.

    Returns
    -------
    codes : list of list of str
        One code for each joint; three for a planar and two for a universal joint, which become
        chains.
    E : (n, 3, 3) array
        Coordinate rotations from link to body frame. Each is the smallest rotation that maps the
        axis in the file to the closest coordinate axis, exactly the identity if they are equal.
    """
    a = np.reshape([joint.axis for joint in joints], (-1, 3))
    k = np.argmax(np.abs(a), axis=1)
    cos = np.max(np.abs(a), axis=1, initial=0)[:, None, None]
    closest = np.eye(3)[k] * np.where(a < 0, -1.0, 1.0)
    V = np.asarray(cross_matrix(np.cross(a, closest)))
    E = np.eye(3) + V + V @ V / (1 + cos)
    negative = closest.min(axis=1, initial=0) < 0
    return [_codes(j.type, *x) for j, *x in zip(joints, k.tolist(), negative, strict=True)], E


def _codes(kind: str, k: int, negative: bool) -> list[str]:
    axis = "xyz"[k] + ("-" if negative else "")
    if kind == "floating":
        return ["Fb"]
    if kind == "planar":
        return ["P" + "xyz"[k - 2], "P" + "xyz"[k - 1], "R" + axis]
    if kind == "spherical":
        return ["S"]
    if kind.startswith("universal"):
        return ["R" + kind[-2], "R" + kind[-1]]
    return [("P" if kind == "prismatic" else "R") + axis]


def link_inertias(inertials: Sequence[UrdfInertial]) -> np.ndarray:
    """Compute spatial inertias (n, 6, 6) in link coordinates.

    Each is X.T mcI(m, 0, I_C) X, where X is the transform from link to inertial frame.
    """
    X = frame_transforms([i.origin for i in inertials])
    m = np.array([i.mass for i in inertials])
    I_C = np.reshape([i.I_C for i in inertials], (-1, 3, 3))
    return np.asarray(np.swapaxes(X, 1, 2) @ mcI(m, np.zeros((len(m), 3)), I_C) @ X)
