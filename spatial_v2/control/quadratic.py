"""The quadratic problem of a Newton step: bounds on rows of the stages, met exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.limits import SIGN, Limits
from spatial_v2.control.stage_system import REFINEMENTS, Bases, StageSystem

__all__ = ["NoMinimum", "Quadratic", "Step"]

SETS, PATIENCE = 12, 3
"""Most active sets that are tried; sets with no fewer wrong rows than before, after which this is
given up.
"""
WRONG = 1e-10
"""Violation, in natural units, above which an inactive row becomes active."""
CONSISTENT = 1e-6
"""Violation of a linearised row, as a number, above which no step meets all rows."""
T = np.matrix_transpose


class NoMinimum(Exception):
    """The Hessian is indefinite under the dynamics and active rows, or no time is left."""


class Step(NamedTuple):
    """The minimum of a quadratic problem."""

    dz: np.ndarray
    """Changes of states and controls, shape (S + 1, z)."""
    costates: np.ndarray
    """Multipliers of the dynamics, shape (S + 1, 2 NV)."""
    y: np.ndarray
    """Multipliers of the rows, shape (S + 1, r): zero for inactive ones."""
    system: StageSystem
    """The linear equations that the step satisfies."""


class Quadratic(NamedTuple):
    """Least ``g . dz + dz H dz / 2`` under ``F dz + c = dx_next``, ``lower <= v + C dz <= upper``.

    Arrays are those of one problem, without a leading axis.
    """

    F: np.ndarray
    H: np.ndarray
    g: np.ndarray
    c: np.ndarray
    C: np.ndarray
    v: np.ndarray
    limits: Limits
    of_z: np.ndarray
    """Changes of states and controls that cost one, shape (z,)."""
    of_rows: np.ndarray
    """Changes of rows that cost one, shape (S + 1, r)."""
    cost: float
    """Unit of cost."""
    exact: bool
    """True if H is the exact Hessian of the Lagrangian."""
    on_time: Callable[[], bool]
    """Returns False if no time is left."""
    soft: np.ndarray | float = 0.0
    """Compliances of the rows: with multiplier y a bound gives way by ``soft y``."""
    bases: Bases | None = None
    """Combinations of equations that move independently; None for soft equations."""

    def gaps(self, x: Step) -> np.ndarray:
        """Compute the distances from lower and upper bounds, which have given way if they are soft,
        after a step, shape (2, S + 1, r).
        """
        return np.asarray(SIGN * (self.limits.bounds - self.values(x.dz) + self.soft * x.y))

    def values(self, dz: np.ndarray) -> np.ndarray:
        """Compute the linearised values of the rows after a step, shape (S + 1, r)."""
        return np.asarray(self.v + (self.C @ dz[..., None])[..., 0])

    def curvature(self, dz: np.ndarray) -> float:
        """Compute the curvature of the cost along a step: what it decreases by near a minimum, to
        first order.
        """
        return abs(float((dz * (self.H @ dz[..., None])[..., 0]).sum()))

    def has_consistent_rows(self, dz: np.ndarray) -> bool:
        """Return False if the step, which meets as many linearised rows as it can, violates one."""
        off = self.limits.off(self.values(dz)) / self.of_rows
        return bool(np.abs(off).max(initial=0.0) <= CONSISTENT * np.sqrt(self.cost))

    def system(self, soft: np.ndarray) -> StageSystem:
        """Return the linear equations for rows with the compliances `soft`: zero for equations and
        active rows, infinite for inactive ones.
        """
        F, H, C, rows = (x[None] for x in (self.F, self.H, self.C, soft))
        units = self.of_z[None], self.of_rows[None]
        system = StageSystem(F, H, C, rows, units, self.bases)
        if system.failed[0]:
            raise NoMinimum
        return system

    def solved(self, system: StageSystem, rho: np.ndarray, refinements: int = REFINEMENTS) -> Step:
        """Return the solution of linear equations in which the rows are ``C dz + rho``."""
        start = np.zeros((1, self.F.shape[1], 1))
        g, c, of_rows = (x[None, ..., None] for x in (self.g, self.c, rho))
        solution = system.solve(start, g, c, of_rows, refinements)
        dz, costates, y = (x[0, ..., 0] for x in solution)
        return Step(dz, costates, y, system)

    def with_active(self, active: np.ndarray) -> Step:
        """Return the minimum under equations and the active bounds (2, S + 1, r), which are met if
        they are not soft.
        """
        limits, rows = self.limits, self.limits.equations | active[0] | active[1]
        bound = np.where(active[1], limits.upper, limits.lower)
        system = self.system(np.where(rows, self.soft, np.inf))
        x = self.solved(system, np.where(rows, self.v - bound, 0.0))
        return x._replace(y=np.where(rows, x.y, 0.0))

    def by_active_sets(
        self, active: np.ndarray, most: int = SETS, singly: bool = False
    ) -> Step | None:
        """Find the active bounds, beginning with those of the mask `active` (2, S + 1, r): those
        with multipliers of the wrong sign leave the set, those that are violated enter it.

        This is the primal-dual active set method of Hintermueller, Ito, Kunisch (2003), which ends
        if the number of wrong bounds stops decreasing. If `singly`, only the last wrong bound
        changes, so that sets do not recur: Judice and Pires (1994). Return None if sets do not
        settle.
        """
        tolerance = WRONG * self.of_rows * np.sqrt(self.cost)
        fewest, patience = active.size + 1, PATIENCE
        for k in range(most):
            if k and not self.on_time():
                raise NoMinimum
            x = self.with_active(active)
            violated = self.limits.bounded & (self.gaps(x) < -tolerance)
            renewed = np.where(active, SIGN * x.y > 0, violated & ~active[::-1])
            wrong = np.flatnonzero(renewed != active)
            if not wrong.size:
                return x
            patience -= len(wrong) >= fewest
            if not (patience or singly):
                return None
            fewest, active = min(fewest, len(wrong)), active.copy()
            changes = wrong[-1:] if singly else wrong
            active.flat[changes] = renewed.flat[changes]
        return None
