"""Frames fixed in bodies, and how arguments of functions refer to them."""

from __future__ import annotations

import functools
import operator
from typing import Any, Literal

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.model.checks import check_transforms
from spatial_v2.model.frame_names import frame_called
from spatial_v2.model.model import Model
from spatial_v2.model.records import Frame

__all__ = ["AXES", "Axes", "Frame", "check_axes", "check_frame", "find_frame"]

Axes = Literal["body", "base", "mixed"]
"""Coordinates of results: "body" those of the frame itself, "base" those of the base, "mixed" axes
of the base at the origin of the frame.
"""
AXES = {"body": 0, "base": 1, "mixed": 2}
"""The numbers by which kernels know the values of `Axes`."""


def check_axes(axes: Any) -> None:
    """Raise an error unless `axes` is valid."""
    if not (isinstance(axes, str) and axes in AXES):
        raise SpatialError(
            "axes: want 'body' (LOCAL), 'base' (WORLD) or 'mixed' (LOCAL_WORLD_ALIGNED), "
            f"got {axes!r}"
        )


def find_frame(model: Model, frame: Any, name: str = "frame") -> Frame:
    """Return the `Frame` that a `Frame`, the number of a body, or a name refers to.

    Names are looked up in ``model.frames`` first, then among the bodies. Error messages call the
    argument `name`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> find_frame(autoTree(3), "body1").body
    1
    """
    d = 3 if model.is_planar else 6
    if isinstance(frame, str):
        frame = frame_called(frame, model.frames, model.body_names, d, name)
    if not isinstance(frame, Frame):
        return Frame(_number(model, frame, name), np.eye(d))
    return Frame(_number(model, frame.body, name), check_frame(frame.X, f"{name}: X", d))


def check_frame(X: Any, name: str, d: int) -> Array:
    """Check that X is a transform (d, d) to a frame, and return it as an array."""
    X = as_matrix(X, name, d)
    if X.ndim != 2:
        raise ArrayShapeError(f"{name} must have shape ({d}, {d}), got {tuple(X.shape)}")
    if isinstance(X, np.ndarray) and X.dtype == np.float64:
        _check(X.tobytes(), name, d)
    else:
        check_transforms(name, X[None])
    return X


@functools.lru_cache(maxsize=1024)
def _check(numbers: bytes, name: str, d: int) -> None:
    """Run `check_transforms` on a matrix given as bytes; a cache saves repeated checks."""
    check_transforms(name, np.frombuffer(numbers).reshape(1, d, d))


def _number(model: Model, body: Any, name: str) -> int:
    try:
        if isinstance(body, bool):
            raise TypeError
        i = operator.index(body)
    except TypeError:
        raise ModelError(
            f"{name}: want a Frame, the number of a body, or the name of a frame or a body; "
            f"got {body!r}"
        ) from None
    if not -1 <= i < model.NB:
        hint = "; MATLAB's bodies count from 1, these from 0" if i == model.NB else ""
        raise ModelError(
            f"{name}: want the number of a body, 0 to {model.NB - 1}, or -1 for the base; got {i}"
            f"{hint}"
        )
    return i
