"""Kernels that compute all steps of a function for a tree with closed loops."""

import warnings

import numpy as np
import pytest
from helpers import near
from mechanisms import ZOO, state

from derivatives import (
    FD_derivatives,
    ID_derivatives,
    modFD_second_derivatives,
    modID,
    modID_derivatives,
    modID_second_derivatives,
)
from spatial_v2 import CRBA, ID, FDab, HandC, SingularWarning, SpatialError, couple
from spatial_v2.export.records import record_type
from spatial_v2.mechanisms import at_once, closed, closed_jet, kernels, linkage, states

LOOPS = [x for x in ZOO if x not in ("polynomial", "four_bar_by_formula", "functions_of_two")]
LOOPS = [name for name in LOOPS if name not in ("geared_functions", "curved_five_bar")]
PLAIN = [name for name in LOOPS if not name.startswith("geared")]
WEIGHTED = modID, modID_derivatives, modID_second_derivatives, modFD_second_derivatives
VALUES = ID, FDab, modID
COSTLY = (
    CRBA, HandC, ID_derivatives, FD_derivatives, modID_derivatives, modID_second_derivatives,
    modFD_second_derivatives,
)  # fmt: skip
"""Functions whose kernels for loops compile only with slow tests; see `default_kernels`."""


def with_joint_terms(model):
    """Return the mechanism with armature, damping and springs on all joints of the tree."""
    n = model.tree.NV
    sizes = np.linspace(0.1, 0.7, 3 * n).reshape(3, n)
    terms = dict(zip(("armature", "damping", "stiffness"), sizes, strict=True))
    return model.replace(**terms, rest=np.zeros(n)) if all(k == 1 for k in model.tree.nv) else model


def arguments(model, rng, n=6, functions=(*VALUES, *COSTLY)):
    """Return functions, their arguments for n states, and options."""
    y, yd, ydd = state(model, rng, n)
    w = rng.normal(size=yd.shape)
    f = rng.normal(size=(n, model.tree.NB, 3 if model.is_planar else 6))
    short = {CRBA: (y,), HandC: (y, yd)} | dict.fromkeys(WEIGHTED, (y, yd, ydd, w))
    calls = [(g, short.get(g, (y, yd, ydd))) for g in functions]
    loads = [{"f_ext": f, "frame": frame} for frame in ("base", "body")]
    return [(g, x, k) for g, x in calls for k in ({}, *(loads if g is not CRBA else ()))]


def parts(x):
    """Return all results of a call."""
    return list(x) if isinstance(x, tuple) else [x]


