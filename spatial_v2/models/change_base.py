"""Another body as the floating base."""

from __future__ import annotations

import copy
import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from spatial_v2.arrays import alike, constant, namespace
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model
from spatial_v2.models.carried import carried
from spatial_v2.models.kept_bodies import moved_inertia
from spatial_v2.spatial import plux, transform_parts

__all__ = ["change_base"]


def change_base(model: Model, body: str | int) -> Model:
    """Return the model of a floating robot with another body as its base.

    Parameters
    ----------
    model : Model
        A rigid-body tree with one floating base, of joint type 'Fb'.
    body : str or int
        Name or number of the body that becomes the base.

    Returns
    -------
    Model
        The same robot. The joints keep their names, variables, limits and joint terms; the floating
        joint now moves the new base, whose frame is as before. Bodies between both bases have their
        frames at the joints that now carry them, and frames with their names and ``_body`` where
        their own were.

    Raises
    ------
    ModelError
        A body that the model does not have, or a model without a single floating base; joints with
        several degrees of freedom or rotors between both bases; loops or a constraint function.

    Notes
    -----
    The joints between both bases are passed in the opposite direction, so that 'Rx' becomes
    'Rx-' and back. `forward_kinematics` of the former model has the pose of the new base.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> robot = autoTree(3).replace(jtype=["Fb", "Rx", "Py"])
    >>> change_base(robot, "body2")
    Model 'autoTree(3, 1, 0, 1)': 3 bodies, NQ = 9, NV = 8, gravity [0, 0, -9.81]
    base
    `- 0  Fb  body2
       `- 1  Py-  body1
          `- 2  Rx-  body0
    """
    check_model(model)
    path = _path(model, body)
    X, I, Xrotor = alike(model.Xtree, model.I, model.Xrotor)
    one, inverse = constant(np.eye(6), X), dict[int, Any]()
    turned = {above: child for child, above in pairwise(path)}
    for above, child in turned.items():
        inverse[above] = _inverse(X[child])
    joint = {**{k: k for k in range(model.NB)}, path[0]: path[-1], **turned}
    parent = {**dict(enumerate(model.parent.tolist())), path[0]: -1, **turned}
    order = _order(parent, path[0])
    number = {old: new for new, old in enumerate(order)} | {-1: -1}
    places = [Frame(number[k], inverse.get(k, one)) for k in range(model.NB)]
    base = Frame(-1, one)

    def from_parent(k: int) -> Any:
        if k == path[0]:
            return X[path[-1]]
        if k in turned:
            return places[parent[k]].X
        return X[k] @ (places[parent[k]] if parent[k] >= 0 else base).X

    fields = copy.deepcopy(model.fields())
    joints = [joint[k] for k in order]
    variables = np.concatenate([np.arange(model.NV)[model.vinds[k]] for k in joints])
    of_joints, of_bodies = (
        ("joint_names", "has_rotor", "jtype_rotor", "I_rotor", "gr"),
        "body_names",
    )
    new: dict[str, Any] = {name: [fields[name][k] for k in joints] for name in of_joints}
    new[of_bodies] = [fields[of_bodies][k] for k in order]
    new["jtype"] = [
        _reversed(fields["jtype"][joint[k]]) if k in turned else fields["jtype"][joint[k]]
        for k in order
    ]
    new["parent"] = [number[parent[k]] for k in order]
    xp = namespace(X)
    new["Xtree"] = xp.stack([from_parent(k) for k in order])
    new["I"] = xp.stack([moved_inertia(I[k], places[k].X) if k in inverse else I[k] for k in order])
    new["Xrotor"] = [
        Xrotor[k] @ places[parent[k]].X if model.has_rotor[k] and parent[k] in inverse
        else fields["Xrotor"][k] for k in joints
    ]  # fmt: skip
    new |= {name: x[variables] for name, x in model._joint_terms().items()}
    new |= carried(fields, base, places, model.NB)
    old = {f"{model.body_names[k]}_body": places[k] for k in inverse}
    new["frames"] = {**old, **(new.get("frames") or {})}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(**fields | new)


def _path(model: Model, body: str | int) -> list[int]:
    """Return the bodies from the new base to the present one, after a check of the model."""
    names = list(model.body_names)
    if isinstance(body, str) and body not in names:
        raise ModelError(f"change_base: no body is called {body!r}; want one of {names}")
    first = names.index(body) if isinstance(body, str) else model.joint(body)
    joints = model.layout.joints
    roots = np.flatnonzero(model.parent == -1)
    if len(roots) != 1 or joints[roots[0]].code != "Fb":
        raise ModelError("change_base: want a model with one floating base, a joint of type 'Fb'")
    if model.gamma_q is not None or model.loops:
        raise ModelError("change_base: want a model without gamma_q and loops")
    path = [first]
    while (above := int(model.parent[path[-1]])) >= 0:
        if joints[path[-1]].nv != 1 or model.has_rotor[path[-1]]:
            raise ModelError(
                f"change_base: joint {model.joint_names[path[-1]]} has several degrees of freedom "
                "or a rotor; want others between both bases"
            )
        path.append(above)
    return path


def _order(parent: dict[int, int], first: int) -> list[int]:
    """Return the bodies from the first one outward."""
    order: list[int] = [first]
    for k in order:
        order += [child for child, above in parent.items() if above == k]
    return order


def _inverse(X: Any) -> Any:
    """Return the inverse of a transform."""
    E, r = transform_parts(X)
    return plux(namespace(X).matrix_transpose(E), -(E @ r))


def _reversed(jtype: Any) -> Any:
    """Return the type of a joint that is passed in the opposite direction."""
    if not isinstance(jtype, str):
        return {**dict(jtype), "code": _reversed(jtype["code"])}
    return jtype[:-1] if jtype.endswith("-") else f"{jtype}-"
