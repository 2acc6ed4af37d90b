"""Copies of models without gravity, and without springs."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["inertial", "unsprung", "weightless"]


def weightless(model: Model) -> Model:
    """Return a copy of a model without gravity, which shares all other arrays with the model.

    Parameters
    ----------
    model : Model
        A model.

    Returns
    -------
    Model
        A shallow copy whose gravity is zero.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> weightless(autoTree(2)).gravity
    array([0., 0., 0.])
    """
    check_model(model)
    if isinstance(model, CoupledModel):
        return model.replace(gravity=np.zeros_like(free_tree(model).gravity))
    twin = copy.copy(model)
    twin.gravity = np.zeros_like(model.gravity)
    return twin


def inertial(model: Model) -> Model:
    """Return the model without gravity and springs: at rest no force acts but that of inertia.

    It is kept with the model, and must not be edited.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> inertial(autoTree(2).replace(stiffness=3.0)).stiffness is None
    True
    """
    return _kept("inertial", model, gravity=np.zeros_like(free_tree(model).gravity), stiffness=None)


def unsprung(model: Model) -> Model:
    """Return the model without springs, or the model itself if it has none.

    It is kept with the model, and must not be edited.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> unsprung(autoTree(2).replace(stiffness=3.0)).stiffness is None
    True
    """
    return model if free_tree(model).stiffness is None else _kept("unsprung", model, stiffness=None)


def _kept(name: str, model: Model, **fields: Any) -> Model:
    """Return the copy of a model with other fields that is kept with the model."""

    def make() -> Model:
        twin = copy.copy(model)
        for field, value in fields.items():
            setattr(twin, field, value)
        return twin

    if not isinstance(model, CoupledModel):
        return model.checked().keep(name, make)
    if name not in model._state.kept:
        model._state.kept[name] = model.replace(**fields)
    kept: Model = model._state.kept[name]
    return kept
