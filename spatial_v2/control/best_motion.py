"""The best of the motions that an iteration has found, and how far it is outside its bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.control.bounded_point import Errors, Point
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Shooting
from spatial_v2.control.solution import Violation

__all__ = ["Best", "is_better", "largest_violation"]

PRICE = 100.0
"""Units of cost that a motion is worse for each natural unit of its largest defect or violation."""


@np.errstate(all="ignore")
def is_better(motion: tuple[Any, Any], other: tuple[Any, Any], unit: Any) -> Any:
    """Return True where a motion is better than another one: each is its cost, and its largest
    defect or violation as a number for a unit of cost of one; `unit` is the unit of cost.

    Costs alone cannot compare motions that satisfy neither dynamics nor bounds, and the merit
    functions of line searches change from step to step.
    """
    (cost, off), (cost_of_other, off_of_other) = motion, other
    price = PRICE * np.sqrt(unit)
    return cost + price * off < cost_of_other + price * off_of_other


class Best(NamedTuple):
    """The best motion of one problem with bounds so far."""

    motion: Point
    K: np.ndarray
    """Gains of the step that led there."""
    off: float = np.inf
    """Its largest defect or violation, as a number for a unit of cost of one."""

    def or_better(self, motion: Point, K: np.ndarray, error: Errors, unit: float) -> Best:
        """Return the best motion after another one with its errors; `unit` is the unit of cost."""
        off = max(error.defect, error.violation) * np.sqrt(unit)
        each = float(motion.e.cost[0]), float(self.motion.e.cost[0])
        if np.isfinite(self.off) and not is_better((each[0], off), (each[1], self.off), unit):
            return self
        return Best(motion, K, off)


def largest_violation(
    s: Shooting, rows: Rows, off: np.ndarray, units: np.ndarray, certificate: float
) -> Violation | None:
    """Return where violations `off` (S + 1, r) of bounds on quantities are largest in given units,
    if there are any.
    """
    off = np.where(rows.of_controls, 0.0, off)
    instant, row = np.unravel_index(np.abs(off / units).argmax(), off.shape)
    running, size = len(s.problem.running_bounds), float(off[instant, row])
    for k, part in enumerate(rows.quantities):
        if size and instant in part.where and part.rows.start <= row < part.rows.stop:
            name = f"running_bounds[{k}]" if k < running else f"terminal_bounds[{k - running}]"
            return Violation(name, int(row) - part.rows.start, int(instant), size, certificate)
    return None
