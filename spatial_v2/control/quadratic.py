"""The quadratic problem of a Newton step: bounds on rows of the stages, met exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.control.stage_system import StageSystem

__all__ = ["NoMinimum", "Quadratic", "Step"]

SETS, PATIENCE = 12, 3
"""Most active sets that are tried; sets with no fewer wrong rows than before, after which the
interior point takes over.
"""
WRONG = 1e-10
"""Violation, in natural units, above which an inactive row becomes active."""
BARRIERS, ENDED, STAY = 50, 1e-12, 0.995
"""Most steps of the interior point; complementarity, in units of cost, at which it ends; part of
the way to a bound that a step may go.
"""
T = np.matrix_transpose


class NoMinimum(Exception):  # noqa: N818
    """The Hessian is indefinite under the dynamics and active rows."""


class Step(NamedTuple):
    """The minimum: changes dz (S + 1, z), costates, multipliers of the rows (S + 1, r)."""

    dz: np.ndarray
    costates: np.ndarray
    y: np.ndarray
    system: StageSystem
    factorisations: int


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
    lower: np.ndarray
    upper: np.ndarray
    units: tuple[np.ndarray, np.ndarray]
    """Changes of states and controls, and of rows, that cost one."""
    cost: float
    """Unit of cost."""

    def minimum(self, y: np.ndarray) -> Step:
        """Return the minimum; the signs of the multipliers y tell the first active set."""
        below, above = (y < 0) & np.isfinite(self.lower), (y > 0) & np.isfinite(self.upper)
        inequal = self.lower < self.upper
        try:
            found, used = self.by_sets(below & inequal, above & inequal, SETS)
        except NoMinimum:
            if not (inequal & (np.isfinite(self.lower) | np.isfinite(self.upper))).any():
                raise
            found, used = None, 1
        if found is not None:
            return found
        inside, barriers = self.by_interior_point()
        reach = self.units[1] ** 2
        low, high = self.sides()
        at_low = low & (-np.minimum(inside.y, 0) * reach > self.gap(inside)[0])
        at_high = high & (np.maximum(inside.y, 0) * reach > self.gap(inside)[1])
        try:
            found, more = self.by_sets(at_low, at_high, 4)
        except NoMinimum:
            found, more = None, 1
        count = used + barriers + more
        return (found or inside)._replace(factorisations=count)

    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Return masks of the inequalities that have a lower, and an upper bound."""
        inequal = self.lower < self.upper
        return np.isfinite(self.lower) & inequal, np.isfinite(self.upper) & inequal

    def gap(self, x: Step) -> tuple[np.ndarray, np.ndarray]:
        """Compute the distances of the rows from their bounds."""
        value = self.v + (self.C @ x.dz[..., None])[..., 0]
        return value - self.lower, self.upper - value

    def system(self, soft: np.ndarray) -> StageSystem:
        """Return the linear equations for rows that are as soft as given."""
        arrays = (x[None] for x in (self.F, self.H, self.C, soft))
        of_z, of_rows = self.units
        system = StageSystem(*arrays, (of_z[None], of_rows[None]))
        if system.failed[0]:
            raise NoMinimum
        return system

    def solved(self, system: StageSystem, rho: np.ndarray, refinements: int = 3) -> Step:
        """Solve the linear equations."""
        start = np.zeros((1, self.F.shape[1], 1))
        sides = (x[None, ..., None] for x in (self.g, self.c, rho))
        found = system.solve(start, *sides, refinements)
        return Step(*(x[0, ..., 0] for x in found), system, 0)

    def by_sets(self, low: np.ndarray, high: np.ndarray, tries: int) -> tuple[Step | None, int]:
        """Find the active set by the signs of multipliers and gaps: the primal-dual active set
        method of Hintermueller, Ito, Kunisch (2003). Return None if sets do not settle.
        """
        equal, (has_low, has_high) = self.lower == self.upper, self.sides()
        least, patience, tolerance = np.inf, PATIENCE, WRONG * self.units[1] * np.sqrt(self.cost)
        for k in range(tries):
            active = equal | low | high
            bound = np.where(equal | low, self.lower, np.where(high, self.upper, 0.0))
            system = self.system(np.where(active, 0.0, np.inf))
            x = self.solved(system, np.where(active, self.v - bound, 0.0))
            below, above = (y < -tolerance for y in self.gap(x))
            new_low = has_low & np.where(low, x.y < 0, ~high & below)
            new_high = has_high & np.where(high, x.y > 0, ~low & above)
            wrong = ((new_low != low) | (new_high != high)).sum()
            if not wrong:
                return x._replace(y=np.where(active, x.y, 0.0), factorisations=k + 1), k + 1
            patience -= wrong >= least
            if not patience:
                return None, k + 1
            least, low, high = min(least, wrong), new_low, new_high
        return None, tries

    def by_interior_point(self) -> tuple[Step, int]:
        """Find the minimum by the predictor-corrector method of Mehrotra (1992)."""
        has_low, has_high = self.sides()
        equal, both = self.lower == self.upper, has_low & has_high
        lower, upper = np.where(has_low, self.lower, 0.0), np.where(has_high, self.upper, 0.0)
        reach = 0.1 * self.units[1] * np.sqrt(self.cost)
        push = np.where(both, np.minimum(0.1 * (upper - lower), reach), reach)
        count = max(1, int(has_low.sum() + has_high.sum()))
        gaps = [
            np.where(has, np.maximum(x, push), 1.0)
            for has, x in ((has_low, self.v - lower), (has_high, upper - self.v))
        ]
        z = [
            np.where(has, self.cost / count / gap, 0.0)
            for has, gap in zip((has_low, has_high), gaps, strict=True)
        ]
        have, dz, k = (has_low, has_high), np.zeros(self.g.shape), 0

        def step(targets: list[np.ndarray]) -> tuple[Step, list[np.ndarray], list[np.ndarray]]:
            gap_now = self.v - lower, upper - self.v
            q = [
                np.where(h, (t - w * (now - gap)) / gap, 0.0)
                for h, t, w, now, gap in zip(have, targets, z, gap_now, gaps, strict=True)
            ]
            rho = np.where(equal, self.v - self.lower, (q[1] - q[0]) * np.where(stiff > 0, soft, 0))
            x = self.solved(system, np.where(equal | (stiff > 0), rho, 0.0), 1)
            dg = [
                np.where(h, new - gap, 0.0)
                for h, new, gap in zip(have, self.gap(x), gaps, strict=True)
            ]
            dw = [
                np.where(h, (t - w * d) / gap - w, 0.0)
                for h, t, w, d, gap in zip(have, targets, z, dg, gaps, strict=True)
            ]
            return x, dg, dw

        def longest(part: float, now: list[np.ndarray], change: list[np.ndarray]) -> float:
            worst = max(
                (-d[d < 0] / w[d < 0]).max(initial=0) for w, d in zip(now, change, strict=True)
            )
            return float(min(1.0, part / max(worst, 1e-300)))

        for k in range(1, BARRIERS + 1):
            stiff = z[0] / gaps[0] + z[1] / gaps[1]
            soft = np.divide(1, stiff, out=np.full(stiff.shape, np.inf), where=stiff > 0)
            soft[equal] = 0.0
            system = self.system(soft)
            x, dg, dw = step([0 * z[0], 0 * z[1]])
            a, b = longest(1, gaps, dg), longest(1, z, dw)
            now = sum((w * gap).sum() for w, gap in zip(z, gaps, strict=True))
            ahead = sum(
                ((w + b * d) * np.where(h, gap + a * e, 0.0)).sum()
                for h, w, d, gap, e in zip(have, z, dw, gaps, dg, strict=True)
            )
            mu = (ahead / now) ** 3 * now / count
            x, dg, dw = step(
                [np.where(h, mu - e * d, 0) for h, e, d in zip(have, dg, dw, strict=True)]
            )
            a, b = longest(STAY, gaps, dg), longest(STAY, z, dw)
            gaps = [gap + a * e for gap, e in zip(gaps, dg, strict=True)]
            z = [w + b * d for w, d in zip(z, dw, strict=True)]
            dz = dz + a * (x.dz - dz)
            now = sum(
                (w * np.where(h, gap, 0)).sum() for h, w, gap in zip(have, z, gaps, strict=True)
            )
            if now < ENDED * self.cost and min(a, b) > 0.9:
                break
        return Step(dz, x.costates, np.where(equal, x.y, z[1] - z[0]), system, k), k
