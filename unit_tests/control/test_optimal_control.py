"""The short forms of the scripts in examples/optimal_control run, and give the results that their
texts describe.
"""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from derivatives.reference import complex_step
from spatial_v2 import time_step
from spatial_v2.control import solve
from spatial_v2.export import compiler

FOLDER = Path(__file__).parents[2] / "examples" / "optimal_control"


def run(name: str) -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / name), run_name="example")


@pytest.fixture(scope="module")
def lift() -> dict[str, Any]:
    return run("lift.py")


def test_exact_hessians_save_steps_of_ipopt(capsys: pytest.CaptureFixture[str]) -> None:
    """Exact Hessians need fewer iterations than approximate ones for the same cost.

    The torques in the solution are those of the motion.
    """
    pytest.importorskip("casadi")
    report = run("transcription.py")["main"](quick=True)
    exact, bfgs = "exact Hessian", "limited-memory BFGS"
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert report[f"{exact}: iterations"] <= 20 < report[f"{bfgs}: iterations"]
    assert report[f"{exact}: effort"] == pytest.approx(report[f"{bfgs}: effort"], rel=1e-6)
    for name in (exact, bfgs):
        assert report[f"{name}: missing torque"] < 1e-6


@pytest.mark.slow
@pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed")
def test_all_solvers_find_the_same_motion(capsys: pytest.CaptureFixture[str]) -> None:
    """IPOPT, and acados where it is, have the cost of `solve` with the dynamics in C."""
    pytest.importorskip("casadi")
    rows = run("solvers.py")["main"]()
    assert len(capsys.readouterr().out.splitlines()) >= len(rows) >= 5
    ends = {(row.solver, row.hessian): row for row in rows}
    best = ends["solve, newton", "exact"]
    assert best.status == "converged"
    for row in (ends["solve, ddp", "exact"], ends["IPOPT", "exact"]):
        assert row.cost == pytest.approx(best.cost, rel=1e-6), row


def test_transcription_has_the_derivatives_that_it_says() -> None:
    """Jacobian and Hessian of the Lagrangian agree with complex steps and differences."""
    e = run("transcription.py")
    p = e["Transcription"](e["puma560"](), e["LIMIT"], 4, 0.5)
    rng = np.random.default_rng(0)
    x, d = rng.normal(size=(2, p.size))
    m = len(p.constraints(x))
    weights = rng.normal(size=m)
    J = np.zeros((m, p.size))
    np.add.at(J, p.jacobianstructure(), p.jacobian(x))
    step = 1e-6
    moved = (p.constraints(x + step * d) - p.constraints(x - step * d)) / (2 * step)
    assert_allclose(J @ d, moved, rtol=0, atol=1e-7 * np.abs(moved).max())

    def slope(x: np.ndarray) -> np.ndarray:
        J = np.zeros((m, p.size))
        np.add.at(J, p.jacobianstructure(), p.jacobian(x))
        return 3 * p.gradient(x) + weights @ J

    H = np.zeros((p.size, p.size))
    np.add.at(H, p.hessianstructure(), p.hessian(x, weights, 3.0))
    H += np.tril(H, -1).T
    moved = (slope(x + step * d) - slope(x - step * d)) / (2 * step)
    assert_allclose(H @ d, moved, rtol=0, atol=1e-7 * np.abs(moved).max())


def test_lift_has_the_derivatives_that_it_says(lift: dict[str, Any]) -> None:
    problem = lift["Lift"](10.0, 4)
    rng = np.random.default_rng(0)
    w = problem.guess()
    w, d = w + 0.1 * rng.normal(size=w.shape), rng.normal(size=w.shape)
    J, rough = (problem.jacobian(w, exact).toarray() for exact in (True, False))
    assert_allclose(rough, J, rtol=0, atol=1e-5 * np.abs(J).max())
    assert np.abs(rough - J).max() > 1e-10 * np.abs(J).max()
    p, step = rng.normal(size=len(J)), 1e-6
    moved = [p @ problem.jacobian(w + s * step * d, True).toarray() for s in (1, -1)]
    expected = (moved[0] - moved[1]) / (2 * step)
    found = (problem.hessian(w, p) - problem.H) @ d
    assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.slow
