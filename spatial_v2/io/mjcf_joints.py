"""Writing joints as elements of an MJCF file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.io.robot_data import UNLIMITED, JointLimits
from spatial_v2.io.urdf_loops import row_text
from spatial_v2.io.xml_text import quoted
from spatial_v2.joints.table import JointType
from spatial_v2.model import Model
from spatial_v2.spatial import transform_parts
from spatial_v2.three_d import rq

__all__ = ["empty_limits", "is_ball", "is_free", "joint_elements", "place_text", "slide_name"]

_TERMS = {"armature": "armature", "damping": "damping", "friction": "frictionloss",
          "stiffness": "stiffness", "rest": "springref"}  # fmt: skip
"""Attributes of MJCF for the joint terms of a model."""


def is_free(joint: JointType) -> bool:
    """Test if MJCF has a joint as ``free``."""
    return joint.nv == 6


def is_ball(joint: JointType) -> bool:
    """Test if MJCF has a joint as ``ball``."""
    return joint.nv == 3


def slide_name(model: Model, i: int) -> str:
    """Return the name of the slide along the axis of a helical joint."""
    name = f"{model.joint_names[i]}_slide"
    while name in model.joint_names:
        name += "_"
    return name


def joint_elements(model: Model, i: int, X: np.ndarray) -> list[str]:
    """Return the elements of a joint.

    Parameters
    ----------
    model : Model
        The tree.
    i : int
        Number of the joint.
    X : (6, 6) array
        Transform from the frame of body i to that of the body in the file.
    """
    name, joint = model.joint_names[i], model.layout.joints[i]
    terms = _terms(model, i)
    if is_free(joint):
        if terms:
            return [f'<joint name={quoted(name)} type="free"{terms}/>']
        return [f"<freejoint name={quoted(name)}/>"]
    position = _vector("pos", transform_parts(np.linalg.inv(X))[1])
    if is_ball(joint):
        return [f'<joint name={quoted(name)} type="ball"{position}{terms}/>']
    axis = joint.sign * np.asarray(transform_parts(X)[0])[:, joint.axis]
    where = f'{position} axis="{row_text(axis)}"'
    kind = "slide" if joint.code[0] == "P" else "hinge"
    line = f'<joint name={quoted(name)} type="{kind}"{where}{_limits(model, name)}{terms}/>'
    if not joint.pitch:
        return [line]
    return [f'<joint name={quoted(slide_name(model, i))} type="slide"{where}/>', line]


def place_text(X: np.ndarray) -> str:
    """Return the attributes ``pos`` and ``quat`` of a frame; empty for the identity."""
    E, r = (np.asarray(x) for x in transform_parts(X))
    turn = "" if np.array_equal(E, np.eye(3)) else f' quat="{row_text(rq(E))}"'
    return _vector("pos", r) + turn


def _vector(name: str, x: Any) -> str:
    return f' {name}="{row_text(x)}"' if np.any(x) else ""


def _terms(model: Model, i: int) -> str:
    """Return the attributes of a joint's armature, damping, friction and spring."""
    name, joint, text = model.joint_names[i], model.layout.joints[i], ""
    for field, attribute in _TERMS.items():
        x = getattr(model, field)
        values = np.zeros(1) if x is None else np.asarray(x[model.vinds[i]])
        if not values.any():
            continue
        if (values != values[0]).any() or (is_free(joint) and field != "damping"):
            raise ModelError(
                f"{field}: MJCF has one number for a joint, and none for a floating one except "
                f"damping; joint {name!r} has {values.tolist()}; write model.replace({field}=None)"
            )
        text += f' {attribute}="{float(values[0])!r}"'
    return text


def empty_limits(model: Model) -> list[str]:
    """Return names of joints with limits that MJCF cannot hold: of no range, or of no effort."""
    limits = (model.limits or {}).items()
    return [name for name, x in limits if not (x.lower < x.upper and x.effort)]


def _limits(model: Model, name: str) -> str:
    limits: JointLimits = (model.limits or {}).get(name, JointLimits())
    text = ""
    if math.isfinite(limits.lower) or math.isfinite(limits.upper):
        low, high = np.clip(limits[:2], -UNLIMITED, UNLIMITED)
        if low < high:
            text = f' limited="true" range="{row_text([low, high])}"'
    if 0 < limits.effort < math.inf:
        force = row_text([-limits.effort, limits.effort])
        text += f' actuatorfrclimited="true" actuatorfrcrange="{force}"'
    return text
