"""Model predictive control: an iteration of Newton's method at each measured state."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.bounds import AugmentedLagrangian
from spatial_v2.control.checks import check_count, check_limit
from spatial_v2.control.directions import direction, next_correction
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.horizon import moved, moved_multipliers
from spatial_v2.control.line_search import line_search, moved_along
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.riccati import costates
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.control.solve import errors
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Command", "ModelPredictiveControl"]


@shown_in_notebooks
class Command(NamedTuple):
    """Controls for a measured state, and what is known about the motion that they begin."""

    u: np.ndarray
    """Controls, shape (m,)."""
    gains: np.ndarray
    """Feedback matrix K (m, 2 NV): until the next call the controls are ``u + K dx``, with dx the
    deviation of the state.
    """
    cost: float
    """Cost of the motion; without a line search, cost of the motion before the last step."""
    error: float
    """Largest error of the optimality conditions before the last iteration; see `Iteration`."""
    step: float
    """Length of the last step, at most 1; 0 if no step was an improvement."""
    iterations: int
    """Number of iterations of this call."""
    seconds: float
    """Time of this call [s]."""


class ModelPredictiveControl:
    """Controls by repeated optimisation of the motion from the measured state.

    Each call does one iteration of `solve` and keeps the motion, from which the next call starts.
    Problem and motion are checked when the controller is made. Calls free all the memory that they
    allocate.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, with one initial state. Costs are read in every call: targets that move may be
        written into their arrays.
    guess : Trajectory or Solution, optional
        The initial guess, as in `solve`; an earlier solution serves best. By default the robot
        stays where it is.
    line_search : bool, optional
        If False, all steps are full ones, whose motion is not simulated before the next call. This
        saves a part of the time, and is usual where calls follow each other so fast that motions
        change little.

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
    Multipliers of bounds on quantities are updated when the other errors are smaller than the
    violations. They converge linearly, and disturbances may keep them from converging. `SoftBounds`
    avoid this: they are part of the cost.

    The real-time iteration of Diehl, Bock, Schloeder, "A real-time iteration scheme for nonlinear
    optimization in optimal feedback control" (2005), with exact Hessians and a line search.

    Examples
    --------
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
        line_search: bool = True,
    ) -> None:  # fmt: skip
        self.line_search = line_search
        multipliers = guess.multipliers if isinstance(guess, Solution) else []
        self._begin(problem, guess, [y[None] for y in multipliers])

    def _begin(self, problem: ShootingProblem, guess: Trajectory | Solution | None, y: Any) -> None:
        s = Shooting(problem)
        t, single = initial_trajectory(s, guess)
        if not single:
            raise SpatialError("q, qd: want one initial state; solve(...) takes many")
        if problem.running_bounds or problem.terminal_bounds:
            s.augmented = AugmentedLagrangian(s, t, y or None)
            s.augmented.weigh(NaturalUnits.at(s, s.evaluate(t)).rows)
        self._s, self._t = s, t
        self._correction, self._penalty = np.zeros((2, 1))

    @property
    def trajectory(self) -> Trajectory:
        """States and controls of the present motion."""
        return Trajectory(*(y[0].copy() for y in self._t))

    @property
    def multipliers(self) -> list[np.ndarray]:
        """Multipliers of the bounds on quantities, as in `Solution`."""
        return [] if self._s.augmented is None else [y[0].copy() for y in self._s.augmented.y]

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
        begin, s, t = perf_counter(), self._s, self._t
        check_count(iterations, "iterations", 1)
        check_limit(time_limit, "time_limit")
        q, qd = as_real(q, "q"), as_real(qd, "qd")
        for name, x, y in (("q", q, t.q), ("qd", qd, t.qd)):
            if x.shape != y.shape[2:]:
                raise ArrayShapeError(f"{name}: want shape {y.shape[2:]}, got {x.shape}")
            if not np.isfinite(x).all():
                raise SpatialError(f"{name}: want finite numbers, got {x.tolist()}")
        t.q[0, 0], t.qd[0, 0] = q, qd
        e, done, before = s.evaluate(t), 0, begin
        if not (np.isfinite(e.lagrangian).all() and np.isfinite(e.defects).all()):
            raise SpatialError(
                "q, qd: want a state from which the motion stays finite, got one from which the "
                "end of an interval is NaN or infinite"
            )

        def on_time() -> bool:
            return perf_counter() - begin < time_limit

        while True:
            x = s.expand(e, True)
            p, slope = costates(x)
            *stationary, violation = errors(s, e, slope)[:, 0]
            approximate = np.zeros(1, dtype=bool)
            d = direction(s, e, x, "newton", p, self._correction, approximate, on_time)
            if self.line_search:
                e, length, self._penalty, _ = line_search(
                    s, e, x, d, self._penalty, "newton", on_time
                )
            else:
                length = np.where(d.feedback.failed, 0.0, 1.0)
                e = e._replace(at=moved_along(s, e, d, length))
            self._correction, done = next_correction(s, x, d.shift, length), done + 1
            if s.augmented is not None and max(stationary) < violation:
                s.augmented.renew(e.at, np.ones(1, dtype=bool))
                e = e._replace(lagrangian=e.cost + s.penalty(e.at))
            now = perf_counter()
            if done >= iterations or not length[0] or 2 * now - before - begin > time_limit:
                break
            before, e = now, e if self.line_search else s.evaluate(e.at)
        self._t, first = e.at, int(np.arange(s.stages)[s.intervals][0])
        u, K = e.at.u[0, first].copy(), d.feedback.K[0, first].copy()
        seconds = perf_counter() - begin
        error = float(max(*stationary, violation))
        return Command(u, K, float(e.cost[0]), error, float(length[0]), done, seconds)

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
        old, (states, stages) = self._s, moved(self._s, new)
        t = Trajectory(self._t.q[:, states], self._t.qd[:, states], self._t.u[:, stages])
        if problem is None:
            self._t = t
        else:
            self._begin(problem, t, [])
        if self._s.augmented is not None:
            self._s.augmented.y = moved_multipliers(old, self._s)
