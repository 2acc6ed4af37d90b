"""Initial guesses for a horizon that has moved on by one interval."""

from __future__ import annotations

import numpy as np

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


def moved_multipliers(old: Shooting, new: Shooting) -> list[np.ndarray]:
    """Return the initial multipliers of the bounds of the new problem. An old multiplier belongs to
    an interval that has come one nearer; where there is none, the nearest serves.

    Bounds correspond if there are equally many and they have the same place, or else if they have
    the same quantity. Multipliers of other bounds are zero.
    """
    was, now = old.augmented, new.augmented
    if was is None or now is None:
        return [] if now is None else now.y
    found = []
    for k, ((bounds, where), y) in enumerate(zip(now.parts, now.y, strict=True)):
        ahead, z = interval_numbers(new, where) + 1, np.zeros_like(y)
        for j, ((x, at), w) in enumerate(zip(was.parts, was.y, strict=True)):
            same = j == k if len(was.y) == len(now.y) else x.quantity is bounds.quantity
            if same and np.shape(w)[2:] == np.shape(y)[2:]:
                far = np.abs(interval_numbers(old, at) - ahead[:, None])
                z = w[:, far.argmin(axis=1)]
        found.append(z)
    return found


def interval_numbers(s: Shooting, stages: np.ndarray) -> np.ndarray:
    """Return the numbers of the intervals that are the given stages; the end follows the last."""
    return np.searchsorted(np.arange(s.stages)[s.intervals], stages)
