"""Quintic polynomials between two states."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.tasks.profiles import Motion, ends, polynomial

__all__ = ["quintic_motion"]


def quintic_motion(
    q0: Any,
    q1: Any,
    duration: float,
    qd0: Any = 0.0,
    qd1: Any = 0.0,
    qdd0: Any = 0.0,
    qdd1: Any = 0.0,
) -> Motion:
    """Return the quintic motion between two positions, with velocities and accelerations there.

    From rest to rest this is the motion with the least integral of squared jerk.

    Parameters
    ----------
    q0, q1 : array_like, shape (n,)
        Positions at the start and at the end.
    duration : float
        Time of the motion [s].
    qd0, qd1, qdd0, qdd1 : array_like, shape (n,), optional
        Velocities and accelerations there [1/s, 1/s^2]; zero by default.

    Returns
    -------
    Motion
        Function of time: ``motion(t)`` has the fields ``q, qd, qdd``.

    Raises
    ------
    ArrayShapeError
        Vectors of different lengths.
    SpatialError
        A duration that is not positive.

    Examples
    --------
    >>> quintic_motion([0.0], [1.0], 2.0)(1.0)
    MotionAt(q=array([0.5]), qd=array([0.9375]), qdd=array([0.]))
    """
    q0, q1, v0, v1, a0, a1 = ends("quintic_motion", q0, q1, qd0, qd1, qdd0, qdd1)
    v0, v1, a0, a1 = v0 * duration, v1 * duration, a0 * duration**2, a1 * duration**2
    d = q1 - q0
    c = np.stack(
        [
            q0,
            v0,
            a0 / 2,
            10 * d - 6 * v0 - 4 * v1 - (3 * a0 - a1) / 2,
            -15 * d + 8 * v0 + 7 * v1 + (3 * a0 - 2 * a1) / 2,
            6 * d - 3 * (v0 + v1) - (a0 - a1) / 2,
        ]
    )
    return polynomial("quintic_motion", duration, c)
