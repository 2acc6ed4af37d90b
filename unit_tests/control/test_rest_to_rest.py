"""Motions from rest to rest that users bring: arms, a pole on a cart, drones, a space robot; with
bounded controls, equations at the end, bounded speeds, and guesses at rest or straight.

All are minima: their exact Hessians are positive definite under the active bounds.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import near

from spatial_v2 import Frame, Model, configurationAddition, load_model, mcI, neutral, puma560, xlt
from spatial_v2.control import (
    Bounds,
    ControlCost,
    FramePosition,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    Solution,
    StateCost,
    Trajectory,
    solution_derivatives,
    solve,
)
from spatial_v2.control.bounded_newton import BoundedNewton
from spatial_v2.control.natural_units import NaturalUnits, gauss_newton
from spatial_v2.control.riccati import compliances
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Shooting
from spatial_v2.io import example_robots

iterations = sys.modules["spatial_v2.control.descent"]
Made = tuple[ShootingProblem, Trajectory | None]
LIMITS = {
    "panda": [87, 87, 87, 87, 12, 12, 12, 20, 20],
    "ur5": [150, 150, 150, 28, 28, 28],
    "puma560": [97.6, 186.4, 89.4, 24.2, 20.1, 21.3],
}
ENDS = {
    "panda": ([0, -0.785, 0, -2.356, 0, 1.571, 0.785, 0.02, 0.02],
              [0.6, -0.2, 0.3, -1.8, 0.4, 1.9, 0.2, 0.03, 0.03]),
    "ur5": ([0, -1.2, 1.4, -1, -1.5, 0.3], [1.2, -0.6, 0.8, -0.5, -1.2, 1.0]),
    "puma560": ([0] * 6, [0.5, -0.4, 0.3, 0.2, 0.1, 0.3]),
}  # fmt: skip
FAST = np.array([2.175] * 4 + [2.61] * 3 + [0.2] * 2)


def arm(name: str, seconds: float = 1.0, speed: Any = None, straight: bool = False) -> Made:
    """Make a problem: an arm from rest to rest, with torques weighed over their limits."""
    if name != "puma560" and name not in example_robots():
        pytest.skip("example-robot-data is not installed")
    model = puma560() if name == "puma560" else load_model(name, couplings="free")
    (start, goal), most = np.array(ENDS[name], dtype=float), np.array(LIMITS[name], dtype=float)
    rates, rest, N = JointVelocities(model), np.zeros(model.NV), 50
    problem = ShootingProblem(
        model, start, rest, np.full(N, seconds / N), [ControlCost(1 / most**2)],
        lower=-most, upper=most,
        running_bounds=[] if speed is None else [Bounds(rates, -speed, speed)],
        terminal_bounds=[Bounds(JointPositions(model), goal, goal), Bounds(rates, 0.0, 0.0)],
    )  # fmt: skip
    way = np.linspace(0, 1, N + 1)[:, None] * (goal - start)
    return problem, Trajectory(start + way, (goal - start) / seconds, rest) if straight else None


def spinning() -> Made:
    """Make a problem: a Puma whose wrist is nearly free to spin, as torques count in Nm."""
    problem, _ = arm("puma560")
    return replace(problem, running=[ControlCost(1.0)]), None


def drone(turn: list[float], to: list[float]) -> Made:
    """Make a problem: four rotors that pull one way bring a body to rest at the origin, upright."""
    model = Model(
        parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)],
        I=[mcI(1.2, [0] * 3, np.diag([0.01, 0.01, 0.02]))], gravity=[0, 0, -9.81],
    )  # fmt: skip
    B, hover = np.zeros((6, 4)), 1.2 * 9.81 / 4
    for k, (x, y) in enumerate([(0.2, 0), (0, 0.2), (-0.2, 0), (0, -0.2)]):
        B[:, k] = [y, -x, 0.02 * (-1) ** k, 0, 0, 1]
    start, goal = (
        configurationAddition(model, neutral(model), x) for x in (turn + [0] * 3, [0] * 3 + to)
    )
    rates = JointVelocities(model)
    problem = ShootingProblem(
        model, start, np.zeros(6), np.full(75, 0.02), [ControlCost(1.0, hover)], actuation=B,
        lower=0.0, upper=2.5 * hover,
        terminal_bounds=[Bounds(JointPositions(model, goal), 0.0, 0.0), Bounds(rates, 0.0, 0.0)],
    )  # fmt: skip
    return problem, Trajectory(start, np.zeros(6), np.full(4, hover))


def pendulum() -> Made:
    """Make a problem: a weak motor swings a pendulum up."""
    I = mcI(1.0, [0, 0, -0.5], 0.02 * np.eye(3))
    model = Model(parent=[-1], jtype=["Rx"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, -9.81])
    end = JointPositions(model), JointVelocities(model)
    there = [Bounds(end[0], np.pi, np.pi), Bounds(end[1], 0.0, 0.0)]
    h = np.full(100, 0.03)
    return ShootingProblem(
        model, [0.0], [0.0], h, [ControlCost(0.1)], terminal_bounds=there, lower=-2.5, upper=2.5
    ), None


def cart(track: bool) -> Made:
    """Make a problem: a cart of limited force swings its pole up, perhaps on a short track."""
    I = [mcI(m, c, 0.01 * np.eye(3)) for m, c in ((1.0, [0.0] * 3), (0.2, [0, 0, 0.5]))]
    model = Model(
        parent=[-1, 0], jtype=["Py", "Rx"], Xtree=[np.eye(6)] * 2, I=I, gravity=[0, 0, -9.81]
    )
    place = JointPositions(model)
    return ShootingProblem(
        model, [0.0, np.pi], [0.0, 0.0], np.full(100, 0.03), [ControlCost(0.02)],
        actuation=[[1.0], [0.0]], lower=-10.0, upper=10.0,
        running_bounds=[Bounds(place, [-0.6, -9.0], [0.6, 9.0])] if track else [],
        terminal_bounds=[Bounds(place, 0.0, 0.0), Bounds(JointVelocities(model), 0.0, 0.0)],
    ), None  # fmt: skip


def space_arm() -> Made:
    """Make a problem: a floating robot reaches for a place, from a stretched arm."""
    I = [mcI(50, [0] * 3, 5 * np.eye(3)), mcI(5, [0, 0, 0.5], 0.4 * np.eye(3)),
         mcI(3, [0, 0, 0.5], 0.3 * np.eye(3))]  # fmt: skip
    model = Model(
        parent=[-1, 0, 1], jtype=["Fb", "Ry", "Ry"], I=I, gravity=[0, 0, 0],
        Xtree=[np.eye(6), xlt([0, 0, 0.5]), xlt([0, 0, 1.0])],
    )  # fmt: skip
    tip, free = FramePosition(model, Frame(2, xlt([0, 0, 1.0]))), np.full(6, np.inf)
    rates = JointVelocities(model)
    return ShootingProblem(
        model, neutral(model), np.zeros(8), np.full(50, 0.04), [ControlCost(0.1)],
        actuation=np.eye(8)[:, 6:], lower=-20.0, upper=20.0,
        running_bounds=[Bounds(rates, np.r_[-free, -1.5, -1.5], np.r_[free, 1.5, 1.5])],
        terminal_bounds=[Bounds(tip, [1.2, -np.inf, 1.0], [1.2, np.inf, 1.0]),
                         Bounds(rates, np.r_[-free, 0, 0], np.r_[free, 0, 0])],
    ), None  # fmt: skip


def acrobot() -> Made:
    """Make a problem: a weak motor between two bars swings them up, by costs alone."""
    I = [mcI(1.0, [0, 0, -0.5], 0.083 * np.eye(3))] * 2
    model = Model(
        parent=[-1, 0], jtype=["Rx"] * 2, I=I, gravity=[0, 0, -9.81],
        Xtree=[np.eye(6), xlt([0, 0, -1.0])],
    )  # fmt: skip
    return ShootingProblem(
        model, [0.0, 0.0], [0.0, 0.0], np.full(60, 0.05), [ControlCost(0.01)],
        [StateCost(model, [np.pi, 0.0], 100.0, 10.0)], actuation=[[0.0], [1.0]],
        lower=-5.0, upper=5.0,
    ), None  # fmt: skip


def minimum_of(made: Made, most: int) -> Solution:
    """Solve a problem in at most so many iterations; return a solution that is a minimum."""
    found = solve(*made, max_iterations=most)
    assert found.status == "converged", (found.status, found.log[-1])
    solution_derivatives(made[0], found)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seconds", "speed", "most"),
    [("ur5", 1.0, None, 20), ("ur5", 1.0, 3.0, 12), ("panda", 1.0, FAST, 18),
     ("panda", 2.0, FAST, 20), ("panda", 2.0, 2.0, 32), ("panda", 1.0, None, 50),
     ("puma560", 1.0, 1.0, 14), ("puma560", 1.0, 3.0, 14), ("puma560", 1.0, 10.0, 14)],
)  # fmt: skip
@pytest.mark.parametrize("straight", [False, True])
def test_arms(name: str, seconds: float, speed: Any, most: int, straight: bool) -> None:
    minimum_of(arm(name, seconds, speed, straight), most)


@pytest.mark.slow
def test_a_motion_that_has_gone_astray_is_no_certificate() -> None:
    """Speeds grow beyond all measure before the search for a motion within the bounds begins; there
    are such motions, as in two seconds.
    """
    found = solve(*arm("panda", 3.0, FAST, True))
    assert found.status != "infeasible"
    assert found.violation is None or np.isnan(found.violation.certificate)


@pytest.mark.slow
def test_a_wrist_that_spins_in_the_minimum() -> None:
    """The first attempt creeps along a valley; the second one does not."""
    minimum_of(spinning(), 200)


@pytest.mark.parametrize(
    ("turn", "to", "most"),
    [([0.0] * 3, [1, 0.5, 0.5], 10), ([0.0] * 3, [3, -1, 1], 10), ([2.9, 0.1, 0.1], [0, 0, 0], 40)],
)
def test_drones(turn: list[float], to: list[float], most: int) -> None:
    """The last one begins upside down, where no step meets the equations at the end."""
    minimum_of(drone(turn, to), most)


@pytest.mark.parametrize(
    ("made", "most"), [(pendulum(), 30), (cart(False), 20), (cart(True), 20), (space_arm(), 20)]
)
def test_swings_whose_steps_do_not_meet_the_bounds(made: Made, most: int) -> None:
    """On the way, no step meets the linearised bounds; from a stretched arm, none to one side."""
    minimum_of(made, most)


def test_a_swing_from_which_newton_goes_astray() -> None:
    """Defects grow and steps become shorter and shorter: simulated motions lead to a minimum. In a
    batch, the other problem keeps its solution.
    """
    problem, _ = acrobot()
    found = minimum_of((problem, None), 100)
    assert not found.log[-1].infeasibility and found.cost < 10
    both = replace(problem, q=[[0.0, 0.0], [np.pi, 0.01]], qd=np.zeros((2, 2)))
    many, other = solve(both), solve(replace(problem, q=[np.pi, 0.01]))
    assert many.status.tolist() == ["converged"] * 2
    near(many.cost, [found.cost, other.cost], 1e-10)
    near(many.gains[0], found.gains, 1e-8)
    assert len(many.log) == len(found.log) and np.isnan(many.log[-1].cost[1])


def test_a_correction_that_grows_without_end_is_no_minimum(monkeypatch: Any) -> None:
    """Steps that it makes small promise next to nothing, far from any minimum."""
    monkeypatch.setattr(iterations, "CREEPING", -1)
    assert solve(*acrobot()).status != "converged"


@pytest.mark.parametrize(
    ("made", "exact"),
    [(cart(True), 5e-10), (pendulum(), 2e-10), (space_arm(), 1e-8),
     (drone([0.0] * 3, [1, 1, 1]), 1e-10)],
)  # fmt: skip
def test_gains_beside_equations_at_the_end(made: Made, exact: float) -> None:
    """Gains have the digits of the derivatives of the motion, whose changes they explain. Near the
    end, where a change of the state cannot be undone, there are none.
    """
    found = minimum_of(made, 40)
    d = solution_derivatives(made[0], found)
    near(found.gains[0], d.controls[0], exact)
    half = made[0].steps // 2
    near(d.controls[:half], found.gains[:half] @ d.states[:half], exact)


def test_equations_at_the_end_that_are_nearly_dependent() -> None:
    """Directions between the joints of an arm move so differently that the equations at its end
    are nearly dependent; a combination of them is not, whose multipliers have all digits.
    """
    problem, guess = arm("panda", 2.0)
    s = Shooting(problem)
    assert guess is None
    t = Trajectory(*(np.broadcast_to(x, (1, n, x.size)).copy() for x, n in (
        (problem.q, s.stages + 1), (problem.qd, s.stages + 1), (np.zeros(s.m), s.stages)
    )))  # fmt: skip
    e = s.evaluate(t)
    rows = Rows(s, t)
    units = NaturalUnits.at(s, e, rows)
    x, f = gauss_newton(s, e)
    Z, C = compliances(x, f)[0, -1], rows.jacobian(t)[0, -1]
    equations = rows.limits.equations[-1]
    size = units.row[0, -1, equations]
    plain = C[equations] / size[:, None]
    joint = (units.bases[0, -1] @ C)[equations] / size[:, None]
    before, after = (np.linalg.eigvalsh(y @ Z @ y.T) for y in (plain, joint))
    assert before[0] < 1e-7 * before[-1] and after[0] > 0.5 * after[-1]
    newton = BoundedNewton(s, t, lambda: True)
    _, step = newton.step(newton.quadratic(False))
    assert newton.follow(step) == 1.0
    assert np.abs(newton.now.e.at.q[0, -1] - ENDS["panda"][1]).max() < 1e-9


@pytest.mark.parametrize("seconds", [2.0, 10.0])
def test_costates_of_a_motion_that_diverges_without_feedback(seconds: float) -> None:
    """A pole comes upright from a small angle. The costates are the multipliers of the defects,
    which satisfy the optimality conditions; those of the adjoint method lose all digits in 10 s.
    """
    problem, _ = pendulum()
    model, N = problem.model, round(seconds / 0.02)
    there = [Bounds(JointPositions(model), np.pi, np.pi), Bounds(JointVelocities(model), 0.0, 0.0)]
    upright = ShootingProblem(
        model, [np.pi - 0.1], [0.0], np.full(N, 0.02), [ControlCost(1.0)], terminal_bounds=there
    )
    found = solve(upright)
    assert found.status == "converged"
    s = Shooting(upright)
    t = Trajectory(*(x[None] for x in found.trajectory))
    x = s.expand(s.evaluate(t), False)
    p, F = found.costates, x.F[0]
    p_start = x.g[0, :-1, :2] + (p[1:, None] @ F[..., :2])[:, 0]
    near(p[:-1], p_start, 1e-8)
    slope = x.g[0, :-1, 2:] + (p[1:, None] @ F[..., 2:])[:, 0]
    near(slope, 0 * slope, 1e-8 * np.abs(x.g).max())
    assert np.abs(p).max() < 100
