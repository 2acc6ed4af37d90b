"""Quadratic problems with bounded rows by an interior point method, and by it and active sets."""

from __future__ import annotations

import numpy as np

from spatial_v2.control.limits import SIGN
from spatial_v2.control.quadratic import NoMinimum, Quadratic, Step

__all__ = ["by_interior_point", "minimum"]

ITERATIONS, LEAST, ROUNDED, STAY = 50, 1e-12, 1e-6, 0.995
"""Most iterations; complementarity, in units of cost, at which they end, and at which they do if it
grows, by rounding; part of the way to a bound that a step may go.
"""
DIVERGED = 1e8
"""Complementarity, in units of cost, above which no step meets all rows."""
PUSH = 0.1
"""First distance from a bound, in natural units of the row and relative to the distance between the
bounds.
"""
LAST_SETS = 30
"""Most active sets that are tried after the interior point method."""


def minimum(q: Quadratic, y: np.ndarray) -> Step:
    """Return the minimum of a quadratic problem: by active sets, of which the signs of the
    multipliers y tell the first, or, if they do not settle, from those of the interior point.
    """
    bounded = q.limits.bounded
    try:
        x = q.by_active_sets(bounded & (SIGN * y > 0))
    except NoMinimum:
        if not bounded.any():
            raise
        x = None
    if x is not None:
        return x
    with np.errstate(all="ignore"):  # multipliers overflow if no step meets all rows
        inside = by_interior_point(q)
        stiff = bounded & (SIGN * inside.y * q.of_rows**2 > q.gaps(inside))
    try:
        return q.by_active_sets(stiff, LAST_SETS, singly=True) or inside
    except NoMinimum:
        return inside


def by_interior_point(q: Quadratic) -> Step:
    """Return the minimum of a quadratic problem by the predictor-corrector method of Mehrotra
    (1992).

    Distances from the bounds are variables of their own: differences of values and bounds would
    lose their digits near the bounds.
    """
    lower, upper, equations, bounded, bounds = q.limits
    now, count = SIGN * (bounds - q.v), max(1, int(bounded.sum()))
    reach = PUSH * np.minimum(q.of_rows * np.sqrt(q.cost), upper - lower)
    gap = np.where(bounded, np.maximum(now, reach), 1.0)
    z, dz = np.where(bounded, q.cost / count / gap, 0.0), 0 * q.g
    last: Step | None = None

    def toward(complementarity: np.ndarray) -> tuple[Step, np.ndarray, np.ndarray]:
        """Return the step to given products of distances and multipliers, and their changes."""
        pull = np.where(bounded, (complementarity - z * (now - gap)) / gap, 0.0)
        inner = (SIGN * pull).sum(axis=0) * np.where(stiff > 0, barrier, 0.0)
        x = q.solved(system, np.where(equations, q.v - lower, inner))
        d_gap = np.where(bounded, q.gaps(x) - gap, 0.0)
        return x, d_gap, np.where(bounded, (complementarity - z * d_gap) / gap - z, 0.0)

    for _ in range(ITERATIONS):
        if not q.on_time():
            raise NoMinimum
        stiff = (z / gap).sum(axis=0)
        barrier = np.where(stiff > 0, 1 / np.where(stiff > 0, stiff, 1.0), np.inf)
        barrier[equations] = 0.0
        system = q.system(barrier + q.soft)
        _, d_gap, d_z = toward(0 * z)
        a, b = longest(1.0, gap, d_gap), longest(1.0, z, d_z)
        before = (z * gap).sum()
        ahead = ((z + b * d_z) * (gap + a * d_gap)).sum()
        centre = (ahead / before) ** 3 * before / count
        x, d_gap, d_z = toward(np.where(bounded, centre - d_gap * d_z, 0.0))
        a, b = longest(STAY, gap, d_gap), longest(STAY, z, d_z)
        after = ((z + b * d_z) * (gap + a * d_gap)).sum()
        if last and (
            not after < DIVERGED * q.cost or (before < ROUNDED * q.cost and after > before)
        ):
            break
        last = x
        gap, z, dz = gap + a * d_gap, z + b * d_z, dz + a * (x.dz - dz)
        if after < LEAST * q.cost and min(a, b) > 0.9:
            break
    assert last is not None
    return Step(dz, last.costates, np.where(equations, last.y, (SIGN * z).sum(axis=0)), last.system)


def longest(part: float, x: np.ndarray, change: np.ndarray) -> float:
    """Return the longest step, at most 1, that goes a part of the way to where an x vanishes."""
    worst = (-change[change < 0] / x[change < 0]).max(initial=0.0)
    return float(min(1.0, part / max(worst, 1e-300)))
