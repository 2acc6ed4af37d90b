"""Inverse kinematics: poses are reached, limits are kept, configurations stay valid, failures are
reported.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import for_each, near
from parameters import chosen
from scipy.optimize import least_squares as scipy_least_squares
from units import Units

import spatial_v2 as sv
from spatial_v2.couplings.free import free_tree
from spatial_v2.frames.limits import position_limits
from spatial_v2.frames.residuals import log6_residual, pose_residual
from spatial_v2.io import example_robots
from spatial_v2.model.frame import find_frame

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
TREES = ["one_S", "one_Fb", "one_SE3", "spherical", "SO3", "floating", "SE3", "mixed", "helical",
         "two_floating", "negative", "planar_chain", "floating_rotors"]  # fmt: skip


def some_frame(model: sv.Model) -> sv.Frame:
    """Return a frame at a random pose on the last body."""
    d = 3 if model.is_planar else 6
    return sv.Frame(model.NB - 1, zoo.random_transform(np.random.default_rng(8), d))


def pose(model: sv.Model, q: Any, frame: Any) -> Any:
    return sv.forward_kinematics(model, q, frame=frame).X0


def length_of_arm(model: sv.Model, frame: str) -> float:
    """Return the sum of the distances between the joints that carry a frame, in the configuration
    where all prismatic joints are at zero.
    """
    model = free_tree(model)
    q, body = sv.neutral(model), find_frame(model, frame).body
    path = [i for i in model.ancestors[body] if i >= 0]
    places = [sv.forward_kinematics(model, q).p[i] for i in path]
    places.append(sv.forward_kinematics(model, q, frame=frame).p)
    return float(np.sum(np.linalg.norm(np.diff(places, axis=0), axis=-1)))


def check_limits(model: sv.Model, q: np.ndarray) -> None:
    """Check the limits joint by joint, without the library's own table of bounds."""
    for name, x in zip(model.joint_names, model.qinds, strict=True):
        if model.limits and name in model.limits:
            assert (q[..., x] >= model.limits[name].lower).all()
            assert (q[..., x] <= model.limits[name].upper).all()


@pytest.mark.parametrize(
    ("robot", "frame", "floating"),
    [
        ("ur5", "tool0", False),
        ("panda", "panda_hand", False),
        ("talos", "gripper_left_base_link", False),
        ("talos", "gripper_left_base_link", True),
    ],
)
@pytest.mark.parametrize("rows", ["pose", "position", "orientation"])
def test_robots_reach_reachable_targets(robot: str, frame: str, floating: bool, rows: Any) -> None:
    """From random starts, the requested rows agree with the target to 1e-10, displacements to that
    part of the length of the arm, within the limits.
    """
    model, rng = (
        sv.load_urdf(example_robots()[robot], floating_base=floating),
        np.random.default_rng(3),
    )
    bounds = position_limits(model, "model")
    target = pose(model, bounds.draw(model, rng, 12), frame)
    start = bounds.draw(model, rng, 12)
    found = sv.inverse_kinematics(model, frame, target, start, rows=rows, restarts=50, rng=rng)
    assert found.converged.all()
    exact = 1e-10 * np.r_[np.ones(3), np.full(3, length_of_arm(model, frame))]
    assert (np.abs(found.residual) <= exact).all()
    check_limits(model, found.q)
    at = sv.forward_kinematics(model, found.q, frame=frame)
    wanted = np.swapaxes(target[:, :3, :3], 1, 2)
    if rows != "position":
        near(at.R, wanted, 1e-9)
    if rows != "orientation":
        rx = wanted @ target[:, 3:, :3]
        near(at.p, np.stack([rx[:, 1, 2], rx[:, 2, 0], rx[:, 0, 1]], axis=1), 1e-9)


@pytest.mark.parametrize("name", chosen(TREES, lambda x: x in zoo.CHOSEN and x != "negative"))
def test_trees_reach_poses(name: str) -> None:
    """Trees of every joint type reach poses, and q stays a valid configuration, with unit
    quaternions and rotations.
    """
    model, rng = zoo.build(name), np.random.default_rng(6)
    frame = some_frame(model)
    target = pose(model, sv.random_configuration(model, rng, (2, 4)), frame)
    start = 3 * sv.random_configuration(model, rng, 4) if name == "one_S" else (
        sv.random_configuration(model, rng, 4))  # fmt: skip
    found = sv.inverse_kinematics(model, frame, target, start, restarts=50, rng=rng)
    assert found.converged.all()
    assert found.q.shape == (2, 4, model.NQ)
    near(pose(model, found.q, frame), target, 1e-9)
    for joint, x in zip(model.layout.joints, model.qinds, strict=True):
        q = found.q[..., x]
        if joint.code in ("S", "Fb"):
            near(np.sum(q[..., :4] ** 2, axis=-1), np.ones((2, 4)), 1e-14)
        near(joint.group.normalise(q), q, 1e-12)


