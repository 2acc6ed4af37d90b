"""`differential_inverse_kinematics`: optimal velocities within bounds, decay of errors, batches."""

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_allclose
from scipy.optimize import lsq_linear
from test_task_kinematics import all_tasks, target

from spatial_v2 import (
    ArrayShapeError,
    ModelError,
    PoseTask,
    PostureTask,
    SpatialError,
    autoTree,
    configurationAddition,
    couple,
    differential_inverse_kinematics,
    forward_kinematics,
    inverse_kinematics_of_tasks,
    pose,
    pose_error,
    puma560,
    random_configuration,
    xlt,
)
from spatial_v2.io import JointLimits
from spatial_v2.tasks.inverse_kinematics_of_tasks import length_of

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
NAMES = ["chain", "prismatic", "branched", "floating", "spherical", "mixed", "floating_rotors"]


@pytest.mark.parametrize("name", zoo.over(NAMES))
@pytest.mark.parametrize("speed", [np.inf, 0.5, 0.05, 0.0])
def test_velocities_are_those_of_another_solver(name: str, speed: float) -> None:
    """The least squares within bounds, with all kinds of tasks, are those of SciPy."""
    rng, model = np.random.default_rng(1), zoo.build(name)
    single = [x for i, x in enumerate(model.joint_names) if model.nv[i] == 1]
    model = model.replace(limits={x: JointLimits(-0.2, 0.3, speed) for x in single})
    step, rate, damping = 0.1, 5.0, 1e-4
    for _ in range(5):
        q = random_configuration(model, rng, limits=True)
        tasks = all_tasks(model, q)
        qd = differential_inverse_kinematics(model, tasks, q, step, rate=rate, damping=damping)
        high, low = np.full((2, model.NV), [[np.inf], [-np.inf]])
        for x in single:
            v, at = model.v_of(x), q[model.q_of(x)]
            low[v] = np.clip(-0.2 - at, -step * speed, step * speed)
            high[v] = np.clip(0.3 - at, -step * speed, step * speed)
        length, zero = length_of(model), np.zeros(1, int)
        e, J = (
            np.concatenate([x[0] for x in parts])
            for parts in zip(
                *(task.linearise(model, q[None], zero, length) for task in tasks), strict=True
            )
        )
        unit = _units(model, length)
        JJ = (J * unit).T @ (J * unit)
        regular = np.sqrt(damping * np.diag(JJ).max()) * np.eye(model.NV)
        A, b = np.vstack([J * unit, regular]), -(1 - np.exp(-rate * step)) * e
        b = np.concatenate([b, np.zeros(model.NV)])
        moves = high > low
        wanted = np.zeros(model.NV)
        bounds = (low / unit)[moves], (high / unit)[moves]
        wanted[moves] = lsq_linear(A[:, moves], b, bounds, method="bvls", tol=1e-14).x
        near(qd, unit * wanted / step, 1e-8)


def _units(model: Any, length: float) -> np.ndarray:
    """Return the length for each velocity variable that is a displacement, else one."""
    unit = np.ones(model.NV)
    for joint, v in zip(model.layout.joints, model.vinds, strict=True):
        if joint.nv == 6:
            unit[v.start + 3 : v.stop] = length
        elif joint.code.startswith("P"):
            unit[v] = length
    return unit


@pytest.mark.parametrize("rate", [2.0, 50.0])
def test_errors_decay_at_the_rate(rate: float) -> None:
    """A pose that can be reached is neared as exp(-rate t), whatever the step."""
    arm, q = puma560().replace(limits=None), np.array([0.1, -0.5, 0.3, 0.2, 0.4, 0.6])
    T = target(arm, q, 5)
    for step in (1e-3, 1e-2):
        now = q + 1e-4 * np.array([1, -1, 0.5, 1, 1, -1])
        first = pose_error(target(arm, now, 5), T)
        for _ in range(round(0.1 / step)):
            qd = differential_inverse_kinematics(
                arm, [PoseTask(5, T)], now, step, rate=rate, damping=1e-12
            )
            now = now + step * qd
        left = pose_error(target(arm, now, 5), T)
        assert_allclose(left, np.exp(-0.1 * rate) * first, rtol=1e-2, atol=1e-8)


