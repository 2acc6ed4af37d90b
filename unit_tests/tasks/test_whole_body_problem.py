"""Quadratic programs of whole-body controllers: dynamics, contacts, cones and tasks in them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import near
from numpy.testing import assert_array_equal

from spatial_v2 import (
    AccelerationTask,
    ArrayShapeError,
    CentreOfMassTask,
    CMMTimeDerivative,
    ConstraintSet,
    EnerMo,
    FDab,
    LookAtTask,
    Model,
    PoseTask,
    PostureTask,
    SpatialError,
    WholeBodyProblem,
    autoTree,
    centre_of_mass_jacobian,
    configurationAddition,
    constraint_bias,
    constraint_jacobian,
    constraint_velocity,
    forward_kinematics,
    planar,
    point_contact,
    surface_contact,
    whole_body_problem,
)
from spatial_v2.dynamics.total_mass import total_mass
from spatial_v2.tasks.inverse_kinematics_of_tasks import length_of

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


def contacts(model: Model) -> list[Any]:
    rng, d = np.random.default_rng(3), 2 if model.is_planar else 3
    return [point_contact(i, rng.normal(size=d)) for i in {0, model.NB - 1}]


@pytest.mark.parametrize("name", zoo.MODELS)
def test_joint_forces_cause_the_accelerations_of_a_solution(name: str) -> None:
    """Whatever the unknowns are; the contact forces act as external forces at the points."""
    model, s = draw(name)
    d, points = 2 if model.is_planar else 3, contacts(model)
    up = np.eye(d)[-1]
    problem = whole_body_problem(model, s.q, s.qd, [PostureTask(s.q)], points, normal=up)
    x = np.random.default_rng(1).normal(size=len(problem.c))
    places = forward_kinematics(model, s.q)
    f_ext = np.zeros((model.NB, 3 if d == 2 else 6))
    for point, f in zip(points, problem.contact_forces(x), strict=True):
        i = point.body2
        p = places.p[i] + places.R[i] @ point.point2
        f_ext[i] += [p[0] * f[1] - p[1] * f[0], *f] if d == 2 else [*np.cross(p, f), *f]
    qdd = FDab(model, s.q, s.qd, problem.joint_forces(x), f_ext=f_ext)
    near(qdd, problem.accelerations(x), 1e-9)
    assert problem.A.shape == (len(problem.lower), len(x)) and (problem.P == problem.P.T).all()


@pytest.mark.parametrize("name", zoo.MODELS)
def test_contact_points_stop(name: str) -> None:
    """Their accelerations are those of a damped motion, or as near to it as bodies can."""
    model, s = draw(name)
    held = ConstraintSet(model, contacts(model))
    up = [0.0, 1.0] if model.is_planar else [0.0, 0.0, 1.0]
    problem = whole_body_problem(
        model, s.q, s.qd, [PostureTask(s.q)], held, normal=up, rate=7.0,
        friction=[0.3] * len(held.constraints),
    )  # fmt: skip
    n = model.NV
    G = constraint_jacobian(model, s.q, held)
    stop = -constraint_bias(model, s.q, s.qd, held)
    stop -= 14.0 * constraint_velocity(model, s.q, s.qd, held)
    rank = int(np.linalg.matrix_rank(G, 1e-9 * np.linalg.norm(G, 2)))
    rows = slice(n, n + rank)
    assert (problem.lower[rows] == problem.upper[rows]).all()
    assert not problem.A[rows, n:].any() and problem.A[n + rank :, n:].any(axis=1).all()
    qdd = np.linalg.lstsq(G, stop, rcond=1e-9)[0]
    near(problem.A[rows, :n] @ qdd, problem.lower[rows], 1e-9)
    near(np.linalg.pinv(problem.A[rows, :n]) @ problem.lower[rows], qdd, 1e-7)


def tasks_of(model: Model, q: np.ndarray) -> list[Any]:
    rng, d = np.random.default_rng(5), 2 if model.is_planar else 3
    target = zoo.random_transform(rng, len(model.I[0]))
    tasks = [PoseTask(model.NB - 1, target, weight=2.0), PostureTask(q, weight=0.3)]
    tasks.append(CentreOfMassTask(rng.normal(size=d), weight=3.0))
    if not model.is_planar:
        tasks.append(LookAtTask(model.NB - 1, rng.normal(size=3), weight=1.5))
    return tasks


@pytest.mark.parametrize("name", zoo.MODELS)
def test_errors_of_tasks_decay_without_oscillation(name: str) -> None:
    """With accelerations qdd the residuals have the second derivative ``J qdd + dJ/dt qd``, found
    by second differences along the motion.
    """
    model, s = draw(name)
    if not total_mass(model) > 0:
        pytest.skip("no centre of mass")
    rate, h = 3.0, 1e-3
    for task in tasks_of(model, configurationAddition(model, s.q, 0.1 * s.qd)):
        problem = whole_body_problem(model, s.q, s.qd, [task], rate=rate)
        around = [configurationAddition(model, s.q, k * h * s.qd) for k in (0, 1, -1, 2, -2)]
        e, J = task.linearise(model, np.array(around), np.zeros(5, int), length_of(model))
        second = (16 * (e[1] + e[2]) - (e[3] + e[4]) - 30 * e[0]) / (12 * h * h)
        a = -(rate**2) * e[0] - 2 * rate * J[0] @ s.qd - second
        near(problem.P, J[0].T @ J[0], 1e-12)
        near(problem.c, -J[0].T @ a, 1e-6 * (1 + np.abs(a).max()))


def test_rows_of_ones_own_are_those_of_a_task() -> None:
    model, s = draw("chain")
    goal, length = np.array([0.1, 0.2, 0.3]), length_of(model)
    J, drift = centre_of_mass_jacobian(model, s.q), CMMTimeDerivative(model, s.q, s.qd)[3:] @ s.qd
    e = EnerMo(model, s.q, s.qd)
    a = -25.0 * (e.cm - goal) - 10 * e.vcm - drift / total_mass(model)
    own = whole_body_problem(model, s.q, s.qd, [AccelerationTask(J, a, 2 / length)], rate=5.0)
    task = whole_body_problem(model, s.q, s.qd, [CentreOfMassTask(goal, weight=2.0)], rate=5.0)
    near(own.P, task.P, 1e-12)
    near(own.c, task.c, 1e-7)


def cone(problem: WholeBodyProblem, forces: np.ndarray) -> np.ndarray:
    """Return for each of some forces on the first point whether the rows of the cone allow it."""
    n, d = len(problem.bias), len(forces[0])
    rows = problem.A[n:, n : n + d]
    return np.asarray((forces @ rows.T <= 0).all(axis=1))


@pytest.mark.parametrize("facets", [3, 4, 40])
def test_pyramids_are_within_cones(facets: int) -> None:
    model, rng, mu = autoTree(3), np.random.default_rng(0), 0.6
    normal = np.array([0.3, -0.2, 1.0])
    problem = whole_body_problem(
        model, np.zeros(3), np.zeros(3), [PostureTask(np.zeros(3))], [point_contact(2)],
        friction=mu, facets=facets, normal=normal,
    )  # fmt: skip
    f, z = rng.normal(size=(4000, 3)), normal / np.linalg.norm(normal)
    side = np.linalg.norm(f - (f @ z)[:, None] * z, axis=1)
    allowed = cone(problem, f)
    assert allowed.any() and (side <= mu * f @ z)[allowed].all()
    assert allowed[side <= 0.999 * mu * np.cos(np.pi / facets) * (f @ z)].all()


def test_planar_cones_are_exact() -> None:
    model, rng = planar(2).replace(gravity=[0, -9.81]), np.random.default_rng(0)
    zero, points = np.zeros(2), [point_contact(1)]
    problem = whole_body_problem(model, zero, zero, [PostureTask(zero)], points, friction=0.4)
    f = rng.normal(size=(500, 2))
    assert (cone(problem, f) == (np.abs(f[:, 0]) <= 0.4 * f[:, 1])).all()


def test_joint_forces_have_the_limits_of_the_model() -> None:
    model = autoTree(3).replace(jtype=["Fb", "Rx", "Ry"])
    model = model.replace(limits={model.joint_names[2]: (-1, 1, 2.0, 30.0)})
    q, zero = np.array([1.0, 0, 0, 0, 0, 0, 0, 0.1, 0.2]), np.zeros(8)
    problem = whole_body_problem(model, q, zero, [PostureTask(q)])
    assert problem.points == 0 and problem.contact_forces(zero).shape == (0, 3)
    limit = np.array([0.0] * 6 + [np.inf, 30.0])
    assert_array_equal(problem.upper, limit - problem.bias)
    assert_array_equal(problem.lower, -limit - problem.bias)
    own = whole_body_problem(model, q, zero, [PostureTask(q)], effort=np.arange(8.0))
    near(own.upper - own.lower, 2 * np.arange(8.0), 1e-12)


ARM, Z = autoTree(2), np.zeros(2)
STAY = [PostureTask(Z)]
WRONG: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    (SpatialError, "tasks: want at least", lambda: whole_body_problem(ARM, Z, Z, [])),
    (ArrayShapeError, "want one state", lambda: whole_body_problem(ARM, [Z, Z], [Z, Z], STAY)),
    (SpatialError, "rate", lambda: whole_body_problem(ARM, Z, Z, STAY, rate=0)),
    (ArrayShapeError, "rate", lambda: whole_body_problem(ARM, Z, Z, STAY, rate=[1, 2])),
    (SpatialError, "facets", lambda: whole_body_problem(ARM, Z, Z, STAY, facets=0)),
    (ArrayShapeError, "effort", lambda: whole_body_problem(ARM, Z, Z, STAY, effort=[1.0])),
    (ArrayShapeError, "effort", lambda: whole_body_problem(ARM, Z, Z, STAY, effort=[-1.0, 1])),
    (SpatialError, "contacts: want points that stick",
     lambda: whole_body_problem(ARM, Z, Z, STAY, [surface_contact(1)])),
    (SpatialError, "contacts: want points that stick",
     lambda: whole_body_problem(ARM, Z, Z, STAY, [point_contact(1, normal=[0, 0, 1])])),
    (SpatialError, "friction",
     lambda: whole_body_problem(ARM, Z, Z, STAY, [point_contact(1)], friction=-1)),
    (SpatialError, "normal: want vectors",
     lambda: whole_body_problem(ARM, Z, Z, STAY, [point_contact(1)], normal=[0, 0, 0])),
    (ArrayShapeError, "normal",
     lambda: whole_body_problem(ARM, Z, Z, STAY, [point_contact(1)], normal=[0, 1])),
    (SpatialError, "no gravity",
     lambda: whole_body_problem(planar(2), Z, Z, STAY, [point_contact(1)])),
    (ArrayShapeError, r"tasks\[0\]: want J",
     lambda: whole_body_problem(ARM, Z, Z, [AccelerationTask(np.eye(3), Z)])),
    (ArrayShapeError, r"tasks\[0\]: want one target",
     lambda: whole_body_problem(ARM, Z, Z, [PostureTask([Z, Z])])),
]  # fmt: skip


@pytest.mark.parametrize("k", range(len(WRONG)))
def test_wrong_arguments_are_named(k: int) -> None:
    error, text, call = WRONG[k]
    with pytest.raises(error, match=text):
        call()
