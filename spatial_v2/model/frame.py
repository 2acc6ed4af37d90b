"""Frames fixed in bodies, and the ways to name one."""

from __future__ import annotations

import difflib
import functools
import operator
from typing import Any, Literal, NamedTuple

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.model.checks import check_transforms
from spatial_v2.model.model import Model

__all__ = ["AXES", "Axes", "Frame", "check_axes", "find_frame"]

Axes = Literal["body", "base", "mixed"]
"""The frame's axes and origin; the base's; the base's axes about the frame's origin."""
AXES = {"body": 0, "base": 1, "mixed": 2}
"""Their numbers in kernels."""


class Frame(NamedTuple):
    """A frame fixed in a body (-1: the base); `X` (6, 6) maps motions from body to frame."""

    body: int
    X: Array


def check_axes(axes: Any) -> None:
    """Whether there are such axes."""
    if not (isinstance(axes, str) and axes in AXES):
        raise SpatialError(
            "axes: want 'body' (LOCAL), 'base' (WORLD) or 'mixed' (LOCAL_WORLD_ALIGNED), "
            f"got {axes!r}"
        )


def find_frame(model: Model, frame: Any) -> Frame:
    """The frame that is meant by a `Frame`, the number of a body, or a name.

    A name is looked for in ``model.frames`` first, then among the bodies.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> find_frame(autoTree(3), "body1").body
    1
    """
    d = 3 if model.is_planar else 6
    if isinstance(frame, str):
        return _named(model, frame, d)
    if not isinstance(frame, Frame):
        return Frame(_number(model, frame), np.eye(d))
    X = as_matrix(frame.X, "frame: X", d)
    if X.ndim != 2:
        raise ArrayShapeError(f"frame: X must have shape ({d}, {d}), got {tuple(X.shape)}")
    if isinstance(X, np.ndarray) and X.dtype == np.float64:
        _check(X.tobytes(), d)
    else:
        check_transforms("frame: X", X[None])
    return Frame(_number(model, frame.body), X)


@functools.lru_cache(maxsize=1024)
def _check(numbers: bytes, d: int) -> None:
    """`check_transforms`, once for the same numbers."""
    check_transforms("frame: X", np.frombuffer(numbers).reshape(1, d, d))


def _named(model: Model, name: str, d: int) -> Frame:
    frames = model.frames or {}
    if name in frames:
        return find_frame(model, Frame(*frames[name]))
    if name in model.body_names:
        return Frame(model.body_names.index(name), np.eye(d))
    known = list(dict.fromkeys([*frames, *model.body_names]))
    close = difflib.get_close_matches(name, known, n=5, cutoff=0.5)
    hint = "did you mean" if close else "there are"
    more = "" if close or len(known) <= 5 else ", ..."
    names = ", ".join(map(repr, close or known[:5]))
    raise ModelError(f"frame: no frame and no body is called {name!r}; {hint} {names}{more}")


def _number(model: Model, body: Any) -> int:
    try:
        i = operator.index(body)
    except TypeError:
        raise ModelError(
            "frame: want a Frame, the number of a body, or the name of a frame or a body; "
            f"got {body!r}"
        ) from None
    if not -1 <= i < model.NB:
        raise ModelError(
            f"frame: want the number of a body, 0 to {model.NB - 1}, or -1 for the base; got {i}"
        )
    return i
