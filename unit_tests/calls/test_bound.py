"""Fast path of single states: calls and bound functions agree with reference implementations.

Edits of the model take effect at the next call.
"""

import contextlib
import copy
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_allclose, assert_array_equal
from public_functions import (
    arguments,
    assert_same,
    functions_of_state,
    suits,
    with_and_without_plan,
)

import spatial_v2 as sv
from spatial_v2.accelerated import has_compiler
from spatial_v2.engine.runner import has_extension

FUNCTIONS = {
    name: (function, required)
    for name, function, required in functions_of_state()
    if hasattr(function, "bind")
}
MODELS = ("mixed", "floating_rotors", "planar_tree")
direct = pytest.mark.skipif(
    not (has_compiler() and has_extension()), reason="Python checks arguments without the extension"
)
compiled = pytest.mark.skipif(
    not has_compiler(), reason="without a compiler the reference implementation runs"
)


def given(name: str, model: sv.Model, seed: int = 0) -> list[Any]:
    function, required = FUNCTIONS[name]
    if not suits(function, model):
        pytest.skip("the function supports only floating-base models")
    return list(arguments(model, required, np.random.default_rng(seed)).values())


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bound_functions_agree_with_the_function_and_its_reference(name: str, kind: str) -> None:
    """Results agree, both as new arrays and written into arrays given by `out`."""
    model, (function, _) = zoo.build(kind), FUNCTIONS[name]
    bound, x = function.bind(model), given(name, model)
    wanted, plain, new = function.reference(model, *x), function(model, *x), bound(*x)
    assert type(new) is type(plain)
    outs = tuple(np.full_like(y, np.nan) for y in parts(new))
    out = outs if isinstance(new, tuple) else outs[0]
    assert bound(*x, out=out) is out
    for page, *others in zip(*map(parts, (wanted, plain, new, out)), strict=True):
        scale = 1 + np.abs(page).max(initial=0)
        for y in others:
            assert_allclose(y, page, rtol=0, atol=1e-11 * scale)


@with_and_without_plan
@compiled
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_ordinary_arrays_without_leaks(name: str, kind: str) -> None:
    """Results are ordinary NumPy arrays, and no call leaks memory, even one that raises
    an error.
    """
    model, (function, _) = zoo.build(kind), FUNCTIONS[name]
    bound, x = function.bind(model), given(name, model)
    for y in parts(bound(*x)):
        assert y.flags.writeable or y.ndim == 0
        assert y.dtype is np.dtype(float)
    wrong = (np.append(x[0], 0.0), *x[1:])

    def refused() -> None:
        with contextlib.suppress(sv.SpatialError):
            pytest.fail(f"not refused: {bound(*wrong)}")

    for use, times in ((lambda: bound(*x), 60), (refused, 20)):
        for _ in range(70):
            use()  # prepared calls are kept for the last 64 sets of constraints
        before = [sys.getrefcount(z) for z in (None, *x)]
        for _ in range(times):
            use()
        after = [sys.getrefcount(z) for z in (None, *x)]
        assert np.subtract(after, before).max() < times // 2


@with_and_without_plan
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_new(name: str, kind: str) -> None:
    """No call writes into an array that another call has returned."""
    model, (function, _) = zoo.build(kind), FUNCTIONS[name]
    bound, x, y = function.bind(model), given(name, model), given(name, model, seed=1)
    first = bound(*x)
    before = copy.deepcopy(first)
    bound(*y)
    function(model, *y)
    for one, other in zip(parts(first), parts(before), strict=True):
        assert_array_equal(one, other)


def _set(field: str, change: Callable[[Any], Any]) -> Callable[[sv.Model], None]:
    return lambda model: setattr(model, field, change(getattr(model, field)))


