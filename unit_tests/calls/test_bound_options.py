"""Functions bound to a model with options: results equal those of calls with these options."""

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_array_equal
from public_functions import arguments, functions_of_state

from spatial_v2 import ID, KKT_FD, ConstraintSet, ModelError, PointConstraint, SpatialError
from spatial_v2.calls.work import Work

CONSTRAINED = {
    name: (function, required)
    for name, function, required in functions_of_state()
    if hasattr(function, "bind") and "constraints" in inspect.signature(function).parameters
}


@pytest.mark.parametrize("name", CONSTRAINED)
def test_bound_constraints_give_the_same_results(name: str) -> None:
    """Results are equal for every function of constraints, also with `out`; constraints are checked
    once.
    """
    model, (function, required) = zoo.build("mixed"), CONSTRAINED[name]
    given = arguments(model, required, np.random.default_rng(3))
    held = given.pop("constraints")
    plain = parts(function(model, *given.values(), constraints=held))
    bound = function.bind(model, constraints=held)
    for x, y in zip(parts(bound(*given.values())), plain, strict=True):
        assert_array_equal(x, y)
    out = tuple(np.full_like(x, np.nan) for x in plain)
    result = bound(*given.values(), out=out if len(out) > 1 else out[0])
    assert all(x is y for x, y in zip(parts(result), out, strict=True))
    for x, y in zip(out, plain, strict=True):
        assert_array_equal(x, y)


@pytest.mark.parametrize("name", CONSTRAINED)
def test_constraints_of_a_call_with_bound_options(name: str) -> None:
    """Options for constraints can be bound although the call gives the constraints."""
    model, (function, required) = zoo.build("mixed"), CONSTRAINED[name]
    given = arguments(model, required, np.random.default_rng(3))
    options: dict[str, Any] = {"damping": 0.1, "restitution": 0.5, "rank": "nan"}
    known = inspect.signature(function).parameters
    chosen = {x: value for x, value in options.items() if x in known}
    found = function.bind(model, **chosen)(**given)
    for x, y in zip(parts(found), parts(function(model, **given, **chosen)), strict=True):
        assert_array_equal(x, y)


class Loop:
    """A model with a contact and a state."""

    def __init__(self) -> None:
        self.model = zoo.build("floating")
        self.held = [PointConstraint(2, [0.1, 0.2, 0.3], point1=[0.0, 0.0, 0.0])]
        s = zoo.states(self.model, np.random.default_rng(0))
        self.state, self.f_ext = (s.q, s.qd, s.tau), s.f_ext


def test_other_options_can_be_bound_and_overridden() -> None:
    """Gains can be bound; a call may override them by keyword, and give further options."""
    c = Loop()
    bound = KKT_FD.bind(c.model, constraints=c.held, baumgarte=(30.0, 7.0))
    for more in ({}, {"f_ext": c.f_ext}, {"baumgarte": None}, {"damping": 0.1}):
        how: Any = {"constraints": c.held, "baumgarte": (30.0, 7.0), **more}
        for x, y in zip(bound(*c.state, **more), KKT_FD(c.model, *c.state, **how), strict=True):
            assert_array_equal(x, y)
    free = ID.bind(c.model, frame="body")
    assert_array_equal(free(*c.state, c.f_ext), ID(c.model, *c.state, c.f_ext, frame="body"))


def test_given_arrays_of_one_state_are_filled_by_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prepared call fills given arrays; these may be arguments, but not arrays of the
    model.
    """
    c = Loop()
    wanted, bound = KKT_FD(c.model, *c.state, c.held), KKT_FD.bind(c.model, constraints=c.held)
    q, qd, tau = c.state

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the call was not that of the plan")

    with monkeypatch.context() as patch:
        patch.setattr(Work, "run", refuse)
        for call in (
            lambda out: KKT_FD(c.model, q, qd, tau, c.held, out=out),
            lambda out: KKT_FD(c.model, q, qd, tau, constraints=c.held, out=out),
            lambda out: bound(q, qd, tau, out=out),
            lambda out: bound(q, qd, tau.copy(), out=(tau, out[1])),
        ):
            out = tuple(np.full_like(x, np.nan) for x in wanted)
            for x, y in zip(call(out), wanted, strict=True):
                assert_array_equal(x, y)
    assert_array_equal(tau, wanted.qdd)
    with pytest.raises(SpatialError, match="read-only"):
        KKT_FD(c.model, *c.state, c.held, out=(wanted.qdd, c.model.gravity))


def test_edits_of_the_model_are_seen() -> None:
    """An edit of the model takes effect at the next call."""
    c = Loop()
    bound = KKT_FD.bind(c.model, constraints=c.held)
    before = bound(*c.state).qdd
    c.model.gravity = [1.0, 2.0, 3.0]
    after = bound(*c.state).qdd
    assert np.abs(after - before).max() > 1e-3
    assert_array_equal(after, KKT_FD(c.model, *c.state, c.held).qdd)


def test_wrong_options_are_refused_when_bound_or_called() -> None:
    """Unknown options and impossible constraints are errors when bound, or at the call."""
    c = Loop()
    with pytest.raises(TypeError, match=r"KKT_FD.bind: .* unexpected option 'contraints'; .*"):
        KKT_FD.bind(c.model, contraints=c.held)
    with pytest.raises(ModelError, match=r"constraints\[0\].body2"):
        KKT_FD.bind(c.model, constraints=[PointConstraint(99)])
    with pytest.raises(SpatialError, match="damping"):
        KKT_FD.bind(c.model, constraints=c.held, damping=-1.0)
    with pytest.raises(TypeError, match="'constraints' was fixed by bind, .* again by position"):
        KKT_FD.bind(c.model, constraints=c.held)(*c.state, c.held)
    with pytest.raises(TypeError, match="constraints"):
        KKT_FD.bind(c.model)(*c.state)


@pytest.mark.slow
def test_bound_constraints_have_signature_repr_and_copies() -> None:
    """Bound functions have a signature and a repr, and can be copied."""
    c = Loop()
    bound = KKT_FD.bind(c.model, constraints=ConstraintSet(c.model, c.held))
    again = pickle.loads(pickle.dumps(bound))
    assert_array_equal(again(*c.state).qdd, bound(*c.state).qdd)
    names = list(inspect.signature(bound).parameters)
    assert names[:3] == ["q", "qd", "tau"]
    assert not {"model", "constraints"} & set(names)
    assert repr(bound) == "<KKT_FD of Model 'floating', NQ = 11, NV = 10, constraints=...>"
