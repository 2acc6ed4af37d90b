"""Published expressions of the derivatives agree with exact derivatives, each alone and all
together.

Exact first derivatives are complex steps of inverse dynamics in body coordinates. Exact second
derivatives are complex steps of equations (12)-(13), which are verified by those before.
"""

import runpy
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_array_equal

from derivatives import ID_derivatives, ID_SO_derivatives
from spatial_v2 import ID, GlobalDynamics, HandC, Model, configurationAddition
from spatial_v2.exceptions import ArrayShapeError, ModelError
from tensor_sva.body import bodies
from tensor_sva.expressions import (
    CROSS,
    FIRST_ORDER,
    MASS_MATRIX,
    POSITION,
    SPLIT,
    VELOCITY,
    Block,
    assemble,
    assemble_first_order,
    assemble_split,
)
from tensor_sva.expressions.block import holds

SECOND_ORDER = (*POSITION, *VELOCITY, *CROSS, *MASS_MATRIX)
TENSORS = ("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq")
MODELS = zoo.SPATIAL
STEP = 1e-20
EXAMPLES = Path(__file__).parents[2] / "examples"


def by_step(f: Any, model: Model, q: Any, qd: Any, qdd: Any, variable: str) -> np.ndarray:
    """Compute the derivative of f(q, qd, qdd) with respect to `variable` by complex steps; its axis
    is the last.
    """
    steps = 1j * STEP * np.eye(model.NV)
    moved = {
        "q": (configurationAddition(model, q, steps), qd, qdd),
        "qd": (q, qd + steps, qdd),
    }[variable]
    return np.moveaxis(np.asarray(f(*moved)).imag / STEP, 0, -1)


def of_terms(model: Model, q: Any, qd: Any, qdd: Any) -> dict[str, np.ndarray]:
    """Return derivatives along q of the three terms of tau, each by complex steps of inverse
    dynamics.

    The terms are M qdd and C qd, computed without gravity, and g.
    """
    light = model.replace(gravity=[0.0, 0.0, 0.0])

    def force(model: Model) -> Any:
        return lambda *x: ID.reference(model, *x)

    return {
        "dMqdd_dq": by_step(force(light), model, q, 0 * qd, qdd, "q"),
        "dCqd_dq": by_step(force(light), model, q, qd, 0 * qdd, "q"),
        "dg_dq": by_step(force(model), model, q, 0 * qd, 0 * qdd, "q"),
    }


@cache
def case(name: str) -> tuple[Model, tuple[Any, ...], dict[str, np.ndarray]]:
    """Return a model, a state, and the exact derivatives by the names of `Block.tensor`."""
    model = zoo.build(name)
    state = zoo.states(model, np.random.default_rng(9))
    s = state.q, state.qd, state.qdd

    def first(field: str) -> Any:
        return lambda *x: getattr(assemble_first_order(model, *x), field)

    def inertia(*x: Any) -> Any:
        return HandC.reference(model, x[0], x[1]).H

    return (
        model,
        s,
        {
            "dtau_dq": by_step(lambda *x: ID.reference(model, *x), model, *s, "q"),
            "dtau_dqd": by_step(lambda *x: ID.reference(model, *x), model, *s, "qd"),
            **of_terms(model, *s),
            "d2tau_dq": by_step(first("dtau_dq"), model, *s, "q"),
            "d2tau_dqd": by_step(first("dtau_dqd"), model, *s, "qd"),
            "d2tau_cross": by_step(first("dtau_dq"), model, *s, "qd"),
            "d2tau_dqd_dq": by_step(first("dtau_dqd"), model, *s, "q"),
            "dM_dq": by_step(inertia, model, *s, "q"),
        },
    )


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_first_order_expressions_are_derivatives_of_inverse_dynamics(name: str) -> None:
    model, s, truth = case(name)
    d, kernel = assemble_first_order(model, *s), ID_derivatives(model, *s)
    for field in ("dtau_dq", "dtau_dqd"):
        near(getattr(d, field), truth[field])
        near(getattr(kernel, field), truth[field])


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_split_expressions_are_derivatives_of_the_terms_of_inverse_dynamics(name: str) -> None:
    model, s, truth = case(name)
    d = assemble_split(model, *s)
    for field in ("dMqdd_dq", "dCqd_dq", "dg_dq"):
        near(getattr(d, field), truth[field])
    near(d.dMqdd_dq + d.dCqd_dq + d.dg_dq, assemble_first_order(model, *s).dtau_dq)


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_assembled_expressions_are_derivatives_of_the_first_derivatives(name: str) -> None:
    model, s, truth = case(name)
    d = assemble(model, *s)
    for tensor in TENSORS:
        near(getattr(d, tensor), truth[tensor])
    near(truth["d2tau_cross"], truth["d2tau_dqd_dq"].swapaxes(-1, -2))


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_assembled_expressions_agree_with_the_algorithm_block_by_block(name: str) -> None:
    model, s, _ = case(name)
    d, kernel, page = (
        assemble(model, *s),
        ID_SO_derivatives(model, *s),
        ID_SO_derivatives.reference(model, *s),
    )
    for tensor in TENSORS:
        for place in np.ndindex(*[model.NB] * 3):
            at = tuple(model.vinds[b] for b in place)
            wanted = getattr(d, tensor)[at]
            near(getattr(kernel, tensor)[at], wanted)
            near(getattr(page, tensor)[at], wanted)
            if place not in d.used[tensor]:
                assert not wanted.any()


