"""The Mini Cheetah in its plane of symmetry."""

from __future__ import annotations

import warnings

import numpy as np

from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.model import Model
from spatial_v2.models.get_miniCheetah_params import get_miniCheetah_params
from spatial_v2.spatial import mcI, xlt
from spatial_v2.three_d import skew

__all__ = ["build_quadruped_model"]


def build_quadruped_model(kind: str = "2D") -> Model:
    """Make a model of the Mini Cheetah in the x-z plane: a floating trunk, a front and a back leg.

    MATLAB: ``[robot,params] = build_quadruped_model('2D')``; params are those of
    `get_miniCheetah_params`.

    Parameters
    ----------
    kind : {"2D"}, optional
        Only ``"2D"``; MATLAB accepts ``'3D'`` too, and then fails.

    Returns
    -------
    Model
        Joints Px, Pz, Ry of the trunk, then hip and knee of the front legs, and of the back legs.
        Each leg of the model represents two legs: its masses and inertias are doubled. The trunk
        includes the four abduction actuators.

    Raises
    ------
    ModelError
        `kind` is not ``"2D"``.

    Notes
    -----
    Inertias are MATLAB's, with two flaws. For the trunk, the inertia of the body is shifted to the
    common centre of mass with the mass of body and actuators, 5.46 kg, instead of the mass of the
    body, 3.3 kg. The inertia of the hips is slightly inconsistent with positive masses, so that
    `Model.replace` gives a warning.

    Examples
    --------
    >>> build_quadruped_model().jtype
    ('Px', 'Pz', 'Ry', 'Ry', 'Ry', 'Ry', 'Ry')
    """
    if kind != "2D":
        raise ModelError(f"build_quadruped_model: want kind '2D', got {kind!r}")
    p = get_miniCheetah_params()
    none = np.zeros((6, 6))
    hip = mcI(2 * p.hip_mass, p.hip_center, 2 * p.hip_inertia)
    knee = mcI(2 * p.knee_mass, p.knee_center, 2 * p.knee_inertia)
    front, down = [p.body_length / 2, 0.0, 0.0], xlt([0.0, 0.0, -p.hip_link_length])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(
            name="build_quadruped_model",
            parent=[-1, 0, 1, 2, 3, 2, 5],
            jtype=["Px", "Pz", "Ry", "Ry", "Ry", "Ry", "Ry"],
            Xtree=[*[np.eye(6)] * 3, xlt(front), down, xlt([-x for x in front]), down],
            I=[none, none, _trunk(), hip, knee, hip, knee],
            gravity=[0.0, 0.0, -9.81],
            body_names=[
                "base_x", "base_z", "trunk", "front_hip", "front_knee", "back_hip", "back_knee",
            ],
        )  # fmt: skip


def _trunk() -> np.ndarray:
    """Return the inertia of the body together with the four abduction actuators."""
    p = get_miniCheetah_params()
    sides = np.array([[1, 1, 1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1]])
    centres = sides * p.abad_location + p.abad_center
    mass = p.body_mass + len(centres) * p.abad_mass
    c = p.abad_mass * centres.sum(axis=0) / mass
    S = skew(c)
    inertia = p.body_inertia + mass * S @ S.T
    for centre in centres:
        D = skew(centre - c)
        inertia = inertia + p.abad_inertia + p.abad_mass * D @ D.T
    return np.asarray(mcI(mass, c, inertia))
