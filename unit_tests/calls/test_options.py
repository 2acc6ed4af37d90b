"""Properties of the options ``out=`` and ``workers=`` of every accelerated function."""

import inspect
import itertools
import math
import pydoc
import tracemalloc
from typing import Any

import numpy as np
import pytest
import zoo
from calls import public
from helpers import for_each, near, parts
from numpy.testing import assert_array_equal
from public_functions import (
    arguments,
    assert_same,
    functions_of_state,
    suits,
    with_and_without_plan,
)

from derivatives import H_derivatives, ID_SO_derivatives, SO_pattern
from spatial_v2 import CMM, ID, PackedTensor, autoTree, get_workers, set_workers
from spatial_v2.accelerated import has_compiler
from spatial_v2.calls.options import Options
from spatial_v2.calls.prepare import prepare
from spatial_v2.engine import runner
from spatial_v2.engine.python_call import PythonCall
from spatial_v2.engine.status import Status
from spatial_v2.exceptions import ArrayShapeError, SpatialError

FUNCTIONS = {
    name.rpartition(".")[2]: (function, required)
    for name, function, required in functions_of_state()
    if "workers" in inspect.signature(function).parameters
}
"""All public functions of a state with these options, and their required arguments."""

WITH_REFERENCE = {name: f for name, f in public().items() if hasattr(f, "reference")}
"""All functions with a reference implementation, which the decorator adds."""

functions = pytest.mark.parametrize("name", sorted(FUNCTIONS))
MODELS = ("mixed", "floating_rotors", "planar_tree")
models = pytest.mark.parametrize("model_name", MODELS)


def given(name: str, model: Any, shape: tuple[int, ...]) -> tuple[Any, list[Any]]:
    function, required = FUNCTIONS[name]
    if not suits(function, model):
        pytest.skip("the function supports only floating-base models")
    return function, list(arguments(model, required, np.random.default_rng(7), shape).values())


def test_every_function_with_a_kernel_has_out_and_workers() -> None:
    """Functions with a kernel have both options, and can be bound."""
    assert {"ID", "FrameJacobian", "LTL"} < WITH_REFERENCE.keys()
    for name, f in WITH_REFERENCE.items():
        assert {"out", "workers"} <= inspect.signature(f).parameters.keys(), name
        assert callable(getattr(f, "bind", None)), name


@for_each(WITH_REFERENCE)
def test_signature_shows_exactly_the_options_that_are_taken(name: str) -> None:
    """Signatures show exactly the options that the function accepts, also for its reference
    implementation and `help`.
    """
    function = WITH_REFERENCE[name]
    (rest,) = (p for p in inspect.signature(inspect.unwrap(function)).parameters.values()
               if p.kind is p.VAR_KEYWORD)  # fmt: skip
    assert rest.annotation == "Unpack[Options]"
    for form in (function, function.reference):
        parameters = inspect.signature(form).parameters
        assert not any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        for option in Options.__annotations__:
            assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
            assert parameters[option].default is None
        assert "out: 'Any' = None, workers: 'int | None' = None)" in pydoc.plaintext.document(form)


@for_each(sorted(FUNCTIONS))
def test_every_option_of_the_signature_is_accepted_and_no_other(name: str) -> None:
    model = zoo.build("floating")
    function, args = given(name, model, ())
    shown = inspect.signature(function).parameters.values()
    options = {p.name: p.default for p in shown if p.kind is p.KEYWORD_ONLY}
    for form in filter(None, (function, getattr(function, "reference", None))):
        for x, y in zip(
            parts(form(model, *args, **options)), parts(form(model, *args)), strict=True
        ):
            assert_array_equal(x, y)
        with pytest.raises(TypeError, match="unknown_option"):
            form(model, *args, unknown_option=1)


@functions
@models
@pytest.mark.parametrize("shape", [(), (0,), (3, 5)])
def test_out_is_filled_and_returned(name: str, model_name: str, shape: tuple[int, ...]) -> None:
    """Arrays given by `out` are filled, whatever their contents, and returned, by kernels and
    reference implementations.
    """
    model = zoo.build(model_name)
    function, args = given(name, model, shape)
    for run in filter(None, (function, getattr(function, "reference", None))):
        wanted = parts(run(model, *args))
        out = tuple(np.full(x.shape, np.nan) for x in wanted)
        result = run(model, *args, out=out if len(out) > 1 else out[0])
        assert all(x is y for x, y in zip(parts(result), out, strict=True))
        if shape and run is function:
            assert_same(function, model, out, wanted)
        for x, y in zip(out, wanted, strict=True):
            near(x, y, 1e-12)


@with_and_without_plan
@functions
def test_out_may_be_noncontiguous(name: str, kind: str) -> None:
    model = zoo.build(kind)
    function, args = given(name, model, (3,))
    wanted = parts(function(model, *args))
    out = tuple(np.full((2, *x.shape[::-1]), np.nan)[0].T for x in wanted)
    function(model, *args, out=out if len(out) > 1 else out[0])
    assert_same(function, model, out, wanted)