def block_errors(x: Block, name: str) -> list[float]:
    """Return the relative errors of an expression, one for each chain of bodies k, j, i that it
    applies to.
    """
    model, s, truth = case(name)
    all_bodies = bodies(model, GlobalDynamics(model, *s), s[2])
    errors = []
    for i in range(model.NB):
        for j in model.ancestors[i]:
            for k in model.ancestors[j] if "k" in x.condition else [-1]:
                chain = {"i": i, "j": int(j), "k": int(k)}
                if not holds(x.condition, **chain):
                    continue
                wanted = truth[x.tensor][tuple(model.vinds[chain[c]] for c in x.place)]
                got = x(*(all_bodies[b] for b in chain.values() if b >= 0))
                assert got.shape == wanted.shape
                errors.append(float(np.abs(got - wanted).max() / max(1.0, np.abs(wanted).max())))
    return errors


ALL_BLOCKS = [pytest.param(x, id=x.name) for x in (*FIRST_ORDER, *SPLIT, *SECOND_ORDER)]


@pytest.mark.parametrize(
    "name", ["branched", "negative", "mixed", "SE3", "floating", "two_floating"]
)
@pytest.mark.parametrize("x", ALL_BLOCKS)
def test_every_published_expression_is_right_where_it_holds(x: Block, name: str) -> None:
    errors = block_errors(x, name)
    assert max(errors, default=0.0) < 1e-12
    assert errors or "k < j < i" in x.condition


@pytest.mark.parametrize("x", ALL_BLOCKS)
def test_expression_with_flipped_sign_fails(x: Block) -> None:
    def flipped(*ijk: Any) -> Any:
        return -x(*ijk) if x(*ijk).any() else x(*ijk) + 1.0

    mutant = replace(x, expression=flipped)
    assert max(block_errors(mutant, "mixed")) > 1e-3


def test_expressions_are_as_many_as_published() -> None:
    assert [len(x) for x in (FIRST_ORDER, SPLIT, POSITION, VELOCITY, CROSS, MASS_MATRIX)] == [
        4,
        6,
        6,
        8,
        6,
        6,
    ]
    for x in (*FIRST_ORDER, *SPLIT, *SECOND_ORDER):
        assert x.latex.count("{") == x.latex.count("}")


@pytest.mark.parametrize("name", ["branched", "mixed", "forest"])
def test_exactly_one_published_expression_condition_holds_for_every_block(name: str) -> None:
    """For every block of a tensor exactly one condition holds.

    If two bodies are equal, however, both conditions of a symmetry of the mass matrix may hold.
    """
    model, s, _ = case(name)
    used = assemble(model, *s).used
    assert set(used) == set(TENSORS)
    for tensor, blocks in used.items():
        for a, b, c in np.ndindex(*[model.NB] * 3):
            k, j, i = sorted((a, b, c), key=lambda n: len(model.ancestors[n]))
            on_one_way = all(x in model.ancestors[y] for x, y in pairwise((k, j, i)))
            assert on_one_way == ((a, b, c) in blocks)
            if not on_one_way:
                continue
            place = (a, c, b) if tensor == "d2tau_cross" else (a, b, c)
            printed = "d2tau_dqd_dq" if tensor == "d2tau_cross" else tensor
            fits = [
                x
                for x in SECOND_ORDER
                if x.tensor == printed
                and holds(x.condition, i=i, j=j, k=k)
                and tuple({"i": i, "j": j, "k": k}[letter] for letter in x.place) == place
            ]
            assert blocks[a, b, c] is fits[0]
            assert len(fits) == 1 or (tensor == "dM_dq" and len({a, b, c}) < 3)


