"""Derivatives of optimal motions with respect to their initial states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.optimum import optimum
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution

__all__ = ["SolutionDerivatives", "solution_derivatives"]


@shown_in_notebooks
class SolutionDerivatives(NamedTuple):
    """Derivatives of optimal motions along the initial state [dq, dqd], on the last axis."""

    states: np.ndarray
    """Derivatives of the states, shape (..., S + 1, 2 NV, 2 NV)."""
    controls: np.ndarray
    """Derivatives of the controls, shape (..., S, m, 2 NV)."""
    cost: np.ndarray
    """Derivatives of the least cost, shape (..., 2 NV)."""
    hessian: np.ndarray
    """Second derivatives of the least cost, symmetric, shape (..., 2 NV, 2 NV)."""


def solution_derivatives(problem: ShootingProblem, solution: Solution) -> SolutionDerivatives:
    """Compute derivatives of the solution of a shooting problem along the initial state.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, or many that differ in their initial states.
    solution : Solution
        The result of `solve` for it.

    Returns
    -------
    SolutionDerivatives
        ``states, controls, cost, hessian``; changes of configurations are increments ``q (+) dq``.

    Raises
    ------
    SpatialError
        A solution that has not converged, that begins at another state, or at which the Hessian is
        indefinite.

    Notes
    -----
    The implicit function theorem is applied to the optimality conditions: linear equations with the
    exact Hessian, which a Riccati recursion solves. Controls and quantities at their bounds stay
    there: active bounds are equations too, met to rounding by iterative refinement. Where a
    multiplier is zero at a bound, derivatives exist on one side only; those of a motion that leaves
    the bound are returned.

    Examples
    --------
    >>> from spatial_v2 import ShootingProblem
    >>> from spatial_v2.control import ControlCost, StateCost, solve
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> goal = StateCost(model, [1.0, 0.0], 100.0, 10.0)
    >>> problem = ShootingProblem(
    ...     model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> d = solution_derivatives(problem, solve(problem))
    >>> d.controls[0].round(2)
    array([[-2.47,  0.22, -6.02, -1.7 ],
           [ 7.05,  2.41,  0.56, -0.35]])
    """
    at, single = optimum(problem, solution)
    B, _, n = at.p.shape
    columns = (*at.rows.shape[:2], at.rows.z, n), (B, at.s.stages, n, n), (*at.rows.shape, n)
    start = np.broadcast_to(np.eye(n), (B, n, n))
    g, c, rho = map(np.zeros, columns)
    dz, costates, _ = at.system.solve(start, g, c, rho)
    hessian = (costates[:, 0] + np.matrix_transpose(costates[:, 0])) / 2
    controls = np.where(at.held[..., None], 0.0, dz[:, :-1, n:])
    results = dz[..., :n, :], controls, at.p[:, 0], hessian
    return SolutionDerivatives(*(z[0] if single else z for z in results))
