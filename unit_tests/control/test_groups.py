"""Several problems in one call of `solve`: results of each, whatever the others and the groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from test_rest_to_rest import acrobot
from test_solver_units import at_the_top

from spatial_v2.control import ShootingProblem, Solution, groups, solve
from spatial_v2.control.groups import own_log
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.solve import SolverMethod

solver = import_module("spatial_v2.control.solve")


def pendulums() -> ShootingProblem:
    """The first one is at a maximum, which it leaves; the third is at its goal."""
    q = np.array([[0.0], [0.5], [np.pi], [3.0], [0.001], [2.0]])
    return replace(at_the_top(), q=q, qd=0 * q)


def acrobots() -> ShootingProblem:
    """Newton's method gives up the first, third and fourth one, after different numbers of
    iterations.
    """
    q = np.array([[0.0, 0.0], [np.pi, 0.01], [0.0, 0.1], [3.0, 0.3]])
    return replace(acrobot()[0], q=q, qd=0 * q)


def results(found: Solution, k: int) -> list[np.ndarray]:
    log = np.array([x[:-1] for x in own_log(found.log, k)])
    return [*(np.asarray(x[k]) for x in (*found.trajectory, *found[1:5])), log]


def are_equal(found: Solution, first: int, other: Solution, count: int) -> bool:
    """Test if `count` results in a solution, from the first one on, are those in the other one."""
    return all(
        np.array_equal(x, y, equal_nan=x.dtype.kind == "f")
        for k in range(count)
        for x, y in zip(results(found, first + k), results(other, k), strict=True)
    )


MADE = pytest.mark.parametrize(
    ("made", "most"),
    [(pendulums, 100), pytest.param(acrobots, 90, marks=pytest.mark.slow), (acrobots, 25)],
)


@MADE
def test_a_problem_does_not_depend_on_its_neighbours(
    made: Callable[[], ShootingProblem], most: int
) -> None:
    """Not by one bit, also where others leave a maximum or are given up."""
    problem = made()
    whole = solve(problem, max_iterations=most)
    for b in range(0, len(problem.q), 2):
        some = replace(problem, q=problem.q[b : b + 2], qd=problem.qd[b : b + 2])
        assert are_equal(whole, b, solve(some, max_iterations=most), 2)


@pytest.mark.parametrize("method", ["newton", "ddp", "ilqr"])
@pytest.mark.parametrize("workers", [1, 2])
def test_groups_change_nothing(
    method: SolverMethod, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = pendulums()
    whole = solve(problem, method=method, workers=workers)
    monkeypatch.setattr(groups, "BYTES", 1)
    found = solve(problem, method=method, workers=workers)
    assert are_equal(whole, 0, found, 6)
    assert len(found.log) == len(whole.log) and found.status.shape == (6,)
    assert all(np.shape(x.cost) == (6,) for x in found.log)


def test_a_time_limit_is_shared_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """No problem waits for others until it is reached: all have done the first iteration."""
    monkeypatch.setattr(groups, "BYTES", 1)
    readings = iter(range(10**6))
    monkeypatch.setattr(solver, "working_time", lambda: float(next(readings)))
    problem = acrobots()
    found = solve(problem, time_limit=60.0)
    assert found.status.tolist() == ["time_limit"] * 4 and found.iterations >= 1
    assert not np.isnan([x.cost for x in found.log]).any()


@pytest.mark.parametrize(("problems", "sizes"), [(1, [1]), (3, [3]), (5, [3, 2]), (64, [2] * 32)])
def test_sizes_of_groups(problems: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    s = Shooting(at_the_top())
    t = Trajectory(*(np.zeros((problems, n, 1)) for n in (21, 21, 20)))
    assert [len(x.q) for x in groups.groups(s, t)] == [problems]
    monkeypatch.setattr(groups, "BYTES", 1)
    assert [len(x.q) for x in groups.groups(s, t)] == sizes
