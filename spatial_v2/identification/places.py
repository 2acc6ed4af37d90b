"""Lookup of a body and of one of its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.inertia import INERTIAL_PARAMETERS
from spatial_v2.model import Model

__all__ = ["place"]


def place(model: Model, i: Any, k: Any) -> tuple[int, int]:
    """Return the joint of body i, and the index of parameter k: 0 to 9, or 10 to 19 for a rotor.

    Examples
    --------
    >>> from spatial_v2 import autoTree_rotor
    >>> place(autoTree_rotor(2), 3, "Izz")
    (1, 16)
    """
    if not isinstance(i, (int, np.integer)) or not 0 <= i < 2 * model.NB:
        raise ModelError(
            f"i: {i!r} is not a body; links are 0 .. {model.NB - 1}, the rotor of joint j is NB + j"
        )
    joint, rotor = int(i) % model.NB, int(i) >= model.NB
    if rotor and not model.has_rotor[joint]:
        raise ModelError(f"i: {i} stands for the rotor of joint {joint}, which has no rotor")
    if isinstance(k, str) and k.replace("mc", "h") in INERTIAL_PARAMETERS:
        k = INERTIAL_PARAMETERS.index(k.replace("mc", "h"))
    if not isinstance(k, (int, np.integer)) or not 0 <= k < 10:
        raise SpatialError(
            f"k: {k!r} is not a parameter; they are 0 .. 9, {' '.join(INERTIAL_PARAMETERS)}"
        )
    return joint, int(k) + 10 * rotor
