"""Bounds of the position variables, from a model or from an argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.configuration import random_configuration
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.joints.table import REVOLUTE
from spatial_v2.model import Model

__all__ = ["Limits", "kept_for", "position_limits"]

_TURN, _ENDS = 2 * np.pi, ("lower", "upper")


class Limits(NamedTuple):
    """Bounds of the joints with one degree of freedom; infinite for other joints.

    If the bounds of a revolute joint are at least a full turn apart, they do not restrict its
    motion: its angle is brought between them by multiples of 2 pi.
    """

    lower: np.ndarray
    """Lower bounds of the position variables, shape (NQ,)."""
    upper: np.ndarray
    """Upper bounds of the position variables, shape (NQ,)."""
    place: np.ndarray
    """Index of the position variable of each velocity variable, -1 for multi-freedom joints."""
    turns: np.ndarray
    """Indices of the angles with finite bounds that are at least a full turn apart."""

    def clip(self, q: np.ndarray) -> np.ndarray:
        """Return the closest configuration within the bounds; the angles listed in `turns` change
        by full turns.
        """
        q, k = q.copy(), self.turns
        low, high = self.lower[k], self.upper[k]
        over = np.ceil(np.maximum(q[..., k] - high, 0) / _TURN)
        under = np.ceil(np.maximum(low - q[..., k], 0) / _TURN)
        q[..., k] += _TURN * (under - over)
        return np.asarray(np.clip(q, self.lower, self.upper))

    def free(self, q: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Return a mask of the variables that can move against the gradient `slope` (..., NV): no
        bound stops them.
        """
        one = self.place >= 0
        stuck = np.where(slope > 0, q[..., self.place] <= self.lower[self.place], False)
        stuck |= np.where(slope < 0, q[..., self.place] >= self.upper[self.place], False)
        return ~(one & stuck) | np.isin(self.place, self.turns)

    def draw(self, model: Model, rng: np.random.Generator, n: int) -> np.ndarray:
        """Draw random configurations (n, NQ), uniform between finite bounds."""
        q = random_configuration(model, rng, n)
        bounded = np.isfinite(self.upper - self.lower)
        q[:, bounded] = rng.uniform(self.lower[bounded], self.upper[bounded], (n, bounded.sum()))
        return self.clip(q)

    def spread(self, model: Model, rng: np.random.Generator, q: np.ndarray) -> np.ndarray:
        """Return the configurations q (n, NQ) with one drawn place for each joint with one degree
        of freedom, the same in all: between its bounds, or for angles without bounds between -pi
        and pi. Displacements without bounds, whose scale is unknown, stay.
        """
        q, angles = q.copy(), _angles(model)
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[angles] = np.maximum(lower[angles], -np.pi)
        upper[angles] = np.minimum(upper[angles], np.pi)
        bounded = np.isfinite(upper - lower) & (lower <= upper)
        q[:, bounded] = rng.uniform(lower[bounded], upper[bounded])
        return self.clip(q)


def _angles(model: Model) -> list[int]:
    """Return the indices in q of the angles of revolute joints."""
    return [
        qs.start
        for joint, qs in zip(model.layout.joints, model.qinds, strict=True)
        if joint.kind == REVOLUTE and not joint.pitch
    ]


T = TypeVar("T")


def kept_for(model: Model, name: str, limits: Any, make: Callable[[], T]) -> T:
    """Return the result of `make`, which depends on the model and the option `limits`.

    It is computed once for the present state of the model, except for bounds that are given.
    """
    own = isinstance(limits, str) and limits == "model"
    if limits is not None and not own:
        return make()
    kept: dict[Any, T] = model._state.kept
    key = name, own
    if key not in kept:
        kept[key] = make()
    return kept[key]


def position_limits(model: Model, limits: Any = "model") -> Limits:
    """Convert the option `limits`: ``"model"``, None, or a pair (lower, upper) of arrays (NQ,).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> position_limits(autoTree(2), ([-1, -2], [1, 2])).upper
    array([1., 2.])
    """
    return kept_for(model, "limits", limits, lambda: _limits(model, limits))


def _limits(model: Model, limits: Any) -> Limits:
    one = np.array([n == 1 for n in model.nv])
    place = np.full(model.NV, -1)
    for single, qs, vs in zip(one, model.qinds, model.vinds, strict=True):
        if single:
            place[vs] = qs.start
    many = np.setdiff1d(np.arange(model.NQ), place)
    if isinstance(limits, str) and limits == "model":
        lower, upper = model.lower, model.upper
    elif limits is None:
        lower, upper = np.full((2, model.NQ), [[-np.inf], [np.inf]])
    else:
        lower, upper = _given(model, limits)
        if np.isfinite(lower[many]).any() or np.isfinite(upper[many]).any():
            raise SpatialError(
                "limits: joints with several degrees of freedom have no bounds; "
                "pass -inf and inf for them"
            )
    bad = np.flatnonzero(~((lower <= upper) & (lower < np.inf) & (upper > -np.inf)))
    if bad.size:
        k = bad[0]
        raise SpatialError(
            f"limits: want lower bounds up to the upper ones, got {lower[k]} and {upper[k]} for "
            f"q[{k}]"
        )
    whole = _angles(model)
    span = upper[whole] - lower[whole]
    turns = np.array(whole, dtype=int)[(span >= _TURN) & np.isfinite(span)]
    return Limits(lower, upper, place, turns)


def _given(model: Model, limits: Any) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(limits, np.ndarray) and limits.ndim:
        limits = tuple(limits)
    if not isinstance(limits, (tuple, list)) or len(limits) != 2:
        raise SpatialError(f"limits: want 'model', None or a pair (lower, upper), got {limits!r}")
    pair = [as_real(x, f"limits: {name}") for x, name in zip(limits, _ENDS, strict=True)]
    for x, name in zip(pair, _ENDS, strict=True):
        if x.shape != (model.NQ,):
            raise ArrayShapeError(
                f"limits: {name} must have shape ({model.NQ},), the NQ position variables of the "
                f"model; got {x.shape}"
            )
    return pair[0], pair[1]
