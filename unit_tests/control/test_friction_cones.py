"""Contact forces within second-order cones, in one problem and in batches."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near

import spatial_v2 as sv
from derivatives.reference import complex_step
from spatial_v2.control import (
    Bounds,
    CentreOfMass,
    ContactForce,
    ContactPhase,
    ControlCost,
    Instants,
    ShootingProblem,
    Solution,
    SquareCost,
    StateCost,
    solve,
    time_step,
)

MODEL, N, H = zoo.build("floating"), 6, 0.02
FOOT = [sv.PointConstraint(4, [0.3, 0.1, -0.2], -1, directions=np.eye(3))]
START, REST, WIDTH = sv.neutral(MODEL), np.zeros(MODEL.NV), 1.0
WEIGHT, KEPT, REACH, TO = 10.0, 100.0, 1e6, np.array([0.02, 0.01, 0.02])
METHODS = ("newton", "ddp", "ilqr")
T = np.matrix_transpose


class Cone:
    """Values of forces outside a cone of friction, ``sqrt(x^2 + y^2 + w^2) - mu z``: positive; the
    width w rounds its tip.
    """

    def __init__(self, mu: float, side: float) -> None:
        self.force, self.slope = ContactForce(MODEL, FOOT), mu * side

    def value(self, at: Instants) -> np.ndarray:
        f = self.force.value(at)
        return np.asarray(radius(f) - self.slope * f[..., 2:])

    def direction(self, f: np.ndarray) -> np.ndarray:
        flat = f * [1.0, 1.0, 0.0] / radius(f)
        return np.asarray(flat - self.slope * np.array([0.0, 0.0, 1.0]))

    def jacobian(self, at: Instants) -> np.ndarray:
        d = self.direction(self.force.value(at))
        return np.asarray(d[..., None, :] @ self.force.jacobian(at))

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        f, J = self.force.value(at), self.force.jacobian(at)
        flat = f * [1.0, 1.0, 0.0] / radius(f)
        bend = np.diag([1.0, 1.0, 0.0]) - flat[..., :, None] * flat[..., None, :]
        hessian += T(J) @ (bend * (weight / radius(f))[..., None]) @ J
        self.force.add_hessian(at, weight * self.direction(f), hessian)


def radius(f: Any) -> Any:
    return np.sqrt(f[..., :1] ** 2 + f[..., 1:2] ** 2 + WIDTH**2)


def problem(q: Any = START, cone: Cone | None = None) -> ShootingProblem:
    mass = CentreOfMass(MODEL)
    goal = mass.value(Instants(START, REST, np.zeros(0))) + TO
    return ShootingProblem(
        MODEL, q, REST, np.full(N, H), [ControlCost(WEIGHT), StateCost(MODEL, START, KEPT, KEPT)],
        [SquareCost(mass, REACH, goal)], phases=[ContactPhase(N, FOOT)],
        running_bounds=[] if cone is None else [Bounds(cone, -np.inf, 0.0)],
    )  # fmt: skip


def narrow(part: float = 0.6) -> Cone:
    """Return a cone that is narrower than the forces of the optimal motion without it."""
    t = solve(problem(), tolerance=1e-9).trajectory
    f = ContactForce(MODEL, FOOT).value(Instants(t.q[:-1], t.qd[:-1], t.u))
    side = float(np.sign(f[0, 2]))
    assert (side * f[:, 2] > 0).all()
    return Cone(part * float((radius(f)[:, 0] / (side * f[:, 2])).max()), side)


def gradient(u: np.ndarray, y: np.ndarray, cone: Cone) -> np.ndarray:
    """Compute the gradient of the Lagrangian by complex steps through simulated motions."""

    def lagrangian(x: Any) -> Any:
        x = x.reshape(*x.shape[:-1], *u.shape)
        q, v = START + 0 * x[..., 0, :1], REST + 0 * x[..., 0, :1]
        total = 0.0
        for k in range(N):
            f = sv.KKT_FD.reference(MODEL, q, v, x[..., k, :], FOOT)[1]
            total = total + y[k, 0] * (radius(f)[..., 0] - cone.slope * f[..., 2])
            off = sv.configurationDifference(MODEL, START, q)
            running = WEIGHT * x[..., k, :] ** 2 + KEPT * (off**2 + v**2)
            total = total + H * running.sum(-1) / 2
            q, v = time_step(MODEL, q, v, x[..., k, :], H, constraints=FOOT)
        start = sv.EnerMo(MODEL, START, REST).cm + TO
        off = sv.EnerMo.reference(MODEL, q, 0 * v).cm - start
        return (total + REACH * (off**2).sum(-1) / 2)[..., None]

    return np.asarray(complex_step(lagrangian, u.ravel())).ravel()


@pytest.mark.parametrize("method", METHODS)
def test_forces_stay_within_a_cone(method: Any) -> None:
    """The motion is optimal: some forces are at the cone, whose multipliers push inwards and make
    the gradient of the Lagrangian vanish.
    """
    cone = narrow()
    found = solve(problem(START, cone), method=method, tolerance=1e-9, max_iterations=200)
    assert found.status == "converged"
    t, (y,) = found.trajectory, found.multipliers
    values = cone.value(Instants(t.q[:-1], t.qd[:-1], t.u))
    assert (values < 1e-7).all() and (y >= 0).all() and (y > 1e-2).any()
    near(values * y, 0 * y, 1e-6)
    near(gradient(t.u, y, cone), 0 * t.u.ravel(), 1e-6)


def test_batches_within_a_cone_are_loops() -> None:
    """Problems that start elsewhere are solved as if alone."""
    rng, cone = np.random.default_rng(3), narrow()
    off = 1e-3 * rng.normal(size=(3, MODEL.NV))
    q = sv.configurationAddition(MODEL, START, off * (np.arange(MODEL.NV) > 5))
    many: Solution = solve(problem(q, cone), tolerance=1e-9)
    assert many.status.tolist() == ["converged"] * 3
    for k in range(3):
        one = solve(problem(q[k], cone), tolerance=1e-9)
        near(many.trajectory.u[k], one.trajectory.u, 1e-7)
        near(many.multipliers[0][k], one.multipliers[0], 1e-6)
