"""ID, HandC, FDab and forward_kinematics: batches, every kind of array, and bad input."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import array_kinds as kinds
import numpy as np
import pytest
import zoo
from helpers import near, parts
from numpy.testing import assert_array_equal

from spatial_v2 import (
    ID,
    ArrayShapeError,
    FDab,
    HandC,
    Model,
    autoTree,
    forward_kinematics,
    get_compilation,
    set_compilation,
)

EPS = 1e-30
FEW = ["one_SE3", "forest", "mixed", "helical", "planar_tree", "floating_rotors"]


def run_id(model: Model, s: zoo.State, **kw: Any) -> Any:
    return ID(model, s.q, s.qd, s.qdd, s.f_ext, **kw)


def run_handc(model: Model, s: zoo.State, **kw: Any) -> Any:
    return HandC(model, s.q, s.qd, s.f_ext, **kw)


def run_fdab(model: Model, s: zoo.State) -> Any:
    return FDab(model, s.q, s.qd, s.tau, s.f_ext)


def run_kinematics(model: Model, s: zoo.State) -> Any:
    return forward_kinematics(model, s.q, s.qd)


RUNS: list[Callable[..., Any]] = [run_id, run_handc, run_fdab, run_kinematics]
runs = pytest.mark.parametrize("run", RUNS, ids=["ID", "HandC", "FDab", "kinematics"])
few = pytest.mark.parametrize("name", FEW)


close = partial(near, least=0.0)


def all_close(a: Any, b: Any, rtol: float = 1e-12) -> None:
    for x, y in zip(parts(a), parts(b), strict=True):
        close(x, y, tolerance=rtol)


def sample(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State]:
    model = zoo.build(name)
    return model, zoo.states(model, np.random.default_rng(9), shape)


def mapped(s: zoo.State, change: Callable[..., Any]) -> zoo.State:
    return zoo.State(*map(change, s))


@runs
@few
def test_batches_are_loops(run: Any, name: str) -> None:
    model, s = sample(name, (2, 3))
    whole = parts(run(model, s))
    for k in np.ndindex(2, 3):
        all_close(tuple(x[k] for x in whole), run(model, mapped(s, lambda x, k=k: x[k])))
    empty = run(model, mapped(s, lambda x: x[:0]))
    assert [x.shape for x in parts(empty)] == [(0, *x.shape[1:]) for x in whole]


@runs
@few
def test_leading_axes_broadcast(run: Any, name: str) -> None:
    """Every argument may lack the batch axis or have its own, for kernels and reference
    implementations.
    """
    model, s = sample(name, (2, 3))
    full = mapped(s, lambda x: np.broadcast_to(x[:1], x.shape))
    for form in ("kernel", "reference"):
        args = full if form == "kernel" else mapped(full, lambda x: x + 0j)
        expected = run(model, args)
        for k in range(5):
            thin = zoo.State(*(x[:1] if j == k else x for j, x in enumerate(args)))
            all_close(run(model, thin), expected)
            thin = zoo.State(*(x[0] if j == k else x for j, x in enumerate(args)))
            all_close(run(model, thin), expected)


@runs
@few
def test_reference_needs_only_the_array_api_and_takes_dual_numbers(run: Any, name: str) -> None:
    """Reference implementations use only operations of the array API.

    With dual numbers they give the derivatives that complex steps give.
    """
    model, s = sample(name, (2,))
    plain = run(model, s)
    by_strict = parts(run(model, mapped(s, kinds.strict)))
    all_close(tuple(map(kinds.from_strict, by_strict)), plain)
    _, rate = sample(name, (2,))
    rates = mapped(rate, np.cos)
    one = mapped(s, lambda x: x[0])
    dual = zoo.State(*(kinds.dual(x, dx[0]) for x, dx in zip(one, rates, strict=True)))
    step = zoo.State(*(x + 1j * EPS * dx[0] for x, dx in zip(one, rates, strict=True)))
    by_duals, by_steps = run(model, dual), run(model, step)
    for a, b, x in zip(*map(parts, (by_duals, by_steps, plain)), strict=True):
        close(kinds.value(a), x[0])
        close(b.real, x[0])
        close(kinds.slope(a), b.imag / EPS, tolerance=1e-11)


@few
def test_complex_steps_are_derivatives(name: str) -> None:
    """The derivative of tau with respect to qdd is H; that of qdd with respect to tau is H^-1."""
    model, s = sample(name)
    units = np.eye(model.NV)
    H = HandC(model, s.q, s.qd).H
    columns = ID(model, s.q, s.qd, s.qdd + 1j * EPS * units).imag / EPS
    close(columns, H.T)
    inverse = FDab(model, s.q, s.qd, s.tau + 1j * EPS * units).imag / EPS
    close(inverse @ H, units, tolerance=1e-11)


def test_complex_models_are_differentiated() -> None:
    """The complex step with respect to the inertia of a body is exact, because tau is
    linear in it.
    """
    model, s = sample("chain")
    change = zoo.random_inertia(np.random.default_rng(2))
    inertia = model.I.astype(complex)
    inertia[2] += 1j * EPS * change
    step = ID(model.replace(I=inertia), s.q, s.qd, s.qdd).imag / EPS
    twice = model.I.copy()
    twice[2] += change
    close(step, ID(model.replace(I=twice), *s[:3]) - ID(model, *s[:3]), tolerance=1e-11)


@runs
@few
def test_without_the_compiler_results_are_the_same(run: Any, name: str) -> None:
    """Kernels and reference implementations agree on batches."""
    model, s = sample(name, (2,))
    compiled, mode = run(model, s), get_compilation()
    set_compilation("never")
    try:
        all_close(run(model, s), compiled)
    finally:
        set_compilation(mode)


@runs
def test_memory_layouts_have_no_effect(run: Any) -> None:
    """Integers, lists, transposed, strided, read-only and big-endian arrays give the same."""
    model, s = sample("branched", (6,))
    whole = mapped(s, np.rint)
    expected = run(model, whole)

    def read_only(x: np.ndarray) -> np.ndarray:
        x = x.copy()
        x.flags.writeable = False
        return x

    layouts: list[Callable[[np.ndarray], Any]] = [
        lambda x: x.astype(int), lambda x: x.tolist(), np.asfortranarray, read_only,
        lambda x: np.repeat(x, 2, axis=-1)[..., ::2], lambda x: x[::-1][::-1],
        lambda x: x.astype(">f8"), lambda x: x.astype(np.float32),
    ]  # fmt: skip
    for layout in layouts:
        all_close(run(model, mapped(whole, layout)), expected)


def test_arguments_are_not_changed() -> None:
    model, s = sample("mixed", (3,))
    before = mapped(s, np.copy)
    X, I = model.Xtree.copy(), model.I.copy()
    for run in RUNS:
        run(model, s)
    for x, y in zip(s, before, strict=True):
        assert_array_equal(x, y)
    assert_array_equal(model.Xtree, X)
    assert_array_equal(model.I, I)


@pytest.mark.parametrize("name", ["chain", "planar_tree", "floating_rotors"])
def test_external_forces_may_be_a_dict_a_list_or_an_array(name: str) -> None:
    """A dict may leave out bodies, a list may have None for some, and an array has a force for
    every body.
    """
    model, s = sample(name, (2,))
    some = {0: s.f_ext[:, 0], 2: s.f_ext[0, 2].tolist()}
    array = np.zeros_like(s.f_ext)
    array[:, 0], array[:, 2] = s.f_ext[:, 0], s.f_ext[0, 2]
    for function, last in ((ID, s.qdd), (FDab, s.tau)):
        args = (model, s.q, s.qd, last)
        close(function(*args, some), function(*args, array))
        cells = [some.get(i, [] if i else None) for i in range(model.NB)]
        close(function(*args, cells), function(*args, array))
        close(function(*args, f_ext=some), function.reference(*args, array))
        assert_array_equal(function(*args, None), function(*args))
        assert_array_equal(function(*args, {}), function(*args, 0 * array))
    close(HandC(model, s.q, s.qd, some).C, HandC(model, s.q, s.qd, array).C)


def test_arguments_may_be_given_by_name() -> None:
    model, s = sample("chain")
    assert_array_equal(ID(model, qdd=s.qdd, qd=s.qd, q=s.q), ID(model, s.q, s.qd, s.qdd))
    assert_array_equal(FDab(model, s.q, tau=s.tau, qd=s.qd), FDab(model, s.q, s.qd, s.tau))


N7 = np.zeros(7)
BAD: list[tuple[Callable[[Model], Any], type[Exception], str]] = [
    (lambda m: ID(m, N7, N7[:6], N7[:5]), ArrayShapeError, r"qdd: want shape \(\.\.\., 6\)"),
    (lambda m: ID(m, N7[:6], N7[:6], N7[:6]), ArrayShapeError, r"q: .*got \(6,\)\. That is the"),
    (lambda m: ID(m, N7, N7, N7[:6]), ArrayShapeError, "a 'Fb' joint has 7 position and 6"),
    (lambda m: HandC(m, np.zeros((7, 4)), N7[:6]), ArrayShapeError, r"transpose \(MATLAB col"),
    (lambda m: FDab(m, 1.0, N7[:6], N7[:6]), ArrayShapeError, r"q: want .*got \(\)"),
    (lambda m: FDab(m, N7, N7[:6], "six"), ArrayShapeError, "tau: want numbers"),
    (lambda m: FDab(m, N7, N7[:6], None), ArrayShapeError, "tau: want"),
    (lambda m: ID(m, N7, N7[:6]), TypeError, r"ID: got 3 arguments, want ID\(model"),
    (lambda m: ID(m, N7, N7, N7, None, 0, 1), TypeError, "ID: got"),
    (lambda m: ID([1], N7, N7, N7), TypeError, "model: want a spatial_v2.Model, got list"),
    (lambda m: ID(m, N7, N7[:6], N7[:6], np.zeros(6)), ArrayShapeError, "f_ext: want None, a dict"),
    (lambda m: ID(m, N7, N7[:6], N7[:6], {1: np.zeros(6)}), ArrayShapeError, "1 is not a body; "),
    (lambda m: ID(m, N7, N7[:6], N7[:6], {"a": np.zeros(6)}), ArrayShapeError, "'a' is not a body"),
    (lambda m: ID(m, N7, N7[:6], N7[:6], {0: np.zeros(3)}), ArrayShapeError, r"f_ext\[0\]: want"),
    (lambda m: ID(m, N7, N7[:6], N7[:6], [None] * 3), ArrayShapeError, "an entry for each of 1"),
    (
        lambda m: ID(m, np.zeros((2, 7)), np.zeros((3, 6)), N7[:6]),
        ArrayShapeError, r"leading axes do not broadcast: q \(2,\), qd \(3,\), qdd \(\)",
    ),
    (lambda m: forward_kinematics(m, N7[:3]), ArrayShapeError, "q: want shape"),
    (lambda m: forward_kinematics(m, N7, N7), ArrayShapeError, "qd: want shape"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[m for *_, m in BAD])
@pytest.mark.parametrize("reference", [False, True])
def test_bad_input_is_refused(call: Any, error: Any, message: str, reference: bool) -> None:
    """The message of kernel and reference implementation names the argument, and the expected and
    given values.
    """
    model = autoTree(1).replace(jtype=["Fb"])
    if reference:
        model.I = model.I.astype(complex)
    with pytest.raises(error, match=message):
        call(model)