@pytest.mark.skipif(not has_compiler(), reason="without a compiler pages run")
def test_results_are_written_into_out_without_a_copy() -> None:
    """With several workers too, where plans for one process are not used.

    The results are large beside what the interpreter allocates meanwhile.
    """
    model = zoo.build("floating")
    q = zoo.states(model, np.random.default_rng(0), (20_000,)).q
    out = CMM(model, q, workers=2)
    tracemalloc.start()
    CMM(model, q, workers=2, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < out.nbytes / 2


@with_and_without_plan
@functions
def test_wrong_out_is_refused_and_unchanged(name: str, kind: str) -> None:
    """Arrays of a wrong type, shape or order are an error, and nothing is written into them."""
    model = zoo.build(kind)
    function, args = given(name, model, (2,))
    right = tuple(np.full(x.shape, 3.0) for x in parts(function(model, *args)))
    for change, message in (
        (lambda x: x.astype(np.float32), "out: want dtype"),
        (lambda x: np.full((*x.shape, 1), 3.0), "out: want shape"),
        (lambda x: x.tolist(), "out: want a NumPy array"),
        (_read_only, "out: the array is read-only"),
    ):
        out = (*right[:-1], change(right[-1].copy()))
        with pytest.raises(SpatialError, match=message):
            function(model, *args, out=out if len(out) > 1 else out[0])
        assert all((np.asarray(x) == 3.0).all() for x in out)
    with pytest.raises(SpatialError, match=r"out: .* results?: want a tuple of as many"):
        function(model, *args, out=(*right, right[0]))


def _refused(name: str, model: Any, packed: bool) -> None:
    """Check that `out` for 0 to 9 states is an error for a batch of 3, and that no
    memory changes.
    """
    function, args = given(name, model, (3,))
    options = {"packed": True} if packed else {}
    wanted = parts(function(model, *args, **options))
    tensors = [x for x in wanted if isinstance(x, PackedTensor)]
    assert len(tensors) == packed * len(wanted)
    for lead in ((0,), (1,), (2,), (4,), (9,), (), (1, 3), (3, 1)):
        states, out, memory = math.prod(lead), [], []
        for x in wanted:
            values = x.values if isinstance(x, PackedTensor) else x
            memory.append(np.full((9, *values.shape[1:]), 3.0))
            result = memory[-1][:states].reshape((*lead, *values.shape[1:]))
            out.append(PackedTensor(x.pattern, result) if packed else result)
        with pytest.raises(SpatialError, match="out"):
            function(model, *args, out=tuple(out) if len(out) > 1 else out[0], **options)
        assert all((x == 3.0).all() for x in memory)


@functions
@pytest.mark.parametrize("model_name", ["mixed", "floating"])
def test_results_for_another_number_of_states_are_refused(name: str, model_name: str) -> None:
    """Arrays `out` for another number of states are an error; nothing is written into them or
    beyond.
    """
    packable = "packed" in inspect.signature(FUNCTIONS[name][0]).parameters
    for packed in (False, True) if packable else (False,):
        _refused(name, zoo.build(model_name), packed)


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", ["ID", "HandC", "ID_SO_derivatives"])
def test_plans_refuse_results_for_another_number_of_states(
    name: str, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plans refuse results for another number of states, with the extension and without it.

    Rows of values may be longer than needed.
    """
    if not fast:
        monkeypatch.setattr(runner, "has_extension", lambda: False)
    elif not runner.has_extension():
        pytest.skip("the extension is off or not built")
    model = zoo.build("floating").replace()
    function, args = given(name, model, (3,))
    plan = prepare(function.work, model)
    assert plan is not None and isinstance(plan.runner.load(), PythonCall) is not fast
    tensors, of_kernel = plan.packed is not None, plan.packed or plan
    shapes = [(n,) for n in plan.runner.takes.rows] if tensors else plan.shapes
    batches = plan.runner.fill_batch, of_kernel.fill_batch
    for batch, states in itertools.product(batches, (0, 1, 2, 3, 4, 9)):
        memory = [np.full((9, *shape), 3.0) for shape in shapes]
        status = batch(tuple(x[:states] for x in memory), tuple(args))
        assert status == (Status.DONE if states == 3 else Status.REFUSED)
        assert all((x[3 if states == 3 else 0 :] == 3.0).all() for x in memory)
    for packed in (False, True) if tensors else (False,):
        _refused(name, model, packed)


def _read_only(x: np.ndarray) -> np.ndarray:
    x.flags.writeable = False
    return x


def test_complex_results_need_complex_arrays() -> None:
    model = autoTree(3)
    z = np.zeros(3, complex)
    with pytest.raises(SpatialError, match="out: want dtype complex128"):
        ID(model, z, z, z, out=np.zeros(3))
    out = np.zeros(3, complex)
    assert_array_equal(ID(model, z, z, z, out=out), ID(model, z, z, z))


class TestZerosThatAreKept:
    """Arrays of `SO_pattern(...).zeros` given as ``out`` may be filled repeatedly; results are
    always right.
    """

    def test_zeros_may_be_reused(self) -> None:
        model = zoo.build("mixed")
        out = SO_pattern(model).zeros(9)
        for seed in range(3):
            rng = np.random.default_rng(seed)
            args = list(arguments(model, ["q", "qd", "qdd"], rng, (9,)).values())
            result = ID_SO_derivatives(model, *args, out=out)
            for x, y, z in zip(result, ID_SO_derivatives(model, *args), out, strict=True):
                assert x is z
                assert_array_equal(x, y)

    def test_zeros_cannot_be_written_by_others(self) -> None:
        out = SO_pattern(autoTree(3)).dM_dq.zeros(2)
        with pytest.raises(ValueError, match="read-only"):
            out[0] = 1.0
        with pytest.raises(ValueError, match="WRITEABLE"):
            out.flags.writeable = True
        assert out.base is None or not getattr(out.base, "flags", out.flags).writeable

    @pytest.mark.parametrize("run", [H_derivatives, H_derivatives.reference])
    def test_zeros_of_another_tree_are_cleared(self, run: Any) -> None:
        """If zeros of one tree are filled for another tree, entries that are zero there are
        cleared.
        """
        out = SO_pattern(autoTree(5, 1)).dM_dq.zeros()
        for model in (autoTree(5, 1), autoTree(5, 3), autoTree(5, 1)):
            q = np.linspace(0.1, 0.5, 5)
            near(run(model, q, out=out), run(model, q), 1e-15)
            assert ((out == 0) == (run(model, q) == 0)).all()

    def test_a_part_of_the_zeros_is_refused(self) -> None:
        out = SO_pattern(autoTree(3)).dM_dq.zeros(2)
        with pytest.raises(SpatialError, match="read-only"):
            H_derivatives(autoTree(3), np.zeros(3), out=out[0])


def test_packed_out_is_filled_and_returned() -> None:
    """Values of packed tensors given as `out` may have any strides, and must have the
    same pattern.
    """
    model = zoo.build("mixed")
    function, args = given("ID_SO_derivatives", model, (11,))
    wanted = function(model, *args, packed=True)
    for make in (lambda s: np.full(s, np.nan), lambda s: np.full((s[0], s[1] + 5), np.nan)[:, :-5],
                 lambda s: np.full(s[::-1], np.nan).T):  # fmt: skip
        out = tuple(PackedTensor(x.pattern, make(x.values.shape)) for x in wanted)
        result = function(model, *args, packed=True, out=out)
        for x, y, z in zip(result, out, wanted, strict=True):
            assert x is y
            assert_array_equal(x.values, z.values)
    beside = np.full((11, wanted[0].pattern.nnz + 5), 7.0)
    out = (PackedTensor(wanted[0].pattern, beside[:, :-5]), *out[1:])
    function(model, *args, packed=True, out=out)
    assert (beside[:, -5:] == 7.0).all()
    other = SO_pattern(autoTree(3)).dM_dq
    with pytest.raises(ArrayShapeError, match="out: want the pattern of this model"):
        wrong = PackedTensor(other, np.zeros((11, other.nnz)))
        function(model, *args, packed=True, out=(*out[:3], wrong))
    with pytest.raises(SpatialError, match="out: want a PackedTensor"):
        function(model, *args, packed=True, out=(*out[:3], np.zeros(3)))


@functions
@models
@pytest.mark.parametrize("states", [0, 1, 7, 8, 9, 40])
def test_the_number_of_workers_has_no_effect(name: str, model_name: str, states: int) -> None:
    """The number of workers does not change results, to the last bit if only a kernel computes
    them.
    """
    model = zoo.build(model_name)
    function, args = given(name, model, (states,))
    wanted = function(model, *args)
    for workers in (2, 3, -1):
        assert_same(function, model, function(model, *args, workers=workers), wanted)


@with_and_without_plan
@functions
def test_unknown_options_are_refused(name: str, kind: str) -> None:
    """A misspelt option is an error."""
    model = zoo.build(kind)
    function, args = given(name, model, ())
    for wrong in ("ot", "worker", "f_exte"):
        with pytest.raises(TypeError, match=rf"unexpected keyword argument '{wrong}'"):
            function(model, *args, **{wrong: None})


def test_set_workers_holds_within_its_block() -> None:
    assert get_workers() == 1
    with set_workers(3):
        assert get_workers() == 3
        with set_workers(2):
            assert get_workers() == 2
        assert get_workers() == 3
    assert get_workers() == 1


@pytest.mark.parametrize("workers", [0, -1000, 1.5, "2", True])
def test_wrong_numbers_of_workers_are_refused(workers: Any) -> None:
    x = np.zeros((4, 2))
    with pytest.raises(SpatialError, match="workers: want"):
        ID(autoTree(2), x, x, x, workers=workers)
    with pytest.raises(SpatialError, match="workers: want"), set_workers(workers):
        pass
