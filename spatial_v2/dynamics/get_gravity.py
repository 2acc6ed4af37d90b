"""Gravity as a spatial vector."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["get_gravity"]


def get_gravity(model: Model) -> Array:
    """Return the acceleration of gravity as a motion vector in base coordinates.

    MATLAB: ``a_grav = get_gravity(model)``.

    Parameters
    ----------
    model : Model
        A model. The default of its field `gravity` is [0, 0, -9.81], for planar models [0, 0].

    Returns
    -------
    array, shape (6,), planar (3,)
        ``[0 0 0 gx gy gz]`` or ``[0 gx gy]`` [m/s^2].

    Examples
    --------
    >>> from spatial_v2.models import planar
    >>> get_gravity(planar(2))
    array([0., 0., 0.])
    """
    check_model(model)
    turns = 1 if model.is_planar else 3
    g = model.gravity
    return namespace(g).concat([constant(np.zeros(turns), g), g])
