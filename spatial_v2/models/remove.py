"""Bodies that are taken away."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import alike
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model
from spatial_v2.models.carried import Place
from spatial_v2.models.kept_bodies import kept_bodies

__all__ = ["remove"]


def remove(model: Model, body: str | int) -> Model:
    """Return the model without a body, and without the bodies that it carries.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    body : str or int
        Name or number of the body.

    Returns
    -------
    Model
        The rest of the tree, with the data of its joints and bodies. Frames, contact points and
        drawings on the bodies that are taken away are gone, as are joints that mimic theirs and
        loops that they close.

    Raises
    ------
    ModelError
        A body that the model does not have, or one that carries all others.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> remove(autoTree(3), "body1").body_names
    ('body0',)
    """
    check_model(model)
    if isinstance(body, str):
        if body not in model.body_names:
            raise ModelError(f"remove: no body is called {body!r}; want one of {model.body_names}")
        first = list(model.body_names).index(body)
    else:
        first = model.joint(body)
    gone = [False] * model.NB
    for i, p in enumerate(model.parent.tolist()):
        gone[i] = i == first or (p >= 0 and gone[p])
    if all(gone):
        raise ModelError(f"remove: body {body!r} carries all others; want a body that does not")
    if model.gamma_q is not None:
        raise ModelError("remove: gamma_q is written for all joints; want a model without it")
    X, I, Xrotor = alike(model.Xtree, model.I, model.Xrotor)
    one, places = np.eye(X.shape[-1]), list[Place]()
    for i in range(model.NB):
        places.append(None if gone[i] else Frame(i - sum(gone[:i]), one))
    kept = [i for i in range(model.NB) if not gone[i]]
    new = kept_bodies(model, kept, places, X, Xrotor, [I[i] for i in kept])
    if new.loops:
        there = {*(new.frames or {}), *new.body_names}
        new.loops = {k: x for k, x in new.loops.items() if {x.frame1, x.frame2} <= there}
    return new
