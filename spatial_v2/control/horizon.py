"""Initial guesses for a horizon that has moved on by one interval."""

from __future__ import annotations

import numpy as np

from spatial_v2.control.quantities import Controls
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Shooting

__all__ = ["moved", "moved_multipliers"]


def moved(old: Shooting, new: Shooting) -> tuple[np.ndarray, np.ndarray]:
    """Return indices of states and of stages of the old motion: for each state and each stage of
    the new problem, that from which its initial guess is copied.
    """
    was, now = (np.arange(s.stages)[s.intervals] for s in (old, new))
    begins = np.append(was[1:], old.stages)
    states, stages = np.full(new.stages + 1, old.stages), np.full(new.stages, was[-1])
    states[now], stages[now] = begins, np.append(was[1:], was[-1])
    for j in new.impacts:
        k = begins[np.searchsorted(now, j)]
        states[j] = k - 1 if k - 1 in old.impacts else k
    return states, stages


def moved_multipliers(old: Rows, y: np.ndarray, new: Rows) -> np.ndarray:
    """Return the initial multipliers of the rows of the new problem, given those of the old one,
    each (S + 1, r). An old multiplier belongs to an interval that has come one nearer; where there
    is none, the nearest serves.

    Bounds correspond if there are equally many and they have the same place, or else if they have
    the same quantity. Multipliers of other bounds are zero.
    """
    z = np.zeros(new.shape[1:])
    for k, now in enumerate(new.parts):
        ahead = interval_numbers(new.s, now.where) + 1
        for j, was in enumerate(old.parts):
            same = was.quantity is now.quantity or isinstance(now.quantity, Controls)
            same = j == k if len(old.parts) == len(new.parts) else same
            w = y[was.where, was.rows]
            if same and w.shape[1] == now.rows.stop - now.rows.start:
                far = np.abs(interval_numbers(old.s, was.where) - ahead[:, None])
                z[now.where, now.rows] = w[far.argmin(axis=1)]
    return z


def interval_numbers(s: Shooting, stages: np.ndarray) -> np.ndarray:
    """Return the numbers of the intervals that are the given stages; the end follows the last."""
    return np.searchsorted(np.arange(s.stages)[s.intervals], stages)
