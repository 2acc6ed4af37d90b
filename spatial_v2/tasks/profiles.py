"""Motions in time: positions, velocities and accelerations at any instant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.numbers import check_positive
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["Motion", "MotionAt", "ends", "polynomial"]


@shown_in_notebooks
class MotionAt(NamedTuple):
    """A motion at some instants: arguments of `ID`."""

    q: np.ndarray
    """Positions, shape (..., n)."""
    qd: np.ndarray
    """Velocities, shape (..., n)."""
    qdd: np.ndarray
    """Accelerations, shape (..., n)."""


class Motion:
    """A motion from rest to rest, or between two velocities: a function of time.

    Parameters
    ----------
    duration : float
        Time of the motion [s]. Before 0 and after it, positions are those of the ends, and
        velocities and accelerations are zero.
    rates : callable
        Function that returns positions, velocities and accelerations (..., n) at times (..., 1)
        from 0 to the duration.

    Attributes
    ----------
    duration : float
        Time of the motion [s].

    Examples
    --------
    >>> from spatial_v2 import quintic_motion
    >>> motion = quintic_motion([0, 0], [1, 2], 3.0)
    >>> motion(1.5).q
    array([0.5, 1. ])
    >>> motion(np.linspace(0, 3, 5)).qd.shape
    (5, 2)
    """

    def __init__(
        self, duration: float, rates: Callable[[np.ndarray], tuple[np.ndarray, ...]]
    ) -> None:
        self.duration = duration
        self._at = rates

    def __call__(self, t: Any) -> MotionAt:
        """Return positions, velocities and accelerations (..., n) at times t (...) [s]."""
        t = as_real(t, "t")[..., None]
        inside = (t >= 0) & (t <= self.duration)
        q, qd, qdd = self._at(np.clip(t, 0, self.duration))
        return MotionAt(q, np.where(inside, qd, 0.0), np.where(inside, qdd, 0.0))

    def __repr__(self) -> str:
        return f"Motion of {self.duration:.6g} s; motion(t) gives q, qd, qdd"


def ends(name: str, q0: Any, q1: Any, *rates: Any) -> list[np.ndarray]:
    """Convert the positions of both ends, and rates there, to vectors (n,) of one length."""
    vectors = [as_real(x, f"{name}: arguments") for x in (q0, q1, *rates)]
    try:
        broadcast = list(np.broadcast_arrays(*vectors))
    except ValueError:
        broadcast = []
    if not broadcast or broadcast[0].ndim != 1:
        raise ArrayShapeError(
            f"{name}: want vectors (n,) for both ends, got shapes "
            f"{', '.join(str(x.shape) for x in vectors)}"
        )
    return broadcast


def polynomial(name: str, duration: Any, c: np.ndarray) -> Motion:
    """Return the motion ``q = sum of c_k s^k`` with coefficients c (k, n) and s from 0 to 1."""
    check_positive(f"{name}: duration", duration)
    T = float(duration)
    k = np.arange(len(c))[:, None]
    first = (k * c)[1:]
    second = (k[: len(first)] * first)[1:]

    def at(t: np.ndarray) -> tuple[np.ndarray, ...]:
        s = t / T
        return tuple(
            s ** np.arange(len(x)) @ x / T**order for order, x in enumerate((c, first, second))
        )

    return Motion(T, at)
