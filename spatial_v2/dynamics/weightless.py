"""Copies of models without gravity."""

from __future__ import annotations

import copy

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["kept_weightless", "weightless"]


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
    twin = copy.copy(model)
    twin.gravity = np.zeros_like(model.gravity)
    return twin


def kept_weightless(model: Model) -> Model:
    """Return the model without gravity that is cached with a model; it must not be edited."""
    if isinstance(model, CoupledModel):
        kept, none = model._state.kept, np.zeros_like(model.tree.gravity)
        if "weightless" not in kept:
            kept["weightless"] = model.replace(gravity=none)
        light: Model = kept["weightless"]
        return light
    return model.checked().keep("weightless", lambda: weightless(model))
