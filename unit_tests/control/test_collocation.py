"""Collocation: constraints, cost and derivatives by independent evaluations, and against CasADi."""

from typing import Any

import numpy as np
import pytest
from helpers import near
from scipy.sparse import coo_array
from test_shooting import replaced
from test_transcription import CASES, H, N, bounded
from test_transcription import Case as Shot

from spatial_v2 import FDab, SpatialError, configurationAddition, configurationDifference
from spatial_v2.constraints import KKT_FD, Impact_dyn
from spatial_v2.control import (
    ControlCost,
    Instants,
    ShootingProblem,
    StateCost,
    solve,
    transcribe,
)
from spatial_v2.models import autoTree

STEPS = np.array([-2, -1, 1, 2])
FIRST = np.array([1, -8, 8, -1]) / 12


class Case:
    """A transcribed problem with random unknowns x, multipliers y, and a direction d."""

    def __init__(self, name: str, more: Any = None) -> None:
        self.problem = Shot(name, **(more(name) if more else {})).problem
        self.p, rng = transcribe(self.problem, method="hermite_simpson"), np.random.default_rng(3)
        self.x = 0.3 * rng.normal(size=self.p.size)
        self.d = rng.normal(size=self.p.size)
        self.y = rng.normal(size=len(self.p.limits[0]))

    def along(self, f: Any, h: float = 1e-3) -> Any:
        """Compute the derivative of a function of the unknowns along d, by differences."""
        return sum(w * f(self.x + k * h * self.d) for k, w in zip(STEPS, FIRST, strict=True)) / h

    def slope(self, x: np.ndarray) -> np.ndarray:
        """Compute the gradient of the Lagrangian, with weight 0.7 of the cost."""
        g = 0.7 * self.p.gradient(x)
        np.add.at(g, self.p.jacobianstructure()[1], self.y[self.rows] * self.p.jacobian(x))
        return g

    @property
    def rows(self) -> np.ndarray:
        return self.p.jacobianstructure()[0]


@pytest.mark.parametrize(("name", "more"), CASES)
def test_derivatives(name: str, more: Any) -> None:
    """All derivatives agree with differences, and no entry occurs twice in a sparsity structure."""
    c = Case(name, more)
    p = c.p
    near(p.gradient(c.x) @ c.d, c.along(p.objective), 1e-9)
    shape = len(c.y), p.size
    for rows, columns in (p.jacobianstructure(), p.hessianstructure()):
        assert len({*zip(rows.tolist(), columns.tolist(), strict=True)}) == rows.size
    J = coo_array((p.jacobian(c.x), p.jacobianstructure()), shape)
    near(J @ c.d, c.along(p.constraints), 1e-9)
    row, column = p.hessianstructure()
    assert (row >= column).all()
    L = coo_array((p.hessian(c.x, c.y, 0.7), (row, column)), (p.size, p.size)).toarray()
    near((L + np.tril(L, -1).T) @ c.d, c.along(c.slope), 1e-9)


