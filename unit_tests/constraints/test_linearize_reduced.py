"""The reduced linear system has those motions of the full one that satisfy the constraints."""

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from helpers import near
from scipy.linalg import expm, solve_continuous_are
from test_linearize import HELD, draw, hold

import spatial_v2 as sv
from derivatives import linearize

held_trees = pytest.mark.parametrize("name", HELD)


def at_rest(
    name: str, shape: tuple[int, ...] = ()
) -> tuple[sv.Model, Any, Any, Any, sv.ConstraintSet]:
    """Return a state at rest, with joint forces and constraint forces in equilibrium."""
    model, s = draw(name, shape)
    held = hold(model, s.q[0] if shape else s.q)
    qd = 0 * s.qd
    G = sv.constraint_jacobian(model, s.q, held)
    push = np.random.default_rng(1).normal(size=held.m) @ G
    return model, s.q, qd, sv.ID(model, s.q, qd, qd) - push, held


@held_trees
@pytest.mark.parametrize("baumgarte", [None, (30.0, 7.0)])
def test_the_reduced_system_is_invariant_at_an_equilibrium(name: str, baumgarte: Any) -> None:
    """At an equilibrium ``A W = W A_z`` and ``B = W B_z``, for the reduced system (A_z, B_z) and
    the basis W.

    The poles of the reduced system are therefore poles of the full one.
    """
    model, q, qd, tau, held = at_rest(name)
    near(sv.KKT_FD(model, q, qd, tau, held).qdd, qd, 1e-10)
    how: Any = {"constraints": held, "baumgarte": baumgarte}
    A, B = linearize(model, q, qd, tau, **how)
    small, b, W = linearize(model, q, qd, tau, **how, reduce=True)
    assert small.shape[-1] == 2 * (model.NV - held.m)
    near(A @ W, W @ small, 1e-10)
    near(W @ b, B, 1e-12)
    near(W.T @ W, np.eye(len(small)), 1e-13)
    near(expm(0.1 * A) @ W, W @ expm(0.1 * small), 1e-9)
    gap = np.abs(np.linalg.eigvals(A)[:, None] - np.linalg.eigvals(small)).min(axis=0)
    assert gap.max() < 1e-5 * max(1.0, np.abs(A).max())


def moved(model: sv.Model, q: Any, qd: Any, qdd: Any, t: float) -> tuple[Any, Any]:
    """Compute the state after a short time, to second order."""
    return sv.configurationAddition(model, q, t * qd + t * t / 2 * qdd), qd + t * qdd


@held_trees
def test_the_reduced_system_is_invariant_along_a_motion(name: str) -> None:
    """Along a motion ``A W - W' = W A_z``, where W' is the time derivative of the basis W, by
    differences.
    """
    model, s = draw(name)
    held = hold(model, s.q)
    qd = sv.project_velocity(model, s.q, s.qd, held)
    qdd = sv.KKT_FD(model, s.q, qd, s.tau, held).qdd
    A, B = linearize(model, s.q, qd, s.tau, constraints=held)
    small, b, W = linearize(model, s.q, qd, s.tau, constraints=held, reduce=True)
    n, r = model.NV, len(small) // 2
    N = W[:n, :r]

    def basis(t: float) -> np.ndarray:
        q, v = moved(model, s.q, qd, qdd, t)
        rows = held.rows(model, q, v, 0 * v)
        inverse = np.linalg.pinv(rows.G)
        kept = N - inverse @ rows.G @ N
        return np.block([[kept, 0 * kept], [-inverse @ rows.w_q @ kept, kept]])

    near(basis(0.0), W, 1e-12)
    h = 1e-3
    rate = (8 * (basis(h) - basis(-h)) - basis(2 * h) + basis(-2 * h)) / (12 * h)
    near(A @ W - rate, W @ small, 1e-8)
    near(W @ b, B, 1e-12)


def test_states_of_a_batch_are_as_alone_and_dependent_rows_add_nothing() -> None:
    """Each state of a batch gives its own result; repeated rows have no effect."""
    model, q, qd, tau, held = at_rest("floating", (4,))
    many = linearize(model, q, qd, tau, constraints=held, reduce=True)
    twice = sv.ConstraintSet(model, [*held.constraints, held.constraints[1]])
    for k in range(4):
        one = linearize(model, q[k], qd[k], tau[k], constraints=held, reduce=True)
        near(many.A[k], one.A, 1e-11)
        near(many.basis[k], one.basis, 1e-12)
        again = linearize(
            model, q[k], qd[k], tau[k], constraints=twice, rank="minimum_norm", reduce=True
        )
        assert again.A.shape == one.A.shape
        C = again.basis.T @ one.basis
        near(C.T @ again.A @ C, one.A, 1e-9)


