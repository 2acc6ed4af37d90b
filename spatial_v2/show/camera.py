"""The camera of an animation, from MATLAB's field `camera`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model

__all__ = ["View", "view_of"]

ANGLE = 25.0
"""Vertical angle of view [deg]."""
MARGIN = 1.12
"""Ratio of the width of the picture to that of the scene."""
FIELDS = ("body", "trackpoint", "direction", "up", "zoom", "locus")


class View(NamedTuple):
    """Position and direction of the camera at the first instant, in base coordinates."""

    eye: np.ndarray
    """Position [m], shape (3,)."""
    target: np.ndarray
    """Point that it looks at [m], shape (3,)."""
    up: np.ndarray
    """Upward direction in the picture, shape (3,)."""
    body: int
    """Number of the body that the camera follows, -1 for none."""
    trackpoint: np.ndarray
    """The point that the camera follows, in coordinates of that body [m], shape (3,)."""

    def moved(self, by: np.ndarray) -> View:
        """Return the camera moved by the displacement `by`, without its component along `up`."""
        across = by - (by @ self.up) * self.up
        return self._replace(eye=self.eye + across, target=self.target + across)


def view_of(model: Model, points: np.ndarray, R: np.ndarray, p: np.ndarray) -> View:
    """Determine the camera for a model.

    Parameters
    ----------
    model : Model
        The rigid-body tree. Its field `camera` overrides the defaults: ``body`` is the body to
        follow, ``trackpoint`` a point on it, ``direction`` points from the robot to the camera,
        ``up`` is the upward direction, ``zoom`` the magnification, and ``locus`` the position of
        the track point in the picture, from -1 to 1. A model without drawings or from a URDF file
        is seen from the side by default.
    points : (N, 3) array
        Points that must be visible, in base coordinates.
    R, p : arrays, shape (NB, 3, 3) and (NB, 3)
        Poses of the bodies at the first instant.

    Raises
    ------
    ModelError
        If a field of `camera` is wrong.
    """
    camera = dict(model.camera or {})
    unknown = camera.keys() - set(FIELDS)
    if unknown:
        raise ModelError(f"camera: unknown field {min(unknown)!r}; known: {', '.join(FIELDS)}")
    upright = model.is_planar and float(model.gravity[1]) < -abs(float(model.gravity[0]))
    aside = 0.0 if model.appearance and not model.frames else 0.7
    back = _vector(camera, "direction", (0, 0.4, 1) if upright else (aside, -1, 0.8), 3)
    up = _vector(camera, "up", (0, 1, 0) if upright else (0, 0, 1), 3)
    right = np.cross(up, back)
    if np.linalg.norm(right) <= 1e-9 * np.linalg.norm(up) * np.linalg.norm(back):
        raise ModelError(
            "camera: want vectors 'up' and 'direction' that are neither zero nor parallel"
        )
    back, right, up = (x / np.linalg.norm(x) for x in (back, right, up))
    zoom = float(_vector(camera, "zoom", 1.0, 1)[0])
    if zoom <= 0:
        raise ModelError(f"camera: 'zoom' must be positive, got {zoom:g}")
    body = int(camera.get("body", -1))
    if not -1 <= body < model.NB:
        raise ModelError(f"camera: 'body' must be from -1, the base, to {model.NB - 1}, got {body}")
    trackpoint = _vector(camera, "trackpoint", (0, 0, 0), 3)
    lower, upper = points.min(axis=0), points.max(axis=0)
    slope = float(np.tan(np.radians(ANGLE / 2)))
    side = np.stack([right, np.cross(back, right)])
    target, shift = (lower + upper) / 2, np.zeros(2)
    if camera.get("locus") is not None:
        shift = _vector(camera, "locus", (0, 0), 2)
        target = trackpoint if body < 0 else p[body] + R[body] @ trackpoint
    distance = _distance((points - target) @ side.T, (points - target) @ back, slope, shift) / zoom
    target = target - distance * slope * (shift @ side)
    return View(target + distance * back, target, up, body, trackpoint)


def _distance(across: np.ndarray, towards: np.ndarray, slope: float, shift: np.ndarray) -> float:
    """Compute the distance d of the camera at which all points are inside the picture.

    A point at x to the right and nearer by z appears at (x / slope + s d) / (d - z), which must be
    between -1 and 1; s is the shift of the track point, slope the tangent of half the angle of
    view.
    """
    needs = MARGIN * np.abs(across) / slope + towards[:, None]
    room = 1 - np.sign(across) * shift
    return float((needs / np.maximum(room, 0.25)).max())


def _vector(camera: Mapping[str, Any], field: str, default: Any, n: int) -> np.ndarray:
    value = camera.get(field)
    try:
        x = np.asarray(default if value is None else value, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        x = np.empty(0)
    if len(x) != n or not np.isfinite(x).all():
        raise ModelError(f"camera: {field!r} wants {n} number{'s' * (n > 1)}, got {value!r}")
    return x
