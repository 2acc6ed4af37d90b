"""The extension in C may be missing; it takes any memory layout, and leaks nothing."""

from __future__ import annotations

import gc
import hashlib
import math
import os
import re
import subprocess
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_allclose
from public_functions import arguments, functions_of_state

from derivatives import FD_SO_derivatives
from spatial_v2 import ID, HandC, SpatialError, autoTree
from spatial_v2.accelerated import has_compiler
from spatial_v2.calls.arguments import convert
from spatial_v2.calls.prepare import prepare
from spatial_v2.calls.work import Work
from spatial_v2.engine import runner
from spatial_v2.engine.runner import has_extension
from spatial_v2.engine.status import Status

ROOT = Path(__file__).parents[2]
EXTENSION = "spatial_v2.engine._call"
FUNCTIONS = {
    name.rpartition(".")[2]: (function, required)
    for name, function, required in functions_of_state()
    if getattr(function, "has_kernel", False)
}

PROGRAM = """
import sys
import numpy as np
sys.modules.update(dict.fromkeys(sys.argv[1:]))
import zoo
from derivatives import FD_SO_derivatives, ID_SO_derivatives
from spatial_v2 import HandC, ID
from spatial_v2.engine.runner import has_extension
assert not has_extension()
model = zoo.build("floating")
state = zoo.states(model, np.random.default_rng(0), (2, 5))
x = state.q, state.qd, state.qdd
for run in (ID, lambda m, q, v, w: HandC(m, q, v).H, lambda *x: ID_SO_derivatives(*x).dM_dq,
            lambda *x: ID_SO_derivatives(*x, packed=True).dM_dq.values.sum(),
            lambda *x: FD_SO_derivatives(*x).dMinv_dq):
    for given in (x, [y[0, 0] for y in x], [y[0, 0].tolist() for y in x]):
        print(repr(float(abs(run(model, *given)).sum())))
"""


def said(*missing: str, **environment: str) -> list[str]:
    """Run a program in a process in which some packages cannot be imported; return the words that
    it prints.
    """
    path = os.pathsep.join([str(ROOT), str(ROOT / "unit_tests" / "support")])
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *missing],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.split()


@pytest.mark.slow
def test_the_extension_may_be_missing() -> None:
    """With the extension turned off, or not built, the library imports and computes the same."""
    off, gone = said(SPATIAL_V2_DIRECT="0"), said(EXTENSION)
    assert off == gone
    model = zoo.build("floating")
    state = zoo.states(model, np.random.default_rng(0), (2, 5))
    wanted = abs(ID.reference(model, state.q, state.qd, state.qdd)).sum()
    assert_allclose(float(off[0]), wanted, rtol=1e-12)


needs_extension = pytest.mark.skipif(not has_extension(), reason="the extension is not built")


@needs_extension
def test_the_extension_is_of_its_source() -> None:
    """An extension that was built before an edit of its source is no longer used by chance."""
    from spatial_v2.engine import _call

    files = sorted((ROOT / "spatial_v2" / "engine" / "extension").glob("*.[ch]"))
    source = b"".join(x.read_bytes() for x in files)
    assert hashlib.blake2b(source, digest_size=8).hexdigest() == _call.SOURCE