@pytest.mark.parametrize("error_of", [pose_residual, log6_residual])
@pytest.mark.parametrize("name", ["one_S", "mixed", "helical", "planar_tree", "SE3"])
def test_the_jacobian_of_the_error_is_exact(name: str, error_of: Any) -> None:
    """The error e of the pose has the derivative ``M J`` along q, by differences far from the
    target.
    """
    model, rng = zoo.build(name), np.random.default_rng(1)
    frame = some_frame(model)
    q, other = sv.random_configuration(model, rng, 2)
    target = pose(model, other, frame)

    def error(dq: np.ndarray) -> np.ndarray:
        return np.asarray(
            error_of(pose(model, sv.configurationAddition(model, q, dq), frame), target)[0]
        )

    M = error_of(pose(model, q, frame), target)[1]
    h, steps = 1e-3, np.eye(model.NV)
    weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    slopes = sum(w * (error(k * h * steps) - error(-k * h * steps)) / h for k, w in weights.items())
    near(M @ sv.FrameJacobian(model, q, frame), np.transpose(slopes), 1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-160, 1e-9, 1.0, np.pi - 1e-9, np.pi])
def test_the_logarithm_is_the_twist_that_goes_there(angle: float) -> None:
    """The logarithm of a screw is its angle times the axis, and angle times moment plus pitch."""
    axis, point, target = (
        np.array([2.0, -1.0, 2.0]) / 3,
        np.array([0.3, -0.2, 0.5]),
        sv.xlt([1, 2, 3]),
    )
    twist = np.concatenate([axis, np.cross(point, axis) + 0.1 * axis]) * angle
    E, along = sv.rv(angle * axis), 0.1 * angle * axis
    X = sv.plux(E, point + along - E.T @ point) @ target
    e, M = log6_residual(X, target)
    near(e, twist, 1e-14)
    near(M @ e, e, 1e-14)
    near(pose_residual(X, target)[0][:3], e[:3], 0)


@pytest.mark.parametrize("error", ["pose", "log6"])
def test_targets_at_half_turns_are_reached(error: Any) -> None:
    """Targets rotated by pi, or nearly pi, are reached."""
    model = zoo.build("one_SE3")
    q0 = sv.random_configuration(model, np.random.default_rng(3))
    for angle in (np.pi - 1e-9, np.pi):
        for axis in np.eye(3):
            target = sv.plux(sv.rv(angle * axis), [0.3, -0.1, 0.2]) @ pose(model, q0, 0)
            found = sv.inverse_kinematics(model, 0, target, q0, error=error)
            assert found.converged
            near(pose(model, found.q, 0), target, 1e-9)


def test_steps_converge_quadratically() -> None:
    """Close to a solution a few steps are enough, at any damping; at a solution none is made."""
    robot, rng = sv.puma560(), np.random.default_rng(2)
    q = sv.random_configuration(robot, rng, 20)
    target = pose(robot, q, 5)
    found = sv.inverse_kinematics(
        robot, 5, target, q + 0.01 * rng.normal(size=q.shape), damping=1e-6
    )
    assert found.converged.all()
    assert np.median(found.iterations) <= 4
    still = sv.inverse_kinematics(robot, 5, target, q)
    assert not still.iterations.any()
    near(still.q, q, 0)


def arm(*limits: sv.JointLimits) -> sv.Model:
    """Make a planar arm of two links of length one, with limits of its joints."""
    model = sv.autoTree(2).replace(jtype=["Rz", "Rz"])
    model.limits = dict(zip(model.joint_names, limits, strict=False))
    return model


HAND = sv.Frame(1, sv.xlt([1.0, 0, 0]))


