"""Derivatives of optimal motions with respect to parameters of their problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.bounds import Term
from spatial_v2.control.checks import as_floats
from spatial_v2.control.displacements import difference
from spatial_v2.control.riccati import riccati
from spatial_v2.control.shooting import Expansion, Shooting
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.control.solution_derivatives import Optimum, is_active, optimum
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["ParameterDerivatives", "parameter_derivatives"]

STENCIL = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
"""Weights of central differences of order six, at these numbers of steps."""
STEP = 1e-3
"""Step of the differences, relative to the scale of a parameter."""
STIFF = 1e3
"""Penalty of active bounds on quantities relative to the first one of `solve`."""
CORRECTIONS = 3
"""Updates of the derivatives of multipliers; each divides the penalty's error by about `STIFF`."""

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
    `solution_derivatives`, whose notes on bounds hold here too, but for the error of the penalty:
    the multipliers of bounds on quantities are differentiated as well. The Hessian is exact. The
    derivatives of the ends of stages and of the gradient of the Lagrangian with respect to the
    parameters are central differences of order six of exact gradients; their relative error is
    about 1e-11 if the problem depends smoothly on the parameters at their scale.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost, solve
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> def make(p):
    ...     goal = StateCost(model, p[:2], 100.0, 10.0)
    ...     return ShootingProblem(
    ...         model, [0.0, 0.0], [0.0, 0.0], np.full(50, p[2]), [ControlCost(0.01)], [goal])
    >>> target_and_step = np.array([1.0, 0.0, 0.02])
    >>> d = parameter_derivatives(make, target_and_step, solve(make(target_and_step)))
    >>> d.states.shape, d.controls.shape, d.cost.shape
    ((51, 4, 3), (50, 2, 3), (3,))
    """
    theta = as_floats(parameters, "parameters")
    if theta.ndim != 1 or not theta.size:
        raise ArrayShapeError(f"parameters: want shape (k,), got {theta.shape}")
    scale = np.maximum(0.1, np.abs(theta)) if scale is None else as_floats(scale, "scale")
    if scale.shape != theta.shape:
        raise ArrayShapeError(f"scale: want shape {theta.shape}, got {scale.shape}")
    if not ((scale > 0) & np.isfinite(scale)).all():
        raise SpatialError(f"scale: want finite positive numbers, got {scale.tolist()}")
    at = optimum(make(theta), solution, STIFF)
    if not at.single:
        raise SpatialError("make: want a problem with a single initial state, got a batch of them")
    k, S, n, steps = len(theta), at.s.stages, 2 * at.s.n, STEP * scale
    changes: Any = [0.0] * (5 + len(at.bounds))
    for j, weight in STENCIL.items():
        for sign in (1, -1):
            near = [_parts(make(theta + sign * j * row), at) for row in np.diag(steps)]
            changes = [
                x + sign * weight * np.array(y)
                for x, y in zip(changes, zip(*near, strict=True), strict=True)
            ]
    start, c, g, bounds, cost, *gaps = (x / steps.reshape(k, *(1,) * (x.ndim - 1)) for x in changes)
    F, Q = (np.repeat(y, k, axis=0) for y in (at.x.F, at.x.Q))
    held = _is_held(at)
    # Controls that stay at a bound are fixed: their `low` and `high` are equal. `riccati` fixes
    # such a control only if its gradient in g is not zero, so the gradient of the cost is added
    # there; this does not change the result.
    g[:, :-1, n:] += np.where(held, at.slope[0], 0.0)
    low, high = (np.where(held, bounds, y) for y in (-np.inf, np.inf))
    states, controls = np.zeros((k, S + 1, n)), np.zeros((k, S, at.s.m))
    for _ in range(1 + CORRECTIONS * bool(gaps)):
        for bound, gap in zip(at.bounds, gaps, strict=True):
            z = np.concatenate([states, np.pad(controls, ((0, 0), (0, 1), (0, 0)))], axis=-1)
            g[:, bound.where] += _pull_back(bound, z[:, bound.where], gap)
        f = riccati(Expansion(F, g, Q), c, low, high, np.zeros(k))
        states[:, 0], controls = start, f.feed.copy()
        for j in range(S):
            controls[:, j] += (f.K[:, j] @ states[:, j, :, None])[..., 0]
            z = np.concatenate([states[:, j], controls[:, j]], axis=-1)
            states[:, j + 1] = z @ T(at.x.F[0, j]) + c[:, j]
    return ParameterDerivatives(np.moveaxis(states, 0, -1), np.moveaxis(controls, 0, -1), cost)


def _is_held(at: Optimum) -> np.ndarray:
    """Return a mask of the controls (S, m) that stay at their bounds."""
    u, slope = at.t.u[0], at.slope[0]
    return np.asarray((u <= at.s.lower) & (slope > 0) | (u >= at.s.upper) & (slope < 0))


def _pull_back(bound: Term, z: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Compute the gradient of the penalty that holds a quantity at its active bounds, for changes z
    of states and controls, and changes `gap` of the quantity minus its bound at a fixed motion.
    """
    J, g = bound.bounds.quantity.jacobian(bound.at), np.zeros(z.shape)
    n = J.shape[-1]
    w = STIFF * bound.rho * is_active(bound) * ((J @ z[..., :n, None])[..., 0] + gap)
    g[..., :n] = (T(J) @ w[..., None])[..., 0]
    return g


def _parts(problem: ShootingProblem, at: Optimum) -> tuple[Any, ...]:
    """Compute the terms of the optimality conditions that depend on the parameters, at a fixed
    motion with fixed multipliers.

    Returns the deviation of the initial state, the defects, the gradient of the Lagrangian, the
    bounds at which controls are (zero for the others), the Lagrangian, and the distances of
    quantities from their active bounds (zero for the others).
    """
    s, t, p = Shooting(problem), at.t, at.p[0]
    if s.stages != at.s.stages:
        raise SpatialError(f"make: want problems with {at.s.stages} stages, got {s.stages}")
    given = [*problem.running_bounds, *problem.terminal_bounds]
    if len(given) != len(at.bounds):
        raise SpatialError(f"make: want problems with {len(at.bounds)} bounds, got {len(given)}")
    e = s.evaluate(t)
    x = s.expand(e, False)
    start = np.concatenate([difference(s.model, t.q[0, 0], problem.q), problem.qd - t.qd[0, 0]])
    u = np.where(_is_held(at), np.where(at.slope[0] > 0, s.lower, s.upper), 0.0)
    value = e.cost[0] + (p[1:] * e.defects[0]).sum() + p[0] @ start + (at.slope[0] * u).sum()
    g = x.g[0].copy()
    g[:-1] += (T(x.F[0]) @ p[1:, :, None])[..., 0]
    gaps = []
    for bounds, old in zip(given, at.bounds, strict=True):
        c, J = bounds.quantity.value(old.at), bounds.quantity.jacobian(old.at)
        gap = c - np.where(old.y > 0, bounds.upper, bounds.lower)
        gaps.append(np.where(is_active(old), gap, 0.0)[0])
        g[old.where, : J.shape[-1]] += (T(J) @ old.y[..., None])[0, ..., 0]
        value = value + (old.y[0] * gaps[-1]).sum()
    return start, e.defects[0], g, u, value, *gaps
