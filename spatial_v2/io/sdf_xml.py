"""Reading the elements of an SDF file into plain records, with nested models merged.

Source: the specification of SDFormat, http://sdformat.org/spec, and its pose frame semantics.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass

import numpy as np

from spatial_v2.io.robot_data import JointLimits
from spatial_v2.io.xml_element import XmlElement
from spatial_v2.spatial import mcI, plux
from spatial_v2.three_d import rq, rx, ry, rz

__all__ = ["SDF_JOINT_TYPES", "SdfAxis", "SdfJoint", "SdfPose", "SdfRobot", "read_sdf"]

SDF_JOINT_TYPES = ("revolute", "continuous", "prismatic", "screw", "ball", "universal", "revolute2",
                   "fixed")  # fmt: skip
_AXES = {"ball": 0, "fixed": 0, "universal": 2, "revolute2": 2}


@dataclass(frozen=True)
class SdfPose:
    """A frame: its transform from another frame, and the frame that it is attached to."""

    X: np.ndarray
    relative_to: str
    attached_to: str
    element: XmlElement


@dataclass(frozen=True)
class SdfMimic:
    """A coupling to an axis of another joint: 0, or 1 for the second one."""

    joint: str
    axis: int
    multiplier: float
    offset: float


@dataclass(frozen=True)
class SdfAxis:
    """An axis of a joint: unit vector in the coordinates of a frame, limits, and coupling."""

    xyz: np.ndarray
    expressed_in: str
    limits: JointLimits
    mimic: SdfMimic | None
    damping: float
    friction: float
    stiffness: float
    rest: float


@dataclass(frozen=True)
class SdfJoint:
    """A joint; parent and child are names of frames, and the parent may be ``world``."""

    name: str
    type: str
    parent: str
    child: str
    axes: tuple[SdfAxis, ...]
    pitch: float
    element: XmlElement


@dataclass
class SdfRobot:
    """Contents of a file's model and its nested models; nested names contain ``::``.

    Attributes
    ----------
    name : str
        Name of the model.
    inertias : dict
        Inertias of the links, in link coordinates, by name.
    joints : dict
        All joints, by name.
    poses : dict
        Poses of links, joints, frames and models; the frame of the model is ``__model__``.
    gravity : array or None
        Gravity of the world.
    root, element : XmlElement
        The root element of the file and the element of the model.
    version : tuple of int
        Version of SDFormat.
    weightless : set of str
        The links on which gravity does not act.
    moments : dict
        Rotational inertias of the links at their centres of mass, by name.
    """

    name: str
    inertias: dict[str, np.ndarray]
    joints: dict[str, SdfJoint]
    poses: dict[str, SdfPose]
    gravity: np.ndarray | None
    root: XmlElement
    element: XmlElement
    version: tuple[int, int]
    weightless: set[str]
    moments: dict[str, np.ndarray]


def read_sdf(path: str | os.PathLike[str]) -> SdfRobot:
    """Read and check the elements of an SDF file, one by one; see `load_sdf`."""
    from spatial_v2.io.xml_file import read_xml

    sdf = read_xml(path)
    if sdf.tag != "sdf":
        raise sdf.error(f"root element <{sdf.tag}>, want <sdf>")
    world = sdf.one("world")
    place = sdf if world is None else world
    models = place.all("model")
    if len(models) != 1:
        raise place.error(f"{len(models)} elements <model>, want one")
    version = _version(sdf)
    physics = world.one("physics") if world is not None and version < (1, 6) else None
    element = next((g for g in (p.one("gravity") for p in (world, physics) if p) if g), None)
    gravity = element.numbers(3) if element is not None else None
    name = models[0].text("name")
    robot = SdfRobot(name, {}, {}, {}, gravity, sdf, models[0], version, set(), {})
    _read_model(robot, models[0], "", "world")
    return robot


def _version(sdf: XmlElement) -> tuple[int, int]:
    text = sdf.text("version")
    numbers = re.fullmatch(r"(\d+)\.(\d+)", text.strip())
    version = (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
    if version < (1, 3):
        raise sdf.error(f"attribute version={text!r}: want 1.3 or later")
    return version


def _read_model(robot: SdfRobot, model: XmlElement, scope: str, above: str) -> None:
    """Add a model's elements to the records, under the names ``scope + name``."""
    for tag in ("include", "gripper"):
        for element in model.all(tag):
            raise element.error("other files are not read; write the whole model in this file")
    static = model.one("static")
    if static is not None and _is_true(static, default=False):
        raise static.error("a static model has nothing that moves")
    if model.has("placement_frame"):
        raise model.error("attribute placement_frame is not supported; give the pose of the model")
    own = f"{scope}__model__"
    links = [link.text("name") for link in model.all("link")]
    models = [nested.text("name") for nested in model.all("model")]
    if not links + models:
        raise model.error("the model has no links: it needs at least one element <link>")
    canonical = model.text("canonical_link", links[0] if links else f"{models[0]}::__model__")
    _add(robot, own, model, above, scope + canonical, model)
    for link in model.all("link"):
        name = scope + link.text("name")
        _add(robot, name, link, own, name, link)
        robot.inertias[name], robot.moments[name] = _inertia(link)
        if not _is_true(link.one("gravity"), default=True):
            robot.weightless.add(name)
    for frame in model.all("frame"):
        attached = scope + frame.text("attached_to", "__model__")
        _add(robot, scope + frame.text("name"), frame, attached, attached, frame)
    for joint in model.all("joint"):
        _read_joint(robot, joint, scope)
    for nested in model.all("model"):
        inner = f"{scope}{nested.text('name')}::"
        _read_model(robot, nested, inner, own)


