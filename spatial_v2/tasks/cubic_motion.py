"""Cubic polynomials between two states."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.tasks.profiles import Motion, ends, polynomial

__all__ = ["cubic_motion"]


def cubic_motion(q0: Any, q1: Any, duration: float, qd0: Any = 0.0, qd1: Any = 0.0) -> Motion:
    """Return the cubic motion between two positions with given velocities at both ends.

    Parameters
    ----------
    q0, q1 : array_like, shape (n,)
        Positions at the start and at the end.
    duration : float
        Time of the motion [s].
    qd0, qd1 : array_like, shape (n,), optional
        Velocities there [1/s]; zero by default.

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

    Notes
    -----
    Accelerations jump at both ends; see `quintic_motion`. Through many points
    `scipy.interpolate.CubicSpline` gives a motion and its derivatives.

    Examples
    --------
    >>> cubic_motion([0.0], [1.0], 2.0)(1.0)
    MotionAt(q=array([0.5]), qd=array([0.75]), qdd=array([0.]))
    """
    q0, q1, v0, v1 = ends("cubic_motion", q0, q1, qd0, qd1)
    v0, v1 = v0 * duration, v1 * duration
    d = q1 - q0
    c = np.stack([q0, v0, 3 * d - 2 * v0 - v1, v0 + v1 - 2 * d])
    return polynomial("cubic_motion", duration, c)
