"""Limits of joints: stops that bear forces, and a warning for motions that leave the limits."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.dynamics import Hinverse
from spatial_v2.exceptions import LimitWarning, SpatialError
from spatial_v2.model import Model

__all__ = ["Stops", "stops_of", "warn_of_limits"]

_TIME = 0.01
"""Time constant of stops [s] if none is given."""
_SLACK = 1e-6
"""A joint is outside of its limits if it is further out than this part of their distance."""


class Stops(NamedTuple):
    """Springs with dampers at the limits of joints with one degree of freedom."""

    q: np.ndarray
    """Indices of the position variables that have limits."""
    v: np.ndarray
    """Indices of their velocity variables."""
    lower: np.ndarray
    upper: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray

    def forces(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the joint forces (..., NV) of the stops, which push and never pull."""
        x, xd = q[..., self.q], qd[..., self.v]
        above, below = np.maximum(x - self.upper, 0.0), np.maximum(self.lower - x, 0.0)
        down = (above > 0) * np.maximum(self.stiffness * above + self.damping * xd, 0.0)
        up = (below > 0) * np.maximum(self.stiffness * below - self.damping * xd, 0.0)
        tau = np.zeros_like(qd)
        tau[..., self.v] = up - down
        return tau


def stops_of(model: Model, stops: Any, q0: np.ndarray) -> Stops | None:
    """Return stops at all limits of a model, critically damped for its inertia at q0.

    The time constant is `stops` [s], or a hundredth of a second if it is True.
    """
    if stops is False:
        return None
    time = _TIME if stops is True else stops
    if not (isinstance(time, int | float) and 0 < time < np.inf):
        raise SpatialError(
            f"simulate: stops: want True, False or a time constant in seconds, got {stops!r}"
        )
    q, v = _limited(model)
    if not len(q):
        raise SpatialError("simulate: stops: no joint of the model has limits; see model.limits")
    inertia = 1 / np.diagonal(np.asarray(Hinverse(model, q0)))[v]
    return Stops(q, v, model.lower[q], model.upper[q], inertia / time**2, 2 * inertia / time)


def warn_of_limits(model: Model, q: np.ndarray) -> None:
    """Give a warning if joints of a motion q (N, NQ) leave their limits."""
    entries, _ = _limited(model)
    lower, upper = model.lower[entries], model.upper[entries]
    excess = np.maximum(lower - q[:, entries], q[:, entries] - upper).max(axis=0, initial=-np.inf)
    width = np.where(
        np.isfinite(upper - lower), upper - lower, np.abs(q[:, entries]).max(initial=1.0)
    )
    far = [k for k in range(len(entries)) if excess[k] > _SLACK * width[k]]
    if not far:
        return
    names = [model.joint_names[i] for i, s in enumerate(model.qinds) if s.start in entries[far]]
    listed = ", ".join(f"{n!r} by {excess[k]:.3g}" for n, k in zip(names, far, strict=True))
    warnings.warn(
        f"simulate: joints leave their limits: {listed} (rad or m). stops=True lets the limits act "
        "as stops",
        LimitWarning,
        stacklevel=3,
    )


def _limited(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices in q and in qd of the variables that have limits."""
    if not model.limits:
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    single = [
        (qs.start, vs.start)
        for qs, vs in zip(model.qinds, model.vinds, strict=True)
        if vs.stop - vs.start == 1
    ]
    q, v = np.array(single, dtype=int).reshape(-1, 2).T
    bounded = np.isfinite(model.lower[q]) | np.isfinite(model.upper[q])
    return q[bounded], v[bounded]
