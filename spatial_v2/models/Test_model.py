"""MATLAB's model of a small arm for tests."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import geared_arm
from spatial_v2.spatial import plux
from spatial_v2.three_d import rx

__all__ = ["Test_model"]


def Test_model() -> Model:
    """Make MATLAB's arm for tests; all inertias are the identity, gravity is zero.

    MATLAB: ``model = Test_model()``.

    Returns
    -------
    Model
        Two joints Rz, 1 m apart and at right angles, each with a rotor of gear ratio 5, whose frame
        is that of the joint.

    Examples
    --------
    >>> Test_model().NB
    2
    """
    X = np.stack([np.eye(6), plux(rx(-np.pi / 2), [1.0, 0.0, 0.0])])
    return geared_arm("Test_model", X, [5.0] * 2, gravity=(0.0, 0.0, 0.0))
