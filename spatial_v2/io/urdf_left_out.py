"""Elements and attributes of a URDF file that a model does not represent."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from spatial_v2.io.left_out import counted, unread
from spatial_v2.io.urdf_xml import UrdfRobot
from spatial_v2.io.xml_element import XmlElement

__all__ = ["urdf_left_out"]

_READ = {
    "robot": ("link", "joint", "material", "loop", "coupling"),
    "link": ("inertial", "visual"),
    "inertial": ("origin", "mass", "inertia"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics"),
    "loop": ("predecessor", "successor", "axis"),
    "coupling": ("predecessor", "successor", "ratio"),
    "predecessor": ("origin",),
    "successor": ("origin",),
}
"""Names of the child elements that are read, by the name of the element that contains them."""

_ATTRIBUTES = {
    "robot": ("name", "version"),
    "link": ("name",),
    "inertial": (),
    "origin": ("xyz", "rpy", "quat_xyzw"),
    "mass": ("value",),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "joint": ("name", "type", "independent"),
    "loop": ("name", "type"),
    "coupling": ("name", "type"),
    "predecessor": ("link",),
    "successor": ("link",),
    "ratio": ("value",),
    "parent": ("link",),
    "child": ("link",),
    "axis": ("xyz",),
    "limit": ("lower", "upper", "velocity", "effort"),
    "dynamics": ("damping", "friction"),
    "mimic": ("joint", "multiplier", "offset"),
}
"""Attributes that the specification gives the elements that are read."""

_ACTING = ("constraint", "loop_joint", "linear_bushing_rpy", "linear_spring_damper")
"""Ends of the names of elements, without their prefixes, that act on the motion."""


def urdf_left_out(
    robot: UrdfRobot, mimic: bool, dynamics: bool, gears: bool
) -> tuple[list[str], list[str], list[str]]:
    """Name what is not read: couplings, other parts that act on the motion, and the rest.

    Parameters
    ----------
    robot : UrdfRobot
        The records of a file.
    mimic, dynamics : bool
        True if these elements are read.
    gears : bool
        True if ``coupling`` elements are in ``model.mimic``.

    Returns
    -------
    coupled, acting, rest : list of str
        Couplings and loops; springs, constraints, misspelt attributes, whose defaults are used;
        other parts.
    """
    coupled = ["mimic (data in model.mimic)" for j in robot.joints.values() if j.mimic and mimic]
    coupled += ["loop (data in model.loops)" for _ in robot.element.all("loop")]
    coupled += [
        "coupling" + " (data in model.mimic)" * gears for _ in robot.element.all("coupling")
    ]
    acting, rest = [], []
    for element in unread(robot.element, _READ):
        if element.tag == "mimic" and mimic:
            continue
        if element.tag.rpartition(":")[2].endswith(_ACTING):
            acting.append(element.tag)
        else:
            rest.append(element.tag)
        if element.tag == "gazebo":
            acting += _acting_in_gazebo(element, robot)
    for element in _with_attributes(robot.element):
        for name in _unknown(element):
            meant = _meant(name, element)
            if meant:
                acting.append(f"attribute {name!r} of {element.tag} (did you mean {meant!r}?)")
            elif name == "spring_stiffness" and not _is_zero(element.optional(name)):
                acting.append("springs of joints")
            else:
                rest.append(f"attribute {name!r} of {element.tag}")
    if not dynamics:
        terms = ("damping", "friction")
        rest += [x for j in robot.joints.values() for x in terms if getattr(j, x)]
    return counted(coupled), counted(acting), counted(rest)


def _acting_in_gazebo(gazebo: XmlElement, robot: UrdfRobot) -> list[str]:
    """Name what an extension for Gazebo adds to the motion: joints, springs, weightless links."""
    inertial = robot.inertials.get(gazebo.optional("reference"))
    acting = ["joints in gazebo" for x in gazebo.all("joint") if x.has("type")]
    acting += [
        "springs of joints in gazebo"
        for x in gazebo.all("springStiffness")
        if not _is_zero(x.content)
    ]
    off = [x.content.lower() in ("true", "1") for x in gazebo.all("turnGravityOff")]
    off += [x.content.lower() in ("false", "0") for x in gazebo.all("gravity")]
    if any(off) and inertial is not None and inertial.mass:
        acting.append("links without gravity in gazebo")
    return acting


def _is_zero(number: str) -> bool:
    return not set(number) & set("123456789")


def _with_attributes(element: XmlElement) -> Iterable[XmlElement]:
    """Iterate over the elements that are read, and those that are stored as data."""
    yield element
    for child in element.children():
        if child.tag in (*_READ.get(element.tag, ()), "mimic") and child.tag in _ATTRIBUTES:
            yield from _with_attributes(child)


def _unknown(element: XmlElement) -> list[str]:
    known = _ATTRIBUTES[element.tag]
    return [x for x in element.attributes() if x not in known and not x.startswith("xmlns")]


def _meant(name: str, element: XmlElement) -> str:
    """Return the attribute for which a name is a misspelling; empty if that one is given."""
    absent = [x for x in _ATTRIBUTES[element.tag] if not element.has(x)]
    near = [x for x in absent if sorted(x) == sorted(name.lower())]
    return "".join((near or difflib.get_close_matches(name.lower(), absent, n=1, cutoff=0.75))[:1])
