"""Model predictive control: an iteration of Newton's method at each measured state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.calls.clock import working_time
from spatial_v2.control.bounded_newton import STIFFEST, BoundedNewton
from spatial_v2.control.bounded_point import errors_as_they_are
from spatial_v2.control.checks import check_count, check_limit
from spatial_v2.control.command import Command
from spatial_v2.control.culprits import check_finite
from spatial_v2.control.descent import errors
from spatial_v2.control.directions import Direction, direction, next_correction
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.horizon import moved, moved_multipliers
from spatial_v2.control.line_search import line_search, moved_along
from spatial_v2.control.optimum import row_multipliers
from spatial_v2.control.prepared_horizon import prepared_horizon
from spatial_v2.control.quadratic import NoMinimum
from spatial_v2.control.riccati import costates
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["ModelPredictiveControl"]


class ModelPredictiveControl:
    """Controls by repeated optimisation of the motion from the measured state.

    Each call does one iteration of `solve` and keeps the motion, from which the next call starts.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, with one initial state. Costs are read in every call: targets that move may be
        written into their arrays.
    guess : Trajectory or Solution, optional
        The initial guess, as in `solve`; an earlier solution serves best. By default the robot
        stays where it is.
    line_search : bool, optional
        If False, all steps are full ones, whose motion is not simulated before the next call: usual
        where calls follow each other so fast that motions change little.
    exact : bool, optional
        If False, the Hessian is that of Gauss and Newton, without second derivatives of the
        dynamics and of bounded quantities. This saves a quarter of the time of a quadruped; calls
        converge more slowly, and `Command.gains` are approximations where costs do not vanish.

    Raises
    ------
    ArrayShapeError
        A guess or a state of the wrong shape.
    SpatialError
        Many initial states, or numbers that are not finite.
    TypeError
        No `ShootingProblem`, or a guess that is no motion.

    Notes
    -----
    Bounds on quantities are met exactly by the linearised motion of each call, whose active set
    begins with that of the call before. If no motion meets them, their violations are as small as
    they can be; `SoftBounds` are part of the cost instead.

    The real-time iteration of Diehl, Bock, Schloeder, "A real-time iteration scheme for nonlinear
    optimization in optimal feedback control" (2005), with exact Hessians and a line search.

    Examples
    --------
    >>> from spatial_v2 import ShootingProblem
    >>> from spatial_v2.control import ControlCost, StateCost, solve, time_step
    >>> from spatial_v2.models import autoTree
    >>> model, h = autoTree(2), 0.02
    >>> costs = [StateCost(model, [1.0, 0.0], 10.0, 1.0), ControlCost(0.01)]
    >>> problem = ShootingProblem(model, [0.0, 0.0], [0.0, 0.0], np.full(25, h), costs, costs[:1])
    >>> control = ModelPredictiveControl(problem, solve(problem))
    >>> q, qd = problem.q, problem.qd
    >>> for _ in range(60):
    ...     q, qd = time_step(model, q, qd, control.step(q, qd).u, h)
    ...     control.shift()
    >>> bool(abs(q[0] - 1.0) < 0.05)
    True
    """

    def __init__(
        self, problem: ShootingProblem, guess: Trajectory | Solution | None = None,
        line_search: bool = True, exact: bool = True,
    ) -> None:  # fmt: skip
        self.line_search, self.exact = line_search, exact
        self._begin(problem, guess)

    def _begin(self, problem: ShootingProblem, guess: Trajectory | Solution | None) -> None:
        s = Shooting(problem)
        t, single = initial_trajectory(s, guess)
        if not single:
            raise SpatialError("q, qd: want one initial state; solve(...) takes many")
        self._newton: BoundedNewton | None = None
        if problem.running_bounds or problem.terminal_bounds:
            self._newton = BoundedNewton(s, t, lambda: True)
            self._newton.stiffness = STIFFEST
            if isinstance(guess, Solution):
                e, rows, y = s.evaluate(t), self._newton.rows, [x[None] for x in guess.multipliers]
                p, x = guess.costates[None], s.expand(e, False)
                y_rows, _ = row_multipliers(s, e, rows, y, x, "guess", p)
                self._newton.keep(y_rows[0], p[0])
        self._s, self._t, (self._correction, self._penalty) = s, t, np.zeros((2, 1))
        self._K = np.zeros((1, s.stages, s.m, 2 * s.n))
        self._prepared = None if self._newton else prepared_horizon(s, t, self.exact)

    @property
    def trajectory(self) -> Trajectory:
        """States and controls of the present motion."""
        return Trajectory(*(y[0].copy() for y in self._t))

    @property
    def multipliers(self) -> list[np.ndarray]:
        """Multipliers of the bounds on quantities, as in `Solution`."""
        n = self._newton
        return [] if n is None else [y[0] for y in n.rows.unpacked(n.now.y[None])]

    def step(self, q: Any, qd: Any, iterations: int = 1, time_limit: float = np.inf) -> Command:
        """Compute the controls for a measured state by an iteration that starts from the present
        motion.

        Parameters
        ----------
        q, qd : array, shapes (NQ,), (NV,)
            The measured state.
        iterations : int, optional
            Largest number of iterations.
        time_limit : float, optional
            Limit of the duration of the call [s]: after the first iteration another one begins only
            if it is expected to end within the limit, and no further step, correction of the
            Hessian or active set of the bounds is tried after it.

        Returns
        -------
        Command
            ``u, gains, cost, error, step, iterations, seconds``.

        Raises
        ------
        ArrayShapeError
            A state of the wrong shape.
        SpatialError
            A state that is not finite, or from which the motion is not; fewer than one iteration;
            a negative limit.
        """
        begin, s, t = working_time(), self._s, self._t
        check_count(iterations, "iterations", 1)
        check_limit(time_limit, "time_limit")
        q, qd = as_real(q, "q"), as_real(qd, "qd")
        for name, x, y in (("q", q, t.q), ("qd", qd, t.qd)):
            if x.shape != y.shape[2:]:
                raise ArrayShapeError(f"{name}: want shape {y.shape[2:]}, got {x.shape}")
            if not np.isfinite(x).all():
                raise SpatialError(f"{name}: want finite numbers, got {x.tolist()}")
        t.q[0, 0], t.qd[0, 0] = q, qd
        e, done, before = self._evaluate(t), 0, begin
        check_finite(s, e, "q, qd", 0.0 if self._newton is None else self._newton.measure(e))

        def on_time() -> bool:
            return working_time() - begin < time_limit

        iterate = self._iterate if self._newton is None else self._iterate_with_bounds
        while True:
            e, length, error = iterate(e, on_time)
            done, now = done + 1, working_time()
            if done >= iterations or not length or 2 * now - before - begin > time_limit:
                break
            before, e = now, self._evaluate(e.at)
        self._t, first = e.at, int(np.arange(s.stages)[s.intervals][0])
        u, K = e.at.u[0, first].copy(), self._K[0, first].copy()
        seconds = working_time() - begin
        return Command(u, K, float(e.cost[0]), error, length, done, seconds)

    def _iterate(
        self, e: Evaluation, on_time: Callable[[], bool]
    ) -> tuple[Evaluation, float, float]:
        """Do one iteration without bounds on quantities; return the motion, which is not evaluated
        without a line search, the length of the step, and the error before it.
        """
        s = self._s
        x, d, error = self._direction(e, on_time)
        if self.line_search:
            e, length, self._penalty, _ = line_search(s, e, x, d, self._penalty, "newton", on_time)
        else:
            length = np.where(d.feedback.failed, 0.0, 1.0)
            follow = self._prepared is not None and self._prepared.follows(d)
            e = e._replace(at=self._prepared.follow() if follow else moved_along(s, e, d, length))
        self._correction, self._K = next_correction(d.shift, length), d.feedback.K
        return e, float(length[0]), error

    def _evaluate(self, t: Trajectory) -> Evaluation:
        """Evaluate a motion with its derivatives, by prepared steps where they are those of the
        problem.
        """
        if self._prepared and self._prepared.is_stale:
            self._prepared = prepared_horizon(self._s, t, self.exact)
        e = self._prepared.evaluate(t) if self._prepared and self._prepared.runs else None
        return self._s.evaluate(t, ahead=True) if e is None else e

    def _direction(
        self, e: Evaluation, on_time: Callable[[], bool]
    ) -> tuple[Expansion, Direction, float]:
        """Return the expansion, the direction, and the error of a motion from `_evaluate`."""
        s, prepared = self._s, self._prepared
        if prepared and not e.transitions:
            error = float(errors(s, e, prepared.slope).max())
            if not self._correction.any() and not (d := prepared.direction()).feedback.failed.any():
                return prepared.x, d, error
            e = s.evaluate(e.at, ahead=True)
        x, method = s.expand(e, self.exact), "newton" if self.exact else "ilqr"
        p, slope = costates(x)
        error, approximate = float(errors(s, e, slope).max()), np.zeros(1, dtype=bool)
        return x, direction(s, e, x, method, p, self._correction, approximate, on_time), error

    def _iterate_with_bounds(
        self, e: Evaluation, on_time: Callable[[], bool]
    ) -> tuple[Evaluation, float, float]:
        """Do one iteration with bounds on quantities; see `_iterate`."""
        newton = self._newton
        assert newton is not None
        newton.on_time = on_time
        if newton.now.e is not e:
            newton.measure(e)
        q = newton.quadratic(self.exact)
        error = max(errors_as_they_are(newton.s, newton.rows, newton.now, q))
        try:
            q, step = newton.step(q)
        except NoMinimum:
            return e, 0.0, error
        length = newton.search(q, step) if self.line_search else newton.follow(step)
        newton.correction.adapt(length)
        self._K = step.system.K
        return newton.now.e, length, error

    def shift(self, problem: ShootingProblem | None = None) -> None:
        """Move the horizon on by one interval; the last interval is repeated.

        Parameters
        ----------
        problem : ShootingProblem, optional
            The problem from now on, with the same number of intervals, for instance with contact
            phases and bounds that have moved. By default the problem stays the same.

        Raises
        ------
        ArrayShapeError
            A problem with another number of intervals, or for another robot.
        SpatialError
            Many initial states.
        TypeError
            No `ShootingProblem`.
        """
        new = self._s if problem is None else Shooting(problem)
        if new.problem.steps != self._s.problem.steps:
            raise ArrayShapeError(
                f"problem: want {self._s.problem.steps} intervals, got {new.problem.steps}"
            )
        (states, stages), was = moved(self._s, new), self._newton
        t = Trajectory(self._t.q[:, states], self._t.qd[:, states], self._t.u[:, stages])
        if problem is None:
            self._t = t
        else:
            self._begin(problem, t)
        if was is not None and self._newton is not None:
            y = moved_multipliers(was.rows, was.now.y, self._newton.rows)
            self._newton.keep(y, was.now.p[states])