def test_an_extension_of_another_form_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls run without an extension that an earlier version left, and a warning says so once."""
    other = types.SimpleNamespace(__file__="old/_call.abi3.so")
    monkeypatch.setattr(runner, "_call", other, raising=False)
    monkeypatch.setattr(runner, "Call", object)
    monkeypatch.setattr(runner, "PLAN", runner._PLAN - 1)
    monkeypatch.setenv("SPATIAL_V2_DIRECT", "1")
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: True, raising=False)
    with pytest.warns(RuntimeWarning, match="old/_call.abi3.so is of another version"):
        assert not has_extension.__wrapped__()
    monkeypatch.setenv("SPATIAL_V2_DIRECT", "0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not has_extension.__wrapped__()


@pytest.mark.parametrize("path", ["engine/extension/call.h", "export/templates/shipped.c.in"])
def test_c_numbers_outcomes_as_python_does(path: str) -> None:
    """Outcomes in the extension and in libraries of kernels have the values of `Status`."""
    lists = re.findall(r"enum \w* ?\{([^}]*DONE[^}]*)\}", (ROOT / "spatial_v2" / path).read_text())
    assert len(lists) == 1
    value, numbered = -1, {}
    for item in lists[0].split(","):
        name, _, given = item.partition("=")
        numbered[name.strip()] = value = int(given or value + 1)
    numbered.pop("LINE", None)
    assert numbered.items() <= {x.name: x.value for x in Status}.items()
    assert {"DONE", "NOT_FINITE", "FAILED"} <= numbered.keys()


@needs_extension
@pytest.mark.parametrize("name", ["ID", "ID_SO_derivatives"])
def test_batches_load_no_kernel_for_single_states(name: str) -> None:
    model, function = autoTree(4).replace(), FUNCTIONS[name][0]
    for _ in range(3):
        function(model, *np.ones((3, 5, 4)))
    plan = prepare(function.work, model)
    assert plan is not None and plan.runner.single is None
    function(model, *np.ones((3, 4)))
    function(model, *np.ones((3, 4)))
    assert plan.runner.single is not None


@needs_extension
@pytest.mark.parametrize("name", ["floating", "floating_rotors", "planar_tree"])
def test_calls_leak_nothing(name: str) -> None:
    """Arguments, results and prepared calls are freed, also those of refused calls."""
    model, rng = zoo.build(name), np.random.default_rng(0)
    state = zoo.states(model, rng, ())
    x = state.q, state.qd, state.qdd
    out = np.empty(model.NV)
    counts = []
    for _ in range(2):
        for _ in range(50):
            ID(model, *x)
            ID(model, *x, out=out)
            HandC(model, *x[:2])
            with pytest.raises(SpatialError):
                ID(model, x[0], x[1], x[2][:-1])
            again = model.replace(gravity=model.gravity)
            ID(again, *x)
            del again
        gc.collect()
        counts.append([*map(sys.getrefcount, x), sys.getrefcount(out)])
        counts[-1].append(sum(type(y).__name__ == "Call" for y in gc.get_objects()))
    assert counts[0] == counts[1]


def _unaligned(x: np.ndarray) -> np.ndarray:
    raw = np.zeros(x.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(x.shape)
    raw[...] = x
    return raw


def _read_only(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS = {
    "lists": lambda x: x.tolist(),
    "tuples": lambda x: tuple(x.tolist()),
    "columns": lambda x: np.asfortranarray(x) if x.ndim > 1 else np.stack([x, x], axis=1)[:, 0],
    "unaligned": _unaligned,
    "read-only": _read_only,
    "another dtype object": lambda x: x.view(np.dtype("f8", metadata={"unit": "rad"})),
    "several axes": lambda x: x.reshape(1, -1, 1, x.shape[-1]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["ID", "HandC", "ID_derivatives", "ID_SO_derivatives"])
@pytest.mark.parametrize("shape", [(), (9,)])
def test_memory_layouts_have_no_effect(name: str, layout: str, shape: tuple[int, ...]) -> None:
    """Arguments in other memory layouts give the same numbers, in new arrays and in given ones of
    these layouts.
    """
    model, (function, required) = zoo.build("floating"), FUNCTIONS[name]
    args = list(arguments(model, required, np.random.default_rng(3), shape).values())
    wanted = parts(function(model, *args))
    for _ in range(2):
        given = [LAYOUTS[layout](x) for x in args]
        found = parts(function(model, *given))
        outs = tuple(np.full(x.shape, np.nan) for x in found)
        function(model, *given, out=outs if len(outs) > 1 else outs[0])
        for x, y, z in zip(found, outs, wanted, strict=True):
            assert_allclose(x.reshape(z.shape), z, rtol=1e-12, atol=1e-12)
            assert_allclose(y.reshape(z.shape), z, rtol=1e-12, atol=1e-12)


LEADS = [(), (6,), (2, 3), (1, 6), (2, 1, 3), (1, 1)]


@pytest.mark.parametrize("lead", LEADS)
def test_plans_take_one_leading_axis_for_all(lead: tuple[int, ...]) -> None:
    """Arguments with any leading axes are converted to one state or one batch, with forces or
    without.
    """
    rng, states = np.random.default_rng(0), (math.prod(lead),) if lead else ()
    x, y, f = rng.normal(size=(*lead, 2)), rng.normal(size=2), rng.normal(size=(*lead, 3, 6))
    for force in ((), (None,), (f,), (f.reshape(-1, 3, 6)[0],)):
        found = convert((2, 2), (3, 6), (x, y, *force))
        assert found is not None and found[1] == lead
        given = [z for z in (x, y, *force) if z is not None]
        for a, z, core in zip(found[0], given, ((2,), (2,), (3, 6)), strict=False):
            assert_allclose(a, np.broadcast_to(z, (*lead, *core)).reshape(states + core), rtol=0)
            assert a.flags.carray


@pytest.mark.parametrize(
    "wrong",
    [["a", 1.0], [1.0], [[1.0], [2.0, 3.0]], None, 1.0, [1j, 0.0], [None, 1.0], np.zeros((0, 2))],
)
def test_wrong_arguments_are_left_to_the_complete_checks(wrong: Any) -> None:
    x = np.zeros(2)
    assert convert((2, 2), None, (x, wrong)) is None
    assert convert((2, 2), (2, 6), (x, x, {5: np.zeros(6)})) is None
    assert convert((2, 2), (), (x, x, np.zeros((2, 6)))) is None
    assert convert((2, 2), None, (x, x, None)) is None


@pytest.mark.skipif(
    not has_compiler(), reason="without a compiler the reference implementation runs"
)
@pytest.mark.parametrize("name", ["ID", "HandC", "ID_SO_derivatives", "FD_SO_derivatives"])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
def test_known_models_are_not_checked_in_full_again(
    name: str, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the first call, later ones skip the complete checks: for new results, given results,
    bound functions, and external forces given by their name.
    """
    model, (function, required) = zoo.build("floating"), FUNCTIONS[name]
    args = list(arguments(model, required, np.random.default_rng(3), shape).values())
    wanted, bound = parts(function(model, *args)), function.bind(zoo.build("floating"))
    monkeypatch.setattr(Work, "run", None)
    none = {"f_ext": np.zeros((*shape, model.NB, 6))} if function.work.takes_force else {}
    outs = tuple(map(np.empty_like, wanted))
    out = outs if len(outs) > 1 else outs[0]
    lists = [x.tolist() for x in args]
    for found in (
        function(model, *args),
        function(model, *lists),
        function(model, *args, **none),
        bound(*lists),
        bound(*lists, **none),
        function(model, *args, out=out),
        bound(*args, out=out),
        bound(*lists, out=out),
    ):
        for x, y in zip(parts(found), wanted, strict=True):
            assert_allclose(x, y, rtol=0, atol=1e-9 * (1 + np.abs(y).max()))


