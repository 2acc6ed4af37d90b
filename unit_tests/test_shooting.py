"""Solutions of shooting problems: optimal by an independent evaluation, by every method, quickly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near

from derivatives.reference import complex_step
from spatial_v2 import (
    PointConstraint,
    configurationAddition,
    configurationDifference,
    random_configuration,
)
from spatial_v2.constraints import Impact_dyn
from spatial_v2.control import (
    ContactPhase,
    ControlCost,
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
    """A reach of a small model, and its cost as a function of the controls alone."""

    def __init__(self, name: str, **options: Any) -> None:
        self.model, rng = zoo.build(name), np.random.default_rng(3)
        n, self.q = self.model.NV, random_configuration(self.model, rng)
        self.goal = configurationAddition(self.model, self.q, 0.3 * rng.normal(size=n))
        self.v, self.options = 0.3 * rng.normal(size=n), options
        self.S = options.get("actuation", np.eye(n))
        self.weights = 1.0, 0.1, 0.01, 50.0, 5.0
        a, b, c, d, e = self.weights
        running = [StateCost(self.model, self.goal, a, b), ControlCost(c)]
        last = [StateCost(self.model, self.goal, d, e)]
        self.problem = ShootingProblem(
            self.model, self.q, self.v, np.full(N, H), running, last, **options
        )

    def cost(self, u: Any) -> Any:
        """By steps one after the other, for controls (..., S, m), complex ones too."""
        a, b, c, d, e = self.weights
        q, v, phases, total, k = self.q + 0 * u[..., :1, 0], self.v, self.problem.phases, 0.0, 0
        how = {x: self.options[x] for x in ("method",) if x in self.options}
        for phase in phases:
            held: Any = {"constraints": phase.constraints, "baumgarte": self.problem.baumgarte}
            if phase.impact:
                v, k = Impact_dyn(self.model, q, v, phase.constraints, phase.restitution).qd_plus, k + 1
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
        flat = complex_step(lambda x: self.cost(x.reshape(*x.shape[:-1], *u.shape))[..., None], u.ravel())
        return np.asarray(flat).reshape(u.shape)


def is_optimal(case: Case, found: Solution, tolerance: float = 1e-7) -> None:
    """The motion obeys the dynamics, and the projected gradient by the controls vanishes."""
    assert found.status == "converged"
    u, p = found.trajectory.u, case.problem
    near(found.cost, case.cost(u), 1e-9)
    lower, upper = (np.full_like(u, x.ravel()[0]) for x in (p.lower, p.upper))
    g = case.gradient(u)
    near(u - np.clip(u - g, lower, upper), 0 * u, tolerance)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", METHODS)
def test_solutions_are_optimal(name: str, method: Any) -> None:
    case = Case(name)
    is_optimal(case, solve(case.problem, method=method, tolerance=1e-9, max_iterations=400))


def foot(name: str) -> Any:
    model = zoo.build(name)
    return [PointConstraint(model.NB - 1, [0.3, 0.1, -0.2], directions=[[0.0, 0.6, 0.8]])]


@pytest.mark.parametrize("name", MODELS)
def test_bounds_hold_and_the_projected_gradient_vanishes(name: str) -> None:
    free = solve(Case(name).problem).trajectory.u
    low, high = np.quantile(free, [0.3, 0.6])
    case = Case(name, lower=low, upper=high)
    found = solve(case.problem, tolerance=1e-9)
    is_optimal(case, found)
    u = found.trajectory.u
    assert u.min() == low and u.max() == high and ((u > low) & (u < high)).any()
    assert not found.gains[(u == low) | (u == high)].any()


@pytest.mark.parametrize("name", ["chain", "floating", "SE3"])
@pytest.mark.parametrize("method", METHODS)
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
def test_runge_kutta(name: str) -> None:
    case = Case(name, method="rk4")
    is_optimal(case, solve(case.problem, tolerance=1e-9))


@pytest.mark.parametrize("name", MODELS)
def test_newton_converges_quadratically_and_ilqr_linearly(name: str) -> None:
    """Errors e of the optimality conditions: the next one is below C e^2, and c e for iLQR."""
    case = Case(name)

    def errors(method: Any) -> np.ndarray:
        log = solve(case.problem, method=method, tolerance=1e-10, max_iterations=400).log
        return np.array([max(x.stationarity, x.infeasibility) for x in log])

    e = errors("newton")
    print(name, e, errors("ilqr")[-4:])
