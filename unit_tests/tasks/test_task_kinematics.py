"""Inverse kinematics of several tasks: derivatives, optima within limits, batches, messages."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near, refusals
from scipy.optimize import minimize
from units import Units

from spatial_v2 import (
    ArrayShapeError,
    CentreOfMassTask,
    EnerMo,
    Frame,
    LookAtTask,
    ModelError,
    PoseTask,
    PostureTask,
    SpatialError,
    autoTree,
    configurationAddition,
    forward_kinematics,
    inverse_kinematics_of_tasks,
    planar,
    pose,
    pose_to_transform,
    puma560,
    random_configuration,
)

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
RNG = np.random.default_rng(44)
AT = Frame(3, zoo.random_transform(np.random.default_rng(8), 6))


def target(model: Any, q: Any, frame: Any) -> np.ndarray:
    at = forward_kinematics(model, q, frame=frame)
    return pose(at.R, at.p)


def all_tasks(model: Any, q: Any) -> list[Any]:
    """Return a task of each kind, which the configuration q does not fulfil."""
    frame = Frame(model.NB - 1, AT.X)
    other = random_configuration(model, RNG)
    return [
        PoseTask(frame, target(model, other, frame), rows=[1, 0.5, 1, 2, 1, 1]),
        CentreOfMassTask([0.1, -0.2, 0.3], weight=[1, 2, 0.5]),
        PostureTask(other, weight=RNG.uniform(0.5, 1, model.NV)),
        LookAtTask(frame, [0.4, 0.5, 3.0], axis=[1, 0.2, 0], weight=2.0),
    ]


@pytest.mark.parametrize("name", ["chain", "floating", "mixed", "floating_rotors", "spherical"])
def test_derivatives_of_residuals(name: str) -> None:
    model = zoo.build(name)
    q = random_configuration(model, RNG, 2)
    k, h, one = np.zeros(2, int), 1e-6, np.eye(model.NV)
    for task in all_tasks(model, q):
        assert task.prepare(model) == ()
        _, J = task.linearise(model, q, k, 1.7)
        for j in range(model.NV):
            e = [task.linearise(model, configurationAddition(model, q, s * one[j]), k, 1.7)[0]
                 for s in (h, -h)]  # fmt: skip
            near((e[0] - e[1]) / (2 * h), J[..., j], 1e-7)


def test_a_floating_robot_stands_looks_and_reaches() -> None:
    """Feet, centre of mass, view and hand at once: all reached, the posture decides the rest."""
    model = autoTree(13, 1.6).replace(jtype=["Fb", *["Rx", "Ry", "Rz"] * 4])
    q = random_configuration(model, np.random.default_rng(5))
    rest = EnerMo(model, q, np.zeros(model.NV)).cm
    at = forward_kinematics(model, q, frame=12)
    tasks = [
        PoseTask(11, target(model, q, 11)),
        CentreOfMassTask(rest, weight=[1, 1, 0]),
        LookAtTask(12, at.p + 2 * at.R[:, 2]),
        PostureTask(q),
    ]
    start = configurationAddition(model, q, 0.1 * RNG.normal(size=model.NV))
    found = inverse_kinematics_of_tasks(model, tasks, start)
    assert found.converged
    assert max(np.abs(x).max() for x in found.residuals) < 1e-6


def test_optima_within_limits_are_those_of_another_method() -> None:
    """A target out of reach and bounds: the sum of squares is the least that L-BFGS-B finds."""
    arm = puma560()
    low, high = np.full(6, -0.6), np.full(6, 0.7)
    far = target(arm, [1.0, 0.4, -1.2, 0.3, 0.9, 0.2], 5)
    far[:3, 3] *= 1.5
    tasks = [PoseTask(5, far), PostureTask(np.zeros(6), weight=0.1)]
    found = inverse_kinematics_of_tasks(arm, tasks, np.zeros(6), limits=(low, high))
    assert found.converged and np.all((low <= found.q) & (found.q <= high))

    def cost(q: np.ndarray) -> float:
        trial = inverse_kinematics_of_tasks(arm, tasks, q, limits=None, max_iterations=0)
        return sum(float(np.sum(x**2)) for x in trial.residuals)

    other = minimize(
        cost, found.q + 0.05, method="L-BFGS-B", bounds=list(zip(low, high, strict=True))
    )
    least = cost(found.q)
    assert least <= other.fun * (1 + 1e-6)
    near(found.q, other.x, 1e-3)


def test_targets_and_starts_broadcast() -> None:
    arm = puma560()
    q = random_configuration(arm, RNG, (3, 1))
    tasks = [PoseTask(5, target(arm, q, 5), rows="position"), PostureTask(0.1 * np.ones((2, 6)))]
    found = inverse_kinematics_of_tasks(arm, tasks, np.zeros(6))
    assert found.q.shape == (3, 2, 6) and found.residuals[0].shape == (3, 2, 6)
    one = [PoseTask(5, target(arm, q[2, 0], 5), rows="position"), PostureTask(0.1 * np.ones(6))]
    near(inverse_kinematics_of_tasks(arm, one, np.zeros(6)).q, found.q[2, 0], 1e-8)


def test_transforms_and_poses_are_the_same_target() -> None:
    arm = puma560()
    T = target(arm, 0.1 * np.arange(6), 5)
    found = [
        inverse_kinematics_of_tasks(arm, [PoseTask(5, x)], np.zeros(6)).q
        for x in (T, pose_to_transform(T))
    ]
    near(*found, 1e-12)


def test_units_do_not_matter() -> None:
    """Residuals and steps are the same in other units of length."""
    units, model = Units(2.0**-10), zoo.build("mixed")
    q, other = random_configuration(model, np.random.default_rng(6), 2)
    frame = Frame(model.NB - 1, np.eye(6))
    X = forward_kinematics(model, other, frame=frame).X0
    found = []
    for robot, x, at, start in (
        (model, X, frame, q),
        (
            units.model(model), units.scaled(model, X, "m m*"), units.frame(model, frame),
            units.scaled(model, q, "q"),
        ),
    ):  # fmt: skip
        tasks = [PoseTask(at, x), PostureTask(start, weight=0.1)]
        found.append(inverse_kinematics_of_tasks(robot, tasks, start, max_iterations=20))
    near(units.scaled(model, found[0].q, "q"), found[1].q, 1e-9)
    near(found[0].residuals[0], found[1].residuals[0], 1e-9)


ARM, ZERO = puma560(), np.zeros(6)
BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: inverse_kinematics_of_tasks(ARM, [], ZERO), SpatialError, "tasks: want at least one"),
    (lambda: inverse_kinematics_of_tasks(ARM, PoseTask(5, np.eye(4)), ZERO),  # type: ignore[arg-type]
     SpatialError, "tasks: want a list of tasks"),
    (lambda: inverse_kinematics_of_tasks(ARM, [np.eye(4)], ZERO),  # type: ignore[list-item]
     SpatialError, r"tasks\[0\]: want a task, such as PoseTask"),
    (lambda: PoseTask(5, np.eye(5)), ArrayShapeError, r"PoseTask: target must have .*pose\(R, p\)"),
    (lambda: PoseTask(5, np.eye(4), weight=-1), SpatialError, "PoseTask: weight: want a weight"),
    (lambda: CentreOfMassTask([0, 0, 1], weight=[1, 1]), SpatialError, "or 3, got"),
    (lambda: CentreOfMassTask([0, 0]).prepare(ARM), ArrayShapeError, r"target must have .* 3\)"),
    (lambda: PostureTask([0, 0]).prepare(ARM), ArrayShapeError, "PostureTask: q"),
    (lambda: LookAtTask(5, [0, 0, 1], axis=[0, 0, 0]), SpatialError, "axis must not be zero"),
    (lambda: LookAtTask(5, [0, 1]), ArrayShapeError, "LookAtTask: want points"),
    (lambda: LookAtTask(1, [0, 0, 1]).prepare(planar(2)), ModelError, "planar models have no"),
    (lambda: PoseTask("hnd", np.eye(4)).prepare(ARM), ModelError, "no frame and no body"),
    (
        lambda: inverse_kinematics_of_tasks(ARM, [PostureTask(np.zeros((3, 6)))], np.zeros((2, 6))),
        ArrayShapeError, r"leading axes .* tasks\[0\]",
    ),
]  # fmt: skip
test_wrong_arguments_are_refused = refusals(SpatialError, BAD)


def test_a_position_is_a_target_of_its_own() -> None:
    """One position, a batch of three, and poses with these positions give equal configurations."""
    arm, q = puma560(), np.array([0.1, -0.5, 0.3, 0.2, 0.4, 0.6])
    p = forward_kinematics(arm, [q, q + 0.1, q - 0.1], frame=5).p
    for points in (p[0], p, p.tolist()):
        poses = pose(np.eye(3), np.array(points))
        first, second = (
            inverse_kinematics_of_tasks(arm, [PoseTask(5, x, rows="position")], q).q
            for x in (points, poses)
        )
        assert np.array_equal(first, second)
    for rows in ("pose", "orientation"):
        with pytest.raises(ArrayShapeError, match=r"PoseTask: target must have .*'position'"):
            PoseTask(5, p[0], rows=rows)
    with pytest.raises(ArrayShapeError, match=r"PoseTask: target must be an array.*pose\(R, p\)"):
        PoseTask(5, (np.eye(3), p[0]))
    flat = planar(3)
    X = np.asarray(forward_kinematics(flat, [0.1, 0.2, 0.3], frame=2).X0)
    task = PoseTask(2, X, rows="position")
    near(inverse_kinematics_of_tasks(flat, [task], [0.2, 0.2, 0.2]).residuals[0], np.zeros(3), 1e-9)