def test_a_loop_ends_where_inverse_kinematics_of_tasks_does() -> None:
    """With limits that hinder, the loop stays within them and finds the same configuration."""
    rng, arm = np.random.default_rng(3), autoTree(6)
    bounds = JointLimits(-0.6, 0.8, 2.0)
    arm = arm.replace(limits=dict.fromkeys(arm.joint_names, bounds))
    q, goal = np.zeros(6), target(arm, rng.uniform(-1.5, 1.5, 6), 5)
    tasks = [PoseTask(5, goal, rows="position"), PostureTask(np.zeros(6), weight=0.05)]
    wanted = inverse_kinematics_of_tasks(arm, tasks, q)
    assert wanted.converged
    for _ in range(3000):
        qd = differential_inverse_kinematics(arm, tasks, q, 0.01)
        q = q + 0.01 * qd
        assert np.abs(qd).max() <= 2.0 + 1e-12
        assert q.min() >= -0.6 - 1e-12 and q.max() <= 0.8 + 1e-12
    assert np.any(np.isclose(q, 0.8) | np.isclose(q, -0.6))
    assert_allclose(q, wanted.q, atol=1e-4)


def test_a_joint_beyond_its_limits_returns_at_its_largest_velocity() -> None:
    arm = autoTree(3).replace(limits={"joint1": (-0.5, 0.5, 2.0)})
    qd = differential_inverse_kinematics(arm, [PostureTask(np.zeros(3))], [0.0, 1.0, 0.0], 0.01)
    assert_allclose(qd, [0, -2.0, 0], atol=1e-12)
    free = differential_inverse_kinematics(
        arm, [PostureTask(np.zeros(3))], [0.0, 1.0, 0.0], 0.01, limits=None
    )
    assert -10 < free[1] < -9


def test_batches_of_states_and_targets_are_single_ones() -> None:
    rng, arm = np.random.default_rng(0), puma560()
    q = rng.uniform(-1, 1, (4, 1, 6))
    T = np.array([target(arm, x, 5) for x in rng.uniform(-1, 1, (3, 6))])
    limited = arm.replace(limits=dict.fromkeys(arm.joint_names, (-1.0, 1.0, 0.5)))
    qd = differential_inverse_kinematics(limited, [PoseTask(5, T)], q, 0.1)
    assert qd.shape == (4, 3, 6)
    for i, j in np.ndindex(4, 3):
        one = differential_inverse_kinematics(limited, [PoseTask(5, T[j])], q[i, 0], 0.1)
        assert_allclose(qd[i, j], one, atol=1e-10)


