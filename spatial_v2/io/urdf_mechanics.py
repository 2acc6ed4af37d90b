"""From the records of a URDF file to transforms, joint codes and inertias, all at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.io.urdf_xml import Origin, UrdfInertial, UrdfJoint
from spatial_v2.spatial import mcI, plux
from spatial_v2.three_d import rx, ry, rz
from spatial_v2.three_d.skew import cross_matrix

__all__ = ["frame_transforms", "is_impossible", "joint_motions", "link_inertias"]


def frame_transforms(origins: Sequence[Origin]) -> np.ndarray:
    """Motion transforms (n, 6, 6) into frames: E = (Rz(yaw) Ry(pitch) Rx(roll)).T, r = xyz."""
    roll, pitch, yaw = np.reshape([o.rpy for o in origins], (-1, 3)).T
    r = np.reshape([o.xyz for o in origins], (-1, 3))
    return np.asarray(plux(rx(roll) @ ry(pitch) @ rz(yaw), r))


def joint_motions(joints: Sequence[UrdfJoint]) -> tuple[list[list[str]], np.ndarray]:
    """Codes of the joint, or chain of joints, that makes each motion, and the frame it is made in.

    Returns
    -------
    codes : list of list of str
        One code a joint; three for a planar joint.
    E : (n, 3, 3) array
        Coordinate rotations from link to body frame. Each maps the axis of the file into the
        closest coordinate axis by the smallest rotation, and is exactly 1 if the two are equal.
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
    return [("P" if kind == "prismatic" else "R") + axis]


def link_inertias(inertials: Sequence[UrdfInertial]) -> np.ndarray:
    """Spatial inertias (n, 6, 6) in link coordinates: X.T mcI(m, 0, I_C) X, X to inertial frame."""
    X = frame_transforms([i.origin for i in inertials])
    m = np.array([i.mass for i in inertials])
    I_C = np.reshape([i.I_C for i in inertials], (-1, 3, 3))
    return np.asarray(np.swapaxes(X, 1, 2) @ mcI(m, np.zeros((len(m), 3)), I_C) @ X)


def is_impossible(inertials: Sequence[UrdfInertial]) -> np.ndarray:
    """Return whether a principal moment exceeds the sum of the other two, or is negative: (n,)."""
    moments = np.linalg.eigvalsh(np.reshape([i.I_C for i in inertials], (-1, 3, 3)))
    excess = 2 * moments[:, 2] - moments.sum(axis=1)
    return np.asarray(excess > 1e-6 * np.abs(moments).max(axis=1))
