"""The iterations of shooting methods without bounds on quantities, as steps of several problems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spatial_v2.control.best_motion import is_better
from spatial_v2.control.directions import SHORT, Direction, direction, next_correction
from spatial_v2.control.line_search import line_search
from spatial_v2.control.natural_units import NEGLIGIBLE, NaturalUnits, have_fallen
from spatial_v2.control.past import Past, where
from spatial_v2.control.riccati import costates, motion_errors
from spatial_v2.control.saddles import leave_saddles
from spatial_v2.control.shooting import Evaluation, Shooting, Trajectory
from spatial_v2.control.solution import Iteration, Solution
from spatial_v2.control.stopping import Stopping

__all__ = ["Descent", "errors"]

FAST = 0.1
"""Factor by which a step of the Gauss-Newton method reduces the error if it converges fast."""

CREEPING = 12
"""Number of short steps in a row, of which each makes the Hessian stiffer, that is no descent."""


class Descent:
    """The motions of the problems that have not ended, and their steps; see `solve`.

    Parameters
    ----------
    s : Shooting
        The stages.
    e : Evaluation
        The guesses of B problems, whose derivatives will be needed.
    stopping : Stopping
        Limits of the iterations.
    method : {"newton", "ddp", "ilqr"}
        The method.
    warm : bool
        True if the guesses are solutions.
    """

    def __init__(
        self, s: Shooting, e: Evaluation, stopping: Stopping, method: str, warm: bool
    ) -> None:
        self.s, self.stopping, self.method, self.warm = s, stopping, method, warm
        self.e, B = e, len(e.cost)
        self.past, self.log = Past.none(s, e), list[Iteration]()
        self.units = NaturalUnits.at(s, e)
        self.status, self.most = (
            np.full(B, "", dtype="<U14"),
            np.broadcast_to(stopping.max_iterations, B),
        )
        self.results = [np.empty_like(y) for y in self.past.best]

    def expand(self) -> None:
        """Expand stages and costs. The Gauss-Newton Hessian serves as long as its steps are full
        ones and halve the cost.
        """
        past, e, first = self.past, self.e, not (self.log or self.warm)
        self.fast = (past.length == 1) & ~past.exact | first
        self.halved = (past.cost - e.cost > np.abs(past.cost) / 2) | first
        self.second = self.method != "ilqr" and not (self.fast & self.halved).all()
        self.x = self.s.expand(e, self.second)
        self.p, self.slope = costates(self.x)
        # Multipliers of the defects: those of the last quadratic problem after a full step.
        past.weights = np.where(past.by_adjoint[:, None, None], self.p, past.weights)

    def measure(self) -> None:
        """Measure the errors of the optimality conditions: for the log as they are, for the tests
        as numbers, in which rounding errors count as zero.
        """
        past, (s, e, slope) = self.past, (self.s, self.e, self.slope)
        each = errors(s, e, slope, self.units.control, self.units.state)
        raw, self.sizes = each[:2], each[2:]
        row = np.full((7, len(self.status)), np.nan)
        row[:, past.number] = e.cost, *raw, 0 * e.cost, past.length, past.exact, past.shift
        self.log.append(Iteration._make([*row, self.stopping.seconds()]))
        error = self.units.relative(self.sizes)
        if (fallen := have_fallen(error.max(axis=0), past.renewed)).any():
            if (again := fallen & np.isfinite(past.renewed)).any():
                self.units = self.units.renewed(s, e, self.x, again)
                error = self.units.relative(self.sizes)
            past.renewed = np.where(fallen, error.max(axis=0), past.renewed)
        error[:2, past.negligible & (error.max(axis=0) > past.error / 2)] = 0.0
        error[0, past.settled] = 0.0
        worst = error.max(axis=0)
        self.fast &= self.halved | (past.tried_exact & (worst < FAST * past.error))
        past.error, past.cost = worst, e.cost

    def test_convergence(self) -> None:
        """Tell the problems that end: those without errors have converged, unless a direction of
        negative curvature leads on from a saddle.
        """
        past, (tolerance, _, _, on_time) = self.past, self.stopping
        done, self.escaped = past.error <= tolerance, np.zeros(len(past.number), dtype=bool)
        self.moved, minimal = self.e.at, past.exact & (past.length == 1) & (past.shift == 0)
        if (uncertain := done & ~minimal).any() and on_time():
            self.moved, self.escaped = leave_saddles(self.s, self.e, self.units, uncertain)
            done &= ~self.escaped
        self.status[past.number[done]] = "converged"
        ends = past.number[~done & ((len(self.log) > self.most[past.number]) | (not on_time()))]
        self.status[ends] = "max_iterations" if on_time() else "time_limit"
        self.done = done

    def keep_best(self) -> None:
        """Keep the motion that is returned if the present ones lead to no solution."""
        past, e, defect = self.past, self.e, self.sizes[1]
        before = past.best[3], past.best_defect
        better = is_better((e.cost, defect), before, self.units.cost)
        better |= self.done | np.isinf(past.best[3])
        motion = *e.at, e.cost, self.p, past.K
        past.best = [where(better, x, y) for x, y in zip(motion, past.best, strict=True)]
        past.best_defect = where(better, defect, past.best_defect)

    def drop_ended(self) -> bool:
        """Remove problems that have ended from the batch; return False if none is left."""
        past = self.past
        rest = self.status[past.number] == ""
        if rest.all():
            return True
        for whole, part in zip(self.results, past.best, strict=True):
            whole[past.number[~rest]] = part[~rest]
        if not rest.any():
            return False
        self.past, self.fast, self.escaped = past.only(rest), self.fast[rest], self.escaped[rest]
        self.moved = Trajectory(*(y[rest] for y in self.moved))
        self.units = self.units.only(rest)
        self.e = self.s.evaluate(Trajectory(*(y[rest] for y in self.e.at)))
        self.x = self.s.expand(self.e, self.second)
        return True

    def direction(self) -> Direction:
        """Compute the search direction; problems that leave a saddle need none."""
        past, exact = self.past, self.method != "ilqr" and not self.fast.all()
        if self.second != exact:
            g, Q = self.s.expand_costs(self.e.at, exact)
            self.x = self.x._replace(g=g, Q=Q)
        d = direction(
            self.s, self.e, self.x, self.method, past.weights, past.next_shift, self.fast,
            self.stopping.on_time,
        )  # fmt: skip
        d.feedback.failed[:] |= self.escaped
        return d

    def step(self, d: Direction) -> None:
        """Do the longest step along a direction that is an improvement, or away from a saddle."""
        past, before, on_time = self.past, replace(self.past), self.stopping.on_time
        past.K, past.exact, past.shift = d.feedback.K, d.exact & ~self.escaped, d.shift
        past.tried_exact = ~self.fast
        self.e, past.length, past.penalty, promised = line_search(
            self.s, self.e, self.x, d, past.penalty, self.method, on_time, True
        )
        past.weights, past.by_adjoint = d.multipliers, past.length < 1
        minimal = past.exact & (past.length == 1) & (past.shift == 0)
        limits = NEGLIGIBLE, self.stopping.tolerance**2
        past.negligible, past.settled = (
            minimal & (promised <= part * self.units.cost) for part in limits
        )
        past.next_shift = next_correction(past.shift, past.length)
        past.short = np.where(past.length < SHORT, past.short + 1, 0)
        self.give_up(d)
        if self.escaped.any():
            self.leave(before)

    def give_up(self, d: Direction) -> None:
        """Tell the problems that end as no step is an improvement."""
        past, number = self.past, self.past.number
        none = (past.length == 0) & ~self.escaped
        creeps = (self.method == "newton") & (past.short == CREEPING) & ~self.escaped
        self.status[number[none | creeps]] = "no_descent"
        self.status[number[d.feedback.failed & ~self.escaped]] = "indefinite"
        if not self.stopping.on_time():
            self.status[number[none]] = "time_limit"

    def leave(self, before: Past) -> None:
        """Move problems off a saddle; they go on as they were before the step."""
        past, escaped = self.past, self.escaped
        both = zip(self.moved, self.e.at, strict=True)
        self.e = self.s.evaluate(Trajectory(*(where(escaped, x, y) for x, y in both)))
        for name in ("K", "shift", "tried_exact", "penalty", "next_shift", "short"):
            setattr(past, name, where(escaped, getattr(before, name), getattr(past, name)))
        self.units = self.units.replaced(escaped, NaturalUnits.at(self.s, self.e))
        past.renewed = np.where(escaped, np.inf, past.renewed)

    def solution(self) -> Solution:
        """Return the motions of all problems, after they have ended."""
        q, qd, u, cost, p, K = self.results
        return Solution(Trajectory(q, qd, u), cost, self.status, p, K, self.log)


def errors(
    s: Shooting, e: Evaluation, slope: np.ndarray, of_control: np.ndarray, of_state: np.ndarray
) -> np.ndarray:
    """Compute the largest projected gradient and the largest defect of each problem, as they are
    and in units of controls (B, m) and states (B, 2 NV), shape (4, B).
    """
    bounds = (s.lower, s.upper) if s.bounded else None
    return motion_errors(slope, e.at.u, bounds, e.defects, of_control, of_state)
