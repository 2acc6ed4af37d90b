"""Derivatives of optimal motions with respect to their initial states agree with differences of
solutions.
"""

from typing import Any

import numpy as np
import pytest
from helpers import near
from test_predictive import bounds_of
from test_shooting import Case, foot, replaced
from test_transcription import bounded

import spatial_v2 as sv
from spatial_v2.control import (
    Bounds,
    ContactPhase,
    ControlCost,
    FramePosition,
    ShootingProblem,
    Solution,
    StateCost,
    Trajectory,
    solution_derivatives,
    solve,
)
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Shooting
from spatial_v2.models import autoTree

STEP = 1e-5


def optimum(problem: ShootingProblem, dx: np.ndarray, guess: Solution) -> Solution:
    """Return the solution for an initial state that is changed by dx."""
    n = problem.model.NV
    q = sv.configurationAddition(problem.model, problem.q, dx[:n])
    return solve(replaced(problem, q=q, qd=problem.qd + dx[n:]), guess, tolerance=1e-11)


def differences(problem: ShootingProblem, found: Solution, dx: np.ndarray) -> tuple[Any, ...]:
    """Compute central differences of states, controls and cost along a change dx of the initial
    state.
    """
    up, down = (optimum(problem, s * STEP * dx, found) for s in (1, -1))
    assert up.status == down.status == "converged"
    a, b = up.trajectory, down.trajectory
    off = [sv.configurationDifference(problem.model, found.trajectory.q, x.q) for x in (a, b)]
    states = np.concatenate([off[0] - off[1], a.qd - b.qd], axis=-1)
    return tuple(x / (2 * STEP) for x in (states, a.u - b.u, up.cost - down.cost))


def case_of(name: str, kind: str) -> ShootingProblem:
    if kind == "phases":
        held = [ContactPhase(3), ContactPhase(5, foot(name), impact=True, restitution=0.2)]
        return Case(name, phases=held, baumgarte=(0.0, 5.0)).problem
    more: Any = {"free": dict, "controls": lambda: bounds_of(name, kind)}
    more["end"] = lambda: {"terminal_bounds": bounded(name)["terminal_bounds"]}
    return replaced(Case(name).problem, **more[kind]())


@pytest.mark.parametrize("kind", ["free", "controls", "end", "phases"])
@pytest.mark.parametrize("name", ["chain", "floating", "SE3"])
def test_against_differences_of_solutions(name: str, kind: str) -> None:
    problem, rng = case_of(name, kind), np.random.default_rng(10)
    found = solve(problem, tolerance=1e-11)
    d = solution_derivatives(problem, found)
    for _ in range(2):
        dx = rng.normal(size=2 * problem.model.NV)
        states, controls, cost = differences(problem, found, dx)
        tolerance = 1e-5 if kind == "end" else 1e-6
        near(d.states @ dx, states, tolerance)
        near(d.controls @ dx, controls, tolerance)
        near(d.cost @ dx, cost, tolerance)
    near(d.hessian, d.hessian.T, 1e-9)
    if kind == "controls":
        u = found.trajectory.u
        held = (u == problem.lower) | (u == problem.upper)
        assert held.any() and not d.controls[held].any()


def test_an_equation_that_is_not_linear() -> None:
    """A coordinate of the tip at the end is given: its second derivatives count."""
    model, rng = autoTree(2), np.random.default_rng(13)
    tip = FramePosition(model, sv.Frame(1, sv.xlt([1.0, 0, 0])))
    at_end = [Bounds(tip, [1.2, -np.inf, -np.inf], [1.2, np.inf, np.inf])]
    costs: list[Any] = [ControlCost(0.1), StateCost(model, [0.3, 0.2], 0.1, 0.1)]
    start = [0.3, 0.2], [0.0, 0.0], np.full(10, 0.1)
    problem = ShootingProblem(model, *start, costs, terminal_bounds=at_end)
    found, dx = solve(problem, tolerance=1e-11), rng.normal(size=4)
    d = solution_derivatives(problem, found)
    for derivative, expected in zip(d, differences(problem, found, dx)[:2], strict=False):
        near(derivative @ dx, expected, 1e-6)


def test_the_hessian_of_the_cost() -> None:
    problem, rng = Case("chain").problem, np.random.default_rng(11)
    found = solve(problem, tolerance=1e-11)
    d, dx = solution_derivatives(problem, found), rng.normal(size=2 * problem.model.NV)
    ends = [optimum(problem, s * STEP * dx, found).costates[0] for s in (1, -1)]
    near(d.hessian @ dx, (ends[0] - ends[1]) / (2 * STEP), 1e-6)


def test_batches_are_loops() -> None:
    case, rng = Case("floating"), np.random.default_rng(12)
    q = sv.configurationAddition(case.model, case.q, 0.1 * rng.normal(size=(3, case.model.NV)))
    many = replaced(case.problem, q=q)
    d = solution_derivatives(many, solve(many, tolerance=1e-10))
    for k in range(3):
        one = replaced(case.problem, q=q[k])
        for x, y in zip(d, solution_derivatives(one, solve(one, tolerance=1e-10)), strict=True):
            near(x[k], y, 1e-6)


def test_no_solution_has_no_derivatives() -> None:
    problem = Case("chain").problem
    with pytest.raises(sv.SpatialError, match="converged"):
        solution_derivatives(problem, solve(problem, max_iterations=1))


@pytest.mark.parametrize("side", [1, -1])
def test_derivatives_at_a_bound_without_a_multiplier(side: int) -> None:
    """If a free motion touches a bound, derivatives are those of motions that leave the bound."""
    model = autoTree(1).replace(gravity=[0, 0, 0])
    costs = [StateCost(model, [side], 1.0, 0.1), ControlCost(0.01)]
    end = [StateCost(model, [side], 10.0, 1.0)]
    free = ShootingProblem(model, [0.0], [0.0], np.full(20, 0.05), costs, end)
    found = solve(free, tolerance=1e-12)
    top = np.abs(found.trajectory.u).max()
    touching = replaced(free, lower=-top, upper=top)
    same = solve(touching, found, tolerance=1e-12)
    assert (np.abs(same.trajectory.u) == top).any()
    d = solution_derivatives(touching, same).controls
    near(d, solution_derivatives(free, found).controls, 1e-9)
    moved = optimum(touching, side * np.array([1e-4, 0.0]), same)
    near((moved.trajectory.u - same.trajectory.u) / (side * 1e-4), d[..., 0], 1e-6)

    # A multiplier counts from 1e-8 on, in natural units.
    s, t = Shooting(touching), Trajectory(*(x[None] for x in same.trajectory))
    e, k = s.evaluate(t), np.abs(same.trajectory.u).argmax()
    units = NaturalUnits.at(s, e, Rows(s, t))
    for size, is_free in ((3e-9, True), (3e-8, False)):
        lower = top - size * units.row[0, k, 0] * np.sqrt(units.cost[0])
        within = replaced(free, lower=-lower, upper=lower)
        slope = solution_derivatives(within, solve(within, same, tolerance=1e-13)).controls
        assert (np.abs(slope[k, 0]).max() > 1.0) == is_free