@pytest.mark.parametrize("dependent", [False, True])
@pytest.mark.parametrize("bad", [0, 2])
def test_nan_in_a_batch_stays_in_its_state(dependent: bool, bad: int) -> None:
    model, q, qd, tau, held = at_rest("floating", (3,))
    options: dict[str, Any] = {"constraints": held, "reduce": True}
    if dependent:
        twice = sv.ConstraintSet(model, [*held.constraints, held.constraints[1]])
        options |= {"constraints": twice, "rank": "minimum_norm"}
    good, q = linearize(model, q, qd, tau, **options), q.copy()
    q[bad, -1] = np.nan
    found = linearize(model, q, qd, tau, **options)
    for x, y in zip(found, good, strict=True):
        assert np.isnan(x[bad]).all()
        near(np.delete(x, bad, 0), np.delete(y, bad, 0), 1e-11)


def test_without_constraints_the_reduced_system_is_the_whole() -> None:
    model, s = draw("floating")
    whole, found = linearize(model, s.q, s.qd, s.tau), linearize(
        model, s.q, s.qd, s.tau, reduce=True
    )  # fmt: skip
    near(found.basis @ found.A @ np.linalg.inv(found.basis), whole.A, 1e-12)


def test_lqr_balances_a_robot_on_one_foot() -> None:
    """LQR with the reduced system of a robot on one foot moves every pole to the left
    half-plane.
    """
    model, q, qd, tau, held = at_rest("floating")
    foot = sv.surface_contact(model.NB - 1).placed(model, q)
    held = sv.ConstraintSet(model, [foot])
    tau = sv.ID(model, q, qd, qd) - np.ones(6) @ sv.constraint_jacobian(model, q, held)
    S = np.eye(model.NV)[:, 6:]
    A, B, W = linearize(model, q, qd, tau, S, constraints=held, reduce=True)
    P = solve_continuous_are(A, B, np.eye(len(A)), np.eye(B.shape[1]))
    K = B.T @ P @ np.linalg.pinv(W)
    full = linearize(model, q, qd, tau, S, constraints=held)
    poles = np.linalg.eigvals(full.A - full.B @ K)
    assert (poles.real < -1e-3).sum() == len(A)


@pytest.mark.parametrize("speed", [1e-2, 1.0, 1e3])
def test_velocities_may_break_the_constraints_by_rounding_of_any_speed(speed: float) -> None:
    """Velocities may violate the constraints by a millionth of the terms of ``G qd``, for any speed
    of the robot.
    """
    model, s = draw("floating")
    held = hold(model, s.q)
    G = np.asarray(sv.constraint_jacobian(model, s.q, held))
    kept = np.asarray(sv.project_velocity(model, s.q, s.qd, held))
    terms = (np.abs(G) @ np.abs(kept)).max()
    wrong = np.linalg.pinv(G) @ np.eye(held.m)[0] * 1e-6 * terms
    for share in (0.0, 0.5, -0.5):
        qd = speed * (kept + share * wrong)
        linearize(model, s.q, qd, s.tau, constraints=held, reduce=True)
    for share in (2.0, -2.0):
        with pytest.raises(sv.SpatialError, match=r"qd: violates the constraints by .* in row 0;"):
            qd = speed * (kept + share * wrong)
            linearize(model, s.q, qd, s.tau, constraints=held, reduce=True)


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize("gravity", [1e-3, 9.81])
def test_a_robot_is_at_rest_by_its_own_length_and_rate(length: float, gravity: float) -> None:
    """Near rest, velocities may violate the constraints by 1e-9 of the speed that the robot has by
    its own length and the fastest rate of its motion.
    """
    bob = sv.mcI(1.0, [0, -length, 0], np.zeros((3, 3)))
    slide = sv.mcI(1.0, np.zeros(3), np.zeros((3, 3)))
    model = sv.Model(
        parent=[-1, 0], jtype=["Px", "Rz"], Xtree=[np.eye(6)] * 2, I=[slide, bob],
        gravity=[0, -gravity, 0],
    )  # fmt: skip
    held = [sv.PointConstraint(0, directions=[[1, 0, 0]])]
    speed = 1e-9 * length * np.sqrt(gravity / length)
    for share, refused in ((0.5, False), (2.0, True), (-0.5, False), (-2.0, True)):
        state = np.zeros(2), np.array([share * speed, 0.0]), np.zeros(2)
        with pytest.raises(sv.SpatialError, match="qd: violates") if refused else nullcontext():
            linearize(model, *state, constraints=held, reduce=True)


