"""The Unimation Puma 560 arm with measured inertias."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms
from spatial_v2.spatial import mcI

__all__ = ["puma560"]

_JOINTS = ["waist", "shoulder", "elbow", "wrist_rotation", "wrist_bend", "flange_rotation"]
_BODIES = ["trunk", "upper_arm", "forearm", "wrist", "hand", "flange"]
_MASS = [0.0, 17.40, 4.80, 0.82, 0.34, 0.09]
_CENTRE = [
    [0.0, 0.0, 0.0],
    [0.068, 0.006, -0.016],
    [0.0, -0.070, 0.014],
    [0.0, 0.0, -0.019],
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 0.032],
]
_MOMENTS = [
    [0.175, 0.175, 0.35],
    [0.130, 0.524, 0.539],
    [0.066, 0.0125, 0.0785],
    [1.8e-3, 1.8e-3, 1.3e-3],
    [0.30e-3, 0.30e-3, 0.40e-3],
    [0.15e-3, 0.15e-3, 0.04e-3],
]
_GEAR = [62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686]
_DRIVE = [1.14, 4.71, 0.827, 0.200, 0.179, 0.193]
_PAINT, _DARK, _METAL = [0.86, 0.87, 0.84], [0.22, 0.25, 0.28], [0.62, 0.65, 0.68]
_LOOK = {
    "base": [
        "colour", _DARK, "box", [[-0.17, -0.17, -0.68], [0.17, 0.17, -0.64]],
        "colour", _PAINT, "cyl", [[0, 0, -0.64], [0, 0, -0.16]], 0.095,
    ],
    "body": [
        ["colour", _DARK, "cyl", [[0, 0, -0.16], [0, 0, -0.13]], 0.1,
         "colour", _PAINT, "cyl", [[0, 0, -0.13], [0, 0, 0]], 0.09,
         "cyl", [[0, -0.1, 0], [0, 0.18, 0]], 0.105],
        ["colour", _DARK, "cyl", [[0, 0, -0.065], [0, 0, -0.045]], 0.09,
         "colour", _PAINT, "cyl", [[0, 0, -0.045], [0, 0, 0.055]], 0.11,
         "box", [[-0.2, -0.075, -0.045], [0.432, 0.075, 0.055]],
         "cyl", [[0.4318, 0, -0.045], [0.4318, 0, 0.055]], 0.075],
        ["colour", _DARK, "cyl", [[0, 0, 0.035], [0, 0, 0.05]], 0.06,
         "colour", _PAINT, "cyl", [[0, 0, -0.045], [0, 0, 0.035]], 0.07,
         "box", [[-0.065, -0.34, -0.045], [0.035, 0, 0.035]],
         "cyl", [[-0.0203, -0.38, 0], [-0.0203, -0.3, 0]], 0.042],
        ["colour", _METAL, "cyl", [[0, 0, -0.055], [0, 0, 0]], 0.038,
         "colour", _DARK, "cyl", [[0, -0.045, 0], [0, 0.045, 0]], 0.034],
        ["colour", _METAL, "cyl", [[0, 0, 0], [0, -0.045, 0]], 0.026],
        ["colour", _DARK, "cyl", [[0, 0, 0.045], [0, 0, 0.0565]], 0.032],
    ],
}  # fmt: skip
"""Drawing of the arm, whose shoulder is 0.67 m above the floor."""


def puma560(motors: bool = False) -> Model:
    """Make a model of the Unimation Puma 560, an industrial arm with six revolute joints.

    Parameters
    ----------
    motors : bool, optional
        If True, each joint has its motor as a geared rotor about the joint axis.

    Returns
    -------
    Model
        Link frames by the modified Denavit-Hartenberg rule; joint axes z.

    Notes
    -----
    B. Armstrong, O. Khatib, J. Burdick, The explicit dynamic model and inertial parameters of the
    Puma 560 arm, Proc. IEEE Int. Conf. Robotics and Automation (1986): masses, centres of mass,
    moments of inertia about the centre of mass, inertias of the drives as seen at the joint. Gear
    ratios: P. Corke, B. Armstrong-Helouvry, A search for consensus among model parameters reported
    for the Puma 560 robot, Proc. ICRA (1994). Four values are not the papers'; bodies are counted
    from 0. Of body 0 (link 1 of the papers) they give Izz alone, which is all that matters on a
    fixed base: the mass 0 and ``Ixx = Iyy = Izz / 2`` are put in place of the values that were not
    measured. Izz of body 2 (link 3) was measured as 0.086, but no rigid body has a principal moment
    greater than the sum of the other two, so it is ``Ixx + Iyy = 0.0785``.

    Examples
    --------
    >>> puma560()
    Model 'puma560': 6 bodies, NQ = 6, NV = 6, gravity [0, 0, -9.81]
    base
    `- 0  Rz  trunk
       `- 1  Rz  upper_arm
          `- 2  Rz  forearm
             `- 3  Rz  wrist
                `- 4  Rz  hand
                   `- 5  Rz  flange
    """
    right = np.pi / 2
    X = dh_transforms(
        alpha=[0, -right, 0, right, -right, right],
        a=[0, 0, 0.4318, -0.0203, 0, 0],
        d=[0, 0.2435, -0.0934, 0.4331, 0, 0],
    )
    inertia = [mcI(m, c, np.diag(Ic)) for m, c, Ic in zip(_MASS, _CENTRE, _MOMENTS, strict=True)]
    model = Model(
        name="puma560",
        parent=np.arange(6) - 1,
        jtype=["Rz"] * 6,
        Xtree=X,
        I=inertia,
        joint_names=_JOINTS,
        body_names=_BODIES,
        appearance=_LOOK,
    )
    if not motors:
        return model
    J = np.array(_DRIVE) / np.square(_GEAR)
    return model.replace(
        has_rotor=np.ones(6, dtype=bool),
        jtype_rotor=["Rz"] * 6,
        Xrotor=X,
        I_rotor=[mcI(0.0, np.zeros(3), Jm * np.diag([0.5, 0.5, 1.0])) for Jm in J],
        gr=_GEAR,
    )
