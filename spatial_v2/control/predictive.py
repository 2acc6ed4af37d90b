"""Model predictive control: an iteration of Newton's method at each measured state."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.calls.clock import working_time
from spatial_v2.control.checks import check_count, check_limit
from spatial_v2.control.command import Command
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.horizon import moved, moved_multipliers
from spatial_v2.control.predictive_steps import BoundedSteps, FreeSteps
from spatial_v2.control.shooting import Shooting, Trajectory
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
        dynamics and of bounded quantities. This saves a third of the time of a quadruped; calls
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
        how = self.line_search, self.exact
        bounds = bool(problem.running_bounds or problem.terminal_bounds)
        self._steps = BoundedSteps(s, t, *how, guess) if bounds else FreeSteps(s, t, *how)
        self._s, self._t = s, t

    @property
    def trajectory(self) -> Trajectory:
        """States and controls of the present motion."""
        return Trajectory(*(y[0].copy() for y in self._t))

    @property
    def multipliers(self) -> list[np.ndarray]:
        """Multipliers of the bounds on quantities, as in `Solution`."""
        n = self._steps.newton
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
        e, done, before = self._steps.begin(t), 0, begin

        def on_time() -> bool:
            return working_time() - begin < time_limit

        while True:
            e, K, length, error = self._steps.iterate(e, on_time)
            done, now = done + 1, working_time()
            if done >= iterations or not length or 2 * now - before - begin > time_limit:
                break
            before, e = now, self._steps.again(e)
        self._t, first = e.at, int(np.arange(s.stages)[s.intervals][0])
        u, gains = e.at.u[0, first].copy(), K[0, first].copy()
        seconds = working_time() - begin
        return Command(u, gains, float(e.cost[0]), error, length, done, seconds)

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
        (states, stages), was = moved(self._s, new), self._steps.newton
        t = Trajectory(self._t.q[:, states], self._t.qd[:, states], self._t.u[:, stages])
        if problem is None:
            self._t = t
        else:
            self._begin(problem, t)
        now = self._steps.newton
        if was is not None and now is not None:
            now.keep(moved_multipliers(was.rows, was.now.y, now.rows), was.now.p[states])
