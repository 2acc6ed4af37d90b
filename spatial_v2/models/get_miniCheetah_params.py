"""Masses, sizes and inertias of the Mini Cheetah."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["MiniCheetah", "get_miniCheetah_params"]


@shown_in_notebooks
class MiniCheetah(NamedTuple):
    """Parameters of the Mini Cheetah: masses [kg], centres of mass and lengths [m], and inertias.

    Inertias are about the centres of mass [kg m^2].
    """

    body_mass: float
    """Mass of the body."""
    body_inertia: np.ndarray
    """Inertia about the middle of the body, shape (3, 3)."""
    body_length: float
    """Length of the body."""
    body_width: float
    """Width of the body."""
    body_height: float
    """Height of the body."""
    abad_mass: float
    """Mass of one of the four abduction actuators, at the hips."""
    abad_center: np.ndarray
    """Centre of mass of the actuator in its own frame."""
    abad_inertia: np.ndarray
    """Inertia of the actuator, shape (3, 3)."""
    abad_location: np.ndarray
    """Position of the front left actuator in the body; the others are mirror images."""
    hip_mass: float
    """Mass of one thigh."""
    hip_center: np.ndarray
    """Centre of mass of the thigh in its own frame."""
    hip_inertia: np.ndarray
    """Inertia of the thigh, shape (3, 3)."""
    hip_link_length: float
    """Distance from the hip to the knee."""
    knee_mass: float
    """Mass of one shank."""
    knee_center: np.ndarray
    """Centre of mass of the shank in its own frame."""
    knee_inertia: np.ndarray
    """Inertia of the shank, shape (3, 3)."""
    knee_link_length: float
    """Distance from the knee to the foot."""


def get_miniCheetah_params() -> MiniCheetah:
    """Return masses, sizes and inertias of the Mini Cheetah, for `build_quadruped_model`.

    MATLAB: ``params = get_miniCheetah_params()``.

    Returns
    -------
    MiniCheetah
        Named tuple; its field names differ from MATLAB's.

    Notes
    -----
    The numbers are MATLAB's. B. Katz, J. Di Carlo, S. Kim, Mini Cheetah: a platform for pushing the
    limits of dynamic quadruped control, Proc. ICRA (2019), describes the robot.

    Examples
    --------
    >>> get_miniCheetah_params().knee_link_length
    0.195
    """
    micro = 1e-6
    return MiniCheetah(
        body_mass=3.3,
        body_inertia=micro * np.diag([11253.0, 36203.0, 42673.0]),
        body_length=0.38,
        body_width=0.098,
        body_height=0.1,
        abad_mass=0.54,
        abad_center=np.array([0.0, 0.036, 0.0]),
        abad_inertia=micro * np.array([[381.0, 58, 0.45], [58, 560, 0.95], [0.45, 0.95, 444]]),
        abad_location=np.array([0.19, 0.049, 0.0]),
        hip_mass=0.634,
        hip_center=np.array([0.0, 0.016, -0.02]),
        hip_inertia=micro * np.array([[1983.0, 245, 13], [245, 2103, 1.5], [13, 1.5, 408]]),
        hip_link_length=0.209,
        knee_mass=0.064,
        knee_center=np.array([0.0, 0.0, -0.061]),
        knee_inertia=micro * np.diag([245.0, 248.0, 6.0]),
        knee_link_length=0.195,
    )
