"""Convergence of `solve` does not depend on units, on a factor of all costs, or on constants in
them; motions that are no minima are left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import near
from units import Units

from spatial_v2 import Frame, Model, autoTree, configurationAddition, mcI, neutral, xlt
from spatial_v2.control import (
    Bounds,
    ControlCost,
    FramePosition,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    SquareCost,
    StateCost,
    parameter_derivatives,
    solution_derivatives,
    solve,
)
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.riccati import compliances, riccati
from spatial_v2.control.shooting import Expansion, Shooting, Trajectory
from spatial_v2.control.solve import SolverMethod

METHODS: list[SolverMethod] = ["newton", "ddp", "ilqr"]
every_method = pytest.mark.parametrize("method", METHODS)


def swing(factor: float = 1.0, units: Units | None = None) -> ShootingProblem:
    """Make a problem: swing a double pendulum to a goal, with costs times a factor, in units."""
    units = units or Units()
    model = autoTree(2).replace(gravity=[0, -9.81, 0])
    effort = factor * 0.01 / (units.factor("E") ** 2 * units.time)
    other = units.model(model)
    goal = StateCost(other, [1.0, 0.5], factor * 100.0, factor * 10.0 * units.time**2)
    h = np.full(30, 0.03 * units.time)
    return ShootingProblem(other, [-1.5, 0.0], [0.0, 0.0], h, [ControlCost(effort)], [goal])


@every_method
@pytest.mark.parametrize("factor", [2.0**-60, 2.0**-33, 2.0**33])
def test_a_factor_of_all_costs_changes_nothing(method: SolverMethod, factor: float) -> None:
    """The same iterations lead to the same motion, whatever the costs are multiplied by."""
    one, other = solve(swing(), method=method), solve(swing(factor), method=method)
    assert one.status == other.status == "converged"
    assert one.iterations == other.iterations > 3
    near(other.trajectory.u, one.trajectory.u, 1e-12)


@every_method
@pytest.mark.parametrize("units", [Units(2.0**10, 2.0**-12), Units(2.0**-10, 2.0**20)])
def test_units_change_nothing(method: SolverMethod, units: Units) -> None:
    """The same iterations lead to the same motion in other units of length and mass."""
    one, other = solve(swing(), method=method), solve(swing(units=units), method=method)
    assert one.status == other.status == "converged"
    assert one.iterations == other.iterations
    near(other.trajectory.u / units.factor("E"), one.trajectory.u, 1e-12)


def cart(drives: list[int], units: Units | None = None) -> ShootingProblem:
    """Make a problem: a cart with a double pendulum, whose joints count in lengths and angles."""
    units, I = units or Units(), mcI(1, [0.5, 0, 0], 0.1 * np.eye(3))
    model = Model(
        parent=[-1, 0, 1], jtype=["Px", "Rz", "Rz"], I=[I] * 3, gravity=[0, -9.81, 0],
        Xtree=[np.eye(6), np.eye(6), xlt([1, 0, 0])],
    )  # fmt: skip
    length = np.array([units.length, 1.0, 1.0])
    force = units.factor("E") / length
    effort = ControlCost(0.01 / (force[drives] ** 2 * units.time))
    weights = 100 / length**2, 10 * (units.time / length) ** 2
    goal = StateCost(units.model(model), [0, np.pi / 2, 0], *weights)
    return ShootingProblem(
        units.model(model), [length[0], -np.pi / 2, 0.0], [0.0] * 3, np.full(30, 0.03 * units.time),
        [effort], [goal], actuation=np.eye(3)[:, drives],
    )  # fmt: skip


@every_method
@pytest.mark.parametrize("drives", [[0, 1, 2], [2]])
def test_units_change_nothing_where_joints_count_in_lengths_and_angles(
    method: SolverMethod, drives: list[int]
) -> None:
    """Neither the weights of defects nor the corrections of Hessians add lengths to angles, or
    forces to moments: the same iterations lead to the same motion.
    """
    found = [
        solve(cart(drives, units), method=method, max_iterations=25)
        for units in (Units(), Units(2.0**10, 2.0**-12, 2.0**3), Units(2.0**-10, 2.0**20, 2.0**-7))
    ]
    one = found[0]
    for other in found[1:]:
        assert other.status == one.status and other.iterations == one.iterations > 3
        for x, y in zip(other.log, one.log, strict=True):
            assert (x.step, x.exact, x.correction) == (y.step, y.exact, y.correction)
        near(other.trajectory.q[:, 1:], one.trajectory.q[:, 1:], 1e-12)
        near([x.cost for x in other.log], [x.cost for x in one.log], 1e-12)


def undriven(constant: float, **bounds: Any) -> ShootingProblem:
    """Make a problem: swing a double pendulum up by its second joint, beside a joint without drive
    whose goal cannot be reached, which adds half the constant to the cost.
    """
    I = mcI(1, [0.5, 0, 0], 0.1 * np.eye(3))
    model = Model(
        parent=[-1, -1, 1], jtype=["Px", "Rz", "Rz"], I=[I] * 3, gravity=[0, -9.81, 0],
        Xtree=[np.eye(6), np.eye(6), xlt([1, 0, 0])],
    )  # fmt: skip
    goal = StateCost(model, [0, np.pi / 2, 0], [constant, 100, 100], [0, 10, 10])
    h, B = np.full(60, 0.03), np.eye(3)[:, 2:]
    start = [1.0, -np.pi / 2, 0.0], [0.0] * 3
    return ShootingProblem(model, *start, h, [ControlCost(0.01)], [goal], actuation=B, **bounds)


@every_method
@pytest.mark.parametrize("constant", [1e8, 1e14, 1e16])
def test_a_constant_in_the_cost_does_not_hide_a_gradient(
    method: SolverMethod, constant: float
) -> None:
    """A converged motion has no gradient, whatever constant the cost has; Newton's method and DDP
    converge to a cost that is as low as without it, up to the digits that the
    constant leaves.
    """
    most = 40 if method == "ilqr" else 200
    found = solve(undriven(constant), method=method, max_iterations=most)
    if method == "ilqr":
        assert found.status != "converged" or found.log[-1].stationarity < 1e-6
        return
    assert found.status == "converged"
    assert found.log[-1].stationarity < 1e-8
    assert found.cost - constant / 2 < 3 + 2 * np.spacing(constant)


@pytest.mark.parametrize("constant", [1e8, 1e14, 1e16])
def test_a_constant_in_the_cost_does_not_hide_a_gradient_under_bounds(constant: float) -> None:
    """The same with bounded speeds, whose rows have a merit function of their own."""
    found = solve(bounded(undriven(constant)), max_iterations=200)
    assert found.status == "converged"
    assert found.log[-1].stationarity < 1e-8
    assert found.cost - constant / 2 < 3 + 2 * np.spacing(constant)


def bounded(problem: ShootingProblem) -> ShootingProblem:
    """Return a problem with bounded speeds."""
    speeds = JointVelocities(problem.model)
    return replace(problem, running_bounds=[Bounds(speeds, -20.0, 20.0)])


@pytest.mark.parametrize("change", [lambda problem: problem, bounded])
def test_a_constant_in_the_cost_changes_no_step(change: Any) -> None:
    """As long as its digits are enough for the rest of the cost, the path is the same."""
    paths = [
        [
            (x.step, x.exact, x.correction)
            for x in solve(change(undriven(c)), max_iterations=200).log
        ]
        for c in (0.0, 1e4, 1e8)
    ]
    assert paths[0] == paths[1] == paths[2]


def at_the_top(goal: float = -1.0) -> ShootingProblem:
    """Make a problem whose motion at rest is stationary: a pendulum opposite to its goal."""
    model = autoTree(1).replace(gravity=[0, 0, 0])
    tip = FramePosition(model, Frame(0, xlt([1.0, 0, 0])))
    far = SquareCost(tip, 100.0, [goal, 0, 0])
    return ShootingProblem(model, [0.0], [0.0], np.full(20, 0.05), [ControlCost(1e-3)], [far])


@every_method
def test_a_maximum_is_left(method: SolverMethod) -> None:
    """From the maximum, cost 200, few iterations lead to the minimum, whose derivatives exist."""
    problem = at_the_top()
    found = solve(problem, method=method)
    assert found.status == "converged" and found.iterations <= 10
    assert found.log[0].cost == pytest.approx(200.0)
    assert found.cost == pytest.approx(1.54e-3, rel=0.01)
    assert (solution_derivatives(problem, found).hessian > 0).all()
    near(np.abs(found.trajectory.q[-1]), [np.pi], 0.01)


def test_a_maximum_is_no_solution_if_no_iteration_is_left() -> None:
    assert solve(at_the_top(), max_iterations=0).status == "max_iterations"


@every_method
def test_problems_at_a_maximum_and_others_are_solved_together(method: SolverMethod) -> None:
    """Of several problems, those at a maximum are left; the others keep their minima."""
    one = at_the_top()
    q = np.array([[0.0], [0.5], [np.pi]])
    many = ShootingProblem(
        one.model, q, np.zeros((3, 1)), one.h, one.running, one.terminal
    )  # fmt: skip
    found = solve(many, method=method)
    assert (found.status == "converged").all()
    near(np.abs(found.trajectory.q[:, -1, 0]), [np.pi] * 3, 0.01)


def test_controls_held_at_bounds_make_no_saddle() -> None:
    """A motion is a minimum if bounds keep the controls from the direction of negative
    curvature.
    """
    one = at_the_top()
    bounds = {"lower": 0.0, "upper": 0.0}
    fixed = ShootingProblem(
        one.model, one.q, one.qd, one.h, one.running, one.terminal, **bounds
    )  # fmt: skip
    found = solve(fixed)
    assert found.status == "converged" and found.iterations == 0


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e3])
def test_bounds_are_kept_in_proportion(mass: float) -> None:
    """Controls of a mass point that goes from rest to rest with least effort are those of linear
    algebra, with the same digits for light and heavy ones.
    """
    N, h = 30, 0.1
    model = Model(
        parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[mcI(mass, [0, 0, 0], np.zeros((3, 3)))],
        gravity=[0, 0, 0],
    )  # fmt: skip
    there = [Bounds(JointPositions(model), 1.0, 1.0), Bounds(JointVelocities(model), 0.0, 0.0)]
    problem = ShootingProblem(
        model, [0.0], [0.0], np.full(N, h), [ControlCost(1.0)], terminal_bounds=there
    )
    found = solve(problem)
    by_state = solution_derivatives(problem, found).controls[:, 0]
    A, B = np.array([[1, h], [0, 1]]), np.array([h * h, h]) / mass
    C = np.stack([np.linalg.matrix_power(A, N - 1 - k) @ B for k in range(N)], axis=1)
    assert found.status == "converged"
    assert found.iterations <= 8
    near(found.trajectory.u[:, 0] / mass, np.linalg.pinv(C) @ [1.0, 0] / mass, 1e-7)
    exact = -np.linalg.pinv(C) @ np.linalg.matrix_power(A, N) / mass
    near(by_state / mass, exact, 1e-12)


@pytest.mark.parametrize("steps", [30, 150])
@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e2, 1e5])
def test_derivatives_beside_an_active_bound(mass: float, steps: int) -> None:
    """If a bound in the middle of the way is active, derivatives are those of linear algebra with
    the active rows, and gains are their feedback, with the same digits for light and heavy ones.
    """
    N, h = steps, 3.0 / steps
    I = mcI(mass, [0, 0, 0], np.zeros((3, 3)))
    model = Model(parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0])
    there = [Bounds(JointPositions(model), 1.0, 1.0), Bounds(JointVelocities(model), 0.0, 0.0)]
    within = [Bounds(JointPositions(model), -0.1, 0.8, slice(N // 10, 8 * N // 10))]
    problem = ShootingProblem(
        model, [0.0], [0.0], np.full(N, h), [ControlCost(1.0)],
        running_bounds=within, terminal_bounds=there,
    )  # fmt: skip
    found = solve(problem, tolerance=1e-10)
    active = N // 10 + np.flatnonzero(found.multipliers[0])
    A, B = np.array([[1, h], [0, 1]]), np.array([h * h, h]) / mass
    x_u = np.zeros((N + 1, 2, N))
    for k in range(N):
        x_u[k + 1] = A @ x_u[k]
        x_u[k + 1][:, k] += B
    C = np.concatenate([x_u[active, 0], x_u[N]])
    free = [np.linalg.matrix_power(A, k)[:1] for k in active] + [np.linalg.matrix_power(A, N)]
    unit = np.linalg.norm(C, axis=1)[:, None]
    exact = -np.linalg.pinv(C / unit) @ (np.concatenate(free) / unit)
    assert active.size == 1

    def make(x: np.ndarray) -> ShootingProblem:
        return replace(problem, q=x[:1], qd=x[1:])

    by_start = solution_derivatives(problem, found)
    near(by_start.controls[:, 0], exact, 1e-12, least=0.0)
    near(parameter_derivatives(make, [0.0, 0.0], found).controls[:, 0], exact, 1e-11, least=0.0)
    near(found.gains[0], exact[:1], 1e-10, least=0.0)
    near(by_start.hessian, h * exact.T @ exact, 1e-11, least=0.0)


@pytest.mark.parametrize("mass", [1.0, 30.0])
def test_a_body_reaches_a_pose_in_few_iterations(mass: float) -> None:
    """A free body goes from rest to rest at a pose, with the same iterations for all masses; a
    neighbouring problem takes fewer from its solution.
    """
    I = mcI(mass, [0] * 3, mass * 0.1 * np.eye(3))
    model = Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0])
    start = neutral(model)
    goal = configurationAddition(model, start, [0.3, 0.2, 0.1, 1, 0.5, 0.2])
    there = [
        Bounds(JointPositions(model, goal), 0.0, 0.0),
        Bounds(JointVelocities(model), 0.0, 0.0),
    ]

    def problem(moved: np.ndarray) -> ShootingProblem:
        state = configurationAddition(model, start, moved[:6]), moved[6:]
        h = np.full(40, 0.05)
        return ShootingProblem(model, *state, h, [ControlCost(1.0)], terminal_bounds=there)

    found = solve(problem(np.zeros(12)))
    assert found.status == "converged" and found.iterations <= 15
    assert found.cost / mass**2 == pytest.approx(0.9688926, rel=1e-6)
    moved = problem(1e-4 * np.random.default_rng(0).normal(size=12))
    for guess, most in ((found, 6), (found.trajectory, 15)):
        again = solve(moved, guess)
        assert again.status == "converged" and again.iterations <= most
        assert again.cost == pytest.approx(found.cost, rel=1e-3)


def natural(problem: ShootingProblem, u: float = 0.0) -> tuple[Shooting, Any, NaturalUnits]:
    """Return natural units at the motion at rest."""
    s = Shooting(problem)
    S, n, m = s.stages, s.n, s.m
    q = np.broadcast_to(problem.q, (1, S + 1, problem.model.NQ)).copy()
    t = Trajectory(q, np.zeros((1, S + 1, n)), np.full((1, S, m), u))
    e = s.evaluate(t)
    return s, e, NaturalUnits.at(s, e)


def test_natural_units_are_those_of_the_inverse_hessian() -> None:
    """Of a mass point, whose Hessian is dense linear algebra."""
    N, h, w, W = 8, 0.1, 0.3, [5.0, 2.0]
    model = Model(
        parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[mcI(2.0, [0, 0, 0], np.zeros((3, 3)))],
        gravity=[0, 0, 0],
    )  # fmt: skip
    goal = StateCost(model, [1.0], *W)
    costs = [ControlCost(w)], [goal]
    _, _, units = natural(ShootingProblem(model, [0.0], [0.0], np.full(N, h), *costs))
    A, B = np.array([[1, h], [0, 1]]), np.array([h * h, h]) / 2.0
    x_u = np.zeros((N + 1, 2, N))
    for k in range(N):
        x_u[k + 1] = A @ x_u[k]
        x_u[k + 1][:, k] += B
    H = w * h * np.eye(N) + x_u[N].T @ np.diag(W) @ x_u[N]
    inverse = np.linalg.inv(H)
    near(units.control[0, 0], np.sqrt(np.diag(inverse).max()), 1e-12)
    spread = np.array([np.sqrt(np.diag(x @ inverse @ x.T)) for x in x_u])
    near(units.state[0], spread.max(axis=0), 1e-12)
    g = x_u[N].T @ np.diag(W) @ [-1.0, 0]
    near(units.cost, [g @ inverse @ g], 1e-12)


def test_natural_units_of_a_motion_that_diverges_without_feedback() -> None:
    """Rounding errors do not grow with the motion: the blocks of the inverse Hessian are those that
    what lies behind an instant and what lies ahead of it give together.
    """
    S, n, inv, rng = 60, 2, np.linalg.inv, np.random.default_rng(1)
    F = np.concatenate([np.array([[2.0, 1.0], [0.5, 3.0]]), rng.normal(size=(n, n))], axis=1)
    Q = np.diag([0.01, 0.02, 1.0, 2.0])
    x = Expansion(np.tile(F, (1, S, 1, 1)), np.zeros((1, S + 1, 4)), np.tile(Q, (1, S + 1, 1, 1)))
    free = np.full((1, S, n), np.inf)
    f = riccati(x, np.zeros((1, S, n)), -free, free, np.zeros((1, n)))
    Z = compliances(x, f)[0, :, :n, :n]
    effort = F[:, n:] @ inv(Q[n:, n:]) @ F[:, n:].T
    behind = effort
    for k in range(1, S + 1):
        near(Z[k], inv(inv(behind) + f.P[0, k]), 1e-13)
        behind = F[:, :n] @ inv(inv(behind) + Q[:n, :n]) @ F[:, :n].T + effort
