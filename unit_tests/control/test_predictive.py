"""Model predictive control: convergence to the optimum of `solve`, moving horizons, time, and
memory.
"""

import gc
import tracemalloc
from itertools import count
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from test_shooting import Case, N, foot, replaced

from spatial_v2 import ArrayShapeError, Model, SpatialError, configurationAddition, mcI, neutral
from spatial_v2.control import (
    Bounds,
    ContactPhase,
    ControlCost,
    JointPositions,
    JointVelocities,
    ModelPredictiveControl,
    ShootingProblem,
    StateCost,
    Trajectory,
    bounded,
    solve,
    time_step,
)
from spatial_v2.control.shooting import Shooting
from spatial_v2.control.stage_system import StageSystem


def bounds_of(name: str, kind: str) -> dict[str, Any]:
    free = solve(Case(name).problem).trajectory
    low, high = np.quantile(free.u, [0.2, 0.8], axis=0)
    if kind == "controls":
        return {"lower": low, "upper": high}
    top = 0.8 * np.abs(free.qd[1:]).max(axis=0)
    return {"running_bounds": [Bounds(JointVelocities(zoo.build(name)), -top, top, slice(1, N))]}


NAMES = ("chain", "floating", "spherical")
KINDS = [(name, kind) for name in NAMES for kind in ("free", "controls")]


@pytest.mark.parametrize("line_search", [True, False])
@pytest.mark.parametrize(("name", "kind"), [*KINDS, ("chain", "velocities")])
def test_calls_converge_to_the_solution(name: str, kind: str, line_search: bool) -> None:
    """Starting from the solution for one initial state, calls of one iteration converge to that for
    another.
    """
    more: Any = {} if kind == "free" else bounds_of(name, kind)
    problem, rng = replaced(Case(name).problem, **more), np.random.default_rng(1)
    model = problem.model
    q = configurationAddition(model, problem.q, 0.1 * rng.normal(size=model.NV))
    qd = problem.qd + 0.1 * rng.normal(size=model.NV)
    goal = solve(replaced(problem, q=q, qd=qd), tolerance=1e-9)
    control = ModelPredictiveControl(problem, solve(problem), line_search)
    done = [control.step(q, qd) for _ in range({"free": 6, "controls": 10, "velocities": 10}[kind])]
    near(control.trajectory.u, goal.trajectory.u, 1e-6)
    near(done[-1].u, goal.trajectory.u[0], 1e-6)
    near(done[-1].cost, goal.cost, 1e-7)
    assert [x.iterations for x in done] == [1] * len(done)
    assert done[-1].error < 1e-6 and done[-1].error < done[0].error
    near(done[-1].gains, goal.gains[0], 1e-4)


