"""Joints that are held in place: a model with fewer variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import alike, constant
from spatial_v2.arrays.checks import as_vector
from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import ModelError
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, check_frame
from spatial_v2.model.state import check_model
from spatial_v2.models.coupled_edits import locked
from spatial_v2.models.kept_bodies import kept_bodies, moved_inertia

__all__ = ["lock"]


def lock(model: Model, joints: Mapping[Any, ArrayLike]) -> Model:
    """Return the model in which some joints are held in place.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors, planar models, and joints that follow others linearly
        too.
    joints : mapping
        Position variables of the joints to hold, by the names or numbers of the joints:
        ``{"finger": 0.02}``. Of a coupled model those of its variables, with which all joints that
        follow only them are held.

    Returns
    -------
    Model
        The tree without these joints. A body on such a joint becomes a part of its parent, with
        its rotor, its inertia, drawings, contact points and frames, and a frame with its name. On
        the base it has no effect on the motion, and its contact points are dropped. Other joints
        keep their order, their joint terms, limits and couplings; those that mimic a held joint no
        longer do.

    Raises
    ------
    ModelError
        A joint that the model does not have, or no joint that moves.
    ArrayShapeError
        The number of position variables of a joint is another one.

    Examples
    --------
    >>> from spatial_v2 import CRBA, autoTree
    >>> arm = autoTree(3)
    >>> held = lock(arm, {"joint1": 0.5})
    >>> np.allclose(CRBA(held, [0.1, 0.2]), CRBA(arm, [0.1, 0.5, 0.2])[np.ix_([0, 2], [0, 2])])
    True
    """
    check_model(model)
    if not isinstance(joints, Mapping):
        raise ModelError(
            f"lock: want a dict of positions by joint, as {{'finger': 0.02}}, got {joints!r}"
        )
    if isinstance(model, CoupledModel):
        return locked(model, joints, lock)
    positions = {}
    for name, x in joints.items():
        i = model.joint(name)
        positions[i] = as_vector(np.atleast_1d(x), f"lock: joints[{name!r}]", model.nq[i])
    if len(positions) == model.NB:
        raise ModelError("lock: all joints are held; want a model in which some move")
    if model.gamma_q is not None:
        raise ModelError("lock: gamma_q is written for all joints; want a model without it")
    X, I, Xrotor, I_rotor = alike(model.Xtree, model.I, model.Xrotor, model.I_rotor)
    d = X.shape[-1]
    places: list[Frame] = []
    inertias: list[Any] = []

    def add(place: Frame, inertia: np.ndarray) -> None:
        if place.body >= 0:
            inertias[place.body] = inertias[place.body] + moved_inertia(inertia, place.X)

    for i, p in enumerate(model.parent.tolist()):
        parent = Frame(-1, constant(np.eye(d), X)) if p < 0 else places[p]
        if i not in positions:
            places.append(Frame(len(inertias), constant(np.eye(d), X)))
            inertias.append(I[i])
            continue
        XJ = check_frame(jcalc(model.jtype[i], positions[i])[0], f"lock: {model.joint_names[i]}", d)
        places.append(Frame(parent.body, constant(XJ, X) @ X[i] @ parent.X))
        add(places[i], I[i])
        if model.has_rotor[i]:
            turned = jcalc(model.jtype_rotor[i], np.asarray(positions[i] * model.gr[i]))[0]
            add(Frame(parent.body, constant(turned, X) @ Xrotor[i] @ parent.X), I_rotor[i])
    kept = [i for i in range(model.NB) if i not in positions]
    new = kept_bodies(model, kept, places, X, Xrotor, inertias)
    names = {model.body_names[i]: places[i] for i in positions}
    new.frames = {**names, **(new.frames or {})}
    return new