def test_every_published_expression_is_used() -> None:
    model, s, _ = case("branched")
    used = {x.name for blocks in assemble(model, *s).used.values() for x in blocks.values()}
    for first in (assemble_first_order, assemble_split):
        used |= {x.name for t in first(model, *s).used.values() for x in t.values()}
    assert used == {x.name for x in (*FIRST_ORDER, *SPLIT, *SECOND_ORDER)}


@pytest.mark.parametrize("what", TENSORS)
@pytest.mark.parametrize("name", golden_io.cases("e_derivatives_second", "model_parent"))
def test_assembled_expressions_are_matlab_numbers(name: str, what: str) -> None:
    data = golden_io.load("e_derivatives_second")
    model = golden_io.model_of(data, name)
    whats = "in_q", "in_qd", "in_qdd", f"ID_SO_derivatives_{what}"
    for q, qd, qdd, wanted in golden_io.samples(data, name, *whats):
        near(getattr(assemble(model, q, qd, qdd), what), wanted, 1e-10)


@pytest.mark.parametrize("what", ["dtau_dq", "dtau_dqd"])
@pytest.mark.parametrize("name", golden_io.cases("e_derivatives_first", "model_parent"))
def test_first_order_expressions_are_matlab_numbers(name: str, what: str) -> None:
    data = golden_io.load("e_derivatives_first")
    model = golden_io.model_of(data, name)
    whats = "in_q", "in_qd", "in_qdd", f"ID_derivatives_{what}"
    for q, qd, qdd, wanted in golden_io.samples(data, name, *whats):
        near(getattr(assemble_first_order(model, q, qd, qdd), what), wanted, 1e-10)


@pytest.mark.parametrize("shape", [(3,), (6,), (2, 1)])
def test_assembled_expressions_of_a_batch_are_those_of_its_states(shape: tuple[int, ...]) -> None:
    model = zoo.build("SE3")
    s = zoo.states(model, np.random.default_rng(10), shape)
    mixed = assemble(model, s.q, s.qd[(0,) * len(shape)], s.qdd)
    assert mixed.dM_dq.shape == mixed.d2tau_dq.shape == (*shape, *[model.NV] * 3)
    d, f = assemble(model, *s[:3]), assemble_first_order(model, *s[:3])
    for at in np.ndindex(*shape):
        one = assemble(model, s.q[at], s.qd[at], s.qdd[at])
        for tensor in TENSORS:
            near(getattr(d, tensor)[at], getattr(one, tensor))
        one_first = assemble_first_order(model, s.q[at], s.qd[at], s.qdd[at])
        near(f.dtau_dq[at], one_first.dtau_dq)


def test_assembled_expressions_need_only_the_array_api() -> None:
    model, s, truth = case("floating")
    d = assemble(model, *map(kinds.strict, s))
    for tensor in TENSORS:
        near(kinds.from_strict(getattr(d, tensor)), truth[tensor])


def test_second_derivatives_by_expressions_differ_by_the_bracket_of_the_modes() -> None:
    """Inside a joint's block ``L_Y L_X tau - L_X L_Y tau = -L_[X,Y] tau``, with L_X the derivative
    along a column X of S.
    """
    model, s, _ = case("one_S")
    d = assemble(model, *s).d2tau_dq
    dtau = assemble_first_order(model, *s).dtau_dq
    for x, y, z in [(0, 1, 2), (1, 2, 0), (2, 0, 1)]:
        near(d[:, x, y] - d[:, y, x], -dtau[:, z])


def test_expressions_refuse_planar_models_and_rotors() -> None:
    for name, kind in [("planar_chain", "planar"), ("rotors", "with rotors")]:
        model = zoo.build(name)
        state = zoo.states(model, np.random.default_rng(0))
        for f in (assemble, assemble_first_order, assemble_split):
            with pytest.raises(
                ModelError, match=f"model: want a spatial one .* got one that is {kind}"
            ):
                f(model, *state[:3])
    with pytest.raises(ArrayShapeError, match="want shape"):
        assemble(zoo.build("SE3"), [1.0], [1.0], [1.0])


def test_expression_tutorial_finds_every_line_right() -> None:
    lines = runpy.run_path(str(EXAMPLES / "derive_expression.py"))["derivation"]()
    assert len(lines) >= 5
    assert_array_equal([name for name, residual in lines if residual > 1e-12], [])
