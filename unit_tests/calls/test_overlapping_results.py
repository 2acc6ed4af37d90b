"""A result that shares memory with another, with itself or with the model is an error.

This holds for every accelerated function, for one state and batches, and for all ways to give
results. After an error the next valid call gives the usual results.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import zoo
from calls import CHOSEN
from helpers import near, parts
from numpy.lib.stride_tricks import as_strided
from numpy.testing import assert_allclose
from parameters import chosen
from public_functions import arguments, functions_of_state, suits

from derivatives import ID_SO_derivatives, SO_pattern
from spatial_v2 import CRBA, ID, HandC, PackedTensor, autoTree
from spatial_v2.calls.outputs import overlaps_itself, shares_memory
from spatial_v2.exceptions import SpatialError
from spatial_v2.packed import compute

FUNCTIONS = {
    name.rpartition(".")[2]: (function, required)
    for name, function, required in functions_of_state()
    if "workers" in inspect.signature(function).parameters
}
"""All public functions with the option ``out``."""
PACKING = [
    name for name, (f, _) in FUNCTIONS.items() if "packed" in inspect.signature(f).parameters
]

SHAPES = [(), (9,)]
"""One state, and a batch of more states than are computed side by side."""
MODELS = {"floating": True, "mixed": False}
"""Models, and whether plans are prepared for them: none is if q has rotation matrices, which every
call has to check.
"""


def functions(test: Callable[..., None]) -> Callable[..., None]:
    """Make a test of every function, for one state and for a batch."""
    over_shapes = pytest.mark.parametrize("shape", SHAPES, ids=["single", "batch"])
    names = chosen(sorted(FUNCTIONS), CHOSEN.__contains__)
    return pytest.mark.parametrize("name", names)(over_shapes(test))


def values(x: Any) -> np.ndarray:
    """Return an array, or the values of a packed tensor."""
    return np.asarray(getattr(x, "values", x))


class Case:
    """A function with arguments and expected results, and the ways to call it with preallocated
    results.
    """

    def __init__(
        self, name: str, shape: tuple[int, ...], packed: bool = False, model: str = "floating"
    ) -> None:
        self.function, required = FUNCTIONS[name]
        self.model = zoo.build(model)
        if not suits(self.function, self.model):
            pytest.skip("the function supports only other models")
        rng = np.random.default_rng(7)
        self.args = list(arguments(self.model, required, rng, shape).values())
        self.options = {"packed": True} if packed else {}
        self.tensors = parts(self.function(self.model, *self.args, **self.options))
        self.wanted = [values(x) for x in self.tensors]
        self.shape = shape

    def ways(self) -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
        yield self.function, self.options
        bound = self.function.bind(self.model)
        yield lambda _, *args, **kw: bound(*args, **kw), self.options
        if self.shape:
            yield self.function, {**self.options, "workers": 2}
        else:
            yield self.function.reference, self.options

    def new(self) -> list[np.ndarray]:
        return [np.full(x.shape, np.nan) for x in self.wanted]

    def given(self, outs: list[np.ndarray]) -> Any:
        """Return preallocated arrays in the form that `out` takes.

        They become packed tensors if results are packed, and a tuple if there are several.
        """
        made: list[Any] = list(outs)
        if self.options:
            made = [PackedTensor(x.pattern, out) for x, out in zip(self.tensors, outs, strict=True)]
        return tuple(made) if len(made) > 1 else made[0]

    def is_right(self, outs: list[np.ndarray]) -> None:
        for x, y in zip(outs, self.wanted, strict=True):
            near(x, y, 1e-11)

    def refuses(self, outs: list[np.ndarray], match: str) -> None:
        """Check that every way to call the function refuses these results, also after a valid call.

        The next valid call must be right.
        """
        for way, options in self.ways():
            for _ in range(1 if way is getattr(self.function, "reference", None) else 2):
                with pytest.raises(SpatialError, match=match):
                    way(self.model, *self.args, out=self.given(outs), **options)
                right = self.new()
                way(self.model, *self.args, out=self.given(right), **options)
                self.is_right(right)


def cases(name: str, shape: tuple[int, ...]) -> Iterator[Case]:
    """Yield cases with dense results and, where there are such, with packed ones."""
    for model in MODELS:
        for packed in (False, True) if name in PACKING else (False,):
            yield Case(name, shape, packed, model)


@pytest.mark.parametrize("model", MODELS)
def test_results_are_written_by_plans_and_without(model: str) -> None:
    """The tests of this file are about prepared plans, fast ones too, and about calls without."""
    case = Case("HandC", (), model=model)
    HandC(case.model, *case.args, out=case.given(case.new()))
    plan: Any = case.model.checked().calls.get(HandC.work)
    assert (plan is not None) == MODELS[model]
    assert plan is None or plan.runner.single is not None


@functions
def test_results_that_share_a_number_are_refused(name: str, shape: tuple[int, ...]) -> None:
    """Two results are an error if the last number of one is the first of the next one."""
    for case in cases(name, shape):
        for k in range(len(case.wanted) - 1):
            outs = case.new()
            x, y = outs[k : k + 2]
            if not (x.size and y.size):
                continue
            both = np.zeros(x.size + y.size - 1)
            outs[k] = both[: x.size].reshape(x.shape)
            outs[k + 1] = both[x.size - 1 :].reshape(y.shape)
            case.refuses(outs, rf"out: result {k + 1} and result {k} share memory")


@functions
def test_one_array_for_two_results_is_refused(name: str, shape: tuple[int, ...]) -> None:
    for case in cases(name, shape):
        for k in range(1, len(case.wanted)):
            outs = case.new()
            if outs[k].shape == outs[0].shape:
                outs[k] = outs[0]
                case.refuses(outs, rf"out: result {k} and result 0 share memory")


@functions
def test_results_may_overlap_arguments(
    name: str, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result may end with the first number of q, or begin or end where q does: all numbers of q
    are read before they are overwritten, also by tensors that are computed in several blocks.
    """
    monkeypatch.setattr(compute, "_BLOCK", 1)
    for case in cases(name, shape):
        q = case.args[0]
        for k, wanted in enumerate(case.wanted):
            for begin_out, begin_q in places(wanted.size, q.size):
                for way, options in case.ways() if wanted.size else ():
                    both = np.zeros(max(begin_out + wanted.size, begin_q + q.size))
                    x = both[begin_q : begin_q + q.size].reshape(q.shape)
                    x[...] = q
                    outs = case.new()
                    outs[k] = both[begin_out : begin_out + wanted.size].reshape(wanted.shape)
                    way(case.model, x, *case.args[1:], out=case.given(outs), **options)
                    case.is_right(outs)


