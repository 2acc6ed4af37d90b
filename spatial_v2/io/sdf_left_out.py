"""Elements of an SDF file that a model does not represent."""

from __future__ import annotations

from spatial_v2.io.left_out import counted, unread
from spatial_v2.io.xml_element import XmlElement

__all__ = ["sdf_left_out"]

_AXIS = ("xyz", "limit", "dynamics", "use_parent_model_frame")
_READ = {
    "sdf": ("world", "model"),
    "world": ("model", "gravity"),
    "model": ("link", "joint", "frame", "model", "pose", "static"),
    "link": ("inertial", "pose", "gravity"),
    "inertial": ("mass", "pose", "inertia"),
    "joint": ("parent", "child", "pose", "axis", "axis2", "screw_thread_pitch", "thread_pitch"),
    "axis": _AXIS,
    "axis2": _AXIS,
    "limit": ("lower", "upper", "velocity", "effort"),
    "dynamics": ("damping", "friction", "spring_stiffness", "spring_reference"),
    "frame": ("pose",),
}
"""Names of the child elements that are read, by the name of the element that contains them."""

_ZERO = ("", "0", "false")
_ACTING = {
    "spring_stiffness": "springs of joints (read with dynamics=True)",
    "velocity_decay": "velocity_decay",
    "kinematic": "kinematic links",
    "fluid_added_mass": "fluid_added_mass",
}
"""Elements that act on the motion unless they are zero."""


def sdf_left_out(root: XmlElement, dynamics: bool) -> tuple[list[str], list[str], list[str]]:
    """Name the elements that are not read: couplings, those that act on the motion, and others.

    Parameters
    ----------
    root : XmlElement
        The element ``sdf``.
    dynamics : bool
        True if damping, friction and springs are read.
    """
    read = _READ if dynamics else {**_READ, "dynamics": ()}
    coupled, acting, rest = [], [], []
    for element in unread(root, read):
        tag, above = element.tag, element.above
        if tag in _ACTING and not _is_zero(element):
            acting.append(_ACTING[tag])
        elif tag == "joint" and above is not None and above.tag == "world":
            acting.append("joints of the world")
        elif tag == "mimic":
            coupled.append("mimic (data in model.mimic)")
        elif not (above is not None and above.tag == "dynamics" and _is_zero(element)):
            rest.append(tag)
    return counted(coupled), counted(acting), counted(rest)


def _is_zero(element: XmlElement) -> bool:
    """Return whether an element contains only zeros."""
    if any(True for _ in element.children()):
        return all(_is_zero(child) for child in element.children())
    try:
        return not any(float(word) for word in element.content.split())
    except ValueError:
        return element.content.lower() in _ZERO
