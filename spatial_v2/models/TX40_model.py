"""MATLAB's model of the Staubli TX40 arm, with placeholders for inertias."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms, geared_arm

__all__ = ["TX40_model"]


def TX40_model() -> Model:
    """Make MATLAB's model of the TX40 arm; all inertias are the identity, gravity is zero.

    MATLAB: ``model = TX40_model()``. In MATLAB the rotors have no effect, because their inertias
    are in a field ``I_rot`` instead of `I_rotor`; here they have one.

    Returns
    -------
    Model
        Six joints Rz, each with a rotor, whose frame is that of the joint; gear ratios 32, 32, 45,
        48, 45 and 32.

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
