"""Results of solvers of shooting problems."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.shooting import Trajectory

__all__ = ["Iteration", "Solution"]


@shown_in_notebooks
class Iteration(NamedTuple):
    """A motion on the way to the solution; of many problems NaN for those that are done."""

    cost: Any
    """Its cost."""
    stationarity: Any
    """Largest entry of the gradient by the controls, projected on their bounds."""
    infeasibility: Any
    """Largest defect: end of an interval less the state that follows."""
    violation: Any
    """Largest violation of the bounds on quantities, or of their complementarity."""
    step: Any
    """Length of the step that led to it, at most one."""
    exact: Any
    """1 if that step is of the exact Hessian, 0 if of Gauss-Newton's."""
    correction: Any
    """Multiple of one added to that, by the controls."""
    seconds: float
    """Time since the beginning."""


@shown_in_notebooks
class Solution(NamedTuple):
    """The motion found; of many problems with a leading axis."""

    trajectory: Trajectory
    """States and controls; the guess of a further call, perhaps."""
    cost: Any
    """Its cost, shape (...)."""
    status: Any
    """``"converged"``, ``"max_iterations"``, ``"time_limit"``, ``"no_descent"`` where no step
    decreases the merit function,  ``"indefinite"`` where no correction of the Hessian helps, or
    ``"infeasible"`` where bounds on quantities stay violated; the motion is one of the least
    violation nearby."""
    costates: np.ndarray
    """Derivatives of the cost to go by the states, shape (..., S + 1, 2 NV)."""
    gains: np.ndarray
    """Feedback K on deviations dx of the state, ``u + K dx``, shape (..., S, m, 2 NV)."""
    log: list[Iteration]
    """The guess and the iterations, in order."""
    multipliers: list[np.ndarray] = []  # noqa: RUF012
    """Of the bounds on quantities, first those of the intervals, then those at the end, shape
    (..., number of instants, k): positive at upper bounds, and negative at lower ones."""

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return len(self.log) - 1