def _add(
    robot: SdfRobot, name: str, element: XmlElement, base: str, attached: str, owner: XmlElement
) -> None:
    if name in robot.poses:
        raise owner.error(f"{name!r} is used as a name twice")
    scope = name.rpartition("::")[0] + "::" * ("::" in name)
    if owner.tag == "model" and scope:
        scope = scope[:-2].rpartition("::")[0]
        scope += "::" * bool(scope)
    pose = element.one("pose")
    X = np.eye(6) if pose is None else _transform(pose)
    target = _relative_to(robot, pose)
    if target:
        base = target if target == "world" else scope + target
    robot.poses[name] = SdfPose(X, base, attached, owner)


def _is_true(element: XmlElement | None, default: bool) -> bool:
    """Return the truth value in an element; `default` if it is missing or empty."""
    if element is None or not element.content:
        return default
    return _truth(element, "the content", element.content)


def _flag(element: XmlElement, attribute: str) -> bool:
    """Return the truth value of an attribute; False if it is missing."""
    return _truth(element, f"attribute {attribute}", element.text(attribute, "false"))


def _truth(element: XmlElement, what: str, text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "1", "false", "0"):
        raise element.error(f"{what}={text!r} is not one of true, false, 1, 0")
    return word in ("true", "1")


def _relative_to(robot: SdfRobot, pose: XmlElement | None) -> str:
    """Return the frame that a pose is relative to; up to SDFormat 1.6 the attribute is `frame`."""
    if pose is None:
        return ""
    if pose.optional("frame") and robot.version >= (1, 7):
        raise pose.error("attribute 'frame' does not exist since SDFormat 1.7: write relative_to")
    return pose.optional("frame") or pose.optional("relative_to")


def _transform(pose: XmlElement) -> np.ndarray:
    if not pose.content:
        return np.eye(6)
    if pose.text("rotation_format", "euler_rpy") == "quat_xyzw":
        x = pose.numbers(7)
        return np.asarray(plux(rq(x[[6, 3, 4, 5]]), x[:3]))
    x = pose.numbers(6)
    turn = np.deg2rad(x[3:]) if _flag(pose, "degrees") else x[3:]
    return np.asarray(plux(rx(turn[0]) @ ry(turn[1]) @ rz(turn[2]), x[:3]))


def _number(element: XmlElement | None, tag: str, default: float) -> float:
    inner = element.one(tag) if element is not None else None
    return default if inner is None else float(inner.numbers(1)[0])


def _inertia(link: XmlElement) -> tuple[np.ndarray, np.ndarray]:
    """Read a link's inertia, and its moments at the centre of mass.

    Missing masses and moments are 1, as SDFormat specifies.
    """
    inertial = link.one("inertial")
    if inertial is not None and _flag(inertial, "auto"):
        raise inertial.error("attribute auto: give the mass and the inertia, they are not computed")
    pose = inertial.one("pose") if inertial is not None else None
    inertia = inertial.one("inertia") if inertial is not None else None
    m = _number(inertial, "mass", 1.0)
    if m < 0:
        raise link.error(f"a negative mass, {m:g}")
    xx, yy, zz = (_number(inertia, "i" + a, 1.0) for a in ("xx", "yy", "zz"))
    xy, xz, yz = (_number(inertia, "i" + a, 0.0) for a in ("xy", "xz", "yz"))
    if pose is not None and (pose.optional("frame") or pose.optional("relative_to")):
        raise pose.error(
            "the pose of an inertia is relative to its link; want no attribute relative_to"
        )
    X = np.eye(6) if pose is None else _transform(pose)
    I_C = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.asarray(X.T @ mcI(m, np.zeros(3), I_C) @ X), I_C


