"""Results of solvers of shooting problems."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.shooting import Trajectory

__all__ = ["Iteration", "Solution", "Violation"]


@shown_in_notebooks
class Iteration(NamedTuple):
    """One iteration of a solver; for several problems, NaN for those that have ended."""

    cost: Any
    """Cost of the motion."""
    stationarity: Any
    """Largest entry of the gradient with respect to the controls, projected on their bounds."""
    infeasibility: Any
    """Largest defect: the state at the end of an interval minus the next state."""
    violation: Any
    """Largest violation of the bounds on quantities, or of the complementarity condition."""
    step: Any
    """Length of the step that led to this motion, at most 1."""
    exact: Any
    """1 if the exact Hessian gave this step, 0 if the Gauss-Newton Hessian did."""
    correction: Any
    """Multiple of the curvatures of the costs with respect to the controls that was added to this
    Hessian.
    """
    seconds: float
    """Time since the start of the solver, without that of compilations [s]."""


@shown_in_notebooks
class Violation(NamedTuple):
    """The largest violation of bounds in a motion."""

    bounds: str
    """The bounds: an entry of `running_bounds` or `terminal_bounds`."""
    value: int
    """Number of the value of their quantity."""
    instant: int
    """Number of the state; the first one is 0."""
    off: float
    """Distance of the value from its bounds: above (positive) or below."""
    certificate: float
    """Largest derivative of the sum of squared violations by a control, as a number, relative to
    its root; zero for a motion of least violation. NaN unless the problem is infeasible.
    """


@shown_in_notebooks
class Solution(NamedTuple):
    """Result of `solve`; for several problems, all fields have a leading axis."""

    trajectory: Trajectory
    """States and controls, which may be the guess of a further call."""
    cost: Any
    """Cost of the motion, shape (...)."""
    status: Any
    """``"converged"``, ``"max_iterations"``, ``"time_limit"``, ``"no_descent"`` (no step decreases
    the merit function), ``"indefinite"`` (no correction makes the Hessian positive definite), or
    ``"infeasible"`` (bounds on quantities stay violated; the motion is a local minimum of the
    violation). After ``"no_descent"`` and ``"indefinite"`` a small cost of the velocities often
    helps: ``StateCost(model, q, 0.0, 0.1)``.
    """
    costates: np.ndarray
    """Derivatives of the cost to go with respect to the states, shape (..., S + 1, 2 NV); with
    bounds on quantities, the multipliers of the last step.
    """
    gains: np.ndarray
    """Feedback matrices K, shape (..., S, m, 2 NV): the optimal controls are ``u + K dx`` for a
    deviation dx of the state.
    """
    log: list[Iteration]
    """Iterations in order, beginning with the initial guess."""
    multipliers: list[np.ndarray] = []  # noqa: RUF012
    """Multipliers of `running_bounds`, then of `terminal_bounds`: one array (..., instants, k) for
    each. They are positive at upper bounds and negative at lower ones.
    """
    violation: Any = None
    """The largest `Violation` of bounds, if the motion violates them by more than the tolerance,
    else None; for several problems, a list of these.
    """

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return len(self.log) - 1
