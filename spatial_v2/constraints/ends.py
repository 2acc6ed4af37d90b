"""The two ends of a constraint: bodies, and frames or points on them, in spatial coordinates."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.engine.tree import lift_transforms
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, check_frame, find_frame
from spatial_v2.spatial import transform_parts

__all__ = ["Body", "check_numbers", "check_span", "frame_of", "point_of"]

Body: TypeAlias = int | str | Frame
"""A body: its number (-1: the base), its name, the name of a frame of the model, or a `Frame`."""


def frame_of(model: Model, name: str, body: Body, X: Any) -> tuple[int, Array]:
    """Return the number of a body, and the transform (6, 6) from it to the frame X of `body`.

    Error messages refer to the argument by `name`, for instance ``constraints[0].body1``.
    """
    i, X_body = find_frame(model, body, name)
    X_body = 1 * X_body
    if X is not None:
        X = check_frame(X, name.replace("body", "frame"), 3 if model.is_planar else 6)
        X_body = X @ X_body
    return i, lift_transforms(np.asarray(X_body)[None])[0] if model.is_planar else X_body


def point_of(model: Model, name: str, body: Body, point: Any) -> tuple[int, Array | None]:
    """Return the number of a body, and the body coordinates (3,) of a point given in `body`."""
    i, X = frame_of(model, name, body, None)
    if point is None:
        return i, None
    point = as_numbers(point, name.replace("body", "point"))
    if model.is_planar and tuple(point.shape) == (2,):
        point = np.append(point, 0.0)
    if tuple(point.shape) != (3,):
        want = "(3,), or (2,) in a planar model" if model.is_planar else "(3,)"
        text = f"{name.replace('body', 'point')}: want shape {want}, got {tuple(point.shape)}"
        raise ArrayShapeError(text)
    check_numbers(name.replace("body", "point"), point)
    E, r = transform_parts(X)
    return i, r + namespace(E).matrix_transpose(E) @ point


def check_numbers(name: str, x: Array) -> None:
    """Raise an error if a NumPy array has entries that are not finite."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc" and not np.isfinite(x).all():
        raise ModelError(f"{name}: want finite numbers, got {x!r}")


def check_span(name: str, directions: Array) -> None:
    """Raise an error unless directions, the columns of a NumPy array, are linearly independent."""
    check_numbers(name, directions)
    if isinstance(directions, np.ndarray) and directions.dtype.kind in "fc":
        rank = np.linalg.matrix_rank(directions.real)
        if rank < directions.shape[1]:
            raise ModelError(
                f"{name}: want linearly independent directions, got {directions.shape[1]} "
                f"of rank {rank}"
            )
