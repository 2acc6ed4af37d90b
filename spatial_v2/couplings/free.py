"""The free tree of any model, and motions and forces of its joints."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.model import Model

__all__ = ["free_configuration", "free_motion", "free_tree", "moved", "pulled_back"]


def free_tree(model: Model) -> Model:
    """Return the free tree of a coupled model; another model is its own.

    Examples
    --------
    >>> from spatial_v2 import couple
    >>> from spatial_v2.models import autoTree
    >>> free_tree(couple(autoTree(2), mimic={1: (0, -1.0, 0.0)})).NV
    2
    """
    return model.tree if isinstance(model, CoupledModel) else model


def free_configuration(model: Model, q: Array) -> Array:
    """Return the position variables of the free tree."""
    return model.coupling.configuration(q) if isinstance(model, CoupledModel) else q


def free_motion(model: Model, q: Array, qd: Array) -> Array:
    """Return the velocities of the free tree's joints."""
    return model.motion(q, qd) if isinstance(model, CoupledModel) else qd


def moved(model: Model, q: Array, qd: Array, qdd: Array) -> tuple[Array, Array, Array, Array]:
    """Return the motion q, qd, qdd of the free tree, and the matrix G of its velocities."""
    if isinstance(model, CoupledModel):
        return model.moved(q, qd, qdd)
    return q, qd, qdd, np.eye(model.NV)


def pulled_back(model: Model, q: Array, tau: Array) -> Array:
    """Return the forces along the model's variables for joint forces of the free tree."""
    return model.forces(q, tau) if isinstance(model, CoupledModel) else tau
