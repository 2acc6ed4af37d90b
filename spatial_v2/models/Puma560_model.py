"""MATLAB's model of the Puma 560 arm, with placeholders for inertias."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms, geared_arm

__all__ = ["Puma560_model"]


def Puma560_model() -> Model:
    """Make MATLAB's model of the Puma 560; all inertias of links and rotors are the identity.

    MATLAB: ``model = Puma560_model()``. The robot with measured inertias is `puma560`.

    Returns
    -------
    Model
        Six joints Rz, each with a rotor of gear ratio 5, whose frame is that of the joint.

    Examples
    --------
    >>> Puma560_model().n_rotor
    6
    """
    right = np.pi / 2
    X = dh_transforms(
        alpha=[0, -right, 0, -right, right, -right],
        a=[0, 0, 0.2, 0.153, 0, 0],
        d=[0, 0, 0.4, 0.839, 0, 0],
    )
    return geared_arm("Puma560_model", X, [5.0] * 6)
