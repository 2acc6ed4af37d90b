"""Contact points of a model, and conversion of forces at the points to forces on the bodies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array, as_array, constant
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.attached import ATTACHED

__all__ = ["ContactPoints", "body_forces", "contact_points"]


class ContactPoints(NamedTuple):
    """The contact points of a model: its field ``gc`` after checks."""

    point: np.ndarray
    """Positions of the points in body coordinates [m], shape (n, 3), planar models (n, 2)."""
    body: np.ndarray
    """The body of each point, shape (n,)."""


def contact_points(model: Model, caller: str) -> ContactPoints:
    """Check the field ``gc`` of a model, and return its contact points.

    Examples
    --------
    >>> from spatial_v2.models import rollingdisc
    >>> contact_points(rollingdisc(8), "gcPosVel").point.shape
    (16, 3)
    """
    if not model.gc:
        raise ModelError(
            f"{caller}: the model has no contact points; want model.gc = {{'point': (n, 3) places "
            "in coordinates of 'body': (n,) bodies or frames}"
        )
    try:
        fields = ("parent", "Xtree", "frames", "body_names")
        gc = ATTACHED["gc"](model.gc, {name: getattr(model, name) for name in fields})
    except SpatialError as error:
        raise ModelError(f"{caller}: model.{error}") from None
    return ContactPoints(gc["point"], gc["body"])


def body_forces(model: Model, f_gc: Any, caller: str) -> Array:
    """Sum spatial forces (..., n, 6) at the contact points to external forces (..., NB, 6).

    Examples
    --------
    >>> from spatial_v2.models import rollingdisc
    >>> body_forces(rollingdisc(8), np.ones((16, 6)), "gcFD")[5]
    array([16., 16., 16., 16., 16., 16.])
    """
    body, d = contact_points(model, caller).body, 3 if model.is_planar else 6
    f = as_array(f_gc)
    if f.ndim < 2 or tuple(f.shape[-2:]) != (len(body), d):
        raise ArrayShapeError(
            f"{caller}: f_gc must have shape (..., {len(body)}, {d}), a spatial force in base "
            f"coordinates for each contact point, got {tuple(f.shape)}"
        )
    return constant((np.arange(model.NB)[:, None] == body).astype(float), f) @ f
