"""The code in the studies of papers 000, 001 and 002 gives the results of the library.

Times are not judged.
"""

import argparse
from typing import Any

import numpy as np
import pytest

from benchmarks.paper_000 import fd_so_parts, loop_orders
from benchmarks.paper_000.loops import inputs, results
from benchmarks.paper_001.lift import steps_to
from benchmarks.paper_002 import coordinates
from benchmarks.robots import robot, states, there
from derivatives import FD_SO_derivatives, ID_derivatives, ID_SO_derivatives
from spatial_v2 import autoTree, mcI

TREES = ["chain1", "chain4", "tree7", "bush6"]
SHORT = {"repeats": 1, "budget": 0.0, "limit": 0.0}
compiles = pytest.mark.slow
"""Mark of tests that compile code of the studies, which no cache keeps."""


def sample(model: Any) -> list[np.ndarray]:
    return list(np.random.default_rng(0).normal(size=(3, model.NV)))


@compiles
@pytest.mark.parametrize("form", coordinates.METHODS.values(), ids=list(coordinates.METHODS))
@pytest.mark.parametrize("name", TREES)
def test_derivatives_are_the_same_in_ground_and_in_body_coordinates(name: str, form: Any) -> None:
    """Both forms agree with `ID_derivatives`, also if they run again in the same memory."""
    model = robot(name)
    state = sample(model)
    call, found = coordinates.derivatives_by(form, model, *state)
    for _ in range(2):
        call()
        for ours, wanted in zip(found, ID_derivatives(model, *state), strict=True):
            np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@compiles
@pytest.mark.parametrize("form", loop_orders.FORMS.values(), ids=list(loop_orders.FORMS))
@pytest.mark.parametrize("name", TREES)
def test_two_and_three_loops_fill_the_same_tensors(name: str, form: Any) -> None:
    """Algorithms with two and with three loops agree with `ID_SO_derivatives`."""
    model = robot(name)
    state, found = sample(model), results(model.NB)
    form(*inputs(model, *state), *found)
    for ours, wanted in zip(found, ID_SO_derivatives(model, *state), strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-12 * max(1, np.abs(wanted).max()))


def test_the_kernel_of_both_terms_is_the_rest_of_forward_dynamics() -> None:
    """The kernel of the last two terms, given the other parts, fills the tensors of
    `FD_SO_derivatives`.
    """
    model = autoTree(6, 2, 1.0)
    state = sample(model)
    call, tensors = fd_so_parts.terms(model, *state)
    call()
    for ours, wanted in zip(tensors, FD_SO_derivatives(model, *state), strict=True):
        np.testing.assert_allclose(
            ours.reshape(wanted.shape), wanted, rtol=0, atol=1e-12 * np.abs(wanted).max()
        )


def test_parts_are_shares_of_the_whole() -> None:
    """The shares of the parts add up to the share of their sum."""
    args = argparse.Namespace(sizes=[3], skew=1.0, seed=0, states=1, effort=SHORT)
    rows = [r for r in fd_so_parts.measure(args) if r["family"] == "binary tree"]
    share = {row["part"]: row["share"] for row in rows}
    total = sum(share[part] for part in fd_so_parts.COMPILED.values())
    assert share[fd_so_parts.WHOLE] == 1
    assert share[fd_so_parts.SUM] == pytest.approx(total)


def test_steps_are_counted_to_the_first_short_one() -> None:
    iterates = [np.array([x]) for x in (4.0, 2.0, 1.0, 0.99, 0.5)]
    assert [steps_to(iterates, x) for x in (3.0, 1.5, 0.1, 0.001)] == [1, 2, 3, None]


def test_atlas_is_left_out_without_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPATIAL_V2_ATLAS", raising=False)
    assert [there(name) for name in ("atlas", "talos")] == [False, True]
    with pytest.raises(ValueError, match="no robot 'atlas'"):
        robot("atlas")


@compiles
@pytest.mark.parametrize("name", ["ID_SO", "FD_SO"])
def test_generated_code_computes_second_derivatives_along_degrees_of_freedom(name: str) -> None:
    """Code generated in both ways agrees with this library, also on a floating base."""
    pytest.importorskip("casadi")
    from benchmarks.paper_000.code_robots import KINDS, OURS

    box = mcI(1.0, [0.1, 0.2, 0.3], np.diag([1.0, 2.0, 2.5]))
    for model in (autoTree(2), autoTree(1).replace(jtype=["Fb"], I=[box])):
        state = [states(model, 1)[key][0] for key in "qvx"]
        wanted: Any = OURS[name](model, *state)
        for kind, make in KINDS.items():
            for ours, T in zip(make(model, name)(*state), wanted, strict=True):
                order = "C" if kind != "AD" else "F"
                found = np.asarray(ours.full()).reshape(T.shape, order=order)
                np.testing.assert_allclose(found, T, rtol=0, atol=1e-10 * max(1, np.abs(T).max()))
