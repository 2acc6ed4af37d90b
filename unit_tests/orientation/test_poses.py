"""Poses: exponentials and logarithms at every angle, errors of poses, the two conventions."""

import inspect
from typing import Any

import numpy as np
import pytest
from helpers import exact, for_each, near
from numpy.testing import assert_array_equal
from public_functions import arguments, functions_of_state
from scipy.linalg import expm

import spatial_v2
import spatial_v2 as sv
from spatial_v2 import orientation, poses, spatial, three_d

RNG = np.random.default_rng(44)
ANGLES = np.array(
    [0, 1e-160, 1e-12, 1e-8, 1e-4, 0.3, 1.9, 2.1, 3.0, *(np.pi - 10.0 ** -np.arange(2, 15))]
)
AXES = [*np.eye(3), *-np.eye(3), *(v / np.linalg.norm(v) for v in RNG.normal(size=(6, 3)))]
TURNS = np.array([a * n for a in ANGLES for n in AXES])
TWISTS = np.concatenate([TURNS, RNG.normal(size=TURNS.shape)], axis=1)


def matrix(xi: np.ndarray) -> np.ndarray:
    """Return the matrix [skew(phi) rho; 0 0] of a twist."""
    M = np.zeros((4, 4), dtype=xi.dtype)
    M[:3, :3], M[:3, 3] = sv.skew(xi[:3]), xi[3:]
    return M


def test_exponentials_are_those_of_matrices() -> None:
    for xi in TWISTS[::7]:
        exact(sv.exp6(xi), expm(matrix(xi)), 1e-14 * 10)
        exact(sv.exp3(xi[:3]), expm(sv.skew(xi[:3])), 1e-14)


def test_logarithms_invert_exponentials_from_zero_to_half_a_turn() -> None:
    """All angles at once, as a batch, also within rounding of pi."""
    exact(sv.log3(sv.exp3(TWISTS[:, :3])), TWISTS[:, :3], 1e-14)
    near(sv.log6(sv.exp6(TWISTS)), TWISTS, 1e-14)
    shaped = TWISTS.reshape(2, -1, 6)
    assert_array_equal(sv.log6(sv.exp6(shaped)).reshape(-1, 6), sv.log6(sv.exp6(TWISTS)))


def test_half_turns_have_a_logarithm() -> None:
    for axis in AXES:
        R = 2 * np.outer(axis, axis) - np.eye(3)
        phi = sv.log3(R)
        exact(np.linalg.norm(phi), np.pi)
        assert phi[np.argmax(np.abs(phi))] > 0
        T = sv.pose(R, [1.0, -2.0, 3.0])
        exact(sv.exp6(sv.log6(T)), T, 1e-14)


def test_derivatives_by_complex_steps_are_those_of_the_right_jacobian() -> None:
    """``exp6(-xi) exp6(xi + d)`` is ``exp6(B d)``, at zero and near half a turn, too."""
    for xi in [np.zeros(6), *TWISTS[:: len(ANGLES)]]:
        B = sv.rightJacobianOfExp(sv.crm(xi))
        for j in range(6):
            step = sv.exp6(xi + 1e-30j * np.eye(6)[j])
            moved = sv.log6(sv.exp6(-xi) @ step)
            exact(moved.imag / 1e-30, B[:, j], 1e-12)
            if np.linalg.norm(xi[:3]) < 3.14:
                exact(sv.log6(step).imag / 1e-30, np.eye(6)[j], 1e-11)


def test_conventions_of_poses_and_transforms() -> None:
    """R is the transpose of the coordinate rotation; the transform to a frame goes the other way
    than its pose.
    """
    xi = TWISTS[77]
    exact(sv.exp3(xi[:3]), sv.rv(xi[:3]).T)
    T = sv.exp6(xi)
    exact(sv.pose_to_transform(T), expm(-sv.crm(xi)), 1e-13)
    exact(sv.transform_to_pose(sv.pose_to_transform(T)), T)
    robot = sv.puma560()
    found = sv.forward_kinematics(robot, sv.random_configuration(robot, RNG, 4), frame=5)
    exact(sv.transform_to_pose(found.X0), sv.pose(found.R, found.p))
    assert_array_equal(sv.pose(np.eye(3), np.ones((5, 3)))[:, :3, 3], 1)


def test_pose_error_moves_the_frame_to_its_target() -> None:
    T, target = sv.exp6(TWISTS[30:60]), sv.exp6(TWISTS[60:90] + 0.1)
    near(T @ sv.exp6(sv.pose_error(T, target)), target, 1e-13)
    near(sv.exp6(sv.pose_error(T, target, axes="base")) @ T, target, 1e-13)
    e = sv.pose_error(T, target, axes="mixed")
    near(sv.exp3(e[:, :3]) @ T[:, :3, :3], target[:, :3, :3], 1e-13)
    exact(T[:, :3, 3] + e[:, 3:], target[:, :3, 3])


