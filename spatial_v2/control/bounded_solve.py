"""Solutions of shooting problems with bounds on quantities, one problem after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spatial_v2.control.best_motion import Best, largest_violation
from spatial_v2.control.bounded_newton import BoundedNewton
from spatial_v2.control.bounded_point import Errors, errors_as_they_are
from spatial_v2.control.culprits import check_finite
from spatial_v2.control.groups import joint_log
from spatial_v2.control.least_violation import least_violation
from spatial_v2.control.natural_units import NEGLIGIBLE, have_fallen
from spatial_v2.control.optimum import row_multipliers, system_at
from spatial_v2.control.quadratic import NoMinimum, Quadratic
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Evaluation, Shooting, Trajectory
from spatial_v2.control.solution import Iteration, Solution, Violation
from spatial_v2.control.stopping import Stopping

__all__ = ["one_by_one"]

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


def solve_bounded(
    s: Shooting, t: Trajectory, y: np.ndarray | None, method: str, stopping: Stopping
) -> BoundedSolution:
    """Solve one problem from the trajectory t, with a leading axis of length one, by Newton's
    method with bounds as rows; y has multipliers of the rows if the guess is a solution.
    """
    tolerance, most, _, on_time = stopping
    newton, restarts, last = BoundedNewton(s, t, on_time, y, method), 0, LastStep()
    elastic = Elastic()
    log = list[Iteration]()
    K = np.zeros((1, s.stages, s.m, 2 * s.n))
    violation: Violation | None = None
    best = Best(newton.now, K)
    while True:
        q = newton.quadratic(not newton.gauss_newton and (bool(log) or y is not None))
        error = newton.errors(q)
        log.append(line_of_log(newton, q, last, stopping.seconds()))
        if have_fallen(max(error), last.smallest):
            if np.isfinite(last.smallest):
                newton.renew_cost()
                q = q._replace(cost=float(newton.units.cost[0]))
                error = newton.errors(q)
            last.smallest = max(error)
        last.smallest = min(last.smallest, max(error))
        best = best.or_better(newton.now, K, error, q.cost)

        if has_converged(error, tolerance, last):
            if last.minimal or not on_time() or not newton.leaves_saddle():
                status = "converged"
                break
            if len(log) <= most:
                last = LastStep()
                continue
        if len(log) > most or not on_time():
            status = "max_iterations" if on_time() else "time_limit"
            break
        if len(log) == SLOW + 1 and y is None and method == "newton":
            newton.is_firm, last, elastic = True, LastStep(), Elastic()
            newton.begin(s.evaluate(t))
            continue

        try:
            q, step = newton.step(q)
            promised = newton.promised(q, step)
            length = newton.search(q, step)
            # A Hessian that is nearly singular gives steps of which no part is an improvement.
            while not length and not newton.correction.is_stiffest and on_time():
                q, step = newton.stiffer(q)
                promised = newton.promised(q, step)
                length = newton.search(q, step)
        except NoMinimum:
            status = "indefinite" if on_time() else "time_limit"
            break
        K = step.system.K
        last = LastStep(
            length, q.exact, newton.correction.used, promised / q.cost, max(error[:2]),
            last.smallest,
        )  # fmt: skip
        if length:
            newton.correction.adapt(length)
        if length and not elastic.has_stalled(newton.is_elastic, error.violation):
            continue

        # No step is an improvement, or steps do not come nearer to the bounds: is there a motion
        # within them?
        status = "no_descent" if on_time() else "time_limit"
        if error.violation <= tolerance or restarts == RESTARTS or not on_time():
            break
        starts = newton.now.e.at, t
        least = least_violation(s, newton.rows, starts, newton.units, tolerance, on_time)
        if least.largest <= tolerance:
            newton.begin(s.evaluate(least.t))
            restarts, last, elastic = restarts + 1, LastStep(), Elastic()
            continue
        if least.certified:
            newton.begin(s.evaluate(least.t))
            status = "infeasible"
            where = least.off, least.units, least.certificate
            violation = largest_violation(s, newton.rows, *where)
            log.append(line_of_log(newton, newton.quadratic(False), LastStep(), stopping.seconds()))
        elif length:
            restarts, elastic = restarts + 1, Elastic()
            continue
        break
    if status not in ("converged", "infeasible"):
        newton.now, K = best.motion, best.K
        if newton.errors(newton.quadratic(False)).violation > tolerance:
            off, units = newton.rows.limits.off(newton.now.v), newton.units.largest_row[0]
            violation = largest_violation(s, newton.rows, off, units, np.nan)
    solution = newton.snapped()
    return BoundedSolution(
        solution.e, status, solution.p[None], K, solution.y[None], log, violation
    )


def line_of_log(
    newton: BoundedNewton, q: Quadratic, last: LastStep, seconds: float
) -> Iteration:  # fmt: skip
    """Return a line of the log: the errors as they are, and the step that led there."""
    raw = errors_as_they_are(newton.s, newton.rows, newton.now, q)
    return Iteration(
        float(newton.now.e.cost[0]), *raw, last.length, float(last.exact), last.shift, seconds
    )


def has_converged(error: Errors, tolerance: float, last: LastStep) -> bool:
    """Return True if all errors are within the tolerance. Gradient and defects also are if they
    are rounding errors: the last step promised next to nothing, and did not halve them. So is the
    gradient if the last step promised less than one of the size of the tolerance.
    """
    negligible = last.minimal and last.promised <= NEGLIGIBLE
    settled = last.minimal and last.promised <= tolerance**2
    rounding = negligible and max(error[:2]) > last.error / 2
    return max(error[2:] if rounding else error[settled:]) <= tolerance


def one_by_one(
    s: Shooting, t: Trajectory, guess: Trajectory | Solution | None, stopping: Stopping, *,
    method: str, single: bool,
) -> Solution:  # fmt: skip
    """Solve problems with bounds on quantities from the trajectories t, one after the other, with
    the multipliers of the guess if it is a solution; see `solve`.
    """
    e, rows, each = s.evaluate(t), Rows(s, t), list[BoundedSolution]()
    check_finite(s, e, "guess", rows.values(t))
    warm = isinstance(guess, Solution)
    y = np.zeros(rows.shape)
    if isinstance(guess, Solution):
        lead = [x[None] if single and x.ndim == 2 else x for x in guess.multipliers]
        p = guess.costates[None] if single and guess.costates.ndim == 2 else guess.costates
        y, _ = row_multipliers(s, e, rows, lead, s.expand(e, False), "guess", p)
    for b in range(len(y)):
        part = Trajectory(*(x[b : b + 1] for x in t))
        each.append(solve_bounded(s, part, y[b] if warm else None, method, stopping))
    status = np.array([x.status for x in each])
    q, qd, u = (np.concatenate(x) for x in zip(*(x.e.at for x in each), strict=True))
    cost, p, K, y = (
        np.concatenate(x) for x in zip(*((x.e.cost, x.p, x.K, x.y) for x in each), strict=True)
    )
    multipliers, done = rows.unpacked(y), status == "converged"
    if done.any():  # gains of active bounds on quantities with the exact Hessian
        exact = system_at(s, s.evaluate(Trajectory(q, qd, u)), multipliers, p).system
        K = np.where((done & ~exact.failed)[:, None, None, None], exact.feedback(), K)
    log, violation = joint_log([x.log for x in each]), [x.violation for x in each]
    if not single:
        return Solution(Trajectory(q, qd, u), cost, status, p, K, log, multipliers, violation)
    one = Trajectory(q[0], qd[0], u[0]), cost[0], str(status[0]), p[0], K[0], each[0].log
    return Solution(*one, [x[0] for x in multipliers], violation[0])