def test_targets_out_of_reach_are_approached_to_the_least_residual() -> None:
    """The residual of a target out of reach is its distance from the circle that the end-effector
    can reach.
    """
    with pytest.warns(
        sv.ConvergenceWarning,
        match=r"1 of 2 targets are not reached; .* errors left are .* rad and",
    ):
        found = sv.inverse_kinematics(
            arm(), HAND, np.stack([sv.xlt([3.0, 0, 0]), sv.xlt([1.2, 0.5, 0])]), [0.4, 0.3],
            rows="position", max_iterations=2000,
        )  # fmt: skip
    assert found.converged.tolist() == [False, True]
    near(found.residual[0], np.array([0, 0, 0, -1.0, 0, 0]), 1e-6)
    near(found.q[0], np.zeros(2), 1e-3)


def test_limits_are_kept() -> None:
    """The least residual under limits agrees with another method, with a variable at its bound."""
    model = arm(sv.JointLimits(-0.2, 0.3), sv.JointLimits(0.1, 0.7))
    target = sv.xlt([0.3, 1.2, 0])
    with pytest.warns(sv.ConvergenceWarning):
        found = sv.inverse_kinematics(model, HAND, target, [2.0, -1.0], rows="position")
    check_limits(model, found.q)

    def distance(q: np.ndarray) -> Any:
        return sv.forward_kinematics(model, q, frame=HAND).p[:2] - [0.3, 1.2]

    bounds = [-0.2, 0.1], [0.3, 0.7]
    peer = scipy_least_squares(distance, [0.1, 0.4], bounds=bounds, method="dogbox", xtol=1e-15)
    near(found.q, peer.x, 1e-12)
    near(np.sum(found.residual**2), 2 * peer.cost, 1e-12)
    free = sv.inverse_kinematics(model, HAND, target, [2.0, -1.0], rows="position", limits=None)
    assert free.converged


def test_given_limits_replace_those_of_the_model() -> None:
    """Given limits replace those of the model."""
    bounds = [-np.inf, -2.0], [np.inf, -0.1]
    found = sv.inverse_kinematics(
        arm(), HAND, sv.xlt([1.2, 0.5, 0]), [0.4, 0.3], rows="position", limits=bounds
    )
    assert found.converged
    assert -2.0 <= found.q[1] <= -0.1


@for_each(zoo.NAMES)
def test_full_turns_bring_back_revolute_joints_alone(name: str) -> None:
    """Angles may change by full turns if the joint is then where it was; screws and sliders are
    elsewhere then.
    """
    model = zoo.build(name)
    bounds = np.concatenate([np.full(n, 7.0 if n == 1 else np.inf) for n in model.nq])
    same = [
        qs.start
        for jtype, qs in zip(model.jtype, model.qinds, strict=True)
        if qs.stop - qs.start == 1
        and np.allclose(*(sv.jcalc(jtype, [x])[0] for x in (0.3, 0.3 + 2 * np.pi)), atol=1e-12)
    ]
    assert list(position_limits(model, (-bounds, bounds)).turns) == same


def test_full_turns_are_no_bounds() -> None:
    """An angle beyond its limits is changed by a full turn if that brings it between them."""
    model = arm(sv.JointLimits(-np.pi, np.pi), sv.JointLimits(-4.0, 4.0))
    q = np.array([3.1, 1.0])
    goal = np.array([3.4, 1.0])
    found = sv.inverse_kinematics(model, HAND, pose(model, goal, HAND), q)
    assert found.converged
    near(found.q, goal - np.array([2 * np.pi, 0]), 1e-9)
    check_limits(model, found.q)


def test_weights_of_zero_leave_directions_free() -> None:
    """A row of weight zero leaves the rotation about this axis of the target free, and has no other
    effect.
    """
    model, rng = sv.puma560(), np.random.default_rng(4)
    q = sv.random_configuration(model, rng)
    target = pose(model, q, 5)
    found = sv.inverse_kinematics(
        model, 5, target, q + 0.2, rows=[1, 1, 0, 1, 1, 1], restarts=9, rng=rng
    )
    at = pose(model, found.q, 5) @ np.linalg.inv(target)
    near(at[2, :3], np.array([0, 0, 1.0]), 1e-9)
    near(at[3:, :3], 0 * at[3:, :3], 1e-9)
    assert abs(at[0, 1]) > 1e-3
    assert found.residual[2] == 0


