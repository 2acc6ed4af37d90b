"""Solutions of shooting problems by every method are optimal, by an independent evaluation."""

from __future__ import annotations

import dataclasses
import sys
from itertools import count, pairwise, product
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near

from derivatives.reference import complex_step
from spatial_v2 import (
    ArrayShapeError,
    DistanceConstraint,
    PointConstraint,
    SpatialError,
    configurationAddition,
    configurationDifference,
    neutral,
    random_configuration,
)
from spatial_v2.constraints import Impact_dyn
from spatial_v2.constraints.DistanceConstraint import DistanceOnModel
from spatial_v2.control import (
    ContactPhase,
    ControlCost,
    Instants,
    ShootingProblem,
    Solution,
    StateCost,
    Trajectory,
    solve,
    time_step,
)

MODELS = ("chain", "floating", "spherical", "planar_chain", "SE3", "rotors")
METHODS = ("newton", "ddp", "ilqr")
N, H = 8, 0.05


class Case:
    """A problem with a goal for a small model, and its cost as a function of the controls alone."""

    def __init__(self, name: str, **options: Any) -> None:
        self.model, rng = zoo.build(name), np.random.default_rng(3)
        n, self.q = self.model.NV, random_configuration(self.model, rng)
        self.goal = configurationAddition(self.model, self.q, 0.3 * rng.normal(size=n))
        self.v, self.options = 0.3 * rng.normal(size=n), options
        self.S = options.get("actuation", np.eye(n))
        self.weights = tuple(options.pop("unit", 1.0) * np.array([1.0, 0.1, 0.01, 50.0, 5.0]))
        a, b, c, d, e = self.weights
        running = [StateCost(self.model, self.goal, a, b), ControlCost(c)]
        last = [StateCost(self.model, self.goal, d, e)]
        self.problem = ShootingProblem(
            self.model, self.q, self.v, np.full(N, H), running, last, **options
        )

    def cost(self, u: Any) -> Any:
        """Compute the cost, step by step, for controls u (..., S, m), which may be complex."""
        a, b, c, d, e = self.weights
        q, v, phases, total, k = self.q + 0 * u[..., :1, 0], self.v, self.problem.phases, 0.0, 0
        how = {x: self.options[x] for x in ("method",) if x in self.options}
        for phase in phases:
            held: Any = {"constraints": phase.constraints, "baumgarte": self.problem.baumgarte}
            if phase.impact:
                v, k = (
                    Impact_dyn(self.model, q, v, phase.constraints, phase.restitution).qd_plus,
                    k + 1,
                )
            for _ in range(phase.steps):
                off = configurationDifference(self.model, self.goal, q)
                total = total + H * (a * off**2 + b * v**2).sum(-1) / 2
                total = total + H * c * (u[..., k, :] ** 2).sum(-1) / 2
                tau = (self.S @ u[..., k, :, None])[..., 0]
                q, v = time_step(self.model, q, v, tau, H, **how, **held)
                k += 1
        off = configurationDifference(self.model, self.goal, q)
        return total + (d * off**2 + e * v**2).sum(-1) / 2

    def gradient(self, u: np.ndarray) -> np.ndarray:
        flat = complex_step(
            lambda x: self.cost(x.reshape(*x.shape[:-1], *u.shape))[..., None], u.ravel()
        )
        return np.asarray(flat).reshape(u.shape)


def is_optimal(case: Case, found: Solution, tolerance: float = 1e-7) -> None:
    """Check that the cost is right and that the projected gradient with respect to the controls
    vanishes.
    """
    assert found.status == "converged"
    u, p = found.trajectory.u, case.problem
    near(found.cost, case.cost(u), 1e-9)
    bounds = (p.lower, p.upper) if p.lower.shape == u.shape else (-np.inf, np.inf)
    near(u - np.clip(u - case.gradient(u), *bounds), 0 * u, tolerance)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        pytest.param(method, name, marks=[pytest.mark.slow] * ((method, name) == ("ilqr", "SE3")))
        for method, name in product(METHODS, MODELS)
    ],
)
def test_solutions_are_optimal(name: str, method: Any) -> None:
    case = Case(name)
    is_optimal(case, solve(case.problem, method=method, tolerance=1e-9, max_iterations=400))


