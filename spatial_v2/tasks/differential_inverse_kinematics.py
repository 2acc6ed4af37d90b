"""Joint velocities for several weighted tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.numbers import check_positive
from spatial_v2.model import Model
from spatial_v2.tasks.inverse_kinematics_of_tasks import WeightedTasks, weighted
from spatial_v2.tasks.task import Task

__all__ = ["differential_inverse_kinematics"]

_SETS = 50
"""Largest number of sets of bounds that are tried for all states at once."""


def differential_inverse_kinematics(
    model: Model,
    tasks: Sequence[Task],
    q: Array,
    step: float,
    *,
    rate: float = 10.0,
    damping: float = 1e-6,
    limits: Any = "model",
) -> np.ndarray:
    """Compute the joint velocities for the next step of a control loop, for several weighted tasks.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too, and coupled models with linear couplings.
    tasks : sequence of PoseTask, CentreOfMassTask, PostureTask or LookAtTask
        The tasks. A task that has priority over another has a much larger weight.
    q : array, shape (..., NQ)
        Joint positions, which broadcast with the targets of the tasks.
    step : float
        Time for which the velocities act [s].
    rate : float, optional
        Rate [1/s] at which errors decay, as ``exp(-rate t)``, where nothing hinders them.
    damping : float, optional
        Weight of small velocities, relative to the largest diagonal entry of ``J^T J``. A larger
        one slows motions near singular configurations.
    limits : "model", None or (lower, upper), optional
        Bounds of q, as for `inverse_kinematics`, which the next step keeps. With "model",
        velocities keep ``model.velocity_limit``, too.

    Returns
    -------
    numpy.ndarray, shape (..., NV)
        Joint velocities qd. The next configuration is
        ``configurationAddition(model, q, step * qd)``.

    Raises
    ------
    ArrayShapeError
        An argument or a target of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        Options out of range; no tasks.

    Notes
    -----
    With residuals e and their Jacobian J, ``dq = step * qd`` minimises
    ``|J dq + (1 - exp(-rate step)) e|^2 + damping |dq|^2`` within its bounds, which a primal-dual
    active-set method finds exactly. A joint beyond its limits returns at its largest velocity.

    Examples
    --------
    >>> from spatial_v2 import PoseTask, configurationAddition, forward_kinematics, pose, puma560
    >>> arm, q = puma560(), np.array([0.1, -0.5, 0.3, 0.2, 0.4, 0.6])
    >>> there = forward_kinematics(arm, q, frame=5)
    >>> hand, q = PoseTask(5, pose(there.R, there.p)), q + 0.2
    >>> for _ in range(1000):
    ...     q = q + 0.002 * differential_inverse_kinematics(arm, [hand], q, 0.002)
    >>> bool(abs(forward_kinematics(arm, q, frame=5).p - there.p).max() < 1e-6)
    True
    """
    for name, x in (("step", step), ("rate", rate), ("damping", damping)):
        check_positive(name, x)
    problem, at, lead = weighted(model, tasks, q, limits, "q")
    speed = model.velocity_limit if isinstance(limits, str) else np.full(model.NV, np.inf)
    e, J = problem.linearise(at, np.arange(len(at)))
    unit = problem.units(np.full(len(at), problem.length))[1]
    low, high = _bounds(problem, at, step * speed)
    dq = _least(J * unit[:, None], -np.expm1(-rate * step) * e, low / unit, high / unit, damping)
    return np.asarray(unit * dq / step).reshape(*lead, model.NV)


def _bounds(
    problem: WeightedTasks, q: np.ndarray, most: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds (n, NV) of a step of at most `most` (NV,) from q, so that it ends within
    the limits, or nears them.
    """
    limits = problem.limits
    single = (limits.place >= 0) & ~np.isin(limits.place, limits.turns)
    x = q[:, limits.place]
    low = np.where(single, limits.lower[limits.place] - x, -np.inf)
    high = np.where(single, limits.upper[limits.place] - x, np.inf)
    return np.clip(low, -most, most), np.clip(high, -most, most)


def _least(
    J: np.ndarray, e: np.ndarray, low: np.ndarray, high: np.ndarray, damping: float
) -> np.ndarray:
    """Return the x (n, m) between bounds that minimise ``|J x + e|^2 + mu |x|^2``."""
    JT = np.swapaxes(J, -1, -2)
    A, g = JT @ J, (JT @ e[..., None])[..., 0]
    mu = damping * np.max(np.diagonal(A, axis1=-2, axis2=-1), axis=-1, initial=0.0)
    A = A + (mu + np.finfo(float).tiny)[:, None, None] * np.eye(A.shape[-1])
    still = low >= high
    at = still.astype(int)  # -1 at the lower bound, 1 at the upper one
    for _ in range(_SETS):
        held = np.where(at < 0, low, np.where(at > 0, high, 0.0))
        free = at == 0
        K = np.where(free[:, :, None] & free[:, None, :], A, np.eye(A.shape[-1]))
        b = np.where(free, -g - (A @ held[..., None])[..., 0], held)
        x = np.linalg.solve(K, b[..., None])[..., 0]
        slope = (A @ x[..., None])[..., 0] + g
        new = np.where(free, (x > high).astype(int) - (x < low), np.where(at * slope > 0, 0, at))
        new = np.where(still, 1, new)
        wrong = (new != at).any(axis=-1)
        if not wrong.any():
            return np.asarray(x)
        at = new
    for k in np.flatnonzero(wrong):
        x[k] = _one(A[k], g[k], low[k], high[k], still[k])
    return np.asarray(x)


def _one(
    A: np.ndarray, g: np.ndarray, low: np.ndarray, high: np.ndarray, still: np.ndarray
) -> np.ndarray:
    """Return the minimum of ``x A x / 2 + g x`` between bounds, where sets of bounds recur."""
    from scipy.optimize import lsq_linear

    x, free = high.copy(), ~still
    L = np.linalg.cholesky(A[np.ix_(free, free)])
    b = np.linalg.solve(L, -g[free] - A[np.ix_(free, still)] @ x[still])
    x[free] = lsq_linear(L.T, b, (low[free], high[free]), method="bvls", tol=1e-12).x
    return x