def test_planar_models_have_three_rows() -> None:
    """Planar models have three rows, the angle and the position."""
    model = sv.planar(3)
    target = sv.plnr(0.7, [1.2, 0.4])
    hand = sv.Frame(2, sv.plnr(0.0, [1.0, 0.0]))
    found = sv.inverse_kinematics(model, hand, target, [0.1, 0.2, 0.3])
    assert found.converged
    near(pose(model, found.q, hand), target, 1e-9)
    near(np.sum(found.q), np.array(0.7), 1e-9)
    found = sv.inverse_kinematics(model, hand, target, [0.1, 0.2, 0.3], rows="position")
    near(sv.forward_kinematics(model, found.q, frame=hand).p, np.array([1.2, 0.4]), 1e-9)


def test_each_problem_of_a_batch_is_solved_as_alone() -> None:
    """Targets and starts broadcast; each problem has the result that it has alone; an empty batch
    has an empty result.
    """
    model, rng = sv.puma560(), np.random.default_rng(5)
    q = sv.random_configuration(model, rng, (3, 1))
    start = q[:, 0][None] + 0.1 * rng.normal(size=(2, 3, 6))
    target = pose(model, q[:, 0], 5)
    many = sv.inverse_kinematics(model, 5, target, start)
    assert many.q.shape == (2, 3, 6)
    assert many.converged.shape == many.iterations.shape == (2, 3)
    for k in np.ndindex(2, 3):
        one = sv.inverse_kinematics(model, 5, target[k[1]], start[k])
        near(one.q, many.q[k], 1e-9)
        assert one.iterations == many.iterations[k]
    none = sv.inverse_kinematics(model, 5, target[:0], start[:, :0])
    assert none.q.shape == (2, 0, 6)
    assert none.residual.shape == (2, 0, 6)
    assert none.converged.shape == (2, 0)


def test_frames_of_the_base_need_no_motion() -> None:
    model = sv.puma560()
    with pytest.warns(sv.ConvergenceWarning):
        found = sv.inverse_kinematics(model, -1, sv.xlt([0, 0, 1.0]), np.zeros(6))
    near(found.residual, np.array([0, 0, 0, 0, 0, -1.0]), 1e-15)
    assert sv.inverse_kinematics(model, -1, np.eye(6), np.zeros(6)).converged


def test_steps_of_all_starts_are_counted() -> None:
    """Steps of all starts are counted: of the first and four restarts one each, none for a start at
    the target.
    """
    targets = np.stack([sv.xlt([3.0, 0, 0]), sv.xlt([2.0, 0, 0])])
    with pytest.warns(sv.ConvergenceWarning, match="1 of 2 targets"):
        found = sv.inverse_kinematics(
            arm(), HAND, targets, np.array([[0.4, 0.3], [0.0, 0.0]]), rows="position",
            max_iterations=1, restarts=4, rng=np.random.default_rng(0),
        )  # fmt: skip
    assert found.iterations.tolist() == [5, 0]


def test_bounds_stop_joints_of_one_degree_of_freedom() -> None:
    """A joint of one degree of freedom at its bound is held if the error decreases beyond the
    bound.
    """
    model = sv.autoTree(3).replace(jtype=["Rz", "S", "Px"])
    low, high = np.full((2, 6), [[-np.inf], [np.inf]])
    low[[0, 5]], high[[0, 5]] = -1.0, 1.0
    bounds = position_limits(model, (low, high))
    slope = np.array([1.0, 1.0, -1.0, 1.0, 1.0])
    inside, down, up = (np.array([x, 1.0, 0, 0, 0, x]) for x in (0.5, -1.0, 1.0))
    free, ends = [True] * 5, [False, True, True, True, False]
    assert bounds.free(inside, slope).tolist() == free
    assert bounds.free(down, slope).tolist() == ends
    assert bounds.free(down, -slope).tolist() == free
    assert bounds.free(up, -slope).tolist() == ends
    assert bounds.free(up, slope).tolist() == free
    assert bounds.free(np.stack([down, inside]), slope).tolist() == [ends, free]


def test_restarts_draw_the_same_from_the_same_seed() -> None:
    model, rng = sv.puma560(), np.random.default_rng(5)
    target = pose(model, sv.random_configuration(model, rng, 10), 5)
    runs = [
        sv.inverse_kinematics(
            model, 5, target, np.zeros(6), restarts=20, rng=np.random.default_rng(1)
        )
        for _ in range(2)
    ]
    assert runs[0].converged.all()
    np.testing.assert_array_equal(runs[0].q, runs[1].q)


