"""Gravity forces, Jacobian of the centre of mass, manipulability, inertia of frames, regulators and
profiles of motions.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import for_each, near
from scipy.interpolate import BPoly
from scipy.linalg import solve_discrete_lyapunov

import spatial_v2 as sv
from derivatives.reference import complex_step_q

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)


@whole_zoo
def test_gravity_forces_are_the_gradient_of_the_potential_energy(name: str) -> None:
    model, s = draw(name, (2,))
    rest = np.zeros(model.NV)
    near(
        sv.gravity_forces(model, s.q),
        complex_step_q(model, lambda q: sv.EnerMo(model, q, rest).PE, s.q),
        1e-11,
    )


@whole_zoo
def test_the_jacobian_of_the_centre_of_mass_is_its_derivative(name: str) -> None:
    model, s = draw(name, (2,))
    J = sv.centre_of_mass_jacobian(model, s.q)
    rest = np.zeros(model.NV)
    near(J, complex_step_q(model, lambda q: sv.EnerMo(model, q, rest).cm, s.q), 1e-11)
    near((J @ s.qd[..., None])[..., 0], sv.EnerMo(model, s.q, s.qd).vcm, 1e-11)


@pytest.mark.parametrize("rows", ["pose", "position", "orientation"])
@whole_zoo
def test_manipulability_and_its_gradient(name: str, rows: Any) -> None:
    """The volume of the ellipsoid of velocities in any axes; the gradient by complex steps of the
    determinant.
    """
    model, s = draw(name, (3,))
    frame = sv.Frame(model.NB - 1, zoo.random_transform(np.random.default_rng(8), len(model.I[0])))
    w, dw = sv.manipulability_derivatives(model, s.q, frame, rows)
    near(w, sv.manipulability(model, s.q, frame, rows), 1e-13)
    turns = len(model.I[0]) // 2 if len(model.I[0]) == 6 else 1
    part = {"pose": slice(None), "position": slice(turns, None), "orientation": slice(0, turns)}
    J = sv.FrameJacobian(model, s.q, frame, "mixed")[:, part[rows]]
    near(w, np.prod(np.linalg.svd(J, compute_uv=False), axis=-1), 1e-12)
    if (w > 1e-3).all():
        slope = complex_step_q(model, lambda q: sv.manipulability(model, q, frame, rows), s.q)
        near(dw, slope, 1e-9)


def test_gradients_at_singularities_are_those_of_one_side() -> None:
    arm, tip = sv.planar(2), sv.Frame(1, np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 1.0]]))
    w, dw = sv.manipulability_derivatives(arm, [0.3, 0.0], tip, "position")
    near(w, 0.0, 1e-15)
    near(np.abs(dw), [0, 1], 1e-12)


@pytest.mark.parametrize("axes", ["body", "base", "mixed"])
@pytest.mark.parametrize("rows", ["pose", "position", "orientation"])
def test_the_inertia_of_a_frame_is_felt_by_forces_on_it(rows: Any, axes: Any) -> None:
    """A force on the frame changes its acceleration by the inverse of the inertia."""
    for name in ("chain", "floating", "mixed", "floating_rotors"):
        model, s = draw(name, (2,))
        frame = sv.Frame(model.NB - 1, zoo.random_transform(np.random.default_rng(8), 6))
        part = {"pose": slice(0, 6), "position": slice(3, 6), "orientation": slice(0, 3)}[rows]
        J = sv.FrameJacobian(model, s.q, frame, axes)[:, part]
        if J.shape[-1] < J.shape[-2]:
            continue
        inertia = sv.operational_space_inertia(model, s.q, frame, axes, rows)
        force = np.random.default_rng(1).normal(size=J.shape[-2])
        tau = np.swapaxes(J, -1, -2) @ force
        rest = np.zeros(model.NV)
        found = [
            sv.frame_acceleration(model, s.q, s.qd, sv.FDab(model, s.q, s.qd, x), frame, axes)[
                :, part
            ]
            for x in (tau, rest)
        ]
        near((inertia @ (found[0] - found[1])[..., None])[..., 0], 0 * found[0] + force, 1e-8)


def test_singular_configurations_have_no_inertia_of_frames() -> None:
    robot = sv.puma560()
    with pytest.raises(sv.SpatialError, match=r"in some direction: .* rows='position'"):
        sv.operational_space_inertia(robot, [0, 0.4, -0.3, 0.2, 0.0, 0], 5)
    q = np.array([[0, 0.4, -0.3, 0.2, 0.0, 0], [0, 0.4, -0.3, 0.2, 0.5, 0]])
    with pytest.raises(sv.SpatialError, match="in 1 of 2 states"):
        sv.operational_space_inertia(robot, q, 5)
    with pytest.raises(sv.SpatialError, match="fewer joints than rows"):
        sv.operational_space_inertia(sv.planar(2), [0.1, 0.2], 1)


def test_regulators_are_stable_and_cost_what_they_say() -> None:
    rng = np.random.default_rng(3)
    A, B, x = rng.normal(size=(4, 4)), rng.normal(size=(4, 2)), rng.normal(size=4)
    Q, R = np.diag([1.0, 2, 3, 4]), np.diag([0.5, 2])
    K, P, poles = sv.lqr(A, B, Q, R)
    assert poles.real.max() < 0
    near(A.T @ P + P @ A - P @ B @ K + Q, 0 * A, 1e-10)
    K, P, poles = sv.dlqr(A, B, Q, R)
    assert np.abs(poles).max() < 1
    near(P, solve_discrete_lyapunov((A - B @ K).T, Q + K.T @ R @ K), 1e-9)
    cost, at = 0.0, x
    for _ in range(3000):
        u = -K @ at
        cost += at @ Q @ at + u @ R @ u
        at = A @ at + B @ u
    near(cost, x @ P @ x, 1e-9)


REFUSED: list[tuple[Any, tuple[Any, ...], type[Exception], str]] = [
    (
        sv.lqr,
        (np.eye(2), np.eye(3), np.eye(2), np.eye(2)),
        sv.ArrayShapeError,
        r"lqr: want A \(n, n\)",
    ),
    (
        sv.lqr,
        (np.eye(2), np.eye(2), np.eye(2), 0 * np.eye(2)),
        sv.SpatialError,
        "R must be positive",
    ),
    (
        sv.lqr,
        (np.eye(2), np.zeros((2, 1)), np.eye(2), [[1]]),
        sv.SpatialError,
        "lqr: there is no regul",
    ),
    (
        sv.dlqr,
        (2 * np.eye(2), np.zeros((2, 1)), np.eye(2), [[1]]),
        sv.SpatialError,
        "dlqr: there is no",
    ),
    (sv.cubic_motion, ([0, 1], [0, 1, 2], 1.0), sv.ArrayShapeError, "cubic_motion: want vectors"),
    (sv.cubic_motion, ([0], [1], 0.0), sv.SpatialError, "duration: want a positive number"),
    (sv.quintic_motion, ([0], [1], -1.0), sv.SpatialError, "duration: want a positive number"),
    (sv.quintic_motion, (0, 1, 1.0), sv.ArrayShapeError, "want vectors"),
    (sv.trapezoidal_motion, ([0], [1], 0, 1), sv.SpatialError, "want positive limits"),
    (sv.trapezoidal_motion, ([0], [1], 1, [np.inf]), sv.SpatialError, "want positive limits"),
    (
        sv.manipulability,
        (sv.puma560(), np.zeros(6), 5, "angles"),
        sv.SpatialError,
        "rows: want 'pose'",
    ),
    (sv.manipulability_derivatives, (sv.puma560(), 1j * np.ones(6), 5), sv.ArrayShapeError, "real"),
]


@for_each(REFUSED)
def test_wrong_arguments_are_refused(
    function: Any, given: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        function(*given)


RNG = np.random.default_rng(44)


@pytest.mark.parametrize("order", [2, 3])
def test_polynomials_are_those_of_scipy(order: int) -> None:
    """Positions, velocities and accelerations of the polynomials with given derivatives at ends."""
    ends = RNG.normal(size=(2, order, 3))
    make: Any = sv.cubic_motion if order == 2 else sv.quintic_motion
    rates = [ends[k, n] for n in range(1, order) for k in (0, 1)]
    motion = make(ends[0, 0], ends[1, 0], 1.7, *rates)
    t = np.linspace(0, 1.7, 9)
    for j in range(3):
        wanted = BPoly.from_derivatives([0, 1.7], ends[:, :, j])
        for n, x in enumerate(motion(t)):
            near(x[:, j], wanted.derivative(n)(t) if n else wanted(t), 1e-12)
    assert motion(t.reshape(3, 3)).q.shape == (3, 3, 3)
    near(motion(9.0).q, ends[1, 0])
    assert not np.any(motion(9.0).qd) and not np.any(motion(-1.0).qdd)


@pytest.mark.parametrize("far", [0.1, 5.0])
def test_trapezoidal_motions_keep_and_reach_the_limits(far: float) -> None:
    """Long and short ways; one joint has its largest velocity or acceleration, none exceeds it;
    each curve is the derivative of the one before.
    """
    q0, q1 = RNG.normal(size=4), RNG.normal(size=4)
    q1 = q0 + far * (q1 - q0)
    q1[2] = q0[2]
    v, a = RNG.uniform(0.5, 1, (2, 4))
    motion = sv.trapezoidal_motion(q0, q1, v, a)
    t = np.linspace(0, motion.duration, 20001)
    q, qd, qdd = motion(t)
    near(q[[0, -1]], [q0, q1], 1e-12)
    near(qd[[0, -1]], np.zeros((2, 4)), 1e-12)
    ratio = [np.max(np.abs(qd) / v), np.max(np.abs(qdd) / a)]
    assert (max(ratio) <= 1 + 1e-9 and abs(ratio[1] - 1) < 1e-9) or abs(ratio[0] - 1) < 1e-9
    step = t[1]
    near(np.diff(q, axis=0) / step, (qd[1:] + qd[:-1]) / 2, 1e-3)
    jumps = np.abs(np.diff(qd, axis=0) / step - qdd[1:]).max(axis=1) > 1e-6
    assert jumps.sum() <= 4


def test_motions_that_go_nowhere_take_no_time() -> None:
    motion = sv.trapezoidal_motion([1, 2], [1, 2], 1, 1)
    assert motion.duration == 0
    near(motion(0.5).q, [1, 2])
    assert "Motion of 0 s" in repr(motion)


def test_a_motion_is_an_argument_of_inverse_dynamics() -> None:
    robot = sv.puma560()
    q0, q1 = sv.random_configuration(robot, np.random.default_rng(1), 2)
    motion = sv.quintic_motion(q0, q1, 2.0)
    assert sv.ID(robot, *motion(np.linspace(0, 2, 5))).shape == (5, 6)
