"""Motions of the scripts in examples/optimal_control satisfy the optimality conditions.

`optimality.kkt_errors` evaluates the conditions independently of the solver and its derivatives.
"""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from optimality import kkt_errors

from spatial_v2 import EnerMo, configurationAddition
from spatial_v2.control import (
    Bounds,
    ContactForce,
    ContactPhase,
    ShootingProblem,
    Solution,
    solution_derivatives,
    solve,
)

FOLDER = Path(__file__).parents[2] / "examples" / "optimal_control"


def run(name: str) -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / name), run_name="example")


def is_optimal(problem: ShootingProblem, found: Solution, functions: Any = None) -> None:
    assert found.status == "converged"
    assert max(kkt_errors(problem, found, functions)) < 1e-7


def test_acrobot_stands_upright() -> None:
    e = run("acrobot.py")
    found = e["swing"]()
    is_optimal(e["PROBLEM"], found)
    assert np.abs(found.trajectory.q[-1] - [np.pi, 0.0]).max() < 0.05
    assert (np.diff(np.sign(found.trajectory.qd[:, 0])) != 0).sum() > 1, "it swings back and forth"


def test_cart_swings_its_pole_up() -> None:
    e = run("cart_pole.py")
    found = e["swing"]()
    is_optimal(e["PROBLEM"], found)
    assert found.iterations <= 30


def test_five_bar_keeps_its_loop_closed() -> None:
    e = run("five_bar.py")
    found = e["reach"]()
    is_optimal(e["PROBLEM"], found)
    fast = np.abs(found.trajectory.qd[:, [0, 2]]).max(axis=1)
    assert np.abs(fast.max() - e["FASTEST"]) < 1e-6 and (fast > e["FASTEST"] - 1e-6).sum() > 3
    ends = e["TIP"].value(found.trajectory)[-1]
    assert np.abs(ends - e["PLACE"]).max() < 1e-7


def test_thrown_ball_lands_at_its_target() -> None:
    pytest.importorskip("casadi")
    e = run("throw.py")
    found = e["throw"]()
    is_optimal(e["PROBLEM"], found, {e["PLACE"]: e["landing"]})
    q, qd = found.trajectory.q, found.trajectory.qd
    assert abs(e["landing"](q[-1], qd[-1]) - e["TARGET"]) < 1e-6
    momentum = EnerMo(e["MODEL"], q, qd).htot
    assert np.abs(momentum[:, 1]).max() < 1e-4 < 1 < np.abs(momentum[:, 2]).max()
    assert np.ptp(q[:, 0]) > 0.01, "the cart recoils"


def test_arm_takes_the_best_time() -> None:
    """The cost of time and effort is stationary at the best time: longer and shorter motions cost
    more.
    """
    e = run("minimum_time.py")
    steps = e["best"]()
    time, slope, found = steps[-1]
    is_optimal(e["problem"]([time]), found)
    assert abs(slope) < 1e-8 and len(steps) < 15
    assert (np.abs(found.trajectory.u) == e["LIMITS"]).any(axis=1).mean() > 0.8
    for t in (0.98 * time, 1.02 * time):
        assert t + solve(e["problem"]([t]), found).cost > time + found.cost


@pytest.mark.slow
@pytest.mark.parametrize("friction", [0.3, 0.6])
def test_quadruped_turns_within_friction_cones(friction: float) -> None:
    """Forces at the feet stay in their cones, whose faces are active; problems of a batch are
    solved as alone; derivatives are those of neighbouring problems.
    """
    e, n = run("ddp_contacts.py"), 20
    known, rng = e["PROBLEM"], np.random.default_rng(0)
    model, feet = known.model, known.phases[0].constraints
    sides = [[1.0, 0, friction], [-1, 0, friction], [0, 1, friction], [0, -1, friction]]
    faces = np.kron(np.eye(4), [*sides, [0.0, 0.0, 1.0]])
    force = ContactForce(model, feet, known.actuation, faces, known.baumgarte)

    def problem(q: np.ndarray) -> ShootingProblem:
        return ShootingProblem(
            model, q, known.qd, known.h[:n], known.running, known.terminal,
            actuation=known.actuation, phases=[ContactPhase(n, feet)], baumgarte=known.baumgarte,
            running_bounds=[Bounds(force, 0.0, np.inf)],
        )  # fmt: skip

    q = configurationAddition(model, known.q, 0.01 * rng.normal(size=(2, model.NV)))
    several, alone = solve(problem(q)), solve(problem(q[0]))
    assert several.status.tolist() == ["converged"] * 2 and alone.iterations <= 12
    is_optimal(problem(q[0]), alone)
    assert (alone.multipliers[0] < -1e-6).sum() > 20
    assert np.abs(several.trajectory.u[0] - alone.trajectory.u).max() < 1e-9

    way, h = rng.normal(size=model.NV), 1e-5
    d = solution_derivatives(problem(q[0]), alone).controls[..., : model.NV] @ way
    ends = [configurationAddition(model, q[0], s * h * way) for s in (1, -1)]
    u = [solve(problem(x), alone, tolerance=1e-12).trajectory.u for x in ends]
    assert np.abs((u[0] - u[1]) / (2 * h) - d).max() < 1e-4 * np.abs(d).max()


@pytest.mark.slow
def test_quadruped_hops() -> None:
    e = run("hop.py")
    found = e["hop"]()
    is_optimal(e["PROBLEM"], found)
    assert found.iterations < 20
    q = found.trajectory.q
    assert q[:, 6].max() > 0.03 and abs(q[-1, 4] - e["FAR"]) < 0.01


@pytest.mark.slow
def test_quadruped_trots() -> None:
    e = run("trot.py")
    found = e["trot"]()
    is_optimal(e["PROBLEM"], found)
    assert found.iterations < 30
    assert abs(found.trajectory.q[-1, 4] - e["AHEAD"]) < 0.02


@pytest.mark.slow
def test_biped_makes_a_step() -> None:
    e = run("biped.py")
    found = e["walk"]()
    is_optimal(e["PROBLEM"], found)
    assert found.iterations < 25
    q = found.trajectory.q
    for foot, crank in ((5, 6), (10, 11)):
        assert np.abs(q[:, foot] - q[:, crank]).max() < 1e-3, (
            "the rod keeps foot and crank parallel"
        )


@pytest.mark.slow
def test_errors_of_motions_that_are_not_optimal() -> None:
    """If an optimal solution is changed, the residuals of the optimality conditions show each
    condition that it then violates.
    """
    e = run("five_bar.py")
    problem, found = e["PROBLEM"], e["reach"]()
    t, y = found.trajectory, [x.copy() for x in found.multipliers]
    moved = found._replace(trajectory=t._replace(u=t.u + 1e-3))
    assert kkt_errors(problem, moved).defect > 1e-6 and kkt_errors(problem, moved).control > 1e-6
    p = found.costates.copy()
    p[3] += 1e-3
    assert kkt_errors(problem, found._replace(costates=p)).state > 1e-4
    y[0][5] += 1e-3
    assert kkt_errors(problem, found._replace(multipliers=y)).bound > 1e-4
    assert kkt_errors(problem, found._replace(cost=1.01 * found.cost)).cost > 1e-3