def _read_joint(robot: SdfRobot, joint: XmlElement, scope: str) -> None:
    name, kind = joint.text("name"), joint.text("type")
    if kind not in SDF_JOINT_TYPES:
        raise joint.error(f"attribute type={kind!r} is none of {', '.join(SDF_JOINT_TYPES)}")
    ends = [joint.need(tag).content for tag in ("parent", "child")]
    parent, child = (x if x == "world" else scope + x for x in ends)
    if child == "world":
        raise joint.need("child").error("the world cannot be a child; exchange parent and child")
    _add(robot, scope + name, joint, child, child, joint)
    tags = ("axis", "axis2")[: _AXES.get(kind, 1)]
    in_model = robot.version <= (1, 4)
    axes = tuple(_axis(joint.need(tag), scope + name, scope, kind, in_model) for tag in tags)
    pitch = _pitch(joint) if kind == "screw" else 0.0
    robot.joints[scope + name] = SdfJoint(scope + name, kind, parent, child, axes, pitch, joint)


def _pitch(joint: XmlElement) -> float:
    """Read a screw's advance per radian.

    The older element ``thread_pitch`` gives radians per metre with the opposite sign.
    """
    old = joint.one("thread_pitch")
    if joint.one("screw_thread_pitch") is None and old is not None:
        turns = float(old.numbers(1)[0])
        if not turns:
            raise old.error("zero radians per metre is not a screw")
        return -1 / turns
    return _number(joint, "screw_thread_pitch", 1.0) / (2 * math.pi)


def _axis(axis: XmlElement, joint: str, scope: str, kind: str, in_model: bool) -> SdfAxis:
    """Read an axis of a joint, by default in coordinates of the joint or the model."""
    direction = axis.one("xyz")
    xyz = np.array([0.0, 0.0, 1.0]) if direction is None else direction.numbers(3)
    if direction is not None and not xyz.any():
        raise direction.error("the zero vector is not an axis")
    frame = direction.text("expressed_in", "?") if direction is not None else "?"
    old = axis.one("use_parent_model_frame")
    if frame == "?" and (in_model or _is_true(old, default=False)):
        frame = "__model__"
    limit, mimic = axis.one("limit"), axis.one("mimic")
    bounds = [_bound(limit, tag, kind) for tag in ("lower", "upper", "velocity", "effort")]
    follows = None
    if mimic is not None:
        a = _number(mimic, "multiplier", 1.0)
        offset = _number(mimic, "offset", 0.0) - a * _number(mimic, "reference", 0.0)
        of = mimic.text("axis", "axis")
        if of not in ("axis", "axis2"):
            raise mimic.error(f"attribute axis={of!r}: want axis or axis2")
        follows = SdfMimic(scope + mimic.text("joint"), int(of == "axis2"), a, offset)
    within = joint if frame == "?" else "world" if frame == "world" else scope + frame
    terms = [_term(axis, tag) for tag in ("damping", "friction", "spring_stiffness")]
    terms.append(_term(axis, "spring_reference") if terms[-1] else 0.0)
    limits = JointLimits(*bounds)
    if limit is not None and limits.lower > limits.upper:
        raise limit.error(f"lower={limits.lower:g} is greater than upper={limits.upper:g}")
    return SdfAxis(xyz / np.sqrt(xyz @ xyz), within, limits, follows, *terms)


def _term(axis: XmlElement, tag: str) -> float:
    """Read a part of the dynamics of an axis; 0 if the file gives none."""
    dynamics = axis.one("dynamics")
    x = 0.0 if dynamics is None else _number(dynamics, tag, 0.0)
    if dynamics is not None and x < 0 and tag != "spring_reference":
        raise dynamics.error(f"{tag}: want no negative number, got {x}")
    return x


def _bound(limit: XmlElement | None, tag: str, kind: str) -> float:
    """Read a limit; 1e16, and a negative speed or force, mean no limit in SDFormat."""
    none = -math.inf if tag == "lower" else math.inf
    bound = limit.one(tag) if limit is not None else None
    if bound is None or (kind == "continuous" and tag in ("lower", "upper")):
        return none
    x = float(bound.numbers(1, infinite=True)[0])
    return none if abs(x) >= 1e16 or (tag in ("velocity", "effort") and x < 0) else x
