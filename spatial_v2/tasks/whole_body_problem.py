"""The quadratic program of a whole-body controller: tasks, dynamics, contact forces in cones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.numbers import check_count, check_positive
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration import configurationAddition
from spatial_v2.constraints import (
    ConstraintSet,
    PointConstraint,
    constraint_bias,
    constraint_jacobian,
    constraint_velocity,
)
from spatial_v2.constraints.coupled_rows import distances_of
from spatial_v2.dynamics import HandC
from spatial_v2.dynamics.total_mass import total_mass
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector
from spatial_v2.tasks.AccelerationTask import AccelerationTask
from spatial_v2.tasks.cones import cone_rows, each_positive
from spatial_v2.tasks.inverse_kinematics_of_tasks import length_of
from spatial_v2.tasks.task import Task, as_tasks, as_weight

__all__ = ["WholeBodyProblem", "whole_body_problem"]

_MOMENT = 1e-4
"""Time over which rows of tasks are differentiated along the motion, as a part of 1 / rate."""
_RANK = 1e-9
"""Relative size of singular values of the contact rows that are rounding errors."""


@shown_in_notebooks
class WholeBodyProblem(NamedTuple):
    """A quadratic program: minimise ``x P x / 2 + c x`` with ``lower <= A x <= upper``.

    The unknowns x are the joint accelerations (NV,), then a force (d,) on each contact point, with
    d = 3, or 2 for planar models. The rows of A are NV joint forces, then independent accelerations
    of the contact points, then the friction cones. This is the form of OSQP.
    """

    P: np.ndarray
    """Symmetric matrix of the costs, shape (n, n)."""
    c: np.ndarray
    """Vector of the costs, shape (n,)."""
    A: np.ndarray
    """Rows of the conditions, shape (m, n)."""
    lower: np.ndarray
    """Lower bounds of the rows, shape (m,)."""
    upper: np.ndarray
    """Upper bounds of the rows, shape (m,)."""
    bias: np.ndarray
    """Joint forces without accelerations and contact forces, C of `HandC`, shape (NV,)."""
    points: int
    """Number of contact points."""

    def accelerations(self, x: np.ndarray) -> np.ndarray:
        """Return the joint accelerations (NV,) of a solution."""
        return np.asarray(x)[: len(self.bias)]

    def contact_forces(self, x: np.ndarray) -> np.ndarray:
        """Return the forces on the contact points in base coordinates [N], shape (k, d)."""
        forces = np.asarray(x)[len(self.bias) :]
        return forces.reshape(self.points, -1) if self.points else np.zeros((0, 3))

    def joint_forces(self, x: np.ndarray) -> np.ndarray:
        """Return the joint forces tau (NV,) of a solution; those of the base are zero."""
        return np.asarray(self.A[: len(self.bias)] @ x + self.bias)


def whole_body_problem(
    model: Model,
    q: Any,
    qd: Any,
    tasks: Sequence[Task | AccelerationTask],
    contacts: Sequence[PointConstraint] | ConstraintSet = (),
    *,
    rate: Any = 10.0,
    friction: Any = 0.5,
    facets: int = 4,
    normal: Any = None,
    effort: Any = "model",
    force_weight: float = 1e-6,
) -> WholeBodyProblem:
    """Make the quadratic program of a controller for robots with contacts.

    The solution has the accelerations that come nearest to those of the tasks, among all that
    joint forces within their limits and contact forces in friction cones can cause while the
    contact points stay where they are.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q, qd : array, shapes (NQ,), (NV,)
        The state [rad or m, per second].
    tasks : sequence of PoseTask, CentreOfMassTask, PostureTask, LookAtTask or AccelerationTask
        The tasks, with their weights; those of inverse kinematics as here. Their residuals e are to
        obey ``e'' = -2 rate e' - rate^2 e``: they decay without oscillations.
    contacts : sequence of PointConstraint or ConstraintSet, optional
        Points that stick to the ground, by `point_contact(body, point)`. A sole has four, one at
        each corner. A set that is made before a control loop saves time in it.
    rate : float or array_like, shape (number of tasks,), optional
        Rate of decay of the tasks [1/s]; the greatest of them is that of velocities of the contact
        points.
    friction : float or array_like, shape (k,), optional
        Coefficient of friction of all points, or of each.
    facets : int, optional
        Number of facets of the pyramid within each friction cone, at least 3.
    normal : array_like, shape (3,) or (k, 3), optional
        Normals of the ground under the points; opposite to gravity by default. Planar models: 2.
    effort : "model" or array_like, shape (NV,), optional
        Largest size of each joint force; by default `model.effort_limit`, and zero for the six
        joint forces of a floating base. Zeros are joints without a motor.
    force_weight : float, optional
        Weight of the squared contact forces in parts of the weight of the robot, so that forces
        that tasks leave open are small and evenly shared.

    Returns
    -------
    WholeBodyProblem
        Matrices and vectors ``P, c, A, lower, upper``, for any solver of quadratic programs, and
        functions that take joint forces, contact forces and accelerations from a solution.

    Raises
    ------
    ArrayShapeError
        Arguments of the wrong shape.
    ModelError
        An unknown frame or body; contacts of another model.
    SpatialError
        No tasks, contacts that are not three rows each, options out of range, or a normal that is
        needed and not given.

    Notes
    -----
    With the inertia matrix H, the Jacobian G of the contact points and their forces f, the joint
    forces are ``H qdd + C - G^T f``, and the contact points stay if ``G qdd + dG/dt qd`` is minus
    twice the rate times their velocity. The rows are independent combinations of these: those of
    four points of a sole have rank 6. Tasks are differentiated along the motion by central
    differences.

    Wensing, Orin, "Generation of dynamic humanoid behaviors through task-space control with conic
    optimization" (2013); Del Prete et al., "Prioritized motion-force control of constrained
    fully-actuated robots" (2015).

    Examples
    --------
    >>> from spatial_v2 import PostureTask, autoTree, point_contact
    >>> model = autoTree(3).replace(jtype=["Fb", "Rx", "Ry"])
    >>> q, qd = np.array([1.0, 0, 0, 0, 0, 0, 0, 0.1, 0.2]), np.zeros(8)
    >>> problem = whole_body_problem(model, q, qd, [PostureTask(q)], [point_contact(2, [1, 0, 0])])
    >>> problem.P[0].round(3)
    array([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.])
    """
    check_model(model)
    q, qd = (
        as_real(check_vector(model, name, x, n, name), name)
        for name, x, n in (("q", q, model.NQ), ("qd", qd, model.NV))
    )
    if q.ndim != 1 or qd.ndim != 1:
        raise ArrayShapeError(f"q, qd: want one state, got shapes {q.shape}, {qd.shape}")
    tasks = as_tasks(tasks, AccelerationTask)
    rates = each_positive("rate", rate, len(tasks))
    check_positive("force_weight", force_weight)
    check_count("facets", facets)
    if facets < 3:
        raise SpatialError(f"facets: want at least 3, got {facets}")
    contact_set = (
        contacts if isinstance(contacts, ConstraintSet) else ConstraintSet(model, contacts)
    )
    d, n, k = 2 if model.is_planar else 3, model.NV, len(contact_set.constraints)
    if contact_set.m != d * k or not all(
        isinstance(x, PointConstraint) for x in contact_set.constraints
    ):
        raise SpatialError(
            f"contacts: want points that stick, with {d} rows each, point_contact(body, point)"
        )
    limit = _efforts(model, effort)
    J, a = _rows(model, q, qd, tasks, rates)
    H, C = HandC(model, q, qd)
    P, c = np.zeros((n + d * k, n + d * k)), np.zeros(n + d * k)
    P[:n, :n], c[:n] = J.T @ J, -J.T @ a
    blocks = [np.hstack([H, np.zeros((n, d * k))])]
    lower, upper = [-limit - C], [limit - C]
    if k:
        G = constraint_jacobian(model, q, contact_set)
        drift = constraint_bias(model, q, qd, contact_set)
        stop = -drift - 2 * rates.max() * constraint_velocity(model, q, qd, contact_set)
        # More than three points of a sole depend on each other, and cannot all stop so if it turns.
        U, size, _ = np.linalg.svd(G / distances_of(model), full_matrices=False)
        free = U[:, size > _RANK * size[0]].T
        stay = free @ stop
        cone = cone_rows(model, k, friction, facets, normal)
        scale = rates.max() ** 2 / _weight(model)
        P[n:, n:] = force_weight * scale**2 * np.eye(d * k)
        blocks[0][:, n:] = -G.T
        blocks += [np.hstack([free @ G, np.zeros((len(free), d * k))])]
        blocks += [np.hstack([np.zeros((len(cone), n)), cone])]
        lower += [stay, np.full(len(cone), -np.inf)]
        upper += [stay, np.zeros(len(cone))]
    return WholeBodyProblem(
        P, c, np.vstack(blocks), np.concatenate(lower), np.concatenate(upper), np.asarray(C), k
    )


def _rows(
    model: Model, q: np.ndarray, qd: np.ndarray, tasks: list[Any], rates: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return weighted rows J and accelerations a of all tasks, ``J qdd = a``."""
    rows, wanted, length = [], [], length_of(model)
    around = {}
    for rate in set(rates.tolist()):
        moved = [configurationAddition(model, q, s * _MOMENT / rate * qd) for s in (1, -1)]
        around[rate] = np.stack([q, *moved])
    for i, (task, rate) in enumerate(zip(tasks, rates.tolist(), strict=True)):
        if isinstance(task, AccelerationTask):
            J, a = as_real(task.J, f"tasks[{i}].J"), as_real(task.a, f"tasks[{i}].a")
            if J.shape != (*a.shape, model.NV) or a.ndim != 1:
                raise ArrayShapeError(
                    f"tasks[{i}]: want J of shape (m, {model.NV}) and a of shape (m,), got "
                    f"{J.shape} and {a.shape}"
                )
            w = as_weight(task.weight, len(a), f"tasks[{i}].weight")
            J, a = w[:, None] * J, w * a
        else:
            if task.prepare(model) != ():
                raise ArrayShapeError(f"tasks[{i}]: want one target, got several")
            (e, *_), (J, after, before) = task.linearise(
                model, around[rate], np.zeros(3, int), length
            )
            drift = (after - before) @ qd * rate / (2 * _MOMENT)
            a = -(rate**2) * e - 2 * rate * (J @ qd) - drift
        rows.append(J)
        wanted.append(a)
    return np.concatenate(rows), np.concatenate(wanted)


def _efforts(model: Model, effort: Any) -> np.ndarray:
    """Return the largest joint forces; those of a floating base are zero by default."""
    if isinstance(effort, str) and effort == "model":
        limit = model.effort_limit.copy()
        floats = [s for p, s in zip(model.parent, model.vinds, strict=True) if p < 0]
        for s in floats:
            if s.stop - s.start == 6:
                limit[s] = 0.0
        return limit
    limit = as_real(effort, "effort")
    if limit.shape != (model.NV,) or not (limit >= 0).all():
        raise ArrayShapeError(
            f"effort: want 'model' or limits of at least zero, of shape ({model.NV},), got {effort}"
        )
    return limit


def _weight(model: Model) -> float:
    """Return the weight of the robot [N], or its mass if there is no gravity."""
    return float(total_mass(model)) * (float(np.linalg.norm(model.gravity)) or 1.0)
