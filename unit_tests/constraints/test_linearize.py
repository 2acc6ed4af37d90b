"""The linearisation about a motion agrees with the propagation of errors by time steps."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_array_equal

import spatial_v2 as sv
from benchmarks.paper_003.robot import moving_robot
from derivatives import FD_derivatives, KKT_FO_derivatives, linearize

NAMES = ["chain", "spherical", "SO3", "floating", "SE3", "mixed", "two_floating", "planar_tree",
         "floating_rotors", "moving robot"]  # fmt: skip
trees = pytest.mark.parametrize("name", zoo.over(NAMES))


def draw(name: str, shape: tuple[int, ...] = ()) -> tuple[sv.Model, zoo.State]:
    model = moving_robot() if name == "moving robot" else zoo.build(name)
    return model, zoo.states(model, np.random.default_rng([*name.encode()]), shape)


def midpoint(
    model: sv.Model, q: Any, qd: Any, tau: Any, h: float, accelerate: Any = sv.FDab
) -> tuple[Any, Any]:
    """Compute a step of the midpoint rule along the velocity variables."""
    half = sv.configurationAddition(model, q, h / 2 * qd)
    rate = qd + h / 2 * accelerate(model, q, qd, tau)
    return sv.configurationAddition(model, q, h * rate), qd + h * accelerate(model, half, rate, tau)


def of_step(
    model: sv.Model, s: zoo.State, h: float, accelerate: Any = sv.FDab
) -> tuple[np.ndarray, np.ndarray]:
    """Compute ``(J - 1) / h`` and ``J_u / h`` by central differences.

    J and J_u are the derivatives of a time step of length h with respect to state and joint forces.
    """
    n, d = model.NV, 1e-5
    here = midpoint(model, s.q, s.qd, s.tau, h, accelerate)

    def moved(sign: int) -> np.ndarray:
        eps = sign * d * np.eye(3 * n)
        q = sv.configurationAddition(model, s.q, eps[:, :n])
        given = q, s.qd + eps[:, n : 2 * n], s.tau + eps[:, 2 * n :]
        q, qd = midpoint(model, *given, h, accelerate)
        return np.concatenate([sv.configurationDifference(model, here[0], q), qd - here[1]], -1).T

    J = (moved(1) - moved(-1)) / (2 * d)
    return (J[:, : 2 * n] - np.eye(2 * n)) / h, J[:, 2 * n :] / h


@trees
def test_linearization_is_the_jacobian_of_a_step(name: str) -> None:
    """Time steps differ from the linearisation by an error of first order in their length."""
    model, s = draw(name)
    A, B = linearize(model, s.q, s.qd, s.tau)
    steps = np.array([1e-3, 3e-4, 1e-4])
    errors = []
    for h in steps:
        found = of_step(model, s, h)
        errors.append([np.abs(x - y).max() for x, y in zip(found, (A, B), strict=True)])
    for k in (0, 1):
        slope = np.polyfit(np.log(steps), np.log([e[k] for e in errors]), 1)[0]
        assert abs(slope - 1) < 0.1, (slope, errors)


@pytest.mark.parametrize("name", ["spherical", "SO3", "floating", "SE3"])
def test_without_the_turning_frame_the_jacobian_is_wrong(name: str) -> None:
    """With zero in place of the block -ad(qd), the matrix does not approach the derivative of a
    time step.
    """
    model, s = draw(name)
    A = linearize(model, s.q, s.qd, s.tau).A.copy()
    A[: model.NV, : model.NV] = 0
    assert np.abs(of_step(model, s, 1e-4)[0] - A).max() > 0.1


@trees
def test_blocks_are_those_of_forward_dynamics(name: str) -> None:
    """The blocks of A are -ad(qd) of every joint, the identity, and derivatives of forward
    dynamics.
    """
    model, s = draw(name, (2, 6))
    n = model.NV
    A, B = linearize(model, s.q, s.qd, s.tau)
    P, Q, U = FD_derivatives(model, s.q, s.qd, s.tau)
    assert_array_equal(A[..., n:, :n], P)
    assert_array_equal(A[..., n:, n:], Q)
    assert_array_equal(A[..., :n, n:], np.broadcast_to(np.eye(n), P.shape))
    assert_array_equal(B, np.concatenate([0 * U, U], -2))
    ad = np.zeros(P.shape)
    for vs, nv in zip(model.vinds, model.nv, strict=True):
        x = s.qd[..., vs, None]
        if nv > 1:
            ad[..., vs, vs] = sv.crm(x) if nv == 6 else sv.skew(x)
    assert_array_equal(A[..., :n, :n], -ad)


@trees
@pytest.mark.parametrize("frame", ["base", "body"])
def test_external_forces_are_part_of_the_linearization(name: str, frame: Any) -> None:
    """With external forces, the derivative of a step agrees to first order, with constraints and
    without.
    """
    model, s = draw(name)
    push: Any = {"f_ext": s.f_ext, "frame": frame}
    held: Any = hold(model, s.q) if name in HELD else []

    def accelerate(model: sv.Model, q: Any, qd: Any, tau: Any) -> Any:
        return sv.KKT_FD(model, q, qd, tau, held, **push).qdd

    found = linearize(model, s.q, s.qd, s.tau, constraints=held, **push)
    coarse, fine = (of_step(model, s, h, accelerate) for h in (4e-4, 1e-4))
    for x, y, z in zip(found, coarse, fine, strict=True):
        error, size = np.abs(x - z).max(), max(1.0, np.abs(x).max())
        assert error < 0.3 * np.abs(x - y).max() + 1e-6 * size
        assert error < 0.02 * size


@trees
def test_input_matrices_select_joint_forces(name: str) -> None:
    """With an actuation matrix S, for all states or for each, the input matrix is ``B S``.

    B is the input matrix for joint forces.
    """
    model, s = draw(name, (4,))
    rng = np.random.default_rng(0)
    B = linearize(model, s.q, s.qd, s.tau).B
    for S in (rng.normal(size=(model.NV, 2)), rng.normal(size=(4, model.NV, 3))):
        near(linearize(model, s.q, s.qd, s.tau, S).B, B @ S, 1e-13)
    assert linearize(model, s.q, s.qd, s.tau, np.zeros((model.NV, 0))).B.shape == (
        4, 2 * model.NV, 0,
    )  # fmt: skip


@pytest.mark.parametrize("wrong", [np.ones(10), np.ones((9, 2)), [["x"]], 3.0])
def test_wrong_inputs_are_refused(wrong: Any) -> None:
    model, s = draw("floating")
    with pytest.raises(sv.ArrayShapeError, match="actuation"):
        linearize(model, s.q, s.qd, s.tau, wrong)


HELD = ["spherical", "floating", "mixed", "planar_tree", "floating_rotors"]
held_trees = pytest.mark.parametrize("name", HELD)
OPTIONS: list[dict[str, Any]] = [{}, {"damping": 0.3}, {"baumgarte": (30.0, 7.0)}]


def hold(model: sv.Model, q: np.ndarray) -> sv.ConstraintSet:
    """Return two constraints that hold at q.

    A point of the last body may only move along a line or in a plane, and rotations of another body
    are constrained.
    """
    d = len(model.gravity)
    rail = np.eye(d)[:1] if model.NV < 10 else np.eye(d)[:2]
    point = sv.PointConstraint(model.NB - 1, [0.3, -0.2, 0.1][:d], directions=rail)
    axis = sv.FrameConstraint(1, rows=[0] if model.is_planar else [0, 1])
    return sv.ConstraintSet(model, [point, axis]).placed(model, q)


@held_trees
@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "damping", "baumgarte"])
def test_constrained_linearization_is_the_jacobian_of_a_step(
    name: str, options: dict[str, Any]
) -> None:
    """Time steps with constraints differ by an error of first order in their length.

    This holds for states that violate the constraints, too.
    """
    model, s = draw(name)
    held = hold(model, s.q)

    def accelerate(model: sv.Model, q: Any, qd: Any, tau: Any) -> Any:
        return sv.KKT_FD(model, q, qd, tau, held, **options).qdd

    found = linearize(model, s.q, s.qd, s.tau, constraints=held, **options)
    steps, errors = np.array([3e-4, 1e-4, 3e-5]), []
    for h in steps:
        there = of_step(model, s, h, accelerate)
        errors.append([np.abs(x - y).max() for x, y in zip(there, found, strict=True)])
    for k in (0, 1):
        slope = np.polyfit(np.log(steps), np.log([e[k] for e in errors]), 1)[0]
        assert abs(slope - 1) < 0.1, (slope, errors)


def tangent(model: sv.Model, q: Any, qd: Any, held: sv.ConstraintSet) -> np.ndarray:
    """Compute ``[e_q, 0; w_q, G]``, whose product with deviations (dq, dqd) that satisfy the
    linearised constraints is zero.
    """
    d, e_q = sv.constraint_derivatives(model, q, qd, 0 * qd, held), held.rows(model, q, qd, qd).e_q
    return np.block([[e_q, 0 * e_q], [d.dw_dq, d.dw_dqd]])


@held_trees
def test_neighbours_on_the_constraints_stay_on_them(name: str) -> None:
    """A deviation that satisfies the linearised constraints satisfies them after a step ``1 + h A``
    up to order h^2.
    """
    model, s = draw(name)
    held = hold(model, s.q)
    qd = sv.project_velocity(model, s.q, s.qd, held)
    Z = tangent(model, s.q, qd, held)
    eps = np.linalg.svd(Z)[2][np.linalg.matrix_rank(Z) :].T
    assert eps.shape[1] == 2 * (model.NV - held.m)
    A = linearize(model, s.q, qd, s.tau, constraints=held).A
    steps, left = np.array([1e-3, 3e-4, 1e-4]), []

    def accelerate(model: sv.Model, q: Any, qd: Any, tau: Any) -> Any:
        return sv.KKT_FD(model, q, qd, tau, held).qdd

    for h in steps:
        there = midpoint(model, s.q, qd, s.tau, h, accelerate)
        left.append(np.abs(tangent(model, *there, held) @ (eps + h * A @ eps)).max())
    slope = np.polyfit(np.log(steps), np.log(left), 1)[0]
    assert abs(slope - 2) < 0.1, (slope, left)


def test_blocks_with_constraints_are_those_of_constrained_dynamics() -> None:
    """The blocks are derivatives of constrained forward dynamics, and without constraints of free
    forward dynamics.
    """
    model, s = draw("floating", (2, 3))
    held = hold(model, s.q[0, 0])
    n = model.NV
    for options in OPTIONS:
        A, B = linearize(model, s.q, s.qd, s.tau, constraints=held, **options)
        d = KKT_FO_derivatives(model, s.q, s.qd, s.tau, held, **options)
        near(A[..., n:, :], np.concatenate([d.dqdd_dq, d.dqdd_dqd], -1), 1e-13)
        near(B[..., n:, :], d.dqdd_dtau, 1e-13)
    free = linearize(model, s.q, s.qd, s.tau)
    near(linearize(model, s.q, s.qd, s.tau, constraints=[]).A, free.A, 1e-13)
    near(A[..., :n, :], free.A[..., :n, :], 1e-13)


def test_wrong_constraints_are_refused() -> None:
    model, s = draw("floating")
    twice = [sv.PointConstraint(2), sv.PointConstraint(2)]
    with pytest.raises(sv.ModelError, match=r"constraints\[0\].body2"):
        linearize(model, s.q, s.qd, s.tau, constraints=[sv.PointConstraint(99)])
    with pytest.raises(sv.SpatialError, match="rank 3"):
        linearize(model, s.q, s.qd, s.tau, constraints=twice)
    assert linearize(model, s.q, s.qd, s.tau, constraints=twice, rank="minimum_norm")
    wrong: dict[str, Any]
    for wrong in ({"rank": "least"}, {"damping": -1}, {"baumgarte": 3}, {"damping": np.ones(2)}):
        with pytest.raises(sv.SpatialError, match=f"{next(iter(wrong))}: want"):
            linearize(model, s.q, s.qd, s.tau, **wrong)
