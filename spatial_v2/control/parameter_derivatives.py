"""Derivatives of optimal motions with respect to parameters of their problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.checks import as_floats
from spatial_v2.control.displacements import difference
from spatial_v2.control.optimum import Optimum, optimum
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Shooting
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["ParameterDerivatives", "parameter_derivatives"]

STENCIL = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
"""Weights of central differences of order six, at these numbers of steps."""
STEP = 1e-3
"""Step of the differences, relative to the scale of a parameter."""
T = np.matrix_transpose


@shown_in_notebooks
class ParameterDerivatives(NamedTuple):
    """Derivatives of an optimal motion with respect to k parameters, on the last axis."""

    states: np.ndarray
    """Derivatives of the states, as increments [dq, dqd], shape (S + 1, 2 NV, k)."""
    controls: np.ndarray
    """Derivatives of the controls, shape (S, m, k)."""
    cost: np.ndarray
    """Derivatives of the least cost, shape (k,)."""


def parameter_derivatives(
    make: Callable[[np.ndarray], ShootingProblem], parameters: Any, solution: Solution,
    scale: Any = None,
) -> ParameterDerivatives:  # fmt: skip
    """Compute derivatives of the solution of a shooting problem with respect to its parameters.

    Parameters
    ----------
    make : callable
        Function that returns the problem for parameters (k,). These may be targets and weights of
        costs, bounds, lengths of the intervals, the initial state, inertias or dimensions of the
        robot. All problems must have the same stages.
    parameters : array, shape (k,)
        The parameters.
    solution : Solution
        The result of `solve` for ``make(parameters)``.
    scale : array, shape (k,), optional
        Positive typical changes of the parameters, of which the steps of differences are a
        fraction; by default the larger of 0.1 and the absolute value of the parameter.

    Returns
    -------
    ParameterDerivatives
        ``states, controls, cost``; changes of configurations are increments ``q (+) dq``.

    Raises
    ------
    ArrayShapeError
        Parameters or scales of the wrong shape.
    SpatialError
        A solution that has not converged, that begins at another state, or at which the Hessian is
        indefinite.

    Notes
    -----
    The implicit function theorem is applied to the optimality conditions, as in
    `solution_derivatives`, whose notes on bounds hold here too. The Hessian is exact. The
    derivatives of the ends of stages and of the gradient of the Lagrangian with respect to the
    parameters are central differences of order six of exact gradients; their relative error is
    about 1e-11 if the problem depends smoothly on the parameters at their scale.

    Examples
    --------
    >>> from spatial_v2 import ShootingProblem
    >>> from spatial_v2.control import ControlCost, StateCost, solve
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> def make(p):
    ...     goal = StateCost(model, p[:2], 100.0, 10.0)
    ...     return ShootingProblem(
    ...         model, [0.0, 0.0], [0.0, 0.0], np.full(50, p[2]), [ControlCost(0.01)], [goal])
    >>> target_and_step = np.array([1.0, 0.0, 0.02])
    >>> d = parameter_derivatives(make, target_and_step, solve(make(target_and_step)))
    >>> d.cost.round(2)
    array([  0.25,   0.12, -36.42])
    """
    theta = as_floats(parameters, "parameters")
    if theta.ndim != 1 or not theta.size:
        raise ArrayShapeError(f"parameters: want shape (k,), got {theta.shape}")
    scale = np.maximum(0.1, np.abs(theta)) if scale is None else as_floats(scale, "scale")
    if scale.shape != theta.shape:
        raise ArrayShapeError(f"scale: want shape {theta.shape}, got {scale.shape}")
    if not ((scale > 0) & np.isfinite(scale)).all():
        raise SpatialError(f"scale: want finite positive numbers, got {scale.tolist()}")
    at, single = optimum(make(theta), solution)
    if not single:
        raise SpatialError("make: want a problem with a single initial state, got a batch of them")
    steps = STEP * scale
    changes: Any = [0.0] * 5
    for j, weight in STENCIL.items():
        for sign in (1, -1):
            near = [_parts(make(theta + sign * j * row), at) for row in np.diag(steps)]
            changes = [
                x + sign * weight * np.stack(y, axis=-1)
                for x, y in zip(changes, zip(*near, strict=True), strict=True)
            ]
    start, g, c, rho, cost = (x / steps for x in changes)
    dz = at.system.solve(start[None], g[None], c[None], rho[None]).dz[0]
    n = len(start)
    return ParameterDerivatives(dz[:, :n], dz[:-1, n:], cost)


def _parts(problem: ShootingProblem, at: Optimum) -> tuple[np.ndarray, ...]:
    """Compute the terms of the optimality conditions that depend on the parameters, at a fixed
    motion with fixed multipliers.

    Returns the deviation of the initial state, the gradient of the Lagrangian, the defects, the
    distances of active rows from their bounds (zero for the others), and the Lagrangian.
    """
    s, t, p, y = Shooting(problem), at.t, at.p[0], at.y[0]
    if s.stages != at.s.stages:
        raise SpatialError(f"make: want problems with {at.s.stages} stages, got {s.stages}")
    counts, wanted = (
        len(x.running_bounds) + len(x.terminal_bounds) for x in (problem, at.s.problem)
    )
    if counts != wanted:
        raise SpatialError(f"make: want problems with {wanted} bounds, got {counts}")
    rows = Rows(s, t)
    if rows.shape != at.rows.shape:
        raise SpatialError("make: want bounds on the same controls and quantities in all problems")
    e = s.evaluate(t)
    x = s.expand(e, False)
    start = np.concatenate([difference(s.model, t.q[0, 0], problem.q), problem.qd - t.qd[0, 0]])
    with np.errstate(invalid="ignore"):
        gap = rows.values(t)[0] - rows.limits.nearest(y)
    gap = np.where(at.system.active[0], gap, 0.0)
    g = x.g[0] + (T(rows.jacobian(t)[0]) @ y[..., None])[..., 0]
    g[:-1] += (T(x.F[0]) @ p[1:, :, None])[..., 0]
    value = e.cost[0] + (p[1:] * e.defects[0]).sum() + p[0] @ start + (y * gap).sum()
    return start, g, e.defects[0], gap, value
