"""The longest step of Newton's method with bounds that decreases its merit function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_v2.control.bounded_point import Point
from spatial_v2.control.merit import Merit
from spatial_v2.control.quadratic import Quadratic, Step
from spatial_v2.control.shooting import Evaluation, Shooting

__all__ = ["longest_step"]

ARMIJO, SHORTEST, ROUNDING = 1e-4, 1e-7, 1e-13
"""Least decrease of the merit function relative to its slope; shortest step; rounding error of the
merit function, relative to its terms.
"""
SLACK = 1e-10
"""Rounding error of a slope, relative to the sum of its absolute terms."""

Moved = tuple[Evaluation, np.ndarray]
"""A motion after a step, and the values of its rows."""


def longest_step(
    merit: Merit, at: Point, q: Quadratic, step: Step, moved: Callable[[Step, float], Moved],
    second_order: Callable[[Quadratic, Step], Step], on_time: Callable[[], bool],
) -> tuple[float, Point]:  # fmt: skip
    """Return the longest of the lengths 1, 1/2, 1/4 ... of a step that decreases the merit function
    enough, and the motion after it; 0 and the motion `at` if there is none. For the full step, that
    of second order is tried as well.

    Where a large constant in the costs hides how much a step changes them, slopes decide; see
    `line_search`.
    """
    (e, v, p, y), first = at, merit.penalty
    slope, length = merit.grow(e, v, q, step.dz), 1.0
    before = merit.value(e, v)
    noise = ROUNDING * (abs(before) + abs(float(e.cost[0])) + q.cost)
    while length > SHORTEST and (on_time() or length == 1):
        with np.errstate(all="ignore"):
            for again in (False, True) if length == 1 else (False,):
                d = second_order(q, step) if again else step
                new, rows = moved(d, length)
                if merit.raised_by(e, new, q.cost, first):
                    slope, before = merit.grow(e, v, q, step.dz), merit.value(e, v)
                change, wanted = merit.value(new, rows) - before, ARMIJO * length * slope
                if change <= wanted - noise or (
                    change <= wanted + noise and not climbs(merit, new, rows, d.dz, slope)
                ):
                    p, y = p + length * (step.costates - p), y + length * (step.y - y)
                    return length, Point(new, rows, p, y)
        length /= 2
    return 0.0, at


def climbs(merit: Merit, e: Evaluation, v: np.ndarray, dz: np.ndarray, slope: float) -> bool:
    """Test if the merit function rises, after a step along dz to the motion e, as steeply as it
    fell before: then it has decreased by nothing in between, to second order.
    """
    s: Shooting = merit.rows.s
    x, n = s.expand(e, False), 2 * s.n
    of_defects = (x.F[0] @ dz[:-1, :, None])[..., 0] - dz[1:, :n]
    of_rows = (merit.rows.jacobian(e.at)[0] @ dz[..., None])[..., 0]
    weight = merit.p[1:] + merit.penalty * e.defects[0] / np.square(merit.units.z[0, :n])
    terms = x.g[0] * dz, weight * of_defects, merit.pull(v) * of_rows
    after, size = (sum(float(f(y).sum()) for y in terms) for f in (np.asarray, np.abs))
    return after > (2 * ARMIJO - 1) * slope + SLACK * size
