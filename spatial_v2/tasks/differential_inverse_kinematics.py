"""Joint velocities for several weighted tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.box_minimum import box_minimum
from spatial_v2.arrays.numbers import check_positive
from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.engine.parts.step_bounds import LEAST_DAMPING, TINY, StepBounds
from spatial_v2.exceptions import SpatialError
from spatial_v2.frames.limits import kept_for
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.tasks.inverse_kinematics_of_tasks import WeightedTasks, weighted
from spatial_v2.tasks.task import Task

__all__ = ["differential_inverse_kinematics"]

_NAME = "differential_inverse_kinematics"


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
        one slows motions near singular configurations; one below 1e-11 counts as 1e-11, as it
        would be lost in rounding.
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
        Options out of range; no tasks; targets that are not finite.

    Notes
    -----
    With residuals e and their Jacobian J, ``dq = step * qd`` minimises
    ``|J dq + (1 - exp(-rate step)) e|^2 + damping |dq|^2`` within its bounds, which a projected
    Newton method finds exactly. A joint beyond its limits returns at its largest velocity.

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
    check_model(model)
    for name, x in (("step", step), ("rate", rate), ("damping", damping)):
        check_positive(name, x)
    problem, states, lead = weighted(model, tasks, q, limits, "q")
    bounds = kept_for(model, "step bounds", limits, lambda: _step_bounds(problem, limits))
    e, J = problem.linearise(states, np.arange(len(states)))
    if not np.isfinite(e).all():
        raise SpatialError("tasks: want finite targets; some residuals are not finite")
    qd = np.empty((len(states), model.NV))
    compute = load_procedure(_NAME) if has_kernels(_NAME) else reference
    compute(e, J, states, bounds, float(step), float(rate), float(damping), qd)
    return qd.reshape(*lead, model.NV)


def _step_bounds(problem: WeightedTasks, limits: Any) -> StepBounds:
    """Return the bounds of velocities, and of the positions after a step."""
    model, free = problem.model, problem.limits
    single = (free.place >= 0) & ~np.isin(free.place, free.turns)
    place = np.where(single, free.place, 0)
    speed = model.velocity_limit if isinstance(limits, str) else np.full(model.NV, np.inf)
    return StepBounds(
        place,
        np.where(single, free.lower[place], -np.inf),
        np.where(single, free.upper[place], np.inf),
        speed,
        problem.units(np.full(1, problem.length))[1][0],
    )


def reference(
    e: np.ndarray, J: np.ndarray, q: np.ndarray, bounds: StepBounds, step: float, rate: float,
    damping: float, qd: np.ndarray,
) -> None:  # fmt: skip
    """Compute the velocities qd (B, NV) for residuals e (B, m) with derivatives J (B, m, NV)."""
    most, unit = step * bounds.speed, bounds.unit
    low, high = (np.clip(x - q[:, bounds.place], -most, most) for x in bounds[1:3])
    for b, X in enumerate(J * unit):
        A = X.T @ X
        mu = max(damping, LEAST_DAMPING) * A.diagonal().max(initial=0.0) + TINY
        h = -np.expm1(-rate * step) * (e[b] @ X)
        minimum = box_minimum(A + mu * np.eye(len(A)), h, low[b] / unit, high[b] / unit)
        qd[b] = unit * minimum[0] / step if minimum else np.nan
