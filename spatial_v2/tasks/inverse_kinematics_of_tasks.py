"""Inverse kinematics of several weighted tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.numbers import check_count, check_positive
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration import normalizeConfVec
from spatial_v2.couplings.free import free_configuration, free_tree
from spatial_v2.exceptions import SpatialError
from spatial_v2.frames.least_squares import lengths_of_variables, reference
from spatial_v2.frames.limits import Limits, kept_for, position_limits
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector, common_lead
from spatial_v2.spatial import transform_parts
from spatial_v2.tasks.task import Task, as_tasks

__all__ = [
    "TaskKinematics",
    "WeightedTasks",
    "inverse_kinematics_of_tasks",
    "length_of",
    "weighted",
]

_FLAT = 1e-6
"""Gradient, relative to its terms, at which the residuals are at a minimum."""


@shown_in_notebooks
class TaskKinematics(NamedTuple):
    """Result of `inverse_kinematics_of_tasks`."""

    q: np.ndarray
    """Joint positions within their limits, shape (..., NQ)."""
    residuals: tuple[np.ndarray, ...]
    """Weighted residual of each task, shape (..., m): angles [rad], and displacements as a part of
    the length of the robot.
    """
    iterations: np.ndarray
    """Number of steps tried, shape (...)."""
    converged: np.ndarray
    """True if no joint that is free to move reduces the sum of squares, shape (...)."""


class WeightedTasks(NamedTuple):
    """The tasks as one problem of least squares."""

    model: Model
    limits: Limits
    tasks: Sequence[Task]
    targets: list[np.ndarray]
    """For each task the number of the target of each state."""
    length: float

    def units(self, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones((len(lengths), 1)), lengths_of_variables(self.model, lengths)

    def parts(self, q: np.ndarray, k: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        rows = zip(self.tasks, self.targets, strict=True)
        return [task.linearise(self.model, q, number[k], self.length) for task, number in rows]

    def linearise(self, q: np.ndarray, k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        parts = self.parts(q, k)
        if len(parts) == 1:
            return parts[0]
        e, J = zip(*parts, strict=True)
        return np.concatenate(e, axis=-1), np.concatenate(J, axis=-2)


def inverse_kinematics_of_tasks(
    model: Model,
    tasks: Sequence[Task],
    q0: Array,
    *,
    limits: Any = "model",
    damping: float = 1e-3,
    tolerance: float = 1e-10,
    max_iterations: int = 200,
) -> TaskKinematics:
    """Find the configuration within limits that fulfils several weighted tasks best.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Joints follow others in a coupled model
        alone, with linear couplings.
    tasks : sequence of PoseTask, CentreOfMassTask, PostureTask or LookAtTask
        The tasks. A task that has priority over another has a much larger weight.
    q0 : array, shape (..., NQ)
        Initial configurations, which broadcast with the targets of the tasks.
    limits : "model", None or (lower, upper), optional
        Bounds of q, as for `inverse_kinematics`.
    damping : float, optional
        Initial damping, relative to the largest diagonal entry of ``J^T J``.
    tolerance : float, optional
        Largest residual that is as good as zero.
    max_iterations : int, optional
        Largest number of steps; a control loop that starts from the last configuration needs few.

    Returns
    -------
    TaskKinematics
        Named tuple ``q, residuals, iterations, converged``.

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
    No warning is given where the search has not converged, as a loop bounds its steps: look at
    `converged`. Tasks that contradict each other take more steps.

    The Levenberg-Marquardt method of `inverse_kinematics`, for the sum of the squares of all
    weighted residuals. Displacements are compared with angles by the length of the robot, the
    longest sum of distances between joints from the base to a body.

    Examples
    --------
    >>> from spatial_v2 import PoseTask, PostureTask, forward_kinematics, pose, puma560
    >>> arm, q = puma560(), np.array([0.1, -0.5, 0.3, 0.2, 0.4, 0.6])
    >>> there = forward_kinematics(arm, q, frame=5)
    >>> hand = PoseTask(5, pose(there.R, there.p), rows="position")
    >>> found = inverse_kinematics_of_tasks(arm, [hand, PostureTask(q + 0.1)], q + 0.3)
    >>> bool(found.converged), bool(np.abs(found.residuals[0]).max() < 1e-6)
    (True, True)
    """
    check_positive("damping", damping)
    check_positive("tolerance", tolerance)
    check_count("max_iterations", max_iterations)
    problem, q, lead = weighted(model, tasks, q0, limits, "q0")
    states, lengths = np.arange(len(q)), np.full(len(q), problem.length)
    q, e, steps = reference(problem, states, q, lengths, damping, tolerance, max_iterations)
    parts = problem.parts(q, states)
    return TaskKinematics(
        q.reshape(*lead, model.NQ),
        tuple(x.reshape(*lead, -1) for x, _ in parts),
        steps.reshape(lead),
        _at_rest(problem, q, e, states, lengths, tolerance).reshape(lead),
    )


def weighted(
    model: Model, tasks: Sequence[Task], q: Array, limits: Any, name: str
) -> tuple[WeightedTasks, np.ndarray, tuple[int, ...]]:
    """Check tasks, and return them as one problem, with the configurations (n, NQ), called `name`,
    which broadcast with the targets, and the leading axes.
    """
    check_model(model)
    tasks = as_tasks(tasks)
    q = as_real(check_vector(model, name, q, model.NQ, "q"), name)
    if not np.isfinite(q).all():
        raise SpatialError(f"{name}: want finite numbers, got NaN or infinity")
    free_configuration(model, q)  # an error if loops cannot be closed there
    leads = [task.prepare(model) for task in tasks]
    names = {f"tasks[{k}]": shape for k, shape in enumerate(leads)}
    lead = common_lead({name: q.shape[:-1], **names})
    n = math.prod(lead)
    targets = [_numbers(x, lead) if x else np.zeros(n, dtype=np.int64) for x in leads]
    length = kept_for(model, "length", None, lambda: length_of(model))
    problem = WeightedTasks(model, position_limits(model, limits), tasks, targets, length)
    if q.shape[:-1] != lead:
        q = np.broadcast_to(q, (*lead, model.NQ))
    q = q.reshape(n, model.NQ)
    return problem, normalizeConfVec(model, q) if model.NQ > model.NV else q, lead


def _numbers(lead: tuple[int, ...], whole: tuple[int, ...]) -> np.ndarray:
    """Return for each state of a batch `whole` the number of its target in a batch `lead`."""
    return np.broadcast_to(np.arange(math.prod(lead)).reshape(lead), whole).reshape(-1)


def length_of(model: Model) -> float:
    """Return the longest sum of distances between joints, from the first joint to a body; or 1.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> length_of(autoTree(3))
    2.0
    """
    tree = free_tree(model)
    far = np.linalg.norm(transform_parts(np.asarray(tree.Xtree)).r, axis=-1)
    reach = np.zeros(tree.NB)
    for i, p in enumerate(tree.parent.tolist()):
        reach[i] = reach[p] + far[i] if p >= 0 else 0.0
    return float(reach.max(initial=0.0)) or 1.0


def _at_rest(
    problem: WeightedTasks,
    q: np.ndarray,
    e: np.ndarray,
    states: np.ndarray,
    lengths: np.ndarray,
    tolerance: float,
) -> np.ndarray:
    """Return where the gradient along free variables vanishes, relative to its terms."""
    _, J = problem.linearise(q, states)
    J = J * problem.units(lengths)[1][:, None]
    slope = (e[:, None] @ J)[:, 0]
    size = (np.abs(e)[:, None] @ np.abs(J))[:, 0].max(axis=-1, initial=0.0)
    steep = np.where(problem.limits.free(q, slope), np.abs(slope), 0.0).max(axis=-1, initial=0.0)
    small = np.max(np.abs(e), axis=-1, initial=0.0) <= tolerance
    return np.asarray(small | (steep <= _FLAT * size))