@pytest.mark.parametrize("axes", ["body", "base", "mixed"])
def test_pose_error_has_the_axes_and_the_sign_of_frame_jacobians(axes: Any) -> None:
    """After a small motion dq the error is ``-J dq``: a spring ``J^T K e`` pulls to the target."""
    robot, h = sv.puma560(), 1e-6
    q, dq = sv.random_configuration(robot, RNG), RNG.normal(size=6)

    def T(q: np.ndarray) -> Any:
        return sv.transform_to_pose(sv.forward_kinematics(robot, q, frame=5).X0)

    to = [sv.configurationAddition(robot, q, s * h * dq) for s in (1, -1)]
    slope = (
        sv.pose_error(T(to[0]), T(q), axes=axes) - sv.pose_error(T(to[1]), T(q), axes=axes)
    ) / (2 * h)
    near(slope, -sv.FrameJacobian(robot, q, 5, axes=axes) @ dq, 1e-8)


def test_exponentials_are_those_of_pinocchio() -> None:
    pin = pytest.importorskip("pinocchio")
    for xi in TWISTS[::5]:
        motion = pin.Motion(np.r_[xi[3:], xi[:3]])
        exact(sv.exp6(xi), pin.exp6(motion).homogeneous, 1e-14 * 10)
        if np.linalg.norm(xi[:3]) < 3.14:
            back = pin.log6(pin.SE3(sv.exp6(xi)))
            exact(sv.log6(sv.exp6(xi)), np.r_[back.angular, back.linear], 1e-11)


BAD: list[tuple[Any, tuple[Any, ...], str]] = [
    (sv.log3, (np.diag([1, 1, -1.0]),), "mirrors"),
    (sv.log3, (2 * np.eye(3),), "must be a rotation"),
    (sv.log6, (np.eye(6),), r"want|must have shape \(..., 4, 4\)"),
    (sv.log6, (2 * np.eye(4),), r"last row is \[0 0 0 1\]"),
    (sv.log6, (np.diag([1, 1, -1, 1.0]),), "mirrors"),
    (sv.exp6, (np.ones(3),), "shape"),
    (sv.pose, (np.eye(3), [1, 2]), "shape"),
    (sv.pose_error, (np.eye(4), np.eye(6)), "T_target must have shape"),
    (sv.pose_to_transform, (np.eye(6),), "shape"),
    (sv.transform_to_pose, (np.eye(4),), "pose_to_transform"),
]


@for_each(BAD)
def test_bad_arguments(function: Any, given: Any, message: str) -> None:
    with pytest.raises(sv.ArrayShapeError, match=message):
        function(*given)


@pytest.mark.parametrize(
    "call", [sv.log6, lambda X: sv.pose_error(np.eye(4), X), sv.pose_to_transform]
)
def test_a_transform_is_refused_where_a_pose_is_wanted(call: Any) -> None:
    """The message says how to make the pose."""
    with pytest.raises(sv.ArrayShapeError, match=r"4, 4\), got \(6, 6\); transform_to_pose\(X\)"):
        call(np.eye(6))


def test_unknown_axes() -> None:
    with pytest.raises(sv.SpatialError, match="axes: want 'body'"):
        sv.pose_error(np.eye(4), np.eye(4), axes="world")  # type: ignore[arg-type]


def takers() -> list[tuple[Any, ...]]:
    """Return all calls with a pose in place of a transform: functions of a state with a frame or
    a transform, fields of models, functions of transforms.
    """
    arm, T = sv.autoTree(3), np.eye(4)
    found: list[tuple[Any, ...]] = []
    for name, function, required in functions_of_state():
        given = arguments(arm, required, np.random.default_rng(1))
        if "frame" in given:
            found.append((name, function, [arm, *(given | {"frame": sv.Frame(1, T)}).values()]))
        if "Xend" in given:
            found.append((name, function, [arm, *(given | {"Xend": T}).values()]))
    load = sv.mcI(1.0, np.zeros(3), np.eye(3))
    found.append(("attach", sv.attach, [arm, 1, load, T]))
    for name in ("plux", "AdjointToSE3", "transform_parts", "transform_to_homogeneous", "XtoV"):
        found.append((name, getattr(spatial_v2, name), [T]))

    def with_poses() -> None:
        robot = sv.autoTree(3)
        robot.Xtree = np.stack([T] * 3)
        sv.forward_kinematics(robot, np.zeros(3))

    return [*found, ("Xtree", with_poses, [])]


@for_each(takers())
def test_a_pose_is_refused_where_a_transform_is_wanted(_: str, function: Any, given: Any) -> None:
    with pytest.raises(sv.SpatialError, match="pose_to_transform"):
        function(*given)


ROTATIONS = [
    (name, function)
    for module in (poses, three_d, orientation, spatial)
    for name in module.__all__
    if inspect.isfunction(function := getattr(module, name))
    if {"R", "E", "T"} & set(inspect.signature(function).parameters)
]


@for_each(ROTATIONS)
def test_functions_of_rotations_say_their_convention(name: str, function: Any) -> None:
    text = " ".join((function.__doc__ or "").split())
    known = (
        "oordinate rotation",
        "body to space",
        "coordinates from frame A",
        "from B to A",
        "R from",
    )
    assert any(x in text for x in known), name
