"""Single iterations of Newton's method, as a controller does them: without and with bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.bounded_newton import STIFFEST, BoundedNewton
from spatial_v2.control.bounded_point import errors_as_they_are
from spatial_v2.control.culprits import check_finite
from spatial_v2.control.descent import errors
from spatial_v2.control.directions import Direction, direction, next_correction
from spatial_v2.control.line_search import line_search, moved_along
from spatial_v2.control.optimum import row_multipliers
from spatial_v2.control.prepared_horizon import prepared_horizon
from spatial_v2.control.quadratic import NoMinimum
from spatial_v2.control.riccati import costates
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory
from spatial_v2.control.solution import Solution

__all__ = ["BoundedSteps", "Done", "FreeSteps"]

OnTime = Callable[[], bool]


class Done(NamedTuple):
    """An iteration."""

    e: Evaluation
    """The motion after the step, which is not evaluated without a line search."""
    K: np.ndarray
    """Feedback, shape (1, S, m, 2 NV)."""
    length: float
    """Length of the step."""
    error: float
    """Error before the step."""


class FreeSteps:
    """Iterations without bounds on quantities.

    Parameters
    ----------
    s : Shooting
        The stages.
    t : Trajectory
        The first motion, with a leading axis of length one.
    searches : bool
        True if steps are found by a line search; otherwise they are full ones.
    exact : bool
        True for exact Hessians.
    """

    newton = None

    def __init__(self, s: Shooting, t: Trajectory, searches: bool, exact: bool) -> None:
        self.s, self.searches, self.exact = s, searches, exact
        self.correction, self.penalty = np.zeros((2, 1))
        self.units = np.ones((1, s.m)), np.ones((1, 2 * s.n))  # errors are told as they are
        self.prepared = prepared_horizon(s, t, exact)

    def begin(self, t: Trajectory) -> Evaluation:
        """Evaluate a motion from a measured state, which has to be finite."""
        e = self.evaluate(t)
        check_finite(self.s, e, "q, qd")
        return e

    def evaluate(self, t: Trajectory) -> Evaluation:
        """Evaluate a motion with its derivatives, by prepared steps where they are those of the
        problem.
        """
        if self.prepared and self.prepared.is_stale:
            self.prepared = prepared_horizon(self.s, t, self.exact)
        e = self.prepared.evaluate(t) if self.prepared and self.prepared.runs else None
        return self.s.evaluate(t, ahead=True) if e is None else e

    def again(self, e: Evaluation) -> Evaluation:
        """Return the motion after an iteration for another one."""
        return self.evaluate(e.at)

    def iterate(self, e: Evaluation, on_time: OnTime) -> Done:
        """Do one iteration from a motion."""
        s = self.s
        x, d, error = self._direction(e, on_time)
        if self.searches:
            e, length, self.penalty, _ = line_search(s, e, x, d, self.penalty, "newton", on_time)
        else:
            length = np.where(d.feedback.failed, 0.0, 1.0)
            own = self.prepared if self.prepared and self.prepared.follows(d) else None
            e = e._replace(at=own.follow() if own else moved_along(s, e, d, length))
        self.correction = next_correction(d.shift, length)
        return Done(e, d.feedback.K, float(length[0]), error)

    def _direction(self, e: Evaluation, on_time: OnTime) -> tuple[Expansion, Direction, float]:
        """Return the expansion, the direction, and the error of a motion."""
        s, prepared = self.s, self.prepared
        if prepared and not e.transitions:
            error = float(errors(s, e, prepared.slope, *self.units)[:2].max())
            if not self.correction.any() and not (d := prepared.direction()).feedback.failed.any():
                return prepared.x, d, error
            e = s.evaluate(e.at, ahead=True)
        x, method = s.expand(e, self.exact), "newton" if self.exact else "ilqr"
        p, slope = costates(x)
        error = float(errors(s, e, slope, *self.units)[:2].max())
        approximate = np.zeros(1, dtype=bool)
        return x, direction(s, e, x, method, p, self.correction, approximate, on_time), error


class BoundedSteps:
    """Iterations with bounds on quantities; the arguments are those of `FreeSteps`, and a guess
    that may be a solution.
    """

    def __init__(
        self, s: Shooting, t: Trajectory, searches: bool, exact: bool, guess: object
    ) -> None:
        self.searches, self.exact, self.newton = searches, exact, BoundedNewton(s, t, lambda: True)
        self.newton.stiffness = STIFFEST
        self.K = np.zeros((1, s.stages, s.m, 2 * s.n))
        if isinstance(guess, Solution):
            e, rows, y = s.evaluate(t), self.newton.rows, [x[None] for x in guess.multipliers]
            p, x = guess.costates[None], s.expand(e, False)
            y_rows, _ = row_multipliers(s, e, rows, y, x, "guess", p)
            self.newton.keep(y_rows[0], p[0])

    def begin(self, t: Trajectory) -> Evaluation:
        """Evaluate a motion from a measured state, which has to be finite."""
        e = self.newton.s.evaluate(t, ahead=True)
        check_finite(self.newton.s, e, "q, qd", self.newton.measure(e))
        return e

    def again(self, e: Evaluation) -> Evaluation:
        """Return the motion after an iteration for another one."""
        return e if self.searches else self.newton.s.evaluate(e.at, ahead=True)

    def iterate(self, e: Evaluation, on_time: OnTime) -> Done:
        """Do one iteration from a motion."""
        newton = self.newton
        newton.on_time = on_time
        if newton.now.e is not e:
            newton.measure(e)
        q = newton.quadratic(self.exact)
        error = max(errors_as_they_are(newton.s, newton.rows, newton.now, q))
        try:
            q, step = newton.step(q)
        except NoMinimum:
            return Done(e, self.K, 0.0, error)
        length = newton.search(q, step) if self.searches else newton.follow(step)
        newton.correction.adapt(length)
        self.K = step.system.K
        return Done(newton.now.e, self.K, length, error)
