"""MATLAB's model of a SCARA arm, with placeholders for inertias."""

from __future__ import annotations

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms, geared_arm

__all__ = ["Scara_model"]


def Scara_model() -> Model:
    """Make MATLAB's model of a SCARA arm; all inertias of links and rotors are the identity.

    MATLAB: ``model = Scara_model()``.

    Returns
    -------
    Model
        Joints Rz, Rz, Pz, Rz, each with a rotor Rz of gear ratio 5, whose frame is the joint's.

    Examples
    --------
    >>> Scara_model().jtype
    ('Rz', 'Rz', 'Pz', 'Rz')
    """
    X = dh_transforms(alpha=[0, 0, 0, 0], a=[0, 0.1, 0.2, 0], d=[0, 0, 0, 0])
    return geared_arm("Scara_model", X, [5.0] * 4, jtype=["Rz", "Rz", "Pz", "Rz"])
