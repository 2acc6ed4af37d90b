"""The leg of a cheetah robot as MATLAB has it: its kinematics, with placeholders for inertias."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms, geared_arm

__all__ = ["CheetahLeg_model"]


def CheetahLeg_model() -> Model:
    """MATLAB's model of a cheetah's leg: every inertia and rotor inertia is the identity.

    MATLAB: ``model = CheetahLeg_model()``, which fails in the dynamics: the places of the rotors
    stand in a field ``Xtree_motor`` that no function of the library reads. Here they are `Xrotor`.

    Returns
    -------
    Model
        Three joints Rz, each with a rotor of gear ratio 10; the motor of the knee stands at the
        hip. Gravity is along x, 9.81 m/s^2.

    Examples
    --------
    >>> CheetahLeg_model().gravity
    array([9.81, 0.  , 0.  ])
    """
    X = dh_transforms(alpha=[0, np.pi / 2, 0], a=[0, 0, 0.342], d=[0, 0.044, 0])
    hip = np.stack([X[0], X[1], np.eye(6)])
    return geared_arm("CheetahLeg_model", X, [10.0] * 3, gravity=(9.81, 0.0, 0.0), Xrotor=hip)
