"""Mass, centre of mass and ellipsoid of inertia of each body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.model import Model
from spatial_v2.spatial import mcI

__all__ = ["BodyMass", "body_masses"]


class BodyMass(NamedTuple):
    """Mass distribution of a body."""

    m: float
    """Mass [kg]."""
    c: np.ndarray
    """Centre of mass in body coordinates [m], shape (3,)."""
    axes: np.ndarray
    """Principal axes as columns of a rotation, shape (3, 3)."""
    radii: np.ndarray
    """Semi-axes [m], shape (3,), of the uniform ellipsoid with this inertia; 0 without mass."""


def body_masses(model: Model) -> list[BodyMass]:
    """Compute the mass distribution of each body.

    A planar body is taken as flat. If no ellipsoid has the inertia, a semi-axis is 0.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> body_masses(autoTree(1))[0].c
    array([0.5, 0. , 0. ])
    """
    return [_of(np.asarray(I, dtype=float)) for I in model.I]


def _of(I: np.ndarray) -> BodyMass:
    nothing = BodyMass(0.0, np.zeros(3), np.eye(3), np.zeros(3))
    m = float(I[-1, -1])
    if m <= 0:
        return nothing
    _, c, I_C = mcI(I)
    if I.shape[-1] == 3:
        half = float(I_C) / 2
        c, I_C = np.append(c, 0.0), np.diag([half, half, 2 * half])
    moments, axes = np.linalg.eigh(np.asarray(I_C))
    axes = axes * np.sign(np.linalg.det(axes))
    squares = 2.5 / m * (moments.sum() - 2 * moments)
    return BodyMass(m, np.asarray(c), axes, np.sqrt(squares.clip(0)))