def test_wrong_arguments_are_refused() -> None:
    model, s = draw("floating")
    held = hold(model, s.q)
    with pytest.raises(
        sv.SpatialError, match="qd: violates the constraints by .* project_velocity"
    ):
        linearize(model, s.q, s.qd, s.tau, constraints=held, reduce=True)
    with pytest.raises(sv.SpatialError, match="damping: reduce=True wants 0, .* got 0.1"):
        linearize(model, s.q, 0 * s.qd, s.tau, constraints=held, damping=0.1, reduce=True)
    with pytest.raises(sv.SpatialError, match="complex"):
        linearize(model, s.q, 0j * s.qd, s.tau, constraints=held, reduce=True)


def test_rows_that_cannot_be_integrated_are_refused_along_a_motion() -> None:
    """A blade forbids sideways velocity, but its neighbours drift sideways: G dq does not stay
    zero.

    At rest the reduced system holds, and so do rows of a body that moves in a plane.
    """
    Z, I = np.zeros((6, 6)), sv.mcI(1, [0, 0, 0], 0.1 * np.eye(3))
    sleigh = sv.Model(
        parent=[-1, 0, 1], jtype=["Px", "Py", "Rz"], Xtree=[np.eye(6)] * 3, I=[Z, Z, I]
    )
    blade, tau = [sv.FrameConstraint(2, rows=[4], frame1=np.eye(6))], np.zeros(3)
    for speed in (1e-3, 1.0, 1e3):
        with pytest.raises(
            sv.SpatialError, match=r"constraints\[0\]: its rows cannot be integrated"
        ):
            linearize(sleigh, tau, [speed, 0, 0], tau, constraints=blade, reduce=True)
    A, _, W = linearize(sleigh, tau, tau, tau, constraints=blade, reduce=True)
    near(linearize(sleigh, tau, tau, tau, constraints=blade).A @ W, W @ A)
    box = sv.Model(
        parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[sv.mcI(1, [0, 0, 0], np.eye(3))]
    )
    q, flat = np.array([1.0, 0, 0, 0, 0.1, 0.2, 0]), [sv.surface_contact(0, sticks=False)]
    qd = np.array([0, 0, 0.7, 1.0, -2.0, 0])
    found = linearize(box, q, qd, 0 * qd, constraints=flat, reduce=True)
    assert found.A.shape == (6, 6)


@pytest.mark.parametrize("digits", [2, 4, 6, 8, 10, 12])
@pytest.mark.filterwarnings("ignore::spatial_v2.RankWarning")
def test_nearly_parallel_rows_count_as_in_the_equations_of_motion(digits: int) -> None:
    """A pendulum on a carriage with two nearly parallel rails: if both count, the square of its
    frequency is 10; if one counts, the carriage moves, too: 20 and 0. The decision is that of
    `KKT_FD`.
    """
    Z, z, tau = np.zeros((3, 3)), np.zeros(3), np.array([20.0, 0.0, 0.0])
    I = [sv.mcI(0, z, Z), sv.mcI(1, z, Z), sv.mcI(1, [-1, 0, 0], Z)]
    swing = sv.Model(
        parent=[-1, 0, 1], jtype=["Px", "Py", "Rz"], Xtree=[np.eye(6)] * 3, I=I, gravity=[-10, 0, 0]
    )
    rails = [sv.PointConstraint(1, directions=[[1, x, 0]]) for x in (0.0, 10.0**-digits)]
    A = linearize(swing, z, z, tau, constraints=rails, reduce=True, rank="minimum_norm").A
    r = len(A) // 2
    near(np.sort(-np.linalg.eigvals(A[r:, :r])), [0, 20] if digits > 5 else [10], 1e-4)
    if digits > 5:
        with pytest.raises(sv.SpatialError, match="rank 1 only"):
            sv.KKT_FD(swing, z, z, tau, rails)
    else:
        sv.KKT_FD(swing, z, z, tau, rails)
