"""Motions with trapezoidal velocity profiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.tasks.profiles import Motion, ends

__all__ = ["trapezoidal_motion"]


def trapezoidal_motion(q0: Any, q1: Any, velocity: Any, acceleration: Any) -> Motion:
    """Return the fastest motion from rest to rest on a straight line within limits.

    The joints move in proportion, so that all start and arrive at once: they accelerate, keep their
    velocity and brake. Over short distances the middle part is missing.

    Parameters
    ----------
    q0, q1 : array_like, shape (n,)
        Positions at the start and at the end.
    velocity, acceleration : array_like, shape (n,) or float
        Largest velocity and acceleration of each joint [1/s, 1/s^2], such as
        ``model.velocity_limit``; positive, velocities may be infinite.

    Returns
    -------
    Motion
        Function of time: ``motion(t)`` has the fields ``q, qd, qdd``, ``motion.duration`` the time.

    Raises
    ------
    ArrayShapeError
        Vectors of different lengths.
    SpatialError
        Limits that are not positive.

    Examples
    --------
    >>> motion = trapezoidal_motion([0.0, 0.0], [3.0, 1.0], 1.0, 1.0)
    >>> motion.duration, motion(2.0).q
    (4.0, array([1.5, 0.5]))
    """
    q0, q1, v, a = ends("trapezoidal_motion", q0, q1, velocity, acceleration)
    if not ((v > 0).all() and (a > 0).all() and np.isfinite(a).all()):
        raise SpatialError(
            "trapezoidal_motion: want positive limits of velocities and finite ones of "
            f"accelerations, got {v.tolist()} and {a.tolist()}"
        )
    d = q1 - q0
    moves = d != 0
    if not moves.any():
        return Motion(0.0, lambda t: (q0 + 0 * t, 0 * (q0 + t), 0 * (q0 + t)))
    # limits of the path variable s, which goes from 0 to 1
    rate = float(np.min(v[moves] / np.abs(d[moves])))
    push = float(np.min(a[moves] / np.abs(d[moves])))
    rate = min(rate, float(np.sqrt(push)))
    rise = rate / push
    T = 1 / rate + rise

    def at(t: np.ndarray) -> tuple[np.ndarray, ...]:
        up, down = t < rise, t > T - rise
        s = np.where(up, push * t**2 / 2, rate * (t - rise / 2))
        s = np.where(down, 1 - push * (T - t) ** 2 / 2, s)
        sd = np.where(up, push * t, np.where(down, push * (T - t), rate))
        sdd = push * (up.astype(float) - down)
        return q0 + s * d, sd * d, sdd * d

    return Motion(T, at)
