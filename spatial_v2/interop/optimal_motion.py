"""Optimal motions as functions of parameters, for libraries of automatic differentiation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.configuration import configurationRates
from spatial_v2.control import ShootingProblem, Solution, Trajectory, parameter_derivatives, solve
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["OptimalMotion"]


class OptimalMotion:
    """The motion of least cost as a function of parameters (k,), with its derivative.

    Each solution is the guess of the next call.

    Parameters
    ----------
    make : callable
        Function that makes the problem of parameters, as in `parameter_derivatives`.
    parameters : array, shape (k,)
        Parameters of the first solution, which gives the shapes of the results.
    guess : Trajectory or Solution, optional
        Initial guess of the first solution; see `solve`.
    scale : array, shape (k,), optional
        Changes of the parameters that matter; see `parameter_derivatives`.
    **options : Any
        Further arguments of `solve`.

    Raises
    ------
    SpatialError
        A problem for which the solver does not converge.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> def make(p):
    ...     goal = StateCost(model, p, 100.0, 10.0)
    ...     return ShootingProblem(
    ...         model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> motion = OptimalMotion(make, np.array([1.0, 0.0]))
    >>> q, qd, u, cost = motion(np.array([1.0, 0.5]))
    >>> q.shape, u.shape, cost.shape
    ((51, 2), (50, 2), ())
    """

    def __init__(
        self, make: Callable[[np.ndarray], ShootingProblem], parameters: Any,
        guess: Trajectory | Solution | None = None, scale: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        self.make, self.scale, self.options = make, scale, {"tolerance": 1e-10} | options
        self._at, self._found = np.full(0, np.nan), guess
        values = np.array(parameters, dtype=float)
        if values.ndim != 1:
            raise ArrayShapeError(f"parameters: want shape (k,), got {values.shape}")
        self.size, self.shapes = values.size, [np.shape(x) for x in self(values)]

    def solution(self, parameters: np.ndarray) -> Solution:
        """Return the solution for parameters, which is computed once while they are the same."""
        if not (isinstance(self._found, Solution) and np.array_equal(self._at, parameters)):
            solution = solve(self.make(parameters), self._found, **self.options)
            if solution.status != "converged":
                raise SpatialError(
                    f"parameters: want a problem that the solver can solve, got status "
                    f"{solution.status!r} at {parameters.tolist()}; give a better guess"
                )
            self._at, self._found = parameters.copy(), solution
        return self._found

    def __call__(self, parameters: np.ndarray) -> tuple[np.ndarray, ...]:
        """Compute ``q, qd, u`` of `Trajectory`, and the cost ()."""
        solution = self.solution(np.asarray(parameters, dtype=float))
        return (*solution.trajectory, np.array(solution.cost))

    def pull_back(self, parameters: np.ndarray, cotangents: Sequence[np.ndarray]) -> np.ndarray:
        """Compute the gradient (k,) of ``sum(cotangents . results)`` with respect to parameters.

        Cotangents of q belong to its entries, also of a quaternion.
        """
        parameters = np.asarray(parameters, dtype=float)
        solution, model = self.solution(parameters), self.make(parameters).model
        d = parameter_derivatives(self.make, parameters, solution, self.scale)
        of_q, of_qd, of_u, of_cost = (np.asarray(x) for x in cotangents)
        q, n = solution.trajectory.q, model.NV
        rates = configurationRates(model, q[:, None], np.eye(n), False)
        along = np.concatenate([(rates @ of_q[..., None])[..., 0], of_qd], axis=-1)
        g = np.einsum("ki,kij->j", along, d.states) + np.einsum("ki,kij->j", of_u, d.controls)
        return np.asarray(g + of_cost * d.cost)