@pytest.mark.parametrize("line_search", [True, False])
@pytest.mark.parametrize(("name", "kind"), [("floating", "free"), ("chain", "velocities")])
def test_calls_without_second_derivatives(
    name: str, kind: str, line_search: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls with the Hessian of Gauss and Newton converge to the same solution, and compute no
    second derivatives of the dynamics or of bounded quantities.
    """
    problem = replaced(Case(name).problem, **({} if kind == "free" else bounds_of(name, kind)))
    goal, off = solve(problem, tolerance=1e-10), 0.02
    control = ModelPredictiveControl(problem, goal, line_search, exact=False)

    def refuse(*args: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(Shooting, "add_hessians", refuse)
    control.step(problem.q, problem.qd + off)
    done = [control.step(problem.q, problem.qd) for _ in range(40)]
    near(control.trajectory.u, goal.trajectory.u, 1e-6)
    errors = np.array([x.error for x in done])
    assert errors[-1] < 1e-6 < errors[0]


def cart_pole() -> ShootingProblem:
    """Return the problem of a pole that is balanced by a cart with limited force."""
    import runpy
    from pathlib import Path

    script = Path(__file__).parents[2] / "examples" / "optimal_control" / "cart_pole_mpc.py"
    problem: ShootingProblem = runpy.run_path(str(script))["PROBLEM"]
    return problem


def test_a_horizon_that_moves_on_loses_nothing() -> None:
    """A horizon that moves on keeps the rest of the motion, and repeats its last interval.

    A pole at rest in balance stays: all motions are equal, and the errors vanish.
    """
    case = Case("chain")
    goal = replaced(case.problem, q=case.goal, qd=np.zeros(case.model.NV))
    control = ModelPredictiveControl(goal, solve(goal, tolerance=1e-10))
    before = control.trajectory
    for _ in range(2):
        control.shift()
    near(control.trajectory.q[:-2], before.q[2:], 1e-14)
    near(control.trajectory.u[:-2], before.u[2:], 1e-14)
    near(control.trajectory.q[-1], before.q[-1], 1e-14)
    near(control.trajectory.u[-1], before.u[-1], 1e-14)


def test_contact_phases_that_come_nearer() -> None:
    """An impact comes one interval nearer when the horizon moves on, and the motion moves with it.

    There is a problem for each horizon.
    """
    phases = [[ContactPhase(k), ContactPhase(N - k, foot("chain"), impact=True)] for k in (4, 3)]
    phases.append([ContactPhase(N, foot("chain"))])
    case = Case("chain", phases=phases[0], baumgarte=(0.0, 5.0))
    found = solve(case.problem)
    control = ModelPredictiveControl(case.problem, found)
    control.shift(replaced(case.problem, phases=phases[1]))
    t, old = control.trajectory, found.trajectory
    near(t.qd[1:-1], old.qd[2:], 1e-14)
    near(t.u[:-1], old.u[1:], 1e-14)
    assert not t.u[3].any()
    command = control.step(t.q[0], t.qd[0])
    assert command.step > 0 and np.isfinite(command.cost)
    control.shift(replaced(case.problem, phases=phases[2]))
    assert control.trajectory.u.shape == (N, case.model.NV)
    with pytest.raises(ArrayShapeError, match="intervals"):
        control.shift(replaced(case.problem, phases=(), h=np.full(3, 0.05), lower=-9, upper=9))


def test_bounds_that_come_nearer() -> None:
    """Multipliers stay with their instants when the intervals of bounds come nearer, and vanish."""
    case = Case("chain")
    speeds = JointVelocities(case.model)

    def horizon(first: int, last: int) -> ShootingProblem:
        within = Bounds(speeds, -0.5, 0.5, slice(first, last))
        early = [Bounds(speeds, -9.0, 9.0, slice(1, 2))] * (first > 3)
        return replaced(case.problem, running_bounds=[*early, within])

    found = solve(horizon(4, 7))
    control = ModelPredictiveControl(horizon(4, 7), found)
    (_, y), start = found.multipliers, found.trajectory
    assert np.unique(y, axis=0).shape == y.shape
    for first, expected in ((3, y), (2, y)):
        control.shift(horizon(first, first + 3))
        near(control.multipliers[-1], expected, 1e-14)
    control.shift(horizon(1, 3))
    near(control.multipliers[-1], y[:2], 1e-14)
    command = control.step(start.q[3], start.qd[3])
    assert command.step > 0 and np.isfinite(command.cost)
    control.shift(replaced(case.problem))
    assert control.multipliers == []


def test_a_horizon_that_is_refused_changes_nothing() -> None:
    problem = Case("chain").problem
    control = ModelPredictiveControl(problem, solve(problem))
    before = control.step(problem.q, problem.qd)
    with pytest.raises(SpatialError, match="one initial state"):
        control.shift(replaced(problem, q=np.tile(problem.q, (3, 1))))
    near(control.step(problem.q, problem.qd).u, before.u, 1e-7)


def test_a_pole_stays_up_under_disturbances() -> None:
    """The pole stays up although the cart is pushed by 30 N for a tenth of a second and positions
    have noise.

    Forces stay within their bounds.
    """
    problem, rng = cart_pole(), np.random.default_rng(2)
    model, h = problem.model, float(problem.h[0])
    control = ModelPredictiveControl(problem, solve(problem))
    q, qd = problem.q, problem.qd
    for k in range(200):
        u = control.step(q + 1e-3 * rng.normal(size=2), qd).u
        assert np.abs(u).max() <= problem.upper.max()
        push = [30.0, 0.0] if 20 <= k < 25 else [0.0, 0.0]
        q, qd = time_step(model, q, qd, problem.actuation @ u + push, h)
        control.shift()
    near(q, [0.0, 0.0], 0.02)
    near(qd, [0.0, 0.0], 0.1)


def test_time_limits_hold_and_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that goes on by one second each time that it is read."""
    clock, problem = count(), Case("floating").problem
    monkeypatch.setattr("spatial_v2.control.predictive.working_time", clock.__next__)
    control = ModelPredictiveControl(problem)
    one = control.step(problem.q, problem.qd)
    assert one.seconds > 0 and one.iterations == 1
    limit, control = 4 * one.seconds, ModelPredictiveControl(problem)
    many = control.step(problem.q, problem.qd, iterations=50, time_limit=limit)
    assert 1 < many.iterations < 50 and many.seconds < limit + one.seconds
    least = control.step(problem.q, problem.qd, iterations=50, time_limit=0.0)
    assert least.iterations == 1


@pytest.mark.slow
def test_calls_keep_no_memory() -> None:
    problem = Case("floating").problem
    control = ModelPredictiveControl(problem, solve(problem))

    def calls(n: int) -> int:
        for _ in range(n):
            control.step(problem.q, problem.qd)
            control.shift()
        gc.collect()  # frees Python's lists of unused tuples
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    before = calls(5)
    after = calls(30)
    tracemalloc.stop()
    assert after - before < 20_000, after - before


def test_targets_that_move_are_read() -> None:
    case = Case("chain")
    costs = [StateCost(case.model, case.goal, 1.0, 0.1), ControlCost(0.01)]
    problem = replaced(case.problem, running=costs, terminal=[])
    control = ModelPredictiveControl(problem, solve(problem))
    costs[0].q[:] = case.q
    for _ in range(5):
        control.step(problem.q, problem.qd)
    near(control.trajectory.u, solve(problem, tolerance=1e-10).trajectory.u, 1e-7)


def test_bad_input_is_refused_and_forgotten() -> None:
    problem = Case("chain").problem
    many = replaced(problem, q=np.zeros((3, problem.model.NQ)))
    with pytest.raises(SpatialError, match="one initial state"):
        ModelPredictiveControl(many)
    with pytest.raises(ArrayShapeError, match="guess"):
        ModelPredictiveControl(problem, Trajectory(np.zeros(3), problem.qd, 0.0))
    control = ModelPredictiveControl(problem, solve(problem))
    good = control.step(problem.q, problem.qd)
    with pytest.raises(ArrayShapeError, match="qd"):
        control.step(problem.q, np.zeros(9))
    with pytest.raises(SpatialError, match="finite"):
        control.step(problem.q, np.full(problem.model.NV, np.nan))
    near(control.step(problem.q, problem.qd).u, good.u, 1e-7)


def test_a_time_limit_that_is_not_reached_changes_nothing() -> None:
    """A time limit that is not reached changes nothing, even if steps have to be shortened."""
    problem, rng = Case("spherical").problem, np.random.default_rng(0)
    t = ModelPredictiveControl(problem).trajectory
    wild = t._replace(qd=t.qd + 100 * rng.normal(size=t.qd.shape))
    found = []
    for limit in (np.inf, 1e3):
        control = ModelPredictiveControl(problem, wild)
        found.append(control.step(problem.q, problem.qd, time_limit=limit))
    a, b = found
    assert a.step == b.step < 1 and a.cost == b.cost
    np.testing.assert_array_equal(a.u, b.u)


def test_full_steps_cost_no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a line search, a call simulates the motion once, and each further iteration once."""
    problem, counts = Case("chain").problem, []
    control = ModelPredictiveControl(problem, solve(problem), line_search=False)
    evaluate = type(control._s).evaluate
    monkeypatch.setattr(
        type(control._s), "evaluate", lambda s, t, **how: counts.append(1) or evaluate(s, t, **how)
    )
    command = control.step(problem.q, problem.qd + 0.1)
    assert (len(counts), command.step) == (1, 1.0)
    control.step(problem.q, problem.qd + 0.1, iterations=3)
    assert len(counts) == 4


def attitude(mass: float) -> ShootingProblem:
    """Return the problem of a free body that goes to a pose with bounded rates."""
    I = mcI(mass, [0] * 3, mass * 0.1 * np.eye(3))
    model = Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0])
    start, rates = neutral(model), JointVelocities(model)
    goal = configurationAddition(model, start, [0.3, 0.2, 0.1, 1, 0.5, 0.2])
    there = [Bounds(JointPositions(model, goal), 0.0, 0.0), Bounds(rates, 0.0, 0.0)]
    return ShootingProblem(
        model, start, np.zeros(6), np.full(40, 0.05), [ControlCost(1.0)],
        running_bounds=[Bounds(rates, -0.6, 0.6)], terminal_bounds=there,
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["controls", "rates"])
def test_a_call_factorises_at_most_four_times(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Active sets are those of the call before, nearly, although states have noise."""
    problem, rng = cart_pole() if kind == "controls" else attitude(60.0), np.random.default_rng(0)
    control, counts = ModelPredictiveControl(problem, solve(problem, tolerance=1e-10)), [0]
    model, h = problem.model, float(problem.h[0])

    def counted(function: Any) -> Any:
        def run(*given: Any) -> Any:
            counts[-1] += 1
            return function(*given)

        return run

    monkeypatch.setattr(bounded, "riccati", counted(bounded.riccati))
    monkeypatch.setattr(StageSystem, "__init__", counted(StageSystem.__init__))
    q, qd, touched = problem.q, problem.qd, 0
    for _ in range(20):
        counts.append(0)
        u = control.step(q, qd).u
        touched += counts[-1] > 1
        q, qd = time_step(model, q, qd, problem.actuation @ u, h)
        off = 2e-3 * rng.normal(size=(2, model.NV))
        q, qd = configurationAddition(model, q, off[0]), qd + off[1]
        control.shift()
    assert min(counts[1:]) >= 1 and max(counts) <= 4 and touched, counts


@pytest.mark.parametrize("mass", [1.0, 60.0])
def test_equations_at_the_end_are_kept_for_light_and_heavy_bodies(mass: float) -> None:
    """A free body that goes to a pose with bounded rates, and is disturbed by millimetres at each
    call: the controls after one iteration are nearly those of the optimal motion.
    """
    problem, rng = attitude(mass), np.random.default_rng(0)
    model, start = problem.model, problem.q
    found = solve(problem, tolerance=1e-10)
    control, x, errors = ModelPredictiveControl(problem, found), np.zeros(12), []
    for _ in range(6):
        x = x + 2e-3 * rng.normal(size=12)
        q = configurationAddition(model, start, x[:6])
        command = control.step(q, x[6:])
        best = solve(replaced(problem, q=q, qd=x[6:]), found, tolerance=1e-10)
        assert best.status == "converged"
        u, K = best.trajectory.u, best.gains[0]
        errors.append(np.abs(command.u - u[0]).max() / np.abs(u).max())
        near(command.gains / np.abs(K).max(), K / np.abs(K).max(), 0.01)
    assert np.median(errors) < 3e-5
