"""MATLAB's model of the leg of a cheetah robot, with placeholders for inertias."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms, geared_arm

__all__ = ["CheetahLeg_model"]


def CheetahLeg_model() -> Model:
    """Make MATLAB's model of a cheetah's leg; all inertias of links and rotors are the identity.

    MATLAB: ``model = CheetahLeg_model()``, with which dynamics functions fail, because the
    transforms of the rotors are in a field ``Xtree_motor`` instead of `Xrotor`.

    Returns
    -------
    Model
        Three joints Rz, each with a rotor of gear ratio 10; the rotor of the knee is at the hip.
        Gravity is along x, 9.81 m/s^2.

    Examples
    --------
    >>> CheetahLeg_model().gravity
    array([9.81, 0.  , 0.  ])
    """
    X = dh_transforms(alpha=[0, np.pi / 2, 0], a=[0, 0, 0.342], d=[0, 0.044, 0])
    hip = np.stack([X[0], X[1], np.eye(6)])
    return geared_arm("CheetahLeg_model", X, [10.0] * 3, gravity=(9.81, 0.0, 0.0), Xrotor=hip)
