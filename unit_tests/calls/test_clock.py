"""Limits and durations leave out the compilation of kernels."""

import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from spatial_v2 import autoTree, simulate
from spatial_v2.calls.clock import working_time
from spatial_v2.calls.loading import has_compiler
from spatial_v2.control import (
    ControlCost,
    ModelPredictiveControl,
    ShootingProblem,
    StateCost,
    solve,
)

pytestmark = pytest.mark.skipif(not has_compiler(), reason="nothing is compiled without Numba")
LONG = 0.4


def compile_something(*_: Any) -> None:
    """Announce a compilation, with another one within, as Numba does."""
    from numba.core import event

    data = {"dispatcher": SimpleNamespace(py_func=compile_something)}
    with event.trigger_event("numba:compile", data):
        time.sleep(LONG / 2)
        with event.trigger_event("numba:compile", data):
            time.sleep(LONG / 2)


def test_the_clock_stands_still_during_compilations() -> None:
    working_time()
    begin, wall = working_time(), time.perf_counter()
    compile_something()
    time.sleep(0.05)
    assert 0.05 <= working_time() - begin <= time.perf_counter() - wall - LONG + 1e-3


def test_the_clock_counts_no_compilation_of_a_function() -> None:
    from numba import njit

    working_time()
    begin, wall = working_time(), time.perf_counter()
    assert njit(lambda x: x + 1)(1) == 2
    compiling = (time.perf_counter() - wall) - (working_time() - begin)
    assert compiling > 0.5 * (time.perf_counter() - wall)


def test_simulations_have_the_time_of_their_limit_for_themselves() -> None:
    """A simulation that would be ended by its limit gives a warning, which is an error here."""
    calls = []

    def tau(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        calls.append(t)
        if len(calls) == 5:
            compile_something()
        return -qd

    model = autoTree(2)
    simulate(model, np.ones(4), [0, 0.01])  # kernels and SciPy are loaded
    motion = simulate(model, np.ones(4), [0, 0.01], tau, time_limit=LONG * 0.9)
    assert motion.t[-1] == 0.01 and len(calls) > 5


def test_solvers_count_their_iterations_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    model, h = autoTree(2), 0.02
    costs = [StateCost(model, [1.0, 0.0], 10.0, 1.0), ControlCost(0.01)]
    problem = ShootingProblem(model, [0.0, 0.0], [0.0, 0.0], np.full(10, h), costs, costs[:1])
    solve(problem)
    control = ModelPredictiveControl(problem)
    for module in ("unbounded_solve", "predictive_steps"):
        at = sys.modules[f"spatial_v2.control.{module}"]
        monkeypatch.setattr(at, "check_finite", compile_something)
    wall = time.perf_counter()
    found = solve(problem, time_limit=0.9 * LONG)
    spent = time.perf_counter() - wall
    assert found.status == "converged" and found.log[-1].seconds <= spent - LONG
    wall = time.perf_counter()
    command = control.step([0.1, 0.0], [0.0, 0.0])
    assert command.seconds <= time.perf_counter() - wall - LONG
