"""Elements of a URDF file that a model does not represent."""

from __future__ import annotations

from spatial_v2.io.left_out import counted, unread
from spatial_v2.io.urdf_xml import UrdfRobot

__all__ = ["urdf_left_out"]

_READ = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual"),
    "inertial": ("origin", "mass", "inertia"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics"),
}
"""Names of the child elements that are read, by the name of the element that contains them."""


def urdf_left_out(robot: UrdfRobot, mimic: bool, dynamics: bool) -> list[str]:
    """Name the elements that are not read, or are stored as data only.

    Parameters
    ----------
    robot : UrdfRobot
        The records of a file.
    mimic, dynamics : bool
        True if these elements are read.
    """
    names = {"mimic": "mimic (data in model.mimic)"} if mimic else {}
    found = [names.get(e.tag, e.tag) for e in unread(robot.element, _READ)]
    if not dynamics:
        terms = ("damping", "friction")
        found += [x for j in robot.joints.values() for x in terms if getattr(j, x)]
    return counted(found)
