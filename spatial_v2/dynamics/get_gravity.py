"""Gravity as a spatial vector."""

from __future__ import annotations

import numpy as np

from spatial_v2.model import Model

__all__ = ["get_gravity"]


def get_gravity(model: Model) -> np.ndarray:
    """Acceleration of gravity as a spatial, or planar, motion vector in base coordinates.

    MATLAB: ``a_grav = get_gravity(model)``.

    Parameters
    ----------
    model : Model
        A model; without gravity of its own it has [0, 0, -9.81], a planar one [0, 0].

    Returns
    -------
    numpy.ndarray, shape (6,), planar (3,)
        ``[0 0 0 gx gy gz]`` or ``[0 gx gy]`` [m/s^2].

    Examples
    --------
    >>> from spatial_v2.models import planar
    >>> get_gravity(planar(2))
    array([0., 0., 0.])
    """
    turns = 1 if model.is_planar else 3
    return np.concatenate([np.zeros(turns), model.gravity])