def places(out: int, given: int) -> list[tuple[int, int]]:
    """Return where a result and an argument of these sizes begin in the same memory."""
    end = abs(out - given)
    return [(0, out - 1), (0, 0), (0, end) if out > given else (end, 0)]


@functions
def test_results_that_repeat_a_number_are_refused(name: str, shape: tuple[int, ...]) -> None:
    for case in cases(name, shape):
        for k, x in enumerate(case.wanted):
            if x.size > 1:
                outs = case.new()
                outs[k] = as_strided(np.zeros(1), x.shape, (0,) * x.ndim)
                case.refuses(outs, rf"out: several entries of result {k} have the same address")


@functions
def test_interleaved_results_are_accepted(name: str, shape: tuple[int, ...]) -> None:
    """Results that are every second number of the same memory do not overlap, and are accepted."""
    for case in cases(name, shape):
        outs = [np.full((*x.shape, 2), np.nan)[..., 0] for x in case.wanted]
        same = [k for k, x in enumerate(outs) if x.shape == outs[0].shape and x.ndim]
        if len(same) > 1:
            both = np.full((*outs[0].shape, 2), np.nan)
            outs[0], outs[same[1]] = both[..., 0], both[..., 1]
        case.function(case.model, *case.args, out=case.given(outs), **case.options)
        case.is_right(outs)


@pytest.mark.parametrize("shape", SHAPES)
def test_zeros_given_twice_are_refused(shape: tuple[int, ...]) -> None:
    """An array of `SO_pattern.zeros` given for two results is an error.

    A call writes only those of its entries that may differ from zero, so it would keep entries of
    one result where the other is zero.
    """
    case = Case("ID_SO_derivatives", shape)
    zeros = SO_pattern(case.model).zeros(shape)
    for j, k in itertools.combinations(range(4), 2):
        outs = list(zeros)
        outs[k] = outs[j]
        with pytest.raises(SpatialError, match=f"out: result {k} and result {j} share memory"):
            ID_SO_derivatives(case.model, *case.args, out=tuple(outs))
        ID_SO_derivatives(case.model, *case.args, out=zeros)
        case.is_right(list(zeros))


def test_overlapping_results_are_refused_at_every_call() -> None:
    model, q = autoTree(6), np.linspace(0.1, 0.6, 6)
    before = model.I.copy()
    x = np.zeros(42)
    for call in (
        lambda: HandC(model, q, q, out=(x[:36].reshape(6, 6), x[35:41])),
        lambda: CRBA(model, q, out=model.I[0]),
        lambda: CRBA(model, q, out=model.Xtree[2]),
        lambda: ID(model, q, q, q, out=model.I[3, 2]),
    ):
        for _ in range(2):
            with pytest.raises(SpatialError, match="share memory|read-only"):
                call()
    assert np.array_equal(model.I, before)


def test_forces_are_read_before_they_are_written_over() -> None:
    """Forces are read before results overwrite them, also by several threads and in body
    coordinates.
    """
    model, rng = zoo.build("branched"), np.random.default_rng(0)
    s = zoo.states(model, rng, (9,))
    for options in ({}, {"workers": 2}, {"frame": "body"}):
        wanted = ID(model, s.q, s.qd, s.qdd, s.f_ext, **options)
        for begin, _ in places(wanted.size, s.f_ext.size):
            force = s.f_ext.copy()
            part = slice(begin, begin + wanted.size)
            out = force.reshape(-1)[part].reshape(wanted.shape)
            ID(model, s.q, s.qd, s.qdd, force, out=out, **options)
            assert_allclose(out, wanted, rtol=0, atol=1e-12)


def test_sharing_is_judged_number_by_number() -> None:
    x = np.zeros((4, 6, 5))
    for view in (x, x.T, x[::2, 1:, ::-1], x[:, :0], np.einsum("aba->ab", np.zeros((3, 4, 3)))):
        assert not overlaps_itself(view)
    for strides in ((8, 8), (0, 8), (16, 8), (-8, 8)):
        assert overlaps_itself(as_strided(np.zeros(30)[15:], (2, 3), strides))
    assert not shares_memory(x[..., ::2], x[..., 1::2])
    assert shares_memory(x[..., ::2], x[..., 2:])
