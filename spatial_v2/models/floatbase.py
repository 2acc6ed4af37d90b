"""A floating base as six joints with one degree of freedom each."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.joint_terms import with_base
from spatial_v2.model.state import check_model
from spatial_v2.models.carried import carried

__all__ = ["floatbase", "without_joints"]

_JOINTS = ["Px", "Py", "Pz", "Rx", "Ry", "Rz"]
_NAMES = ["base_x", "base_y", "base_z", "base_roll", "base_pitch", "base_yaw"]


def floatbase(model: Model) -> Model:
    """Make a floating-base tree: replace joint 0 by six joints with five massless bodies.

    MATLAB: ``fbmodel = floatbase(model)``.

    Parameters
    ----------
    model : Model
        A spatial tree with one body, body 0, on the fixed base.

    Returns
    -------
    Model
        A tree with NB + 5 bodies; body i of `model` becomes body i + 5. Variables 0 to 2 are the
        position in base coordinates [m], 3 to 5 the angles about x, then y, then z [rad]. Drawings,
        camera, contact points, frames, names and rotors are renumbered. Limits of joint 0, and
        joints that mimic it, are left out.

    Raises
    ------
    ModelError
        A planar model, a second body on the base, a rotor at joint 0, or joint terms there.

    Warns
    -----
    UserWarning
        The model has a constraint function `gamma_q`, or ``Xtree[0]`` is not the identity.

    Notes
    -----
    The orientation is E = rz(q[5]) ry(q[4]) rx(q[3]), singular at q[4] = +-pi/2. A joint of type
    ``Fb`` has no singularity: ``model.replace(jtype=["Fb", *model.jtype[1:]])``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> floatbase(autoTree(2)).jtype
    ('Px', 'Py', 'Pz', 'Rx', 'Ry', 'Rz', 'R')
    """
    check_model(model)
    if model.is_planar:
        raise ModelError("floatbase: want a spatial model, got a planar one")
    if np.count_nonzero(model.parent == -1) > 1:
        raise ModelError("floatbase: want one body on the fixed base; parent has -1 more than once")
    if model.has_rotor[0]:
        raise ModelError(
            "floatbase: joint 0 is replaced and must not drive a rotor; set "
            "model.has_rotor = {0: False}"
        )
    terms = with_base("floatbase", model, model.nv[0])
    if model.gamma_q is not None:
        warnings.warn(
            "floatbase: gamma_q is kept, but it is written for the joints of the old model; "
            "replace it",
            stacklevel=2,
        )
    if not np.array_equal(model.Xtree[0], np.eye(6)):
        warnings.warn(
            "floatbase: Xtree[0] is not the identity; it is kept between the fifth and the sixth "
            "joint of the floating base",
            stacklevel=2,
        )
    fields = copy.deepcopy(model.fields())
    one, none = np.tile(np.eye(6), (5, 1, 1)), np.zeros((5, 6, 6))
    base, places = Frame(-1, np.eye(6)), [Frame(i + 5, np.eye(6)) for i in range(model.NB)]
    in_front: dict[str, Any] = {
        "Xtree": one, "I": none, "body_names": _NAMES[:5],
        "has_rotor": [False] * 5, "jtype_rotor": [None] * 5, "gr": [1.0] * 5,
        "Xrotor": one, "I_rotor": none,
    }  # fmt: skip
    fields |= {field: [*five, *fields[field]] for field, five in in_front.items()}
    fields |= {
        "parent": [*range(-1, 4), *(model.parent + 5)],
        "jtype": [*_JOINTS, *fields["jtype"][1:]],
        "joint_names": [*_NAMES, *model.joint_names[1:]],
    }
    return Model(
        **fields
        | terms
        | carried(fields, base, places, model.NB + 5)
        | without_joints(fields, model.joint_names[:1])
    )


def without_joints(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return limits and mimic joints of a model without those of the named joints, and without
    joints that follow these.

    Examples
    --------
    >>> fields = {"limits": {"a": (0, 1)}, "mimic": {"b": ("a", 2.0, 0.0)}}
    >>> without_joints(fields, ["a"])
    {'limits': {}, 'mimic': {}}
    """
    kept = {x: {**fields[x]} for x in ("limits", "mimic") if fields[x]}
    for field, table in kept.items():
        for joint, value in fields[field].items():
            if joint in names or (field == "mimic" and value[0] in names):
                del table[joint]
    return kept
