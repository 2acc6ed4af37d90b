"""A tuple of a constraint's fields that compares by value, used as a cache key."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.calls.arguments import FLOAT
from spatial_v2.model import Model
from spatial_v2.model.frame import find_frame

__all__ = ["contents_of"]

_PLAIN = {int, float, bool, str, type(None)}
_BODIES = ("body1", "body2")


def contents_of(model: Model, constraint: Any) -> tuple[Any, ...]:
    """Return the fields of a constraint on a model as a hashable tuple that compares by value.

    Raises
    ------
    TypeError
        A field has no comparable value: symbols or JAX arrays, for instance.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> model, point = autoTree(2), np.zeros(3)
    >>> tip = PointConstraint(1, point)
    >>> before = contents_of(model, tip)
    >>> point[0] = 1.0
    >>> contents_of(model, tip) == before
    False
    """
    parts: list[Any] = [type(constraint)]
    for name, x in vars(constraint).items():
        kind = type(x)
        if kind is np.ndarray and x.dtype is FLOAT:
            parts += kind, x.shape, x.tobytes()
            continue
        if kind not in _PLAIN or (kind is str and name in _BODIES):
            if name in _BODIES:
                frame = find_frame(model, x)
                x = int(frame.body), frame.X
            x = _contents(x)
        parts += kind, x
    return tuple(parts)


def _contents(x: Any) -> Any:
    if type(x) is np.ndarray and x.dtype.kind in "biufc":
        return x.dtype, x.shape, x.tobytes()
    if type(x) in _PLAIN:
        return type(x), x
    if type(x) in (list, tuple):
        return type(x), *map(_contents, x)
    raise TypeError
