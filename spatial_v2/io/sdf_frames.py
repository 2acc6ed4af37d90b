"""Poses of the frames of an SDF file, and the links to which they are fixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from spatial_v2.files.wording import listed
from spatial_v2.io.sdf_xml import SdfJoint, SdfPose, SdfRobot

__all__ = ["absolute", "axes_of", "link_of"]


def absolute(robot: SdfRobot, name: str, way: tuple[str, ...]) -> np.ndarray:
    """Compute the motion transform from the world to a frame; `way` has the names of frames that
    led to this one, so that circles are found.
    """
    X = np.eye(6)
    for pose in _chain(robot, name, way, "relative_to"):
        X = X @ pose.X
    return X


def link_of(robot: SdfRobot, name: str, way: tuple[str, ...]) -> str:
    """Return the name of the link to which a frame is fixed, or ``world``."""
    for pose in _chain(robot, name, way, "attached_to"):
        name = pose.attached_to
    return name


def _chain(
    robot: SdfRobot, name: str, way: tuple[str, ...], by: Literal["relative_to", "attached_to"]
) -> Iterator[SdfPose]:
    """Iterate over the frames from a given one to the world (`by` "relative_to"), or to the link to
    which it is fixed (`by` "attached_to").
    """
    seen = dict.fromkeys(way)
    last = robot.poses[way[-1]].element if way else robot.element
    while name != "world" and not (by == "attached_to" and name in robot.inertias):
        pose = robot.poses.get(name, robot.poses.get(f"{name}::__model__"))
        if name in seen:
            raise last.error(f"the frames {listed(list(seen))} refer to one another in a circle")
        if pose is None:
            raise last.error(f"{name!r} is an unknown frame")
        yield pose
        seen[name] = None
        name, last = getattr(pose, by), pose.element


def axes_of(robot: SdfRobot, X: dict[str, np.ndarray], joint: SdfJoint) -> list[np.ndarray]:
    """Return unit vectors along a joint's axes in joint coordinates.

    If an axis is given in a frame whose transform is not in X, the transform is added to X.
    """
    axes = []
    for axis in joint.axes:
        if axis.expressed_in not in X:
            X[axis.expressed_in] = absolute(robot, axis.expressed_in, (joint.name,))
        axes.append(X[joint.name][:3, :3] @ X[axis.expressed_in][:3, :3].T @ axis.xyz)
    return axes