@pytest.mark.parametrize("model_name", ["mixed", "floating_rotors", "planar_tree"])
def test_either_argument_gives_the_same(model_name: str) -> None:
    """The acceleration may be given by keyword instead of the force; giving neither or both is an
    error.
    """
    model = zoo.build(model_name)
    state = zoo.states(model, np.random.default_rng(0), (3,))
    q, qd, qdd, f = state.q, state.qd, state.qdd, state.f_ext
    tau = ID(model, q, qd, qdd, f)
    wanted = FD_SO_derivatives(model, q, qd, tau, f)
    for found in (
        FD_SO_derivatives(model, q, qd, None, f, qdd=qdd),
        FD_SO_derivatives(model, q=q, qd=qd, qdd=qdd, f_ext=f, workers=2),
        FD_SO_derivatives.reference(model, q, qd, qdd=qdd, f_ext=f),
        FD_SO_derivatives.bind(model)(q, qd, qdd=qdd, f_ext=f),
        FD_SO_derivatives(model, q, qd, None, f, qdd=qdd, out=tuple(map(np.empty_like, wanted))),
    ):
        for x, y in zip(found, wanted, strict=True):
            assert_allclose(x, y, rtol=0, atol=1e-11 * (1 + np.abs(y).max()))
    for run in (FD_SO_derivatives, FD_SO_derivatives.reference):
        for wrong in ({}, {"tau": tau, "qdd": qdd}):
            with pytest.raises(SpatialError, match="give either tau or qdd="):
                run(model, q, qd, **wrong)
    with pytest.raises(SpatialError, match="qdd: want shape"):
        FD_SO_derivatives(model, q, qd, qdd=qdd[..., 1:])
