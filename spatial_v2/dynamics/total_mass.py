"""Check that a robot has a centre of mass."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model

__all__ = ["check_mass"]


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
