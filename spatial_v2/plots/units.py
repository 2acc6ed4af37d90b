"""Names and units of the position variables of joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spatial_v2.joints.table import (
    FLOATING,
    PRISMATIC,
    REVOLUTE,
    ROTATION,
    SPHERICAL,
    TRANSFORM,
    JointType,
)

__all__ = ["Variable", "axis_label", "position_variables"]


class Variable(NamedTuple):
    """A position variable of a joint."""

    name: str
    """Name within the joint, "" if the joint has only one variable."""
    unit: str
    """"rad", "m", or "1" for entries of quaternions and matrices."""
    quantity: str
    """The quantity in words: "angle", "displacement", "quaternion", "rotation matrix"."""


def position_variables(joint: JointType) -> list[Variable]:
    """Return names and units of the position variables of a joint type, in the order of q.

    Examples
    --------
    >>> from spatial_v2.joints import joint_type
    >>> [f"{x.name} [{x.unit}]" for x in position_variables(joint_type("Fb"))]
    ['qw [1]', 'qx [1]', 'qy [1]', 'qz [1]', 'x [m]', 'y [m]', 'z [m]']
    """
    quaternion = [Variable(f"q{x}", "1", "quaternion") for x in "wxyz"]
    if joint.kind == REVOLUTE:
        return [Variable("", "rad", "angle")]
    if joint.kind == PRISMATIC:
        return [Variable("", "m", "displacement")]
    if joint.kind == SPHERICAL:
        return quaternion
    if joint.kind == FLOATING:
        return [*quaternion, *(Variable(x, "m", "displacement") for x in "xyz")]
    if joint.kind == ROTATION:
        return [Variable(f"E{r}{c}", "1", "rotation matrix") for c in range(3) for r in range(3)]
    if joint.kind == TRANSFORM:
        return [
            Variable(f"T{r}{c}", "m", "displacement")
            if c == 3 and r < 3
            else Variable(f"T{r}{c}", "1", "rotation matrix")
            for c in range(4)
            for r in range(4)
        ]
    raise AssertionError(f"the joint code {joint.code!r} has no units")


def axis_label(variables: Sequence[Variable]) -> str:
    """Return the label of an axis that shows all of these variables.

    Examples
    --------
    >>> from spatial_v2.joints import joint_type
    >>> axis_label([x for code in ("Rx", "Pz") for x in position_variables(joint_type(code))])
    'angle [rad], displacement [m]'
    """
    return ", ".join(dict.fromkeys(f"{x.quantity} [{x.unit}]" for x in variables))
