"""Derivatives of optimal motions with respect to their initial states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.bounds import AugmentedLagrangian, Term, is_equation
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.riccati import Feedback, costates, riccati
from spatial_v2.control.shooting import Expansion, Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.exceptions import SpatialError

__all__ = ["SolutionDerivatives", "solution_derivatives"]

STIFF = 1e6
"""Penalty of active bounds on quantities relative to the first one of `solve`; larger ones amplify
rounding errors.
"""

T = np.matrix_transpose


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
    The implicit function theorem is applied to the optimality conditions: one Riccati recursion
    with the exact Hessian gives feedback matrices, which are the derivatives of the controls with
    respect to the states before them. Controls and quantities at their bounds stay there. Where a
    multiplier is zero at a bound, derivatives exist on one side only; those of a control that
    leaves the bound are returned. Active bounds on quantities are held by a penalty, which leaves a
    relative error of about 1e-6.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost, solve
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> goal = StateCost(model, [1.0, 0.0], 100.0, 10.0)
    >>> problem = ShootingProblem(
    ...     model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> d = solution_derivatives(problem, solve(problem))
    >>> d.states.shape, d.controls.shape
    ((51, 4, 4), (50, 2, 4))
    """
    t, single, s, x, f, p, _, _ = optimum(problem, solution, STIFF)
    n, S = 2 * s.n, s.stages
    states, controls = np.zeros((len(t.q), S + 1, n, n)), f.K.copy()
    states[:, 0] = np.eye(n)
    for k in range(S):
        controls[:, k] = f.K[:, k] @ states[:, k]
        states[:, k + 1] = x.F[:, k, :, :n] @ states[:, k] + x.F[:, k, :, n:] @ controls[:, k]
    found = states, controls, p[:, 0], f.P[:, 0]
    return SolutionDerivatives(*(z[0] if single else z for z in found))


class Optimum(NamedTuple):
    """A solution, with the exact Hessian of its Lagrangian."""

    t: Trajectory
    single: bool
    s: Shooting
    x: Expansion
    f: Feedback
    p: np.ndarray
    """Costates, shape (B, S + 1, 2 NV)."""
    slope: np.ndarray
    """Gradient of the Lagrangian with respect to controls, shape (B, S, m)."""
    bounds: list[Term]


def optimum(problem: ShootingProblem, solution: Solution, stiff: float) -> Optimum:
    """Return a solution with the derivatives of its Lagrangian, in which penalties hold quantities
    at their active bounds; they are `stiff` times the first ones of `solve`.
    """
    if not isinstance(solution, Solution):
        raise TypeError(f"solution: want a Solution, got {type(solution).__name__}")
    if not np.all(np.asarray(solution.status) == "converged"):
        raise SpatialError(
            f"solution: want status 'converged', got {solution.status!r}; solve with more "
            "iterations"
        )
    s = Shooting(problem)
    t, single = initial_trajectory(s, solution, "solution")
    given = solution.trajectory
    if not ((given.q[..., 0, :] == t.q[:, 0]).all() and (given.qd[..., 0, :] == t.qd[:, 0]).all()):
        raise SpatialError("solution: want a motion from the initial state of the problem")
    e = s.evaluate(t)
    x, bounds = s.expand(e, True), list[Term]()
    if solution.multipliers or problem.running_bounds or problem.terminal_bounds:
        y = [w[None] if single else w for w in solution.multipliers]
        held = AugmentedLagrangian(s, t, y, "solution")
        held.weigh(NaturalUnits.at(s, e, held).rows)
        bounds = list(held.terms(t))
        for bound in bounds:
            add_active(bound, x, stiff)
    p, slope = costates(x)
    s.add_hessians(e, x, p)
    f = riccati(x, 0 * e.defects, s.lower - t.u, s.upper - t.u, np.zeros(len(t.q)))
    if f.failed.any():
        raise SpatialError(
            "solution: want a minimum, got a motion at which the Hessian is indefinite"
        )
    return Optimum(t, single, s, x, f, p, slope, bounds)


def add_active(bound: Term, x: Expansion, stiff: float) -> None:
    """Add to x the derivatives of the Lagrangian's term for bounds on a quantity, and of a penalty
    that holds the quantity at its active bounds.
    """
    quantity, J = bound.bounds.quantity, bound.bounds.quantity.jacobian(bound.at)
    held = stiff * bound.rho * is_active(bound)
    H, z = T(J) @ (held[..., None] * J), J.shape[-1]
    quantity.add_hessian(bound.at, bound.y, H)
    x.g[:, bound.where, :z] += (T(J) @ bound.y[..., None])[..., 0]
    x.Q[:, bound.where, :z, :z] += H


def is_active(bound: Term) -> np.ndarray:
    """Return a mask of the values that are at their bounds."""
    return np.asarray((bound.y != 0) | is_equation(bound.bounds))
