"""Packed tensors of closed chains and functions are the dense ones without their zeros."""

import functools
from collections.abc import Callable
from typing import Any

import mechanisms as zoo
import numpy as np
import pytest

from derivatives import Christoffel, H_derivatives, ID_SO_derivatives
from spatial_v2 import ID, Model
from spatial_v2.packed.tensor import PackedTensor

FUNCTIONS = ID_SO_derivatives, H_derivatives, Christoffel
CASES: dict[str, Callable[[], Model]] = {
    f.__name__: f
    for f in (
        zoo.four_bar, zoo.four_bar_by_formula, zoo.five_bar, zoo.six_bar, zoo.spatial_linkage,
        zoo.stewart, zoo.walker, zoo.polynomial, zoo.functions_of_two, zoo.geared_five_bar,
        zoo.geared_functions, zoo.geared_walker,
    )
} | {"walker_with_rotors": functools.partial(zoo.walker, rotors=True)}  # fmt: skip


def parts(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


@functools.cache
def case(name: str) -> tuple[Model, tuple[np.ndarray, ...]]:
    model = CASES[name]()
    return model, zoo.state(model, np.random.default_rng(3), 4)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_entry_is_lost(function: Any, name: str) -> None:
    """Every number of a dense tensor is in the pattern, at several states."""
    model, (q, qd, qdd) = case(name)
    given = (q, qd, qdd) if function is ID_SO_derivatives else (q,)
    for args in (given, [x[0] for x in given]):
        dense, packed = parts(function(model, *args)), parts(function(model, *args, packed=True))
        for x, y in zip(dense, packed, strict=True):
            np.testing.assert_array_equal(y.pattern.todense(y.values), x)
    out = tuple(PackedTensor(x.pattern, np.full_like(x.values, np.nan)) for x in packed)
    function(model, *args, packed=True, out=out if len(out) > 1 else out[0])
    for x, y in zip(out, packed, strict=True):
        np.testing.assert_array_equal(x.values, y.values)


def test_legs_stand_apart() -> None:
    """No entry has variables of two legs: one leg does not change what the other does."""
    model = zoo.walker(legs=4)
    q, qd, qdd = zoo.state(model, np.random.default_rng(1))
    legs = {*range(6, model.NV)}
    assert len(legs) == 4
    for x in ID_SO_derivatives(model, q, qd, qdd, packed=True):
        assert x.pattern.nnz < 0.8 * model.NV**3
        entries = zip(*(y.tolist() for y in (x.pattern.i, x.pattern.j, x.pattern.k)), strict=True)
        shared = [len(legs & {*entry}) for entry in entries]
        assert max(shared) == 1


def test_functions_without_tensors_have_no_packed_form() -> None:
    model, (q, qd, qdd) = case("four_bar")
    with pytest.raises(TypeError, match="packed"):
        ID(model, q, qd, qdd, packed=True)
