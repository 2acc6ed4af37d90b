"""The model of some bodies of a model, of which others became parts or were removed."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.exceptions import InertiaWarning
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.models.carried import Place, carried
from spatial_v2.models.floatbase import without_joints

__all__ = ["kept_bodies", "moved_inertia"]


def moved_inertia(I: Array, X: Array) -> Array:
    """Return an inertia in the coordinates from which X leads to its own.

    Examples
    --------
    >>> from spatial_v2.spatial import mcI, xlt
    >>> I = mcI(2.0, [0, 0, 0], np.eye(3))
    >>> np.allclose(moved_inertia(I, xlt([1, 0, 0])), mcI(2.0, [1, 0, 0], np.eye(3)))
    True
    """
    return namespace(X).matrix_transpose(X) @ I @ X


def kept_bodies(
    model: Model,
    kept: Sequence[int],
    places: Sequence[Place],
    Xtree: Array,
    Xrotor: Array,
    inertias: Sequence[Array],
) -> Model:
    """Make the model of some bodies of a model.

    Parameters
    ----------
    model : Model
        The former model.
    kept : sequence of int
        The bodies that remain, in this order.
    places : sequence of Frame or None
        The place of each former body; those that remain have their new numbers.
    Xtree, Xrotor : arrays, shape (NB, 6, 6)
        The transforms of the former model.
    inertias : sequence of array
        Inertias of the bodies that remain, with what has become part of them.
    """
    fields = copy.deepcopy(model.fields())
    xp, base = namespace(Xtree), Frame(-1, np.eye(Xtree.shape[-1]))
    above = [base if p < 0 else places[p] for p in model.parent.tolist()]
    carriers = [place for i in kept if (place := above[i]) is not None]
    pairs = list(zip(kept, carriers, strict=True))
    variables = np.concatenate([np.arange(model.NV)[model.vinds[i]] for i in kept])
    gone = [name for i, name in enumerate(model.joint_names) if i not in kept]
    by_body = ("jtype", "joint_names", "body_names", "has_rotor", "jtype_rotor", "I_rotor", "gr")
    new: dict[str, Any] = {name: [fields[name][i] for i in kept] for name in by_body}
    new["parent"] = [place.body for place in carriers]
    new["Xtree"] = xp.stack([Xtree[i] @ place.X for i, place in pairs])
    new["I"] = xp.stack([*inertias])
    if model.has_rotors:
        rotors = [Xrotor[i] @ place.X if model.has_rotor[i] else Xrotor[i] for i, place in pairs]
        new["Xrotor"] = xp.stack(rotors)
    else:
        new["Xrotor"] = [fields["Xrotor"][i] for i in kept]
    new |= {name: x[variables] for name, x in model._joint_terms().items()}
    new |= carried(fields, base, places, len(kept)) | without_joints(fields, gone)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(**fields | new)
