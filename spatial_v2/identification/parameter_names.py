"""Names of all parameters of a model."""

from __future__ import annotations

import numpy as np

from spatial_v2.inertia import INERTIAL_PARAMETERS
from spatial_v2.model import Model

__all__ = ["parameter_names"]


def parameter_names(model: Model, rotors: bool = False) -> list[str]:
    """Return names ``m0 mcx0 ...``: parameter and number of its body; rotors have an r.

    Examples
    --------
    >>> from spatial_v2 import autoTree_rotor
    >>> parameter_names(autoTree_rotor(2), rotors=True)[::10]
    ['m0', 'm1', 'mr0', 'mr1']
    """
    names = [x.replace("h", "mc") for x in INERTIAL_PARAMETERS]
    bodies = [str(i) for i in range(model.NB)]
    if rotors:
        bodies += [f"r{i}" for i in np.flatnonzero(model.has_rotor)]
    return [f"{name}{body}" for body in bodies for name in names]
