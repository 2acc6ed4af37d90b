"""Dask arrays as arguments give Dask arrays with the same numbers, for every function with a
kernel.
"""

import inspect
import re
from typing import Any

import calls
import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_array_equal
from parameters import chosen
from public_functions import arguments, assert_same, functions_of_state, suits

from derivatives import FD_SO_derivatives
from spatial_v2 import ID, Model, autoTree, forward_kinematics
from spatial_v2.exceptions import SpatialError

da = pytest.importorskip("dask.array")
lazy = pytest.importorskip("spatial_v2.interop.dask").lazy

FUNCTIONS = {
    name.rpartition(".")[2]: (function, required)
    for name, function, required in functions_of_state()
    if hasattr(function, "result_shapes") or name.endswith(".FD_SO_derivatives")
}
STATES, CHUNK = 40, 16
"""Number of states, and of states per chunk, a multiple of the SIMD width."""


def lazily(x: Any) -> Any:
    is_batch = isinstance(x, np.ndarray) and x.ndim >= 2 and x.shape[0] == STATES
    return da.from_array(x, chunks=(CHUNK, *x.shape[1:])) if is_batch else x


@pytest.mark.parametrize("model_name", ["mixed"])
@pytest.mark.parametrize("name", chosen(sorted(FUNCTIONS), calls.CHOSEN.__contains__))
def test_chunks_are_what_the_whole_is(name: str, model_name: str) -> None:
    function, required = FUNCTIONS[name]
    model = zoo.build(model_name)
    if not suits(function, model):
        pytest.skip("the function supports only floating-base models")
    given = arguments(model, required, np.random.default_rng(7), (STATES,))
    want = function(model, *given.values())
    made = lazy(function)(model, *map(lazily, given.values()))
    assert type(made) is (da.Array if isinstance(want, np.ndarray) else type(want))
    for x, y in zip(parts(want), parts(made), strict=True):
        assert y.chunks[0] == (16, 16, 8)
        assert y.shape == x.shape
        assert_same(function, model, y.compute(scheduler="synchronous"), x)


def test_every_accelerated_function_is_covered() -> None:
    accelerated = {
        name.rpartition(".")[2]
        for name, function, _ in functions_of_state()
        if "workers" in inspect.signature(function).parameters
    }
    assert len(FUNCTIONS) > 50
    assert accelerated <= FUNCTIONS.keys()


def state(model: Model, n: int) -> list[np.ndarray]:
    s = zoo.states(model, np.random.default_rng(3), (n,))
    return [s.q, s.qd, s.qdd]


def test_forces_and_options_are_passed_on() -> None:
    model, rng = zoo.build("mixed"), np.random.default_rng(1)
    x, f = state(model, 24), rng.normal(size=(24, model.NB, 6))
    want = ID(model, *x, f, frame="body")
    lazily = [da.from_array(a, chunks=(8, *a.shape[1:])) for a in (*x, f)]
    for made in (
        lazy(ID)(model, *lazily[:3], f_ext=lazily[3], frame="body"),
        lazy(ID)(model, *lazily, frame="body"),
        lazy(ID)(model, lazily[0], qdd=lazily[2], qd=lazily[1], f_ext=f, frame="body"),
    ):
        assert_array_equal(made.compute(scheduler="synchronous"), want)
    same = lazy(ID)(model, *lazily[:3], f[0], frame="body")
    assert_array_equal(same.compute(scheduler="synchronous"), ID(model, *x, f[0], frame="body"))


def test_second_derivatives_of_forward_dynamics_take_an_acceleration() -> None:
    """The keyword ``qdd=`` replaces the joint force, for Dask arrays as well."""
    model = zoo.build("mixed")
    q, qd, qdd = state(model, 24)
    want = FD_SO_derivatives(model, q, qd, qdd=qdd)
    made = lazy(FD_SO_derivatives)(
        model, *(da.from_array(a, chunks=(8, *a.shape[1:])) for a in (q, qd)),
        qdd=da.from_array(qdd, chunks=(8, model.NV)),
    )  # fmt: skip
    for x, y in zip(want, made, strict=True):
        assert_same(FD_SO_derivatives, model, y.compute(scheduler="synchronous"), x)


def test_nothing_is_computed_before_it_is_wanted() -> None:
    """Results are computed on request only: one may be larger than any memory if few states are
    requested.
    """
    model = autoTree(2)
    q = da.zeros((10**12, 2), chunks=(10**10, 2))
    tau = lazy(ID)(model, q, q, q)
    assert tau.shape == (10**12, 2)
    few = da.concatenate([da.ones((3, 2)), q])
    tau = lazy(ID)(model, few, few, few)
    some = tau[:3].compute(scheduler="synchronous")
    assert_array_equal(some, ID(model, *np.ones((3, 3, 2))))


def test_bad_input_is_refused() -> None:
    model = autoTree(2)
    q = da.zeros((4, 2), chunks=(2, 2))
    with pytest.raises(SpatialError, match="does not say the shapes"):
        lazy(forward_kinematics)
    with pytest.raises(TypeError, match="the argument qdd is missing"):
        lazy(ID)(model, q, q)
    with pytest.raises(SpatialError, match="out cannot be combined with Dask"):
        lazy(ID)(model, q, q, q, out=np.zeros((4, 2)))
    with pytest.raises(SpatialError, match="want an array"):
        lazy(ID)(model, q, q, q, f_ext={0: np.zeros(6)})


def _refusals(function: Any, model: Model, given: dict[str, Any], bad: dict[str, Any]) -> list[str]:
    """Return what is said to each bad argument; an empty text if it was accepted."""
    said = []
    for x, y in bad.items():
        try:
            lazy(function)(model, **{**given, x: y})
            said.append("")
        except (SpatialError, ValueError) as error:
            said.append(str(error))
    return said


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_argument_is_checked_before_anything_is_computed(name: str) -> None:
    """Wrong lengths, other numbers of states, chunks within a state, unknown chunks and complex
    numbers are refused by every function, with the name of the argument.
    """
    function, required = FUNCTIONS[name]
    model = zoo.build("floating")
    if not suits(function, model):
        pytest.skip("the function does not support the model")
    given = arguments(model, required, np.random.default_rng(7), (STATES,))
    lazies = {x: lazily(y) for x, y in given.items()}
    arrays = {x: y for x, y in lazies.items() if isinstance(y, da.Array)}
    x0 = next(iter(arrays))
    ways = {
        "(want|have) shape": lambda y: y[..., :-1],
        "do not broadcast|shape": lambda y: (
            y[: STATES // 2] if arrays.keys() != {x0} else y[..., 1:]
        ),
        "one chunk": lambda y: y.rechunk({y.ndim - 1: 1}),
        "compute_chunk_sizes": lambda y: y[y.reshape(STATES, -1)[:, 0] > 0],
        "real numbers": lambda y: y.astype(complex),
    }
    for wanted, way in ways.items():
        for x, said in zip(
            arrays,
            _refusals(function, model, lazies, {x: way(y) for x, y in arrays.items()}),
            strict=True,
        ):
            assert re.search(wanted, said) and x in said, (x, wanted, said)
