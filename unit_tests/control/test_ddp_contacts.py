"""A quadruped that turns on its feet: all methods find one optimum, two of them with quadratic
convergence.
"""

import runpy
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import near

from spatial_v2 import configurationDifference, rollout, rollout_gradient
from spatial_v2.control import Solution
from spatial_v2.io import example_robots

SCRIPT = Path(__file__).parents[2] / "examples" / "optimal_control" / "ddp_contacts.py"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    if "solo12" not in example_robots():
        pytest.skip("needs example-robot-data")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return runpy.run_path(str(SCRIPT), run_name="example")


@pytest.fixture(scope="module")
def newton(example: dict[str, Any]) -> Solution:
    found: Solution = example["turn"](tolerance=1e-10)
    assert found.status == "converged"
    return found


def errors(found: Solution) -> np.ndarray:
    """Return the larger of stationarity and infeasibility after each iteration."""
    return np.array([max(x.stationarity, x.infeasibility) for x in found.log])


def test_newton_converges_quadratically(newton: Solution) -> None:
    e = errors(newton)
    late = [(a, b) for a, b in pairwise(e) if a < 0.1]
    assert newton.iterations <= 12 and len(late) >= 3
    assert all(b < max(30 * a**2, 1e-12) for a, b in late), e


@pytest.mark.slow
def test_ddp_finds_the_same_motion(example: dict[str, Any], newton: Solution) -> None:
    other = example["turn"]("ddp")
    assert other.status == "converged" and other.iterations <= 12
    near(other.cost, newton.cost, 1e-12)
    near(other.trajectory.u, newton.trajectory.u, 1e-6)
    left = configurationDifference(example["MODEL"], example["GOAL"], newton.trajectory.q[-1])[:6]
    assert np.abs(left).max() < 2e-3


def test_ilqr_converges_linearly(example: dict[str, Any], newton: Solution) -> None:
    found = example["turn"]("ilqr", max_iterations=14)
    above = np.array([x.cost for x in found.log]) - newton.cost
    assert found.status == "max_iterations"
    assert all(0.3 < b / a < 0.7 for a, b in pairwise(above[5:]))


def test_the_motion_is_optimal(example: dict[str, Any], newton: Solution) -> None:
    """The gradient from `rollout_gradient` vanishes; gradients of the costs are computed by
    differences.
    """
    model, n, e = example["MODEL"], example["NV"], example
    held: Any = {"constraints": e["FEET"], "baumgarte": e["GAINS"]}
    q, v, u = newton.trajectory
    motion = rollout(model, q[0], v[0], u @ e["DRIVEN"].T, e["H"], **held)
    near(motion.q, q, 1e-9)
    near(motion.qd, v, 1e-8)
    w_q, w_v = np.zeros((2, *v.shape))
    w_q[:-1, 6:], w_q[-1, :6], w_v[:-1], w_v[-1] = 0.01 * e["H"], 1e3, 0.01 * e["H"], 10.0

    def distances(dq: np.ndarray) -> Any:
        from spatial_v2 import configurationAddition

        return configurationDifference(model, e["GOAL"], configurationAddition(model, q, dq))

    h, g_q = 1e-5, np.zeros_like(v)
    for k in range(n):
        step = h * np.eye(n)[k]
        slope = (distances(step + 0 * v) ** 2 - distances(-step + 0 * v) ** 2) / (4 * h)
        g_q[:, k] = (w_q * slope).sum(-1)
    g_tau = e["H"] * (u - e["STAND"]) @ e["DRIVEN"].T
    g = rollout_gradient(model, motion, g_q, w_v * v, g_tau, **held).by_tau @ e["DRIVEN"]
    near(g, 0 * g, 1e-6)
    assert np.abs(g_tau).max() > 1e-3