def test_targets_may_be_poses_in_the_base() -> None:
    """A pose [R p; 0 1] (4, 4) is the same target as the transform to it."""
    model, rng = sv.puma560(), np.random.default_rng(2)
    at = sv.forward_kinematics(model, rng.normal(0, 0.5, (3, 6)), frame=5)
    T = np.zeros((3, 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = at.R, at.p, 1
    q0 = rng.normal(0, 0.5, 6)
    found, wanted = (sv.inverse_kinematics(model, 5, X, q0, error="log6") for X in (T, at.X0))
    near(found.q, wanted.q, 1e-9)
    T[1, 3, 3] = 2
    with pytest.raises(
        sv.ArrayShapeError, match=r"X_target: want poses .* last row is \[0 0 0 1\]"
    ):
        sv.inverse_kinematics(model, 5, T, q0)


def in_other_units(units: Units, name: str, rows: Any) -> tuple[Any, Any]:
    """Return results of inverse kinematics from random starts, and those in other units."""
    model, rng = zoo.build(name), np.random.default_rng(6)
    frame, q0 = some_frame(model), sv.random_configuration(model, rng, 20)
    target = pose(model, sv.random_configuration(model, rng, 20), frame)
    results = [sv.inverse_kinematics(model, frame, target, q0, rows=rows)]
    other = units.model(model), units.frame(model, frame), units.scaled(model, target, "m m*")
    results.append(sv.inverse_kinematics(*other, units.scaled(model, q0, "q"), rows=rows))
    return model, results


@pytest.mark.filterwarnings("ignore::spatial_v2.ConvergenceWarning")
@pytest.mark.parametrize("rows", ["pose", "position", [1, 0.5, 0, 2, 1, 1]])
@pytest.mark.parametrize("name", ["mixed", "chain", "prismatic", "negative", "one_Fb"])
@pytest.mark.parametrize("way", ["kernel", "reference"])
def test_units_do_not_matter(
    way: str, name: str, rows: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same steps lead to the same configurations, whatever the units of length."""
    if way == "reference":
        monkeypatch.setattr("spatial_v2.frames.least_squares.has_kernels", lambda *names: False)
    units = Units(2.0**-20)
    model, (one, other) = in_other_units(units, name, rows)
    near(other.q, units.scaled(model, one.q, "q"), 1e-12)
    near(units.scaled(model, one.residual, "m"), other.residual, 1e-12)
    np.testing.assert_array_equal(other.iterations, one.iterations)
    np.testing.assert_array_equal(other.converged, one.converged)


@pytest.mark.filterwarnings("ignore::spatial_v2.ConvergenceWarning")
@pytest.mark.parametrize("length", [1e-6, 1e-3, 1e3, 1e6])
def test_robots_of_every_size_reach_as_many_poses(length: float) -> None:
    """As many targets are reached, and as exactly in proportion, by small and by large robots."""
    _, (one, other) = in_other_units(Units(length), "chain", "position")
    assert one.converged.sum() >= 15
    assert abs(int(one.converged.sum()) - int(other.converged.sum())) <= 1
    near(np.abs(other.residual[other.converged]).max() / length, 0.0, 1e-9)


def test_the_place_of_a_robot_does_not_change_its_tolerance() -> None:
    """The length that displacements are compared with does not include where the robot stands."""
    near_by, rng = sv.puma560(), np.random.default_rng(1)
    X = near_by.Xtree.copy()
    X[0] = X[0] @ sv.xlt([1e4, 0, 0])
    q, q0 = rng.normal(0, 0.3, (2, 6))
    for model in (near_by, near_by.replace(Xtree=X)):
        found = sv.inverse_kinematics(model, 5, pose(model, q, 5), q0, tolerance=1e-8)
        assert found.converged and np.abs(found.residual[3:]).max() < 3e-8


PANDA = (
    [-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973],
    [2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973],
)
"""Limits of the joints of a Panda [rad]."""


@pytest.mark.filterwarnings("ignore::spatial_v2.ConvergenceWarning")
def test_most_poses_are_found_without_options() -> None:
    """From the middle of the limits 95 of 100 poses are found; not so from the first start alone.
    The steps of all starts are counted, and results do not depend on the other states of a batch.
    """
    robot, rng = sv.Panda_model(), np.random.default_rng(3)
    frame, lower, upper = 6, np.array(PANDA[0]), np.array(PANDA[1])
    bounds = position_limits(robot, (lower, upper))
    target = pose(robot, bounds.draw(robot, rng, 400), frame)
    given: Any = (robot, frame, target, (lower + upper) / 2)
    one = sv.inverse_kinematics(*given, limits=(lower, upper), restarts=0)
    found = sv.inverse_kinematics(*given, limits=(lower, upper))
    assert one.converged.mean() < 0.93 and found.converged.mean() >= 0.97
    near(pose(robot, found.q, frame)[found.converged], target[found.converged], 1e-9)
    assert np.all((lower <= found.q) & (found.q <= upper))
    np.testing.assert_array_equal(found.q[one.converged], one.q[one.converged])
    later = ~one.converged & found.converged
    assert (found.iterations[later] > one.iterations[later]).all()
    k = np.flatnonzero(later)[0]
    alone = sv.inverse_kinematics(robot, frame, target[k], given[3], limits=(lower, upper))
    np.testing.assert_array_equal(alone.q, found.q[k])


def test_new_starts_do_not_move_displacements_without_limits() -> None:
    robot = sv.autoTree(3).replace(jtype=["Px", "Ry", "S"])
    q0 = np.array([7.0, 0.1, 1, 0, 0, 0])
    start = position_limits(robot, None).spread(robot, np.random.default_rng(0), q0[None])
    assert start[0, 0] == 7 and start[0, 1] != 0.1 and (start[0, 2:] == q0[2:]).all()


@pytest.mark.filterwarnings("ignore::spatial_v2.ConvergenceWarning")
@for_each([(name, error) for name in ("puma", "planar") for error in ("pose", "log6")])
def test_a_factor_of_all_weights_changes_nothing(name: str, error: Any) -> None:
    """Weights and tolerance in another unit give the same steps, to the last digit, also to a pose
    that is out of reach.
    """
    model, far = (
        (sv.puma560(), sv.xlt([3.0, 0, 0]))
        if name == "puma"
        else (sv.planar(4), sv.plnr(0, [9, 0]))
    )
    q0, rows = np.full((4, model.NV), 0.3), np.array([1.0, 2.0, 0.5, 1.0, 1.0, 3.0])
    q = sv.random_configuration(model, np.random.default_rng(1), (4,))
    X = sv.forward_kinematics(model, q, frame=model.NB - 1).X0
    X[2:] = X[2:] @ far
    found = [
        sv.inverse_kinematics(
            model, model.NB - 1, X, q0, rows=rows[: len(far)] * unit, error=error,
            tolerance=1e-10 * unit, restarts=0,
        )
        for unit in (1.0, 2.0**-20)
    ]  # fmt: skip
    assert found[0].converged.tolist() == [True, True, False, False]
    np.testing.assert_array_equal(found[0].q, found[1].q)
    np.testing.assert_array_equal(found[0].iterations, found[1].iterations)


def test_a_position_is_a_target_of_its_own() -> None:
    arm, q = sv.puma560(), np.array([0.1, -0.5, 0.3, 0.2, 0.4, 0.6])
    p = sv.forward_kinematics(arm, [q, q + 0.1, q - 0.1], frame=5).p
    found = sv.inverse_kinematics(arm, 5, p, q, rows="position")
    assert found.converged.all()
    near(sv.forward_kinematics(arm, found.q, frame=5).p, p, 1e-8)
    with pytest.raises(sv.ArrayShapeError, match=r"X_target must be an array, .*pose\(R, p\)"):
        sv.inverse_kinematics(arm, 5, (np.eye(3), p[0]), q)


def test_a_warning_tells_how_far_the_target_is() -> None:
    """A straight arm of length 2 ends one metre short of a target at 3, in any case beyond it."""
    arm = sv.autoTree(2)
    X = sv.xlt([3.0, 0, 0])
    with pytest.warns(sv.ConvergenceWarning, match="1 of 1 targets .* 0 rad and 2 m"):
        sv.inverse_kinematics(arm, 1, X, [0.0, 0.0], rows="position")
    with pytest.warns(sv.ConvergenceWarning, match="0 rad and 1 m"):
        sv.inverse_kinematics(sv.planar(2), 1, sv.plnr(0, [2.0, 0]), [0.0, 0.0], rows="position")
