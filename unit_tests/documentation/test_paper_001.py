"""Experiments of Kudruss, Manns, Kirches (2019): errors and cost of derivatives with constraints.

The studies run in a reduced form; their times are not judged.
"""

import argparse
from typing import Any

import numpy as np
import pytest

from benchmarks.contacts import PEERS, disagreement, ours, standing
from benchmarks.paper_001 import cart_pendulum as fig_1
from benchmarks.paper_001 import effort as fig_2
from benchmarks.paper_001 import forward_mode
from benchmarks.paper_001 import solution as equation_1
from benchmarks.paper_001.functions import complex_steps, differences, functions
from benchmarks.paper_001.models import constrained_cart_pendulum, multipendulum
from benchmarks.robots import robot, states
from spatial_v2 import ConstraintSet, PointConstraint, autoTree


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return list(fig_1.measure(argparse.Namespace(samples=100, seed=1)))


@pytest.mark.parametrize(
    ("model", "name"), [(model, name) for model, names in fig_1.SHOWN.items() for name in names]
)
def test_differences_have_half_and_two_thirds_of_the_digits(
    rows: list[dict[str, Any]], model: str, name: str
) -> None:
    """Relative errors are below 1e-5 for forward differences, 1e-7 for central ones, and 1e-13 for
    exact derivatives.
    """
    mine = [r for r in rows if (r.get("model"), r["function"]) == (model, name)]
    found = {r["method"]: r for r in mine}
    one, two, exact = (found[method] for method in fig_1.METHODS)
    for row, bound in ((one, 1e-5), (two, 1e-7), (exact, 1e-13)):
        assert row["least"] <= row["median"] <= row["largest"] < bound
    assert 100 * two["median"] < one["median"]
    assert 1000 * exact["median"] < two["median"]


def test_constrained_cart_is_the_cart_of_two_freedoms(rows: list[dict[str, Any]]) -> None:
    """A cart in four coordinates with constraints has the motion of the cart in two coordinates.

    Accelerations, and their first and second derivatives along x and theta, agree.
    """
    found = [r for r in rows if r["method"] == "as two degrees of freedom"]
    assert len(found) == 8
    assert max(r["largest"] for r in found) < 1e-12


@pytest.mark.parametrize("name", ["CRBA", "RNEA", "NEFF", "ABA", "FDCONT"])
def test_all_methods_of_differentiation_agree(name: str) -> None:
    """Differences and exact derivatives along a few directions agree with complex steps."""
    model, held = multipendulum(3)
    f = functions(model, held)[name]
    rng = np.random.default_rng(0)
    z, D = rng.uniform(-1, 1, (2, f.size)), rng.normal(size=(2, 4, f.size))
    truth = D @ np.swapaxes(complex_steps(f, z), -1, -2)
    size = np.abs(truth).max()
    np.testing.assert_allclose(fig_2.exact(f, z, D), truth, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(fig_2.one_sided(f, z, D), truth, rtol=0, atol=1e-5 * size)
    np.testing.assert_allclose(fig_2.central(f, z, D), truth, rtol=0, atol=1e-7 * size)
    whole = differences(f, z, central=True)
    np.testing.assert_allclose(D @ np.swapaxes(whole, -1, -2), truth, rtol=0, atol=1e-7 * size)
    if name == "FDCONT":
        found = fig_2.algorithm_4(model, held, z, D)
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12 * size)


def test_effort_is_over_the_function_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The effort is the time of derivatives divided by that of the function, in the same form."""
    monkeypatch.setattr(fig_2, "BATCH", 2)
    short = {"repeats": 1, "budget": 0.0, "limit": 0.0}
    args = argparse.Namespace(links=2, directions=[1, 3], seed=0, effort=short)
    found = {(r["function"], r["method"], r["directions"]): r for r in fig_2.measure(args)}
    assert len(found) == 4 * 7 + 3
    for (name, method, p), row in found.items():
        own = "reference implementation" if method == "exact, Algorithm 4" else "value"
        unit = row if not p else found[name, own, 0]
        assert row["ratio"] == pytest.approx(row["us"] / unit["us"])


@pytest.mark.slow
@pytest.mark.parametrize("tree", [False, True])
def test_kernels_in_forward_mode_are_derivatives_along_directions(tree: bool) -> None:
    """Values and derivatives along directions agree with those of the library, for a pendulum and
    for a tree with a loop, in batches that SIMD batches do not divide.
    """
    model, held = multipendulum(3)
    if tree:
        model = autoTree(5, 2, 1.0)
        loop = PointConstraint(3, [0.3, 0.1, 0.0], 2, [0.2, 0.0, 0.4], directions=np.eye(3)[:1])
        held = ConstraintSet(model, [PointConstraint(4, [0.5, 0.2, 0.1]), loop])
    rng, every = np.random.default_rng(0), functions(model, held)
    for name in forward_mode.FUNCTIONS:
        f = every[name]
        z, D = rng.uniform(-1, 1, (9, f.size)), rng.normal(size=(9, 4, f.size))
        value, change = forward_mode.forward(name, model, held, z, D)
        for found, wanted in ((value, f.value(z)), (change, fig_2.exact(f, z, D))):
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


def test_one_factorisation_solves_for_all_directions() -> None:
    """The solution has derivatives with ``K dx + dK x = db`` from one factorisation of K.

    Differences agree with them in half and in two thirds of the digits.
    """
    model, held = multipendulum(3)
    rng = np.random.default_rng(0)
    calls: Any = list(equation_1.solution_calls(model, held, rng.normal(size=(4, 3)), [2], rng))
    (s,) = next(call.args for method, _, call in calls if method == "exact, one factorisation")
    x, found = equation_1.solve(s.K, s.b), equation_1.one_factorisation(s)
    assert found.shape == (4, 2, 5)
    left = found @ np.matrix_transpose(s.K) + (s.dK @ x[:, None, :, None])[..., 0]
    np.testing.assert_allclose(left, s.db, rtol=0, atol=1e-9 * np.abs(left).max())
    size = np.abs(found).max()
    for central, digits in ((False, 1e-5), (True, 1e-7)):
        systems = equation_1.evaluations(s, central=central)
        other = equation_1.differences(*systems, central=central)
        np.testing.assert_allclose(other, found, rtol=0, atol=digits * size)


def test_massless_bodies_of_the_cart_are_allowed() -> None:
    model, held = constrained_cart_pendulum()
    assert (model.NV, held.m) == (4, 2)
    assert model.I[:2].max() == 0


def test_timed_functions_have_results_for_a_standing_quadruped() -> None:
    """Every function that is timed has results for a quadruped on four feet."""
    model = robot("quadruped12")
    held, feet = standing(model)
    assert (len(feet), held.m) == (4, 12)
    calls = ours(model, held, states(model, 2))
    assert calls.keys() == PEERS.keys()
    assert calls["KKT_FO_derivatives"]().dlambda_dq.shape == (2, 12, model.NV)


def test_contact_dynamics_agrees_with_pinocchio() -> None:
    """Forward dynamics and its six derivatives for HyQ on four feet agree with Pinocchio."""
    pytest.importorskip("pinocchio")
    from benchmarks.peers.pinocchio_contacts import pinocchio_contacts

    model = robot("hyq")
    held, feet = standing(model)
    sample = states(model, 1)
    first = {key: x[0] for key, x in sample.items()}
    peer = pinocchio_contacts(model, feet, sample)
    assert disagreement(model, ours(model, held, first), peer) < 1e-11
