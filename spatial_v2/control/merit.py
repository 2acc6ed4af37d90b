"""The function that a step of Newton's method with bounds has to decrease."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.quadratic import Quadratic
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Evaluation

__all__ = ["FIRM", "FIRST_PENALTY", "Merit"]

FIRST_PENALTY, GROWTH, MOST = 0.01, 3.0, 30
"""First penalty, in natural units; factor by which it grows; most such factors for one step."""
FIRM = 0.1
"""First penalty of a second attempt: it takes more steps where the first one is quick, and creeps
less where that is slow.
"""
STEEP = 0.1
"""Least slope along a step, relative to the curvature of the costs along it."""
GROWN, RAISE, RAISED = 10.0, 10.0, 1.0
"""Sum of squares of defects, in units of cost, above which steps that increase them raise the
penalty; factor by which they do, once for each step; penalty up to which they do.
"""
TINY = 1e-20
"""Sum of squares of defects and violations, in units of cost, that counts as zero."""


@dataclass
class Merit:
    """Augmented Lagrangian of cost, defects c and bounds on rows v, at multipliers p and y:
    ``cost + p . c + penalty |c|^2 / 2`` and, with ``w = (v + y / penalty)`` minus the nearest value
    within the bounds, ``(penalty |w|^2 - |y|^2 / penalty) / 2``; norms are in natural units.

    The multipliers are those of the quadratic problem, so that near a solution full steps decrease
    it.
    """

    rows: Rows
    units: NaturalUnits
    p: np.ndarray
    y: np.ndarray
    penalty: float
    stiffness: float = 0.0
    """Penalty of the rows, if it is not that of the defects."""

    def value(self, e: Evaluation, v: np.ndarray) -> float:
        """Compute the function for a motion with values v of the rows."""
        p_c = (self.p[1:] * e.defects[0]).sum()
        soft = self.soft
        of_rows = np.square(self.pull(v)) * soft - np.square(self.y) * soft
        return float(e.cost[0] + p_c + self.penalty * self.square(e) / 2 + of_rows.sum() / 2)

    def slope(self, e: Evaluation, v: np.ndarray, q: Quadratic, dz: np.ndarray) -> float:
        """Compute its derivative along a step of the quadratic problem."""
        along_rows = (self.pull(v) * (q.C @ dz[..., None])[..., 0]).sum()
        p_c = (self.p[1:] * q.c).sum()
        return float((q.g * dz).sum() - p_c - self.penalty * self.square(e) + along_rows)

    def grow(self, e: Evaluation, v: np.ndarray, q: Quadratic, dz: np.ndarray) -> float:
        """Raise the penalty until the step is one of descent; return the slope, at most zero."""
        curved = q.curvature(dz)
        off = np.square(self.rows.limits.off(v) / self.units.row[0]).sum()
        feasible = self.square(e) + off < TINY * self.units.cost[0]
        slope = self.slope(e, v, q, dz)
        for _ in range(MOST):
            if slope <= -STEEP * curved or (feasible and slope <= 0):
                break
            self.penalty *= GROWTH
            slope = self.slope(e, v, q, dz)
        return min(slope, 0.0)

    def raised_by(self, e: Evaluation, new: Evaluation, unit: float, first: float) -> bool:
        """Raise the penalty if the defects of the new motion are larger than those before and the
        penalty still is the `first` one of the step; return True if it has been raised.

        A penalty that is large from the start makes steps short.
        """
        grown = self.square(new) > max(self.square(e), GROWN * unit)
        if not grown or self.penalty > first or self.penalty >= RAISED:
            return False
        self.penalty *= RAISE
        return True

    @property
    def soft(self) -> np.ndarray:
        """Inverse of the penalty of each row."""
        return np.asarray(self.units.row[0] ** 2 / (self.stiffness or self.penalty))

    def pull(self, v: np.ndarray) -> np.ndarray:
        """Compute its derivatives with respect to the values v of the rows."""
        return np.asarray(self.rows.limits.off(v + self.soft * self.y) / self.soft)

    def square(self, e: Evaluation) -> float:
        """Compute the sum of squares of the defects."""
        n = e.defects.shape[-1]
        return float(np.square(e.defects[0] / self.units.z[0, :n]).sum())