EDITS: dict[str, Callable[[sv.Model], Any]] = {
    "one inertia": _set("I", lambda x: {2: 3.0 * x[2]}),
    "transforms": _set("Xtree", lambda x: {2: x[1] @ x[2]}),
    "gravity": _set("gravity", lambda x: {0: 5.0}),
    "a joint": _set("jtype", lambda x: {2: "Px"}),
    "a parent": _set("parent", lambda x: {3: 0}),
    "other inertias": _set("I", lambda x: x * 2.0),
    "other transforms": _set("Xtree", lambda x: x[[0, 1, 1, 3]]),
    "other gravity": _set("gravity", lambda x: -x),
    "other joints": _set("jtype", lambda x: ["Rx", "Ry", "Px", "Rz"]),
    "no rotor": _set("has_rotor", lambda x: {1: False}),
    "rotors' transforms": _set("Xrotor", lambda x: {2: x[1] @ x[2]}),
    "gears": _set("gr", lambda x: x * 2.0),
    "other gears": _set("gr", lambda x: -x),
    "a rotor's joint": _set("jtype_rotor", lambda x: {1: "Rz"}),
    "other rotors": _set("I_rotor", lambda x: x * 3.0),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_count_at_the_next_call(edit: Callable[[sv.Model], Any]) -> None:
    model = zoo.build("rotors").replace(gravity=zoo.TILTED)
    x = np.random.default_rng(0).normal(size=(3, 4))
    bound, out = sv.ID.bind(model), np.empty(4)
    before = bound(*x)
    assert_allclose(sv.ID(model, *x), before, rtol=1e-12)
    edit(model)
    wanted = sv.ID.reference(model, *x)
    assert np.abs(wanted - before).max() > 1e-6
    for _ in range(2):
        for found in (bound(*x), bound(*x, out=out), sv.ID(model, *x)):
            assert_allclose(found, wanted, rtol=1e-11, atol=1e-11)


WRONG: dict[str, tuple[str, Any, str]] = {
    "joint": ("jtype", {1: "px"}, "is not allowed in a spatial"),
    "rotor's joint": ("jtype_rotor", {1: "Fb"}, r"\[1\]: the joint of a rotor"),
    "rotor": ("jtype", {1: "S"}, r"has_rotor\[1\]: the joint of a rotor"),
}


@pytest.mark.parametrize(("field", "value", "message"), WRONG.values(), ids=WRONG)
def test_fields_that_do_not_fit_one_another_are_refused_at_the_next_call(
    field: str, value: Any, message: str
) -> None:
    model, x = sv.autoTree_rotor(3), np.ones((3, 3))
    bound = sv.ID.bind(model)
    bound(*x), sv.ID(model, *x)
    setattr(model, field, value)
    for _ in range(2):
        for call in (lambda: bound(*x), lambda: sv.ID(model, *x), lambda: sv.ID.bind(model)):
            with pytest.raises(sv.SpatialError, match=message):
                call()


BAD = {
    "too short": (np.ones(2), np.ones(3), np.ones(3)),
    "too few": (np.ones(3), np.ones(3)),
    "too many": (*np.ones((6, 3)),),
    "words": ("a", np.ones(3), np.ones(3)),
    "nothing": (None, np.ones(3), np.ones(3)),
}


@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
def test_arguments_are_refused_as_the_function_refuses_them(args: tuple[Any, ...]) -> None:
    model = sv.autoTree(3)
    with pytest.raises(Exception) as plain:
        sv.ID(model, *args)
    with pytest.raises(plain.type) as bound:
        sv.ID.bind(model)(*args)
    assert str(bound.value) == str(plain.value)


@pytest.mark.parametrize("kind", ["floating", "floating_rotors", "planar_tree"])
def test_calls_in_other_forms_are_those_of_the_function(kind: str) -> None:
    """Lists, batches, forces, keywords, complex numbers and strided arrays give the results of the
    function.
    """
    model = zoo.build(kind)
    state = zoo.states(model, np.random.default_rng(0), (4,))
    x, bound = (state.q, state.qd, state.qdd), sv.ID.bind(model)
    one = [y[0] for y in x]
    f = state.f_ext
    assert_same(sv.ID, model, bound(*x), sv.ID(model, *x))
    assert_allclose(bound(*map(list, one)), sv.ID.reference(model, *one), atol=1e-10)
    assert_allclose(bound(*one, f[0]), sv.ID.reference(model, *one, f[0]), atol=1e-10)
    assert_allclose(sv.ID(model, *one, f[0]), sv.ID.reference(model, *one, f[0]), atol=1e-10)
    assert_allclose(bound(*one, f_ext={1: f[0, 1]}), sv.ID(model, *one, {1: f[0, 1]}), atol=1e-10)
    assert_allclose(bound(q=one[0], qd=one[1], qdd=one[2]), sv.ID(model, *one), atol=0)
    assert bound(one[0] + 0j, one[1], one[2]).dtype == complex
    assert_allclose(bound(*(np.stack([y, y], 1)[:, 0] for y in one)), bound(*one), rtol=1e-12)


def test_bound_functions_have_signature_repr_and_copies() -> None:
    """Bound functions have a signature and a repr, and can be copied and pickled."""
    model = sv.load_model("puma560")
    bound = sv.EnerMo.bind(model)
    assert list(inspect.signature(bound).parameters)[:2] == ["q", "qd"]
    assert repr(bound) == "<EnerMo of Model 'puma560', NQ = 6, NV = 6>"
    x = np.ones((2, 6))
    for other in (pickle.loads(pickle.dumps(bound)), copy.deepcopy(bound)):
        assert other.model is not model
        assert_array_equal(other(*x).KE, bound(*x).KE)
    with pytest.raises(TypeError, match="want a spatial_v2.Model, got str"):
        sv.EnerMo.bind("puma560")


@compiled
def test_many_threads_can_share_a_bound_function() -> None:
    """Concurrent calls give right results: short ones share an arena under the interpreter's lock,
    long ones use none.
    """
    for model in (sv.autoTree(6), sv.autoTree_rotor(5), sv.autoTree(120)):
        n, rng = model.NV, np.random.default_rng(0)
        xs = rng.normal(size=(40, 3, n))
        bound = sv.ID.bind(model)
        wanted = [bound(*x) for x in xs]
        wrong = []

        def work(
            bound: Any = bound, xs: Any = xs, wanted: Any = wanted, wrong: Any = wrong
        ) -> None:
            for _ in range(20):
                wrong.extend(1 for x, y in zip(xs, wanted, strict=True) if (bound(*x) != y).any())

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


@direct
@pytest.mark.parametrize("kind", ["chain", "rotors", "planar_chain"])
def test_single_states_reach_the_kernel_without_python_checks(kind: str) -> None:
    """No Python function checks the arguments of a valid call; those of an invalid call are checked
    in Python.
    """
    model = zoo.build(kind)
    q, qd, qdd = given("spatial_v2.ID", model)
    bound, out = sv.ID.bind(model), np.zeros(model.NV)
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    made = () if locked else ("_long_new",)  # makes results where no lock guards them
    for call in (lambda: bound(q, qd, qdd), lambda: bound(q, qd, qdd, out=out)):
        call()
        assert python_functions(call) <= {"<lambda>", "__call__", "fill", *made}

    def wrong() -> None:
        with pytest.raises(sv.SpatialError):
            bound(q, qd, np.append(qdd, 0.0))

    assert len(python_functions(wrong)) > 5


@direct
@pytest.mark.parametrize("kind", ["chain", "rotors", "planar_chain"])
def test_calls_after_an_edit_reach_the_kernel_again(kind: str) -> None:
    """The first call after an edit of the model checks it, and prepares the next ones."""
    model = zoo.build(kind)
    args = given("spatial_v2.ID", model)
    bound, checked = sv.ID.bind(model), sv.ID.bind(model)
    few = {*python_functions(lambda: bound(*args)), *python_functions(lambda: bound(*args))}
    for _ in range(2):
        model.gravity = -model.gravity
        assert python_functions(lambda: bound(*args)) > few
        assert python_functions(lambda: bound(*args)) <= few
    assert_allclose(bound(*args), checked(*args), rtol=1e-12)


def python_functions(call: Callable[[], Any]) -> set[str]:
    """Return the names of the Python functions that a call runs."""
    names: set[str] = set()

    def look(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            names.add(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(before)
    return names
