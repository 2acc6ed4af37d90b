"""Derivatives of optimal motions with respect to parameters agree with differences of solutions."""

from typing import Any

import numpy as np
import pytest
from helpers import near
from test_predictive import bounds_of
from test_shooting import Case, foot, replaced
from test_transcription import bounded

from spatial_v2 import ArrayShapeError, SpatialError, configurationAddition, configurationDifference
from spatial_v2.control import (
    Bounds,
    ContactPhase,
    ControlCost,
    JointVelocities,
    ShootingProblem,
    StateCost,
    parameter_derivatives,
    solution_derivatives,
    solve,
)

STEP = 1e-5


def family(name: str, kind: str) -> Any:
    """Return a function that makes a problem of six parameters, and their values.

    They are target, weight, step, inertia, actuation and bounds.
    """
    case, more = Case(name), {}
    if kind == "phases":
        more = {
            "phases": [ContactPhase(3), ContactPhase(5, foot(name), impact=True, restitution=0.2)],
            "baumgarte": (0.0, 5.0),
        }
    problem, model = replaced(case.problem, **more), case.model
    n = model.NV
    more = bounds_of(name, "controls") if kind == "controls" else {}
    end = bounded(name)["terminal_bounds"] if kind == "end" else []

    def make(p: np.ndarray) -> ShootingProblem:
        I = model.I.copy()
        I[-1] *= p[3]
        robot = model.replace(I=I)
        goal = configurationAddition(model, case.goal, p[0] * np.ones(n))
        running = [StateCost(robot, goal, 1.0, p[1]), ControlCost(0.01)]
        new: dict[str, Any] = {
            "model": robot, "running": running, "terminal": [StateCost(robot, goal, 50.0, 5.0)],
            "h": problem.h * p[2], "actuation": p[4] * np.eye(n),
            "terminal_bounds": [Bounds(x.quantity, x.lower, x.upper) for x in end],
        }  # fmt: skip
        for bound in more:
            new[bound] = more[bound] * p[5]
        if kind == "end":
            new["terminal_bounds"] = [Bounds(JointVelocities(robot), p[5], p[5])]
        return replaced(problem, **new)

    return make, np.array([0.0, 0.1, 1.0, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("kind", ["free", "controls", "end", "phases"])
@pytest.mark.parametrize("name", ["chain", "floating", "SE3"])
def test_against_differences_of_solutions(name: str, kind: str) -> None:
    """Derivatives agree with differences, along a direction in which all parameters vary."""
    make, p = family(name, kind)
    found = solve(make(p), tolerance=1e-12)
    d, t, model = parameter_derivatives(make, p, found), found.trajectory, make(p).model
    along = np.array([1.0, 0.3, -0.8, 0.6, 0.5, -0.7])
    up, down = (solve(make(p + s * STEP * along), found, tolerance=1e-12) for s in (1, -1))
    assert up.status == down.status == "converged"
    a, b = up.trajectory, down.trajectory
    off = [configurationDifference(model, t.q, x.q) for x in (a, b)]
    states = np.concatenate([off[0] - off[1], a.qd - b.qd], axis=-1) / (2 * STEP)
    near(d.states @ along, states, 1e-6)
    near(d.controls @ along, (a.u - b.u) / (2 * STEP), 1e-6)
    near(d.cost @ along, (up.cost - down.cost) / (2 * STEP), 1e-6)


@pytest.mark.parametrize("name", ["chain", "floating"])
def test_the_initial_state_is_a_parameter(name: str) -> None:
    """With the initial state as parameter, derivatives agree with `solution_derivatives`."""
    problem = Case(name).problem
    n, found = problem.model.NV, solve(problem, tolerance=1e-11)

    def make(x: np.ndarray) -> ShootingProblem:
        q = configurationAddition(problem.model, problem.q, x[:n])
        return replaced(problem, q=q, qd=problem.qd + x[n:])

    d, exact = (
        parameter_derivatives(make, np.zeros(2 * n), found),
        solution_derivatives(problem, found),
    )
    near(d.states, exact.states, 1e-9)
    near(d.controls, exact.controls, 1e-9)
    near(d.cost, exact.cost, 1e-9)


def test_bad_input_is_named() -> None:
    problem = Case("chain").problem
    found = solve(problem)

    def make(p: np.ndarray) -> ShootingProblem:
        return replaced(problem, qd=problem.qd + p[0])

    with pytest.raises(ArrayShapeError, match="parameters"):
        parameter_derivatives(make, 0.0, found)
    with pytest.raises(ArrayShapeError, match="scale"):
        parameter_derivatives(make, [0.0], found, [1.0, 2.0])
    with pytest.raises(SpatialError, match="scale"):
        parameter_derivatives(make, [0.0], found, [0.0])
    with pytest.raises(SpatialError, match="converged"):
        parameter_derivatives(make, [0.0], solve(problem, max_iterations=1))
    longer = replaced(problem, h=np.full(9, 0.05), lower=-np.inf, upper=np.inf, phases=())
    with pytest.raises(SpatialError, match="stages"):
        parameter_derivatives(lambda p: longer if p[0] else problem, [0.0], found)
