"""The mass of a robot, and the check that it has a centre of mass."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model

__all__ = ["check_mass", "total_mass"]


def check_mass(name: str, model: Model) -> None:
    """Raise an error if the total mass of a model is zero.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> check_mass("EnerMo", autoTree(1).replace(I=np.zeros((1, 6, 6))))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ModelError: EnerMo: no body of the model has mass, so there is no ...
    """
    inertias = [model.I, *([model.I_rotor[model.has_rotor]] if model.has_rotors else [])]
    if all(isinstance(x, np.ndarray) and not x[:, -1, -1].any() for x in inertias):
        raise ModelError(f"{name}: no body of the model has mass, so there is no centre of mass")


def total_mass(model: Model) -> Array:
    """Return the mass of all bodies and rotors [kg], a scalar.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> float(total_mass(autoTree(3)))
    3.0
    """
    mass = namespace(model.I).sum(model.I[:, -1, -1], axis=0)
    if model.has_rotors:
        I = model.I_rotor[model.has_rotor]
        mass = mass + namespace(I).sum(I[:, -1, -1], axis=0)
    return mass
