"""Arguments that MATLAB's functions take, and this library's functions refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["ACCEPTED"]


def _first_two(theta: Any, r: Any, *more: Any) -> list[Any]:
    """Of a point of a plane the first two coordinates count."""
    return [theta, np.ravel(r)[:2] if np.size(r) > 2 else r, *more]


def _inertia(m: Any, c: Any = None, inertia: Any = None, *more: Any) -> list[Any]:
    """A rotational inertia that is one number is added to every entry of a matrix."""
    if c is not None and np.size(c) == 3 and np.size(inertia) == 1 and inertia is not None:
        inertia = np.full((3, 3), float(np.ravel(inertia)[0]))
    return [m, *([c] if c is not None else []), *([inertia] if inertia is not None else []), *more]


def _of_each_joint(model: Any, fd: Any, *more: Any) -> list[Any]:
    """Of flags for joints those count that are one of the model's."""
    return [model, np.ravel(fd)[: model.NB] if np.size(fd) > model.NB else fd, *more]


ACCEPTED: dict[str, Callable[..., list[Any]]] = {
    "plnr": _first_two,
    "mcI": _inertia,
    "HD": _of_each_joint,
}
"""Name of a function -> function of its arguments that gives those of this library's function."""
