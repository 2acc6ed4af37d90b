"""Reading the elements of a URDF file into plain, checked records.

Source: the URDF XML specification, https://wiki.ros.org/urdf/XML.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from spatial_v2.exceptions import LoaderWarning, ModelFileError
from spatial_v2.files.path_name import path_name
from spatial_v2.files.wording import listed
from spatial_v2.io.robot_data import UNLIMITED, JointLimits, Mimic
from spatial_v2.io.urdf_angles import roll_pitch_yaw
from spatial_v2.io.xacro_file import expand_xacro
from spatial_v2.io.xml_element import XmlElement
from spatial_v2.three_d import rq

__all__ = ["URDF_JOINT_TYPES", "Origin", "UrdfInertial", "UrdfJoint", "UrdfLink", "UrdfRobot",
           "read_axis", "read_origin", "read_urdf"]  # fmt: skip

URDF_JOINT_TYPES = ("revolute", "continuous", "prismatic", "floating", "planar", "fixed")


@dataclass(frozen=True)
class Origin:
    """A frame in its parent frame: position xyz [m] and angles rpy (roll, pitch, yaw) [rad]."""

    xyz: np.ndarray
    rpy: np.ndarray


@dataclass(frozen=True)
class UrdfInertial:
    """Inertial element: frame at the centre of mass, mass [kg], and inertia (3, 3) [kg m^2].

    The inertia of a point mass is zero.
    """

    mass: float
    origin: Origin
    I_C: np.ndarray
    element: XmlElement


@dataclass(frozen=True)
class UrdfLink:
    """A link; `inertial` is None if the file gives none, which means no mass."""

    name: str
    inertial: UrdfInertial | None
    element: XmlElement


@dataclass(frozen=True)
class UrdfJoint:
    """A joint: links it connects, frame in the parent link, unit axis in that frame, metadata."""

    name: str
    type: str
    parent: str
    child: str
    origin: Origin
    axis: np.ndarray
    limits: JointLimits
    mimic: Mimic | None
    damping: float
    friction: float
    element: XmlElement


@dataclass(frozen=True)
class UrdfRobot:
    """All links and joints of a file, by name, in file order."""

    name: str
    links: dict[str, UrdfLink]
    joints: dict[str, UrdfJoint]
    element: XmlElement

    @property
    def inertials(self) -> dict[str, UrdfInertial]:
        """Inertial elements by the names of their links."""
        return {link.name: link.inertial for link in self.links.values() if link.inertial}


def read_urdf(
    path: str | os.PathLike[str], xacro_args: Mapping[str, object] | None = None
) -> UrdfRobot:
    """Read and check the elements of a URDF file, one by one.

    Parameters
    ----------
    path : path
        The file.
    xacro_args : mapping, optional
        Arguments for xacro.

    Returns
    -------
    UrdfRobot
        The links and joints; their connections are not checked.

    Raises
    ------
    ModelFileError
        If the file cannot be read, is no URDF file, or has an invalid element; the message names
        the element and the attribute.

    Warns
    -----
    LoaderWarning
        If the file has elements of xacro, which are left out, or masses without an inertia.
    """
    from spatial_v2.io.xml_file import read_xml

    stem = Path(path_name(path)).stem
    expanded = expand_xacro(path, xacro_args) if Path(path).suffix == ".xacro" else None
    if xacro_args and Path(path).suffix != ".xacro":
        raise ModelFileError(
            f"{os.fspath(path)}: xacro_args: want a file whose name ends in .xacro"
        )
    robot = read_xml(path, expanded)
    if robot.tag != "robot":
        raise robot.error(f"root element <{robot.tag}>, want <robot> (a URDF file)")
    unexpanded = _xacro(robot)
    unread = Path(path).suffix == ".xacro" and expanded is None
    if unread or (unexpanded and not robot.all("link")):
        raise robot.error(f"a xacro file; {_expand(path)}")
    links = _named("link", robot, _link)
    if not links:
        raise robot.error("an empty robot: it has no element <link>")
    if unexpanded:
        warnings.warn(
            f"{robot.file}: elements of xacro are left out, which are not expanded: "
            f"{listed([element.path for element in unexpanded])}; {_expand(path)}",
            LoaderWarning,
            stacklevel=3,
        )
    joints = _named("joint", robot, _joint)
    _warn_of_points(robot, links)
    return UrdfRobot(robot.text("name", stem), links, joints, robot)


def _xacro(robot: XmlElement) -> list[XmlElement]:
    """Return elements of xacro that stand for parts of the robot, its links or its joints."""
    places = [robot, *robot.all("link"), *robot.all("joint")]
    places += [inertial for link in robot.all("link") for inertial in link.all("inertial")]
    return [e for place in places for e in place.children() if e.tag.startswith("xacro:")]


def _expand(path: str | os.PathLike[str]) -> str:
    return f"expand it first: xacro {Path(path).name} > robot.urdf"


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T", bound=_Named)


def _named(tag: str, robot: XmlElement, read: Callable[[XmlElement], _T]) -> dict[str, _T]:
    by_name: dict[str, _T] = {}
    for element in robot.all(tag):
        item = read(element)
        if item.name in by_name:
            raise element.error(f"duplicate {tag} {item.name!r}")
        by_name[item.name] = item
    return by_name


def read_origin(parent: XmlElement) -> Origin:
    """Read the origin of an element, whose angles may be given as a quaternion."""
    origin = parent.one("origin")
    if origin is None:
        return Origin(np.zeros(3), np.zeros(3))
    xyz = origin.vector("xyz", "0 0 0")
    if not origin.has("quat_xyzw"):
        return Origin(xyz, origin.vector("rpy", "0 0 0"))
    if origin.has("rpy"):
        raise origin.error("attributes rpy and quat_xyzw both give the orientation; want one")
    x = origin.vector("quat_xyzw", n=4)
    if not x.any():
        raise origin.error("attribute quat_xyzw is zero, which is no rotation")
    quaternion = x[[3, 0, 1, 2]] / np.sqrt(x @ x)
    return Origin(xyz, roll_pitch_yaw(np.asarray(rq(quaternion)).T))


def _link(element: XmlElement) -> UrdfLink:
    name = element.text("name")
    inertial = element.one("inertial")
    if inertial is None:
        return UrdfLink(name, None, element)
    mass = inertial.need("mass")
    m = mass.number("value")
    if m < 0:
        raise mass.error(f"attribute value={m:g} is a negative mass")
    I_C = _moments(inertial.one("inertia"))
    return UrdfLink(name, UrdfInertial(m, read_origin(inertial), I_C, inertial), element)


def _moments(inertia: XmlElement | None) -> np.ndarray:
    """Read the inertia (3, 3) about the centre of mass; zero, that of a point mass, if missing."""
    if inertia is None:
        return np.zeros((3, 3))
    xx, xy, xz, yy, yz, zz = (inertia.number("i" + a) for a in ("xx", "xy", "xz", "yy", "yz", "zz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _warn_of_points(robot: XmlElement, links: Mapping[str, UrdfLink]) -> None:
    """Warn of masses without an inertia; one warning lists all their links."""
    points = [
        name for name, x in links.items()
        if x.inertial and x.inertial.mass and x.inertial.element.one("inertia") is None
    ]  # fmt: skip
    if points:
        warnings.warn(
            f"{robot.file}: the <inertial> of these links has no <inertia>; its mass is read as "
            f"that of a point at its origin: {listed(points)}",
            LoaderWarning,
            stacklevel=4,
        )


def _joint(element: XmlElement) -> UrdfJoint:
    name, kind = element.text("name"), element.text("type")
    if kind not in URDF_JOINT_TYPES:
        raise element.error(
            f"attribute type={kind!r} is not a joint type; valid: {', '.join(URDF_JOINT_TYPES)}"
        )
    return UrdfJoint(
        name=name,
        type=kind,
        parent=element.need("parent").text("link"),
        child=element.need("child").text("link"),
        origin=read_origin(element),
        axis=read_axis(element) if kind not in ("fixed", "floating") else np.zeros(3),
        limits=_limits(element, kind),
        mimic=_mimic(element),
        damping=_dynamics(element, "damping"),
        friction=_dynamics(element, "friction"),
        element=element,
    )


def read_axis(joint: XmlElement) -> np.ndarray:
    """Read the unit vector along the axis of a joint or a loop."""
    axis = joint.one("axis")
    if axis is None:
        return np.array([1.0, 0.0, 0.0])
    xyz = axis.vector("xyz")
    largest = np.max(np.abs(xyz))
    if largest == 0:
        raise axis.error("attribute xyz is the zero vector, which is not an axis")
    xyz = xyz / largest
    return np.asarray(xyz / np.sqrt(xyz @ xyz))


def _limits(joint: XmlElement, kind: str) -> JointLimits:
    limit = joint.one("limit")
    if limit is None:
        return JointLimits()
    default = 0.0 if kind in ("revolute", "prismatic") else math.inf
    limits = JointLimits(
        _limit(limit, "lower", 0.0 - default),
        _limit(limit, "upper", default),
        _limit(limit, "velocity", math.inf),
        _limit(limit, "effort", math.inf),
    )
    if limits.lower > limits.upper:
        raise limit.error(
            f"attribute lower={limits.lower:g} is greater than upper={limits.upper:g}"
        )
    return limits


def _limit(limit: XmlElement, name: str, default: float) -> float:
    """Read a limit, infinite from the number on that `to_urdf` writes for no limit."""
    x = limit.number(name, default, infinite=True)
    return x if abs(x) < UNLIMITED else math.copysign(math.inf, x)


def _dynamics(joint: XmlElement, name: str) -> float:
    dynamics = joint.one("dynamics")
    return 0.0 if dynamics is None else dynamics.number(name, 0.0)


def _mimic(joint: XmlElement) -> Mimic | None:
    mimic = joint.one("mimic")
    if mimic is None:
        return None
    return Mimic(mimic.text("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