@pytest.mark.parametrize(("name", "more"), CASES)
def test_constraints_and_cost(name: str, more: Any) -> None:
    """Constraints and cost agree with an evaluation of the formulas at each interval.

    Rates of displacements are those of configurations that move with velocity qd.
    """
    c = Case(name, more)
    problem, p, model = c.problem, c.p, c.problem.model
    n, S, m = model.NV, p.s.stages, problem.controls
    knots = np.append(c.x[: p.knots], np.zeros(m)).reshape(S + 1, -1)
    y, u, middles = knots[:, : 2 * n], knots[:, 2 * n :], c.x[p.knots :].reshape(-1, 2 * n)
    rows, seconds, cost, stage, k = [], [], 0.0, 0, 0

    def split(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return configurationAddition(model, p.origin, y[:n]), y[n:]

    def rate(y: np.ndarray, u: np.ndarray, held: Any) -> np.ndarray:
        (q, v), step = split(y), 1e-30
        moved = configurationDifference(
            model, p.origin, configurationAddition(model, q, 1j * step * v)
        )
        a = FDab(model, q, v, u) if not held else KKT_FD(
            model, q, v, u, held, baumgarte=problem.baumgarte)[0]  # fmt: skip
        return np.concatenate([moved.imag / step, a])

    for phase in problem.phases:
        if phase.impact:
            q, v = split(y[stage])
            after = Impact_dyn(model, q, v, phase.constraints, phase.restitution).qd_plus
            rows += [y[stage + 1] - np.concatenate([y[stage, :n], after])]
            stage += 1
        for _ in range(phase.steps):
            points = y[stage], middles[k], y[stage + 1]
            F = [rate(z, u[stage], phase.constraints) for z in points]
            rows.append(points[2] - points[0] - H / 6 * (F[0] + 4 * F[1] + F[2]))
            seconds.append(points[1] - (points[0] + points[2]) / 2 - H / 8 * (F[0] - F[2]))
            for z, w in zip(points, (1, 4, 1), strict=True):
                at = Instants(*split(z), u[stage])
                cost += w * H / 6 * sum(x.value(at) for x in problem.running)
            stage, k = stage + 1, k + 1
    last = Instants(*split(y[-1]), u[-1, :0])
    near(p.objective(c.x), cost + sum(x.value(last) for x in problem.terminal), 1e-12)
    found = p.constraints(c.x)
    both = np.concatenate([*rows, *seconds])
    near(found[: both.size], both, 1e-11)


def test_the_program_is_that_of_casadi() -> None:
    """The program equals one that CasADi builds from the same formulas with its own dynamics of
    an arm.
    """
    casadi = pytest.importorskip("casadi")
    from spatial_v2.interop.casadi import to_casadi

    model, n, m = autoTree(3), 3, 3
    goal = np.array([1.0, -0.5, 0.3])
    problem = ShootingProblem(
        model, np.zeros(n), np.zeros(n), np.full(N, H),
        [StateCost(model, goal, 1.0, 0.1), ControlCost(0.01)], [StateCost(model, goal, 50.0, 5.0)],
    )  # fmt: skip
    p, rng = transcribe(problem, method="hermite_simpson"), np.random.default_rng(4)
    FD = to_casadi(model, "FDab")
    x, y = casadi.SX.sym("x", p.size), casadi.SX.sym("y", len(p.limits[0]))
    knots = [x[k * (2 * n + m) : k * (2 * n + m) + 2 * n] for k in range(N + 1)]
    u = [x[k * (2 * n + m) + 2 * n : (k + 1) * (2 * n + m)] for k in range(N)]
    middles = [x[p.knots + k * 2 * n : p.knots + (k + 1) * 2 * n] for k in range(N)]
    cost, first, second = 0, [], []

    def off(z: Any, w: Any, v: Any) -> Any:
        return (w * casadi.sumsqr(z[:n] - goal) + v * casadi.sumsqr(z[n:])) / 2

    for k in range(N):
        points = knots[k], middles[k], knots[k + 1]
        F = [casadi.vertcat(z[n:], FD(z[:n], z[n:], u[k])) for z in points]
        for z, w in zip(points, (1, 4, 1), strict=True):
            cost += w * H / 6 * (off(z, 1.0, 0.1) + 0.01 * casadi.sumsqr(u[k]) / 2)
        first.append(points[2] - points[0] - H / 6 * (F[0] + 4 * F[1] + F[2]))
        second.append(points[1] - (points[0] + points[2]) / 2 - H / 8 * (F[0] - F[2]))
    cost += off(knots[-1], 50.0, 5.0)
    c = casadi.vertcat(*first, *second)
    L = 0.7 * cost + casadi.dot(y, c)
    J, Hess = casadi.jacobian(c, x), casadi.hessian(L, x)[0]
    f = casadi.Function("f", [x, y], [cost, casadi.gradient(cost, x), c, J, Hess])
    at, w = rng.normal(size=p.size), rng.normal(size=len(p.limits[0]))
    value, g, rows, Jc, Hc = (np.asarray(z.full()) for z in f(at, w))
    near(p.objective(at), value[0, 0], 1e-12)
    near(p.gradient(at), g[:, 0], 1e-12)
    near(p.constraints(at), rows[:, 0], 1e-12)
    near(coo_array((p.jacobian(at), p.jacobianstructure()), Jc.shape).toarray(), Jc, 1e-12)
    low = coo_array((p.hessian(at, w, 0.7), p.hessianstructure()), Hc.shape).toarray()
    near(low, np.tril(Hc), 1e-11)
    assert p.jacobianstructure()[0].size <= 1.3 * J.nnz()


def test_collocation_is_of_order_four() -> None:
    """Errors of the optimal motion decrease by a factor of 16 if intervals are halved."""
    pytest.importorskip("casadi")
    from spatial_v2.interop.ipopt import solve_ipopt

    model = autoTree(2)
    goal, found = StateCost(model, [1.0, 0.5], 100.0, 10.0), []
    # controls are fixed, constant in each eighth of the time, so that motions are comparable
    for per in (2, 4, 8):
        u = np.repeat(np.sin(np.arange(8)), per)[:, None] * [1.0, -2.0]
        problem = ShootingProblem(
            model, [0.0, 0.0], [0.0, 0.0], np.full(8 * per, 1 / (8 * per)), [ControlCost(1.0)],
            [goal], lower=u, upper=u,
        )  # fmt: skip
        p = transcribe(problem, method="hermite_simpson")
        done = solve_ipopt(p, np.zeros(p.size), p.bounds, p.limits, tol=1e-12)
        found.append(p.trajectory(done.x).q[-1])
    rates = [np.abs(found[0] - found[1]).max(), np.abs(found[1] - found[2]).max()]
    assert 10 < rates[0] / rates[1] < 22


@pytest.mark.parametrize("name", ["chain", pytest.param("floating", marks=pytest.mark.slow)])
def test_ipopt_meets_the_bounds(name: str) -> None:
    """The motion ends at the goal, its velocities meet the bounds, and its knots are those unknowns
    that IPOPT found.
    """
    pytest.importorskip("casadi")
    from spatial_v2.interop.ipopt import solve_ipopt

    problem = replaced(Shot(name).problem, **bounded(name))
    p = transcribe(problem, method="hermite_simpson")
    start = p.unknowns(solve(problem, max_iterations=0).trajectory)
    done = solve_ipopt(p, start, p.bounds, p.limits, tol=1e-10)
    assert done.success and done.iterations < 40
    t, goal = p.trajectory(done.x), Shot(name).goal
    near(configurationDifference(problem.model, goal, t.q[-1]), np.zeros(problem.model.NV), 1e-8)
    assert np.abs(t.qd[1:3]).max() < 3 + 1e-7
    near(p.unknowns(t)[: p.knots], done.x[: p.knots], 1e-9)


def test_bad_input_is_named() -> None:
    problem = Shot("chain").problem
    with pytest.raises(SpatialError, match="method"):
        transcribe(problem, method="euler")  # type: ignore[call-overload]
    many = replaced(problem, q=np.zeros((3, problem.model.NQ)))
    with pytest.raises(SpatialError, match="one initial state"):
        transcribe(many, method="hermite_simpson")
