"""Motions whose gradient vanishes and that are no minima, and how they are left."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_v2.control.directions import Direction
from spatial_v2.control.line_search import closed
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.riccati import Feedback, costates, riccati
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory

__all__ = ["descended", "downhill", "held_controls", "leave_saddles"]

NEGATIVE = -1e-6
"""Curvature, in natural units, below which it is negative and no rounding error."""
FIRST, SEEN, DOUBLINGS = 1e-6, 1e-12, 60
"""Change of the cost in the first step along a direction of negative curvature, in units of cost;
its least value, relative to the cost, so that it is no rounding error; most doublings of the step.
"""
T = np.matrix_transpose


def leave_saddles(
    s: Shooting, e: Evaluation, units: NaturalUnits, some: np.ndarray
) -> tuple[Trajectory, np.ndarray]:
    """Move problems of the mask `some` along a direction of negative curvature, if their exact
    Hessian has one; return the trajectories, and a mask of the problems that have moved.

    Of steps to both sides, with lengths that double, the one of least cost is taken.
    """
    x = s.expand(e, True)
    p, slope = costates(x)
    s.add_hessians(e, x, p)
    fixed = held_controls(s, e, slope)
    low, high = np.where(fixed, 0.0, -np.inf), np.where(fixed, 0.0, np.inf)
    f = riccati(x, e.defects, low, high, np.zeros(e.at.u[:, 0].shape))
    downward = np.zeros(len(e.cost), dtype=bool)
    f.feed[:] = 0.0
    for b in np.flatnonzero(some & f.failed).tolist():
        downward[b] = downhill(x, f, units, fixed, b)
    if not downward.any():
        return e.at, downward
    f.K[~downward], f.failed[:] = 0.0, False
    moved, left = descended(s, e, f, downward, units.cost, lambda new: new.cost)
    return moved.at, left


def held_controls(s: Shooting, e: Evaluation, slope: np.ndarray) -> np.ndarray:
    """Return a mask of the controls that the gradient keeps at their bounds."""
    return (e.at.u <= s.lower) & (slope > 0) | (e.at.u >= s.upper) & (slope < 0)


def downhill(x: Expansion, f: Feedback, units: NaturalUnits, held: np.ndarray, b: int) -> bool:
    """Write a direction of negative curvature of problem b into the feedback f: a change of the
    controls of the last stage whose Hessian is indefinite, and the optimal feedback after it.

    Return False if there is none.
    """
    _, S, n, _ = x.F.shape
    P = x.Q[b, S, :n, :n]
    for k in reversed(range(S)):
        F, i = x.F[b, k], np.flatnonzero(~held[b, k])
        A = x.Q[b, k] + F.T @ P @ F
        unit = units.control[b][i]
        curvatures, V = np.linalg.eigh(A[n:, n:][np.ix_(i, i)] * np.outer(unit, unit))
        if curvatures.size and curvatures[0] < NEGATIVE:
            f.feed[b, k, i] = unit * V[:, 0] / np.sqrt(-curvatures[0])
            f.K[b, : k + 1] = 0.0
            return True
        K = np.zeros((A.shape[0] - n, n))
        K[i] = -np.linalg.pinv(A[n:, n:][np.ix_(i, i)], hermitian=True) @ A[n:, :n][i]
        f.K[b, k] = K
        P = A[:n, :n] + A[:n, n:] @ K
        P = (P + P.T) / 2
    return False


def descended(
    s: Shooting, e: Evaluation, f: Feedback, some: np.ndarray, unit: np.ndarray,
    value: Callable[[Evaluation], np.ndarray],
) -> tuple[Evaluation, np.ndarray]:  # fmt: skip
    """Return the motions of least value along the directions f, for problems of the mask `some`,
    and a mask of those that have moved. First steps change costs by a part of their unit (B,).
    """
    nothing = np.zeros(0)
    d = Direction(f, nothing, nothing, nothing, nothing, nothing)
    begin = value(e)
    first = np.where(some, np.sqrt(np.maximum(FIRST * unit, SEEN * np.abs(begin))), 0.0)
    best, least = [y.copy() for y in e.at], begin.copy()
    for side in (1.0, -1.0):
        length, last = side * first, begin
        for _ in range(DOUBLINGS):
            with np.errstate(all="ignore"):
                new = along(s, e, d, length)
                now = value(new)
            going = (length != 0) & (now < last)
            if not going.any():
                break
            better, last = going & (now < least), np.where(going, now, last)
            for y, y_new in zip(best, new.at, strict=True):
                y[better] = y_new[better]
            least, length = np.where(better, now, least), np.where(going, 2 * length, 0.0)
    return s.evaluate(Trajectory(*best)), least < begin


def along(s: Shooting, e: Evaluation, d: Direction, length: np.ndarray) -> Evaluation:
    """Simulate the motions with the feed of the directions d times the lengths (B,)."""
    feed = d.feedback.feed * length[:, None, None]
    one = d._replace(feedback=d.feedback._replace(feed=feed))
    return closed(s, e, one, np.where(length != 0, 1.0, 0.0))
