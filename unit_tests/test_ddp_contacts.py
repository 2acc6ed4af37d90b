"""Differential dynamic programming with contacts: second order is exact, so it converges so."""

from __future__ import annotations

import runpy
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from spatial_v2 import configurationAddition, configurationDifference
from spatial_v2.io import example_robots

SCRIPT = Path(__file__).parent.parent / "examples" / "optimal_control" / "ddp_contacts.py"

pytestmark = pytest.mark.robots


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    if "solo12" not in example_robots():
        pytest.skip("needs example-robot-data")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return runpy.run_path(str(SCRIPT), run_name="example")


@pytest.fixture(scope="module")
def near(example: dict[str, Any]) -> Any:
    """The motion after two steps of iLQR: it turns, and is not optimal."""
    m = example["stand"]()
    for _ in range(2):
        feed, K, _ = example["backward"](*example["expand"](m, False)[:3])
        m = example["roll"](m, feed, K, 1.0)
    return m


def test_expansion_is_that_of_the_step(example: dict[str, Any], near: Any) -> None:
    """First order of the step, and second order weighted by the costate, by central differences."""
    MODEL, N, NV, NU = (example[key] for key in ("MODEL", "N", "NV", "NU"))
    F, g, _, bend = example["expand"](near, True)
    p, k, n, rng = g[:, : 2 * NV].copy(), 17, 2 * NV, np.random.default_rng(0)
    for i in reversed(range(k + 1, N)):
        p[i] += F[i, :, :n].T @ p[i + 1]

    def step(z: np.ndarray) -> np.ndarray:
        q = configurationAddition(MODEL, near.q[k], z[:NV])
        q, v = example["step"](q, near.v[k] + z[NV:n], near.u[k] + z[n:])
        q0, v0 = example["step"](near.q[k], near.v[k], near.u[k])
        return np.concatenate([configurationDifference(MODEL, q0, q), v - v0])

    h = 1e-4
    for part in (slice(0, NV), slice(NV, n), slice(n, n + NU), slice(None)):
        d = np.zeros(n + NU)
        d[part] = rng.normal(size=len(d[part]))
        plus, minus = step(h * d), step(-h * d)
        assert_allclose((plus - minus) / (2 * h), F[k] @ d, atol=1e-6)
        assert_allclose(p[k + 1] @ (plus + minus) / h**2, d @ bend[k] @ d, rtol=1e-5, atol=1e-4)


def test_cost_is_expanded_exactly(example: dict[str, Any], near: Any) -> None:
    """Gradient and Hessian along the group, by central differences of the cost."""
    MODEL, NV = example["MODEL"], example["NV"]
    g, Q = example["expand_cost"](near)
    d, h = np.random.default_rng(1).normal(size=(len(g), NV)), 1e-4

    def cost(size: float) -> float:
        moved = configurationAddition(MODEL, near.q, size * d)
        return float(example["motion"](moved, near.v, near.u).cost)

    slope, bend = (d * g[:, :NV]).sum(), np.einsum("ki,kij,kj", d, Q[:, :NV, :NV], d)
    assert_allclose((cost(h) - cost(-h)) / (2 * h), slope, rtol=1e-6)
    assert_allclose((cost(h) - 2 * cost(0) + cost(-h)) / h**2, bend, rtol=1e-4)


def test_exact_hessians_converge_quadratically(example: dict[str, Any]) -> None:
    """The last steps square the decrease; iLQR halves it each time and takes thrice as many."""
    ddp, m = example["solve"](exact=True)
    ilqr, other = example["solve"](exact=False, iterations=12)
    assert len(ddp) <= 12 and ddp[-1] < 1e-16
    assert ddp[-1] < ddp[-2] ** 1.3 and ddp[-2] < 1e-2 * ddp[-3]
    assert all(0.3 < after / before < 0.7 for before, after in pairwise(ilqr[5:]))
    assert m.cost < other.cost < m.cost + 1e-4
    left = configurationDifference(example["MODEL"], example["GOAL"], m.q[-1])[:6]
    assert np.abs(left).max() < 2e-3
