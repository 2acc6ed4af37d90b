"""The Staubli TX40 arm as MATLAB has it: its kinematics, with placeholders for inertias."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms, geared_arm

__all__ = ["TX40_model"]


def TX40_model() -> Model:
    """MATLAB's model of the TX40 arm: every inertia and rotor inertia is the identity, no gravity.

    MATLAB: ``model = TX40_model()``, in which the rotors have no effect: their inertias stand in a
    field ``I_rot`` that no function of the library reads. Here they are `I_rotor`.

    Returns
    -------
    Model
        Six joints Rz, each with a rotor on the joint's own frame; gear ratios 32, 32, 45, 48, 45
        and 32.

    Examples
    --------
    >>> TX40_model().gr
    array([32., 32., 45., 48., 45., 32.])
    """
    right = np.pi / 2
    X = dh_transforms(
        alpha=[0, -right, 0, right, -right, right],
        a=[0, 0, 0.225, 0, 0, 0],
        d=[0, 0, 0.035, 0.225, 0, 0],
    )
    return geared_arm("TX40_model", X, [32, 32, 45, 48, 45, 32], gravity=(0.0, 0.0, 0.0))
