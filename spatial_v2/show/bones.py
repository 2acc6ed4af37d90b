"""Drawing instructions for models that have none: links as bones, joints by their types."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.joints.table import FLOATING, PRISMATIC, REVOLUTE, TRANSFORM, JointType
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.show.mass import BodyMass, body_masses
from spatial_v2.spatial import transform_parts

__all__ = ["bones"]

STEEL = [0.27, 0.29, 0.32]


def bones(model: Model) -> dict[str, Any]:
    """Make an `appearance` from the tree alone.

    A body is drawn as a bone from its joint to the joint of each child; the bone of a leaf is twice
    as long as the distance to its centre of mass. A body without bones is drawn as the box with its
    inertia. Revolute joints are drawn as cylinders about their axes, prismatic joints as boxes
    along their axes, spherical joints as balls.

    Parameters
    ----------
    model : Model
        The rigid-body tree.

    Returns
    -------
    dict
        ``base`` and ``body``, in MATLAB's drawing language.

    Examples
    --------
    >>> from spatial_v2.models import Panda_model
    >>> len(bones(Panda_model())["body"])
    7
    """
    check_model(model)
    masses = body_masses(model)
    place = _places(model)
    ends: list[list[np.ndarray]] = [[] for _ in range(model.NB + 1)]
    for i, p in enumerate(model.parent.tolist()):
        ends[p].append(place[i])
    for i, mass in enumerate(masses):
        ends[i] = ends[i] or [2 * mass.c]
    lengths = [float(np.linalg.norm(e)) for body in ends for e in body]
    lengths = [x for x in lengths if x > 1e-6 * max(lengths)]
    unit = float(np.median(lengths)) if lengths else 2 * _largest(masses)
    joints = model.layout.joints
    body = [
        _body(ends[i], masses[i], unit) + (_joint(joints[i], unit) if masses[i].m > 0 else [])
        for i in range(model.NB)
    ]
    base = _sticks(ends[-1], unit)
    if any(p < 0 and j.nv < 6 for p, j in zip(model.parent, joints, strict=True)):
        s = 0.11 * unit
        base += ["box", [[-s, -s, -1.2 * s], [s, s, -0.4 * s]]]
    return {"base": ["colour", STEEL, *base], "body": body}


def _places(model: Model) -> np.ndarray:
    """Compute the origins of the joints in parent coordinates, shape (NB, 3)."""
    r = np.asarray(transform_parts(np.asarray(model.Xtree, dtype=float)).r)
    return np.concatenate([r, np.zeros((model.NB, 3 - r.shape[-1]))], axis=-1)


def _largest(masses: list[BodyMass]) -> float:
    return 2 * max((float(m.radii.max()) for m in masses), default=0.0) or 1.0


def _sticks(ends: list[np.ndarray], unit: float) -> list[Any]:
    drawing: list[Any] = []
    for end in ends:
        length = float(np.linalg.norm(end))
        if length > 0.02 * unit:
            drawing += ["cyl", [[0.0, 0.0, 0.0], end.tolist()], min(0.05 * unit, 0.15 * length)]
    return drawing


def _body(ends: list[np.ndarray], mass: BodyMass, unit: float) -> list[Any]:
    drawing = _sticks(ends, unit)
    if drawing or mass.radii.min() <= 0:
        return drawing
    half = mass.radii * np.sqrt(3 / 5)
    half = half * min(1.0, 0.25 * unit / half.max())
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    faces = [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]  # fmt: skip
    points = mass.c + corners @ mass.axes.T
    return ["vertices", points.tolist(), "triangles", faces]


def _joint(joint: JointType, unit: float) -> list[Any]:
    """Return drawing instructions for a joint, in body coordinates."""
    r = 0.08 * unit
    axis = np.eye(3)[joint.axis]
    if joint.kind == REVOLUTE:
        return [["colour", STEEL, "cyl", np.stack([-r * axis, r * axis]).tolist(), r]]
    if joint.kind == PRISMATIC:
        corner = r * (0.7 + 0.9 * axis)
        return [["colour", STEEL, "box", np.stack([-corner, corner]).tolist()]]
    if joint.kind in (FLOATING, TRANSFORM):
        return []
    return [["colour", STEEL, "sphere", [0.0, 0.0, 0.0], 1.1 * r]]