@pytest.mark.parametrize("terms", [False, True])
@pytest.mark.parametrize("name", LOOPS)
def test_functions_of_one_kernel_are_those_of_their_steps(name, terms, monkeypatch):
    compare_with_steps(name, terms, VALUES, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("terms", [False, True])
@pytest.mark.parametrize("name", LOOPS)
def test_derivatives_of_one_kernel_are_those_of_their_steps(name, terms, monkeypatch):
    compare_with_steps(name, terms, COSTLY, monkeypatch)


def compare_with_steps(name, terms, functions, monkeypatch):
    model, rng = ZOO[name](), np.random.default_rng(2)
    model = with_joint_terms(model) if terms else model
    calls = arguments(model, rng, functions=functions)
    found = []
    for f, x, options in calls:
        given = [z[0] for z in x]
        of_first = {k: v[0] if k == "f_ext" else v for k, v in options.items()}
        found.append((parts(f(model, *x, **options)), parts(f(model, *given, **of_first))))
    own = getattr(model.coupling, "outer", model.coupling)
    for f, x, _ in calls:
        used = model.by_kernel(f.__name__, x, {}) is not None
        assert used == all(b.loop.constraints.is_plain for b in own.branches)
    monkeypatch.setattr(at_once, "has_kernels", lambda *names: False)
    for (f, x, options), (batch, single) in zip(calls, found, strict=True):
        for k, want in enumerate(parts(f(model, *x, **options))):
            near(batch[k], want, 1e-11)
            near(single[k], want[0], 1e-11)


@pytest.mark.parametrize("name", LOOPS)
def test_configurations_of_the_tree_give_what_independent_positions_give(name):
    compare_positions(name, VALUES)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_configurations_of_the_tree_give_the_derivatives_of_independent_positions(name):
    compare_positions(name, COSTLY)


def compare_positions(name, functions):
    model, rng = ZOO[name](), np.random.default_rng(4)
    for f, (y, *rest), options in arguments(model, rng, 3, functions):
        at_y = parts(f(model, y, *rest, **options))
        for x, z in zip(parts(f(model, model.position(y), *rest, **options)), at_y, strict=True):
            near(x, z, 1e-10)


@pytest.mark.parametrize("name", PLAIN)
def test_loops_are_closed_at_once_as_one_by_one(name, monkeypatch):
    model = ZOO[name]()
    y, *_ = state(model, np.random.default_rng(3), 30)
    found = model.position(y)
    one = [model.position(x) for x in y]
    assert found[:, model.coupling.q_of_y] == pytest.approx(y, abs=0)
    monkeypatch.setattr(closed, "closed_by_kernel", lambda *given: None)
    near(found, model.position(y), 1e-11)
    near(np.stack(one), model.position(y), 1e-11)


def test_states_that_are_not_closed_at_once_are_followed(monkeypatch):
    """The crank turns by several radians; some of its states are reached in one step."""
    model = ZOO["four_bar"]()
    y = np.linspace(-6, 6, 41)[:, None] + model.start
    begun = closed.closed_by_kernel(model.coupling, y)
    assert begun is not None and 0 < begun[1].sum() < len(y)
    found = model.position(y)
    monkeypatch.setattr(closed, "closed_by_kernel", lambda *given: None)
    near(found, model.position(y), 1e-11)


def test_bad_states_stop_no_others():
    """States out of reach, and states with NaN, give NaN in the results of a batch."""
    model = ZOO["slider_crank"]()
    y = np.array([model.start, model.start + 0.1, [np.nan], model.start])
    yd = tau = np.ones_like(y)
    with pytest.warns(SingularWarning, match="cannot be closed in 1 of 4"):
        found = FDab(model, y, yd, tau)
    assert (np.isnan(found[:, 0]) == [False, False, True, False]).all()
    assert np.array_equal(found[0], found[3])
    with pytest.raises(SpatialError, match="cannot be followed"):
        FDab(model, y[2], yd[2], tau[2])
    assert FDab(model, y[:0], yd[:0], tau[:0]).shape == (0, 1)


def test_the_guess_is_its_own_solution():
    for name in PLAIN:
        model = ZOO[name]()
        near(model.position(model.start[None])[0], model.coupling.guess, 1e-15)


def test_open_and_singular_states_are_told_as_one_by_one(monkeypatch):
    model = ZOO["slider_crank"]()
    q = model.position(model.start + np.linspace(0, 0.5, 5)[:, None])
    q[3, -1] += 1e-6
    yd = np.ones((5, 1))
    said = []
    for _ in range(2):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = FDab(model, q, yd, yd)
        said.append([str(x.message) for x in told])
        assert (np.isnan(found[:, 0]) == [False, False, False, True, False]).all()
        monkeypatch.setattr(closed, "open_by_kernel", lambda *given: None)
    assert said[0] == said[1] and len(said[0]) == 1
    assert states.ON < 1e-6


@pytest.mark.parametrize("name", ["slider_crank", "four_bar_in_the_plane", "walker_with_rotors"])
@pytest.mark.parametrize(
    ("functions", "count"), [(VALUES, 2), pytest.param(COSTLY, 5, marks=pytest.mark.slow)],
    ids=["values", "derivatives"],
)  # fmt: skip
def test_later_calls_go_to_the_kernel_directly(name, functions, count):
    model, rng = ZOO[name](), np.random.default_rng(6)
    prepared = 0
    for f, x, options in arguments(model, rng, 6, functions):
        first, given = parts(f(model, *x, **options)), [z[0] for z in x]
        plan = model._state.calls.get(f.work)
        prepared += plan is not None and not options
        assert plan is None or options or plan.run_with(tuple(given), {}) is not None
        options_of_first = {k: v[0] if k == "f_ext" else v for k, v in options.items()}
        single, again = (f(model, *given, **options_of_first), f(model, *x, **options))
        load = {k: v.reshape(2, 3, *v.shape[1:]) for k, v in options.items() if k == "f_ext"}
        grid = f(model, *(z.reshape(2, 3, -1) for z in x), **{**options, **load})
        outs = tuple(np.zeros_like(z) for z in first)
        stored = f(model, *x, **options, out=outs if len(outs) > 1 else outs[0])
        for k, want in enumerate(first):
            near(parts(single)[k], want[0], 1e-11)
            near(parts(again)[k], want, 1e-11)
            near(parts(grid)[k].reshape(want.shape), want, 1e-11)
            near(outs[k], want, 1e-11)
            assert parts(stored)[k] is outs[k]
    assert prepared == count


def test_prepared_calls_refuse_states_as_others_do():
    model = ZOO["slider_crank"]()
    y = np.stack([model.start, model.start + 3.0, model.start + 0.1])
    far, yd = np.array([40.0]), np.zeros((3, 1))
    slide = couple(
        model.tree, constraints=model.coupling.constraints.constraints, independent=[2],
        guess=model.coupling.guess,
    )  # fmt: skip
    for m in (model, slide):
        FDab(m, m.start, yd[0], yd[0])
        assert FDab.work in m._state.calls
    near(FDab(model, y, yd, yd)[1], FDab(model, y[1], yd[1], yd[1]), 1e-9)
    with pytest.raises(SpatialError, match="cannot be followed"):
        FDab(slide, far, yd[0], yd[0])
    with pytest.warns(SingularWarning, match="cannot be closed in 1 of 2"):
        found = FDab(slide, np.stack([slide.start, far]), yd[:2], yd[:2])
    assert np.isfinite(found[0]).all() and np.isnan(found[1]).all()
    top = 1.1 * np.cos(np.arcsin(0.05 / 1.1))
    with pytest.warns(SingularWarning, match="nearly singular"):
        FDab(slide, [top - 1e-6], yd[0], yd[0])


@pytest.mark.parametrize(
    "name", ["five_bar", "walker_with_rotors", "geared_five_bar", "polynomial"]
)
def test_reference_implementations_call_no_kernels(name, monkeypatch):
    """Neither those of loops, nor those of the functions of the tree, which are never prepared."""
    model, other = ZOO[name](), ZOO[name]()
    calls = arguments(model, np.random.default_rng(7), 2)
    wanted = [parts(f(other, *x, **options)) for f, x, options in calls]
    for module in (at_once, linkage, kernels, closed_jet):
        monkeypatch.setattr(module, "new_results", None)
    for (f, x, options), want in zip(calls, wanted, strict=True):
        for found, z in zip(parts(f.reference(model, *x, **options)), want, strict=True):
            near(found, z, 1e-9)
    assert not model._tree._state.calls.keys() & {f.work for f, *_ in calls}
    assert not model._state.calls


def test_reference_implementations_check_configurations():
    model = ZOO["slider_crank"]()
    q = model.position(model.start)
    near(FDab.reference(model, q, [1.0], [0.0]), FDab(model, q, [1.0], [0.0]), 1e-10)
    with pytest.raises(SpatialError, match="is open by"):
        FDab.reference(model, q + 0.1, [1.0], [0.0])


def kinds_of(record):
    """Return the number of axes and the kind of numbers of each array of a record, in turn."""
    if isinstance(record, tuple):
        return [kinds_of(x) for x in record]
    return np.ndim(record), np.asarray(record).dtype.name


def kinds_of_types(kind):
    types = pytest.importorskip("numba").types
    if isinstance(kind, types.BaseTuple):
        return [kinds_of_types(x) for x in kind]
    return (kind.ndim, kind.dtype.name) if isinstance(kind, types.Array) else (0, kind.name)


@pytest.mark.parametrize("name", ["four_bar", "walker"])
def test_kernels_of_a_wheel_are_compiled_for_the_records_of_loops(name):
    pytest.importorskip("numba")
    coupling = ZOO[name]().coupling
    record = linkage.branches_of(coupling, np.eye(len(coupling.v_of_y)))
    assert kinds_of(record) == kinds_of_types(record_type("branches"))