def foot(name: str) -> Any:
    model = zoo.build(name)
    return [PointConstraint(model.NB - 1, [0.3, 0.1, -0.2], directions=[[0.0, 0.6, 0.8]])]


@pytest.mark.parametrize("name", MODELS)
def test_bounds_hold_and_the_projected_gradient_vanishes(name: str) -> None:
    free = solve(Case(name).problem).trajectory.u
    low, high = np.quantile(free, [0.2, 0.8], axis=0)
    case = Case(name, lower=low, upper=high)
    found = solve(case.problem, tolerance=1e-9)
    is_optimal(case, found)
    u = found.trajectory.u
    held = (u == low) | (u == high)
    assert ((low <= u) & (u <= high)).all() and 0 < held.sum() < held.size
    assert not found.gains[held].any()


@pytest.mark.parametrize("name", ["chain", "floating", "SE3"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.slow
def test_contact_phases_with_impacts(name: str, method: Any) -> None:
    phases = [
        ContactPhase(3),
        ContactPhase(4, foot(name), impact=True, restitution=0.2),
        ContactPhase(1),
    ]
    case = Case(name, phases=phases, baumgarte=(0.0, 5.0))
    found = solve(case.problem, method=method, tolerance=1e-9, max_iterations=500)
    assert found.trajectory.q.shape[0] == N + 2
    assert not found.trajectory.u[3].any()
    is_optimal(case, found)


@pytest.mark.parametrize("name", ["chain", "floating"])
@pytest.mark.parametrize("compiled", [True, False])
def test_rods(name: str, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem with a rod as constraint is solved, by kernels and without one for its row."""
    monkeypatch.setattr(DistanceOnModel, "compiled", compiled)
    model = zoo.build(name)
    rod = [DistanceConstraint(model.NB - 1, [0.3, 0.1, -0.2], -1, [5.0, 4.0, 3.0])]
    case = Case(name, phases=[ContactPhase(N, rod)], baumgarte=(0.0, 5.0))
    is_optimal(case, solve(case.problem, tolerance=1e-9))


@pytest.mark.parametrize("name", ["chain", "floating"])
def test_runge_kutta(name: str) -> None:
    case = Case(name, method="rk4")
    is_optimal(case, solve(case.problem, tolerance=1e-9))


@pytest.mark.parametrize("name", MODELS)
def test_newton_converges_quadratically_and_ilqr_linearly(name: str) -> None:
    """Errors e of the optimality conditions become less than C e^2 by a Newton step, and c e by one
    of iLQR.

    C and c are constants.
    """
    case = Case(name)

    def errors(method: Any, most: int) -> np.ndarray:
        log = solve(case.problem, method=method, tolerance=1e-10, max_iterations=most).log
        return np.array([max(x.stationarity, x.infeasibility) for x in log])

    e = errors("newton", 400)
    late = [(a, b) for a, b in pairwise(e) if a < 0.02]
    assert len(e) <= 9 and late
    assert all(b < max(60 * a**2, 1e-13) for a, b in late), e
    slow = errors("ilqr", len(e))
    assert len(slow) > len(e)


@pytest.mark.parametrize("method", ["newton", "ddp"])
@pytest.mark.parametrize("name", MODELS)
def test_a_tolerance_below_rounding_is_met_when_errors_no_longer_decrease(
    name: str, method: Any
) -> None:
    """Costs 1e12 times as large have gradients with rounding errors far above the tolerance."""
    one = solve(Case(name).problem, method=method, tolerance=1e-9)
    found = solve(Case(name, unit=1e12).problem, method=method)
    assert found.log[-1].stationarity > 1e-8
    assert found.status == "converged" and found.iterations <= one.iterations + 4
    near(found.trajectory.u, one.trajectory.u, 1e-8)


@pytest.mark.parametrize("name", ["floating", "SE3"])
@pytest.mark.slow
def test_methods_find_the_same_optimum(name: str) -> None:
    case = Case(name)
    found = [solve(case.problem, method=m, tolerance=1e-10, max_iterations=400) for m in METHODS]
    for other in found[1:]:
        near(other.cost, found[0].cost, 1e-13)
        for x, y in zip(other.trajectory, found[0].trajectory, strict=True):
            near(x, y, 1e-7)


@pytest.mark.parametrize("name", ["floating", "spherical"])
@pytest.mark.parametrize("method", METHODS)
def test_starts_that_break_the_dynamics(name: str, method: Any) -> None:
    case, rng = Case(name), np.random.default_rng(4)
    start = solve(case.problem).trajectory
    guess = Trajectory(
        configurationAddition(case.model, start.q, 0.2 * rng.normal(size=start.qd.shape)),
        start.qd + 0.2 * rng.normal(size=start.qd.shape),
        start.u + 0.2 * rng.normal(size=start.u.shape),
    )
    found = solve(case.problem, guess, method, tolerance=1e-9, max_iterations=400)
    assert found.log[0].infeasibility > 0.1
    is_optimal(case, found)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.slow
def test_batches_are_loops(method: Any) -> None:
    case, rng = Case("floating", lower=-20.0, upper=20.0), np.random.default_rng(5)
    q = configurationAddition(case.model, case.q, 0.2 * rng.normal(size=(3, case.model.NV)))
    several = solve(replaced(case.problem, q=q), method=method, max_iterations=300)
    assert several.status.tolist() == ["converged"] * 3
    for k in range(3):
        one = solve(replaced(case.problem, q=q[k]), method=method, max_iterations=300)
        near(several.cost[k], one.cost, 1e-11)
        near(several.trajectory.u[k], one.trajectory.u, 1e-7)
        near(several.gains[k], one.gains, 1e-5)


def replaced(problem: ShootingProblem, **new: Any) -> ShootingProblem:
    names = [f.name for f in dataclasses.fields(problem) if f.init]
    return ShootingProblem(**{**{x: getattr(problem, x) for x in names}, **new})


def test_a_solution_is_a_guess() -> None:
    case = Case("floating")
    found = solve(case.problem, tolerance=1e-9)
    again = solve(case.problem, found.trajectory, tolerance=1e-9)
    assert again.iterations == 0 and again.status == "converged"


BAD: dict[str, tuple[type[Exception], dict[str, Any]]] = {
    "bounds cross": (SpatialError, {"lower": 1.0, "upper": -1.0}),
    "bounds are not as many": (ArrayShapeError, {"lower": np.zeros(3)}),
    "q": (ArrayShapeError, {"q": np.zeros(3)}),
    "qd is not finite": (SpatialError, {"qd": np.full(4, np.nan)}),
    "no interval": (ArrayShapeError, {"h": np.zeros(0)}),
    "time runs back": (SpatialError, {"h": -np.ones(8)}),
    "phases": (SpatialError, {"phases": [ContactPhase(7)]}),
    "phases without intervals": (SpatialError, {"phases": [ContactPhase(8), ContactPhase(0)]}),
    "an impact on nothing": (SpatialError, {"phases": [ContactPhase(8, impact=True)]}),
    "method": (SpatialError, {"method": "leapfrog"}),
    "a weight too few": (ArrayShapeError, {"running": [ControlCost(np.ones(3))]}),
    "a control at the end": (ArrayShapeError, {"terminal": [ControlCost(np.ones(4))]}),
    "a cost of another model": (
        ArrayShapeError,
        {"terminal": [StateCost(zoo.build("SE3"), neutral(zoo.build("SE3")), 1.0)]},
    ),
    "actuation": (ArrayShapeError, {"actuation": np.zeros((3, 2))}),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_problems_are_refused(fault: str) -> None:
    kind, options = BAD[fault]
    with pytest.raises(kind):
        replaced(Case("chain").problem, **options)


@pytest.mark.parametrize("k", range(3))
def test_bad_guesses_are_refused(k: int) -> None:
    problem = Case("chain").problem
    t = solve(problem, max_iterations=0).trajectory
    with pytest.raises(ArrayShapeError, match=Trajectory._fields[k]):
        solve(problem, t._replace(**{Trajectory._fields[k]: np.zeros((3, 3))}))
    t[k][2] = np.nan
    with pytest.raises(SpatialError, match="finite"):
        solve(problem, t)


class Indefinite:
    """A cost without a minimum, for which the Hessian is indefinite."""

    def value(self, at: Instants) -> np.ndarray:
        return np.asarray(-1e3 * (at.u**2).sum(-1))

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        k = np.arange(-at.u.shape[-1], 0)
        gradient[..., k] -= 2e3 * at.u
        hessian[..., k, k] -= 2e3


class NotANumber(ControlCost):
    """A cost that is NaN wherever there are controls."""

    def value(self, at: Instants) -> np.ndarray:
        return np.where((at.u == 0).all(-1), 0.0, np.nan)


@pytest.mark.parametrize("method", METHODS)
def test_no_solution_is_said_to_be_one(method: Any) -> None:
    """For unbounded costs and for NaN the status says so, and the best motion found is returned."""
    problem = Case("chain").problem
    for cost, ends in (
        (Indefinite(), {"no_descent", "max_iterations", "indefinite"}),
        (NotANumber(1.0, 1.0), {"no_descent"}),
    ):
        found = solve(replaced(problem, running=[cost]), method=method, max_iterations=12)
        assert found.status in ends
        assert all(np.isfinite(x).all() for x in found.trajectory)
        assert np.isfinite(found.cost)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("limit", [0, 5, 12, 20])
def test_time_limits_hold(method: Any, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that goes on by one second each time that it is read, `solve` reads it a few
    times more at most.
    """
    clock = count()
    monkeypatch.setattr(sys.modules["spatial_v2.control.solve"], "working_time", clock.__next__)
    problem = Case("floating", lower=-1.0, upper=1.0).problem
    found = solve(problem, method=method, tolerance=0.0, time_limit=limit)
    assert found.status == "time_limit"
    assert next(clock) <= limit + 8
    assert all(np.isfinite(x).all() for x in found.trajectory)


@pytest.mark.parametrize("method", METHODS)
def test_without_the_compiler(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reference implementations of all passes give the motion that kernels give."""
    case = Case("floating", lower=-20.0, upper=20.0)
    how: Any = {"method": method, "tolerance": 1e-8, "max_iterations": 12}
    found = solve(case.problem, **how)
    monkeypatch.setattr("spatial_v2.control.riccati.has_kernels", lambda *names: False)
    monkeypatch.setattr("spatial_v2.control.displacements.has_kernels", lambda *names: False)
    again = solve(case.problem, **how)
    near(again.cost, found.cost, 1e-10)
    near(again.trajectory.u, found.trajectory.u, 1e-7)
    assert again.iterations == found.iterations


@pytest.mark.parametrize(("name", "method"), [("spherical", "ilqr"), ("SE3", "ddp")])
def test_tight_bounds_do_not_stop_the_solver(name: str, method: Any) -> None:
    found = solve(Case(name, lower=-1.0, upper=1.0).problem, method=method, max_iterations=60)
    assert found.status in {"converged", "max_iterations"}
    best = solve(Case(name, lower=-1.0, upper=1.0).problem)
    near(found.cost, best.cost, 1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("limit", [np.inf, 5.0])
def test_controls_that_cost_nothing(method: Any, limit: float) -> None:
    """A cost of the last state alone has many optimal motions, and without bounds none costs.

    Within bounds ``"ilqr"`` comes near the optimum in its 100 iterations, by steps of one half, but
    does not meet the tolerance.
    """
    case = Case("chain")
    last = [StateCost(case.model, case.goal, 50.0, 5.0)]
    problem = replaced(case.problem, running=[], terminal=last, lower=-limit, upper=limit)
    found = solve(problem, method=method)
    slow = method == "ilqr" and limit < np.inf
    assert found.status == ("max_iterations" if slow else "converged")
    assert np.abs(found.trajectory.u).max() <= limit
    near(found.cost, solve(problem).cost, 1e-8)
    idle = solve(replaced(problem, lower=0.0, upper=0.0)).cost
    assert found.cost < (1e-12 if limit == np.inf else 0.9 * idle)
