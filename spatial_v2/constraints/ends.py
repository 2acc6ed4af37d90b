"""The two ends of a constraint: bodies by number, name or frame, and where on them."""

from __future__ import annotations

import operator
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np

from spatial_v2.arrays import Array, as_array
from spatial_v2.engine.tree import lift_transforms
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.io import Frame
from spatial_v2.model import Model
from spatial_v2.model.checks import check_transforms
from spatial_v2.spatial import transform_parts

__all__ = ["Body", "frame_of", "point_of", "resolve"]

Body: TypeAlias = int | str | Frame
"""A body: its number (-1: the base), its name, that of a frame of the model, or a `Frame`."""


def resolve(model: Model, name: str, body: Body) -> tuple[int, Array]:
    """The number of a body, and the transform (6, 6) from it to the frame that stands for it."""
    X: Array = np.eye(6)
    number: Any = _by_name(model, name, body) if isinstance(body, str) else body
    if isinstance(number, Frame):
        number, X = number.body, check_frame(model, name, number.X)
    try:
        i = operator.index(number)
    except TypeError:
        raise ModelError(
            f"{name}: want a body's number or name, or a Frame, got {body!r}"
        ) from None
    if not -1 <= i < model.NB:
        hint = "; MATLAB's bodies count from 1, these from 0" if i == model.NB else ""
        raise ModelError(
            f"{name}: want a number from 0 to {model.NB - 1}, or -1 for the base; got {i}{hint}"
        )
    return i, X


def _by_name(model: Model, name: str, body: str) -> Body:
    if body in model.body_names:
        return model.body_names.index(body)
    frames = model.frames or {}
    if body in frames:
        found: Frame = frames[body]
        return found
    near = get_close_matches(body, [*model.body_names, *frames], 3, 0.4)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise ModelError(f"{name}: the model has no body and no frame {body!r}{hint}")


def check_frame(model: Model, name: str, X: Any) -> Array:
    """A transform to a frame as a spatial one; of a planar model (3, 3) will do."""
    X = as_array(X)
    if model.is_planar and tuple(X.shape) == (3, 3):
        X = lift_transforms(X[None])[0]
    if tuple(X.shape) != (6, 6):
        raise ArrayShapeError(f"{name}: want a transform of shape (6, 6), got {tuple(X.shape)}")
    check_transforms(name, X[None])
    return X


def frame_of(model: Model, name: str, body: Body, X: Any) -> tuple[int, Array]:
    """A body, and the transform (6, 6) from it to a frame given relative to `body`."""
    i, X_body = resolve(model, name, body)
    if X is None:
        return i, X_body
    return i, check_frame(model, f"{name.replace('body', 'frame')}", X) @ X_body


def point_of(model: Model, name: str, body: Body, point: Any) -> tuple[int, Array | None]:
    """A body, and the coordinates (3,) in it of a point given relative to `body`."""
    i, X = resolve(model, name, body)
    if point is None:
        return i, None
    point = as_array(point)
    planar = model.is_planar and tuple(point.shape) == (2,)
    if not planar and tuple(point.shape) != (3,):
        want = "(3,), or (2,) in a planar model" if model.is_planar else "(3,)"
        text = f"{name.replace('body', 'point')}: want shape {want}, got {tuple(point.shape)}"
        raise ArrayShapeError(text)
    if planar:
        point = np.append(point, 0.0)
    E, r = transform_parts(X)
    return i, r + np.swapaxes(E, -1, -2) @ point