def test_joints_that_follow_others_move_with_them() -> None:
    model = couple(autoTree(4), mimic={3: (2, -1.0, 0.0)})
    y = np.array([0.2, 0.3, -0.4])
    T = np.eye(4)
    kin = forward_kinematics(model, y, frame=3)
    T[:3, :3], T[:3, 3] = kin.R, kin.p
    now = y + 0.1
    for _ in range(100):
        yd = differential_inverse_kinematics(model, [PoseTask(3, T)], now, 0.1)
        now = configurationAddition(model, now, 0.1 * yd)
    assert_allclose(forward_kinematics(model, now, frame=3).X0, kin.X0, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m, t: differential_inverse_kinematics(m, [], np.zeros(3), 0.1), SpatialError,
         "want at least one task"),
        (lambda m, t: differential_inverse_kinematics(m, [t], np.zeros(4), 0.1), ArrayShapeError,
         "q: want shape"),
        (lambda m, t: differential_inverse_kinematics(m, [t], [0, 0, np.nan], 0.1), SpatialError,
         "q: want finite numbers"),
        (lambda m, t: differential_inverse_kinematics(m, [t], np.zeros(3), 0.0), SpatialError,
         "step"),
        (lambda m, t: differential_inverse_kinematics(m, [t], np.zeros(3), 0.1, rate=-1),
         SpatialError, "rate"),
        (lambda m, t: differential_inverse_kinematics(m, [t], np.zeros(3), 0.1, damping=0),
         SpatialError, "damping"),
        (lambda m, t: differential_inverse_kinematics(m, [PoseTask("hnd", np.eye(4))],
                                                      np.zeros(3), 0.1), ModelError, "hnd"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(autoTree(3), PostureTask(np.zeros(3)))


@pytest.mark.parametrize("name", zoo.over(NAMES))
@pytest.mark.parametrize("speed", [np.inf, 0.05])
def test_kernels_are_the_reference_implementations(
    name: str, speed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Velocities of all kinds of tasks, alone and in batches, with and without kernels."""
    rng, model = np.random.default_rng(2), zoo.build(name)
    single = [x for i, x in enumerate(model.joint_names) if model.nv[i] == 1]
    model = model.replace(limits={x: JointLimits(-0.2, 0.3, speed) for x in single})
    q = random_configuration(model, rng, 5, limits=True)
    tasks = all_tasks(model, q[0])
    found = differential_inverse_kinematics(model, tasks, q, 0.1, damping=1e-4)
    for module in ("PoseTask", "differential_inverse_kinematics"):
        path = f"spatial_v2.tasks.{module}"
        monkeypatch.setattr(sys.modules[path], "has_kernels", lambda *names: False)
    wanted = differential_inverse_kinematics(model, tasks, q, 0.1, damping=1e-4)
    near(found, wanted, 1e-8)


def test_damping_that_rounding_would_lose() -> None:
    """A damping just below the least one counts as that, so that idle joints stay."""
    arm, q = autoTree(9), np.linspace(0.1, 0.5, 9)
    task = PoseTask(8, target(arm, q + 0.1, 8), rows="position")
    tiny, least, more = (
        differential_inverse_kinematics(arm, [task], q, 0.01, damping=x, limits=None)
        for x in (1e-15, 1e-11, 3e-11)
    )
    assert np.array_equal(tiny, least) and not np.array_equal(least, more)
    assert np.isfinite(least).all()


def test_targets_that_are_not_finite_are_refused() -> None:
    with pytest.raises(SpatialError, match="want finite targets"):
        differential_inverse_kinematics(autoTree(2), [PostureTask([0.0, np.nan])], np.zeros(2), 0.1)
    T = np.eye(4)
    T[1, 3] = np.nan
    with pytest.raises(SpatialError, match="finite numbers"):
        PoseTask(1, T)


def test_a_pose_that_is_no_rotation_is_named() -> None:
    T = np.eye(4)
    T[0, 1] = 1e-6
    with pytest.raises(ArrayShapeError, match="PoseTask: target: R must be a rotation"):
        PoseTask(1, T)


def test_tasks_serve_several_models_and_copies() -> None:
    """Tasks keep results for the model for which these were computed."""
    short, long = autoTree(3), autoTree(3)
    long.Xtree = np.array(long.Xtree) @ xlt([0, 0, 0.5])
    long.limits = {"joint1": (-0.1, 0.1, 0.2)}
    q, T = np.array([0.1, 0.4, -0.3]), np.eye(4)
    shared: list[Any] = [PoseTask(2, T), PostureTask([0.0, 0.1, 0.2])]
    for model in (short, long, short):
        own = [PoseTask(2, T), PostureTask([0.0, 0.1, 0.2])]
        wanted = differential_inverse_kinematics(model, own, q, 0.1)
        for tasks in (shared, copy.deepcopy(shared), pickle.loads(pickle.dumps(shared))):
            assert np.array_equal(differential_inverse_kinematics(model, tasks, q, 0.1), wanted)
    shared[0].target, shared[1].q = pose(np.eye(3), [0.1, 0, 0]), np.zeros(3)
    own = [PoseTask(2, pose(np.eye(3), [0.1, 0, 0])), PostureTask(np.zeros(3))]
    wanted = differential_inverse_kinematics(short, own, q, 0.1)
    assert np.array_equal(differential_inverse_kinematics(short, shared, q, 0.1), wanted)
    short.limits = {"joint0": (-0.05, 0.05, 0.1)}
    wanted = differential_inverse_kinematics(short, own, q, 0.1)
    assert abs(wanted[0]) <= 0.1 + 1e-12
    assert np.array_equal(differential_inverse_kinematics(short, shared, q, 0.1), wanted)
