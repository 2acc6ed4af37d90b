"""The iterations of Newton's method with bounds on quantities, as steps of one problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spatial_v2.control.best_motion import Best, largest_violation
from spatial_v2.control.bounded_newton import BoundedNewton
from spatial_v2.control.bounded_point import Errors, errors_as_they_are
from spatial_v2.control.least_violation import least_violation
from spatial_v2.control.natural_units import NEGLIGIBLE, have_fallen
from spatial_v2.control.quadratic import NoMinimum, Quadratic
from spatial_v2.control.shooting import Evaluation, Shooting, Trajectory
from spatial_v2.control.solution import Iteration, Violation
from spatial_v2.control.stopping import Stopping

__all__ = ["BoundedDescent", "BoundedSolution"]

RESTARTS = 3
"""Most searches for a motion within the bounds."""
SLOW = 100
"""Number of iterations after which Newton's method begins again with a firmer penalty of defects.
"""
STALLED = 5
"""Number of steps that meet not all rows and do not halve the violation, after which a motion
within the bounds is sought.
"""


class BoundedSolution(NamedTuple):
    """The best motion of one problem, with leading axes of length one."""

    e: Evaluation
    status: str
    p: np.ndarray
    K: np.ndarray
    y: np.ndarray
    """Multipliers of the rows, shape (1, S + 1, r); zero for inactive ones."""
    log: list[Iteration]
    violation: Violation | None


@dataclass
class LastStep:
    """Values that the step before tells about its motion."""

    length: float = 0.0
    exact: bool = False
    """True if its Hessian was exact."""
    shift: float = 0.0
    """The correction of the Hessian."""
    promised: float = np.inf
    """Decrease that it promised, in units of cost."""
    error: float = np.inf
    """Larger one of gradient and defects before it."""
    smallest: float = np.inf
    """Least error so far since the unit of cost was renewed."""

    @property
    def minimal(self) -> bool:
        """True if it led to a minimum, and to no other stationary motion."""
        return self.exact and self.length == 1 and not self.shift


@dataclass
class Elastic:
    """Counter of steps that do not meet all rows."""

    least: float = np.inf
    """Violation that has to be halved."""
    steps: int = 0
    """Steps since then."""

    def has_stalled(self, is_elastic: bool, violation: float) -> bool:
        """Count a step that began with a violation; return True if there were too many."""
        if not is_elastic or violation < self.least / 2:
            self.least, self.steps = violation if is_elastic else np.inf, 0
        self.steps += is_elastic
        return self.steps > STALLED


class BoundedDescent:
    """The motion of one problem with bounds on quantities, and its steps; see `solve`.

    Parameters
    ----------
    s : Shooting
        The stages.
    t : Trajectory
        The guess, with a leading axis of length one.
    y : array, shape (S + 1, r), optional
        Multipliers of the rows, if the guess is a solution.
    method : {"newton", "ddp", "ilqr"}
        The method.
    stopping : Stopping
        Limits of the iterations.
    """

    def __init__(
        self, s: Shooting, t: Trajectory, y: np.ndarray | None, method: str, stopping: Stopping
    ) -> None:
        self.s, self.guess, self.stopping, self.is_warm = s, t, stopping, y is not None
        self.newton = BoundedNewton(s, t, stopping.on_time, y, method)
        self.may_restart = method == "newton" and not self.is_warm
        self.last, self.elastic, self.restarts = LastStep(), Elastic(), 0
        self.log, self.status = list[Iteration](), ""
        self.K = np.zeros((1, s.stages, s.m, 2 * s.n))
        self.violation: Violation | None = None
        self.best = Best(self.newton.now, self.K)

    def measure(self) -> None:
        """Expand the problem at the motion and measure its errors, in units of cost that are
        renewed as errors fall; keep the best motion.
        """
        newton, last = self.newton, self.last
        exact = not newton.gauss_newton and (bool(self.log) or self.is_warm)
        self.q = newton.quadratic(exact)
        self.error = newton.errors(self.q)
        self.write_log(self.q, last)
        if have_fallen(max(self.error), last.smallest):
            if np.isfinite(last.smallest):
                newton.renew_cost()
                self.q = self.q._replace(cost=float(newton.units.cost[0]))
                self.error = newton.errors(self.q)
            last.smallest = max(self.error)
        last.smallest = min(last.smallest, max(self.error))
        self.best = self.best.or_better(newton.now, self.K, self.error, self.q.cost)

    def ends(self) -> bool:
        """Test if the motion has converged or a limit is reached; then the status says so. Return
        True if there is no step to take, also as the motion has left a saddle.
        """
        tolerance, most, _, on_time = self.stopping
        if has_converged(self.error, tolerance, self.last):
            if self.last.minimal or not on_time() or not self.newton.leaves_saddle():
                self.status = "converged"
                return True
            if len(self.log) <= most:
                self.last = LastStep()
                return True
        if len(self.log) > most or not on_time():
            self.status = "max_iterations" if on_time() else "time_limit"
        return bool(self.status)

    def begins_again(self) -> bool:
        """Begin again from the guess, with a firmer penalty of defects, if there were many steps;
        return True if so.
        """
        if not (self.may_restart and len(self.log) == SLOW + 1):
            return False
        self.newton.is_firm, self.last, self.elastic = True, LastStep(), Elastic()
        self.newton.begin(self.s.evaluate(self.guess))
        return True

    def step(self) -> bool:
        """Take a step; return False if none is an improvement, or if steps do not come nearer to
        the bounds.
        """
        newton, on_time, error = self.newton, self.stopping.on_time, self.error
        try:
            q, step = newton.step(self.q)
            promised, length = newton.promised(q, step), newton.search(q, step)
            # A Hessian that is nearly singular gives steps of which no part is an improvement.
            while not length and not newton.correction.is_stiffest and on_time():
                q, step = newton.stiffer(q)
                promised, length = newton.promised(q, step), newton.search(q, step)
        except NoMinimum:
            self.status = "indefinite" if on_time() else "time_limit"
            return True
        self.K, smallest = step.system.K, self.last.smallest
        self.last = LastStep(
            length, q.exact, newton.correction.used, promised / q.cost, max(error[:2]), smallest
        )
        if length:
            newton.correction.adapt(length)
        return length > 0 and not self.elastic.has_stalled(newton.is_elastic, error.violation)

    def seek_bounds(self) -> None:
        """Go on from the motion of least violation; the status says so if that is no better, or
        proves that no motion is within the bounds.
        """
        s, newton, (tolerance, _, _, on_time) = self.s, self.newton, self.stopping
        stopped = "no_descent" if on_time() else "time_limit"
        if self.error.violation <= tolerance or self.restarts == RESTARTS or not on_time():
            self.status = stopped
            return
        starts = newton.now.e.at, self.guess
        least = least_violation(s, newton.rows, starts, newton.units, tolerance, on_time)
        if least.largest <= tolerance:
            newton.begin(s.evaluate(least.t))
            self.restarts, self.last, self.elastic = self.restarts + 1, LastStep(), Elastic()
        elif least.certified:
            newton.begin(s.evaluate(least.t))
            self.status, where = "infeasible", (least.off, least.units, least.certificate)
            self.violation = largest_violation(s, newton.rows, *where)
            self.write_log(newton.quadratic(False), LastStep())
        elif self.last.length:
            self.restarts, self.elastic = self.restarts + 1, Elastic()
        else:
            self.status = stopped

    def write_log(self, q: Quadratic, last: LastStep) -> None:
        """Add a line to the log: the errors as they are, and the step that led there."""
        now, seconds = self.newton.now, self.stopping.seconds()
        raw = errors_as_they_are(self.s, self.newton.rows, now, q)
        step = last.length, float(last.exact), last.shift
        self.log.append(Iteration(float(now.e.cost[0]), *raw, *step, seconds))

    def solution(self) -> BoundedSolution:
        """Return the motion that was found, or the best one."""
        newton = self.newton
        if self.status not in ("converged", "infeasible"):
            newton.now, self.K = self.best.motion, self.best.K
            if newton.errors(newton.quadratic(False)).violation > self.stopping.tolerance:
                off, units = newton.rows.limits.off(newton.now.v), newton.units.largest_row[0]
                self.violation = largest_violation(self.s, newton.rows, off, units, np.nan)
        x = newton.snapped()
        more = self.K, x.y[None], self.log, self.violation
        return BoundedSolution(x.e, self.status, x.p[None], *more)


def has_converged(error: Errors, tolerance: float, last: LastStep) -> bool:
    """Return True if all errors are within the tolerance. Gradient and defects also are if they
    are rounding errors: the last step promised next to nothing, and did not halve them. So is the
    gradient if the last step promised less than one of the size of the tolerance.
    """
    negligible = last.minimal and last.promised <= NEGLIGIBLE
    settled = last.minimal and last.promised <= tolerance**2
    rounding = negligible and max(error[:2]) > last.error / 2
    return max(error[2:] if rounding else error[settled:]) <= tolerance
