"""Quadratic problems with bounds on the controls, by active sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.control.riccati import Feedback, linear_rollout, riccati
from spatial_v2.control.shooting import Expansion

__all__ = ["Bounds", "Minimum", "minimise"]

SWEEPS = 20
"""Largest number of active sets."""

Bounds = tuple[np.ndarray, np.ndarray]
"""Lower and upper bounds (B, S, m) on the changes of the controls."""


class Minimum(NamedTuple):
    """Feedback of least cost, and the changes it makes."""

    feedback: Feedback
    dx: np.ndarray
    du: np.ndarray
    multipliers: np.ndarray
    """Of the stages, shape (B, S + 1, 2 NV)."""


def minimise(x: Expansion, c: np.ndarray, bounds: Bounds, shift: np.ndarray) -> Minimum:
    """The minimum of the quadratic problem of all stages under bounds.

    The recursion takes the bounds of each stage into account, as if the state were not to change
    before it. The controls that are at bounds along the motion that follows are a first active set;
    others follow by the signs of the multipliers until the set is that of its own solution:
    Hintermueller, Ito, Kunisch (2003).
    """
    f = riccati(x, c, *bounds, shift)
    found = Minimum(f, *linear_rollout(x, c, *bounds, f))
    low, high = bounds
    if not (np.isfinite(low) | np.isfinite(high)).any() or f.failed.all():
        return found
    at_low, at_high = found.du <= low, found.du >= high
    for _ in range(SWEEPS):
        held = np.where(at_low, low, -np.inf), np.where(at_high, high, np.inf)
        held = np.where(at_high, high, held[0]), np.where(at_low, low, held[1])
        f = riccati(x, c, *held, shift)
        if f.failed.any():
            break
        tried = Minimum(f, *linear_rollout(x, c, *held, f))
        slope = slopes(x, tried, shift)
        below = (tried.du < low) | at_low & (slope > 0)
        above = (tried.du > high) | at_high & (slope < 0)
        if (below == at_low).all() and (above == at_high).all():
            return tried
        at_low, at_high = below, above
    return found


def slopes(x: Expansion, found: Minimum, shift: np.ndarray) -> np.ndarray:
    """Derivatives of the quadratic problem by the controls, (B, S, m)."""
    n = x.F.shape[-2]
    z = np.concatenate([found.dx[:, :-1], found.du], axis=-1)[..., None]
    rows = x.g[:, :-1, n:] + (x.Q[:, :-1, n:] @ z)[..., 0] + shift[:, None, None] * found.du
    F_u = np.matrix_transpose(x.F[..., n:])
    return np.asarray(rows + (F_u @ found.multipliers[:, 1:, :, None])[..., 0])