def test_better_derivatives_save_steps_of_sqp(lift: dict[str, Any]) -> None:
    """Convergence is quadratic with exact Hessians and linear without; with differences it stops at
    larger errors.
    """
    problem = lift["Lift"](15.0, 20)
    found = {
        name: lift["solve"](problem, problem.guess(), **options)
        for name, options in lift["METHODS"].items()
    }
    best, _, _ = found["exact first and second"]
    assert np.abs(problem.residual(best)).max() < 1e-9
    far = {
        name: [float(np.linalg.norm(w - best)) for w in history]
        for name, (_, _, history) in found.items()
    }
    newton, gauss = far["exact first and second"], far["exact first"]
    assert len(newton) < len(gauss)
    assert newton[-2] < 1e-2 * newton[-3]
    assert gauss[-1] < 1e-3
    assert far["differences"][-1] > 10 * newton[-2]
    x, _ = problem.split(best)
    feet = np.abs(x[:, :3]).max()
    assert feet < 0.01, "the foot stays on the ground"
    assert_allclose(x[10, 3:8], lift["BENT"], atol=1e-8)


@pytest.mark.slow
def test_lift_is_a_motion_of_two_shooting_problems(lift: dict[str, Any]) -> None:
    """`solve` finds the motion of SQP with exact Hessians, in fewer iterations than without."""
    problem, problems = lift["Lift"](15.0, 20), lift["halves"](15.0, 20)
    w, _, _ = lift["solve"](problem, problem.guess(), newton=True)
    newton, gauss = (lift["solve_halves"](problems, method) for method in ("newton", "ilqr"))
    assert {x.status for x in newton} == {"converged"}
    for one, other in zip(newton, gauss, strict=True):
        assert one.iterations < other.iterations
    assert_allclose(sum(x.cost for x in newton), w @ problem.H @ w / 2, rtol=1e-7)
    u = np.concatenate([x.trajectory.u for x in newton])
    assert_allclose(u, problem.split(w)[1], rtol=0, atol=1e-5)


def test_regulator_has_the_cost_of_the_linear_theory(capsys: pytest.CaptureFixture[str]) -> None:
    """Near the goal the cost is that of the linear theory, farther away it is not; the pole stands
    upright at the end.
    """
    report = run("balance.py")["main"](quick=True)
    assert report["fastest growth, free"] > 3
    assert report["fastest growth, held"] < -1
    assert report["cost over theory, from 0.01 of the start"] == pytest.approx(1, abs=0.02)
    assert report["cost over theory, from 0.5 of the start"] > 1.1
    assert report["error left, from 0.5 of the start"] < 0.02


def test_cart_swings_its_pole_up(capsys: pytest.CaptureFixture[str]) -> None:
    """The derivative of the cost with respect to each force is zero, or has the right sign at a
    bound.

    The motion is unstable: simulated from the controls, defects grow a millionfold. The solver
    therefore continues until they are as small as rounding errors.
    """
    e = run("cart_pole.py")
    report = e["main"](quick=True)
    assert report["iterations, newton"] < 60
    found, limit, h = solve(e["PROBLEM"], tolerance=1e-14), e["LIMIT"], e["H"]
    u = found.trajectory.u

    def cost(u: Any) -> Any:
        q, v, total = np.array([0, np.pi]) + 0 * u[..., :2], 0 * u[..., :2], 0.0
        for k in range(u.shape[-1]):
            total = (
                total + h * (0.1 * q**2 + 0.01 * v**2).sum(-1) / 2 + h * 0.02 * u[..., k] ** 2 / 2
            )
            tau = np.stack([u[..., k], 0 * u[..., k]], axis=-1)
            q, v = time_step(e["MODEL"], q, v, tau, h)
        return (total + (500 * q**2 + 50 * v**2).sum(-1) / 2)[..., None]

    assert cost(u[:, 0])[0] == pytest.approx(found.cost, rel=1e-6)
    g = complex_step(cost, u[:, 0])[0]
    assert np.abs(u[:, 0] - np.clip(u[:, 0] - g, -limit, limit)).max() < 1e-6
    assert (u == limit).sum() > 2 and np.abs(u).max() == limit
    assert np.abs(found.trajectory.q[-1]).max() < 0.05


def test_pole_stays_up_when_its_cart_is_pushed(capsys: pytest.CaptureFixture[str]) -> None:
    """With one iteration in each step the pole stays up, and forces stay within their bounds."""
    e = run("cart_pole_mpc.py")
    report = e["main"](quick=False)
    assert report["largest angle [rad]"] < 0.6
    assert report["angle at the end [rad]"] < 0.02
    assert report["largest force [N]"] <= e["LIMIT"]
    assert len(capsys.readouterr().out.splitlines()) == len(report)


def test_whole_body_controller_keeps_its_limits(capsys: pytest.CaptureFixture[str]) -> None:
    """The robot follows its path, and its soles stay in place, within all limits."""
    pytest.importorskip("osqp")
    report = run("whole_body.py")["main"](quick=True)
    assert report["centre of mass off its course [m]"] < 2e-3
    assert report["soles moved [m, rad]"] < 1e-4
    assert report["largest torque over its limit"] < 1
    assert report["wrenches beyond their limits [N, N m]"] < 0.1
    assert report["iterations of OSQP, mean"] < 500
