"""From the records of a URDF file to transforms, joint codes and inertias."""

from __future__ import annotations

import warnings

import numpy as np

from spatial_v2.exceptions import InertiaWarning
from spatial_v2.io.urdf_xml import Origin, UrdfInertial, UrdfJoint
from spatial_v2.spatial import mcI, plux
from spatial_v2.three_d import rx, ry, rz, skew

__all__ = ["frame_transform", "joint_motion", "link_inertia"]


def frame_transform(origin: Origin) -> np.ndarray:
    """Motion transform (6, 6) into a frame: E = (Rz(yaw) Ry(pitch) Rx(roll)).T, r = xyz."""
    roll, pitch, yaw = origin.rpy
    return np.asarray(plux(rx(roll) @ ry(pitch) @ rz(yaw), origin.xyz))


def joint_motion(joint: UrdfJoint) -> tuple[list[str], np.ndarray]:
    """Codes of the joint, or chain of joints, that makes the motion, and the frame it is made in.

    Returns
    -------
    codes : list of str
        One code; three for a planar joint.
    E : (3, 3) array
        Coordinate rotation from link to body frame. It maps the axis of the file into the closest
        coordinate axis by the smallest rotation, and is exactly 1 if the two are equal.
    """
    if joint.type == "floating":
        return ["Fb"], np.eye(3)
    a = joint.axis
    k = int(np.argmax(np.abs(a)))
    sign = np.sign(a[k])
    V = skew(skew(a) @ (sign * np.eye(3)[k]))
    E = np.eye(3) + V + V @ V / (1 + sign * a[k])
    axis = "xyz"[k] + ("-" if sign < 0 else "")
    if joint.type == "planar":
        return ["P" + "xyz"[k - 2], "P" + "xyz"[k - 1], "R" + axis], E
    return [("P" if joint.type == "prismatic" else "R") + axis], E


def link_inertia(inertial: UrdfInertial) -> np.ndarray:
    """Spatial inertia (6, 6) in link coordinates: X.T mcI(m, 0, I_C) X, X to the inertial frame.

    Warns
    -----
    InertiaWarning
        A principal moment exceeds the sum of the other two, or is negative.
    """
    moments = np.linalg.eigvalsh(inertial.I_C)
    if 2 * moments[2] - moments.sum() > 1e-6 * np.abs(moments).max():
        warnings.warn(
            f"{inertial.element.error('').args[0]}the principal moments "
            f"{', '.join(f'{m:.4g}' for m in moments)} of <inertia> belong to no distribution of "
            "positive mass (each is at most the sum of the other two); kept as given",
            InertiaWarning,
            stacklevel=3,
        )
    X = frame_transform(inertial.origin)
    return np.asarray(X.T @ mcI(inertial.mass, np.zeros(3), inertial.I_C) @ X)
