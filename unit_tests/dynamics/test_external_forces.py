"""External forces in all dynamics and their derivatives, constant in base or in body coordinates.

First derivatives agree with complex steps of the dynamics; second derivatives with complex steps of
the first.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import FORMS, all_near, in_form, near, parts
from public_functions import assert_same

from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    modFD,
    modFD_derivatives,
    modFD_second_derivatives,
    modID,
    modID_derivatives,
    modID_second_derivatives,
)
from derivatives.reference import complex_step_q
from spatial_v2 import (
    ID,
    ArrayShapeError,
    BodyJacobian,
    FDab,
    HandC,
    Model,
    SpatialError,
    apply_external_forces,
    autoTree,
    forward_kinematics,
)

FRAMES = ("base", "body")
FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        ID, FDab, HandC, ID_derivatives, ID_SO_derivatives, FD_derivatives, FD_SO_derivatives,
        modID, modID_derivatives, modID_second_derivatives,
        modFD, modFD_derivatives, modFD_second_derivatives,
    )
}  # fmt: skip
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_frames = pytest.mark.parametrize("frame", FRAMES)
both_forms = pytest.mark.parametrize("form", FORMS)
every = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
few = pytest.mark.parametrize("name", ["mixed", "planar_tree", "floating_rotors"])


def tolerance(model: Model, q: np.ndarray) -> float:
    """Return 1e-12, or the rounding error of the inverse of H if that is larger."""
    H = HandC(model, q, np.zeros(model.NV)).H
    return float(max(1e-12, 10 * np.finfo(float).eps * np.linalg.cond(H).max()))


def arguments(function: Any, s: zoo.State, lam: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the arguments of a function that come before the external forces."""
    name = function.__name__
    if name == "HandC":
        return s.q, s.qd
    state = s.q, s.qd, s.tau if "FD" in name else s.qdd
    return (*state, lam) if name.startswith("mod") else state


def case(name: str, function: Any, shape: tuple[int, ...] = ()) -> tuple[Model, Any, np.ndarray]:
    model, s = draw(name, shape)
    lam = np.random.default_rng(7).normal(size=(*shape, model.NV))
    return model, arguments(function, s, lam), s.f_ext


@both_forms
@whole_zoo
def test_a_force_does_work_where_it_is(name: str, form: str) -> None:
    """Forces in base and in body coordinates have the same effect; joint forces do less work by
    that of the force.
    """
    model, s = draw(name)
    X0 = forward_kinematics(model, s.q).X0
    in_base = np.matrix_transpose(X0) @ s.f_ext[..., None]
    for function in (ID, FDab, HandC):
        run, args = in_form(form, function), arguments(function, s, s.qd)
        wanted = run(model, *args, in_base[..., 0])
        tol = tolerance(model, s.q) if function is FDab else 1e-12
        found = run(model, *args, s.f_ext, frame="body")
        for x, y in zip(parts(found), parts(wanted), strict=True):
            near(x, y, tol)
    without = ID(model, s.q, s.qd, s.qdd)
    load = sum(BodyJacobian(model, s.q, i).T @ s.f_ext[i] for i in range(model.NB))
    near(without - ID(model, s.q, s.qd, s.qdd, s.f_ext, frame="body"), load, 1e-12)


@both_forms
@both_frames
@whole_zoo
def test_contractions_are_tensors_times_weights(name: str, frame: Any, form: str) -> None:
    model, s = draw(name)
    lam = np.random.default_rng(7).normal(size=model.NV)
    kw: dict[str, Any] = {"f_ext": s.f_ext, "frame": frame}
    state, tol = (s.q, s.qd, s.qdd), 1e-12
    d, so = ID_derivatives(model, *state, **kw), ID_SO_derivatives(model, *state, **kw)
    near(in_form(form, modID)(model, *state, lam, **kw), lam @ ID(model, *state, **kw), tol)
    gradient = in_form(form, modID_derivatives)(model, *state, lam, **kw)
    all_near(gradient, [lam @ x for x in d], tol)
    second = in_form(form, modID_second_derivatives)(model, *state, lam, **kw)
    all_near(second[:2], gradient, tol)
    all_near(second[2:5], [np.einsum("i,ijk", lam, x) for x in so[:3]], tol)
    all_near(second[5:], d, tol)

    state, tol = (s.q, s.qd, s.tau), tolerance(model, s.q)
    e, so_ = FD_derivatives(model, *state, **kw), FD_SO_derivatives(model, *state, **kw)
    near(in_form(form, modFD)(model, *state, lam, **kw), lam @ FDab(model, *state, **kw), tol)
    found = in_form(form, modFD_derivatives)(model, *state, lam, **kw)
    all_near(found, [lam @ x for x in e], tol)
    qq, vv, qv, tauq = (np.einsum("i,ijk", lam, x) for x in so_)
    found = in_form(form, modFD_second_derivatives)(model, *state, lam, **kw)
    all_near(found, [*e, qq, vv, qv.T, tauq], tol)


@every
@both_frames
@few
def test_no_forces_are_forces_of_zero(name: str, frame: Any, function: Any) -> None:
    """Zero forces give the results without forces, in single states and batches; without forces
    `frame` has no effect.
    """
    model, args, f_ext = case(name, function, (9,))
    for some in (args, tuple(x[0] for x in args)):
        wanted = parts(function(model, *some))
        f = np.zeros((*some[0].shape[:-1], *f_ext.shape[1:]))
        all_near(parts(function(model, *some, f, frame=frame)), wanted, 1e-13)
        for same in (
            (function(model, *some, frame=frame)),
            function(model, *some, {}, frame=frame),
        ):
            all_near(parts(same), wanted, 1e-13)


@every
@both_frames
@few
def test_forces_have_the_same_effect_in_every_form_of_call(
    name: str, frame: Any, function: Any
) -> None:
    """Forces in dicts, lists and tuples, with `out=` and `workers=`, and in bound functions, act as
    those in arrays.
    """
    model, args, f_ext = case(name, function, (40,))
    some = np.zeros_like(f_ext)
    some[:, 1] = f_ext[:, 1]
    wanted = parts(function(model, *args, some, frame=frame))
    given: list[Any] = [None] * model.NB
    given[1] = f_ext[:, 1]
    outs = tuple(np.full_like(x, np.nan) for x in wanted)
    out: Any = outs if len(outs) > 1 else outs[0]
    for result in (
        function(model, *args, {1: f_ext[:, 1]}, frame=frame),
        function(model, *args, f_ext=given, frame=frame, workers=2),
        function(model, *args, tuple(given), frame=frame),
        function(model, *args, some, frame=frame, out=out),
        outs,
    ):
        assert_same(function, model, parts(result), wanted)
    if hasattr(function, "bind"):
        bound, tol = function.bind(model), tolerance(model, args[0])
        one = tuple(x[0] for x in args)
        for result in (
            bound(*one, some[0], frame=frame),
            bound(*one, f_ext=some[0], frame=frame),
            *([bound(*one, some[0])] if frame == "base" else []),
        ):
            all_near(parts(result), [x[0] for x in wanted], tol)


@both_frames
@pytest.mark.parametrize("length", [12, 40])
def test_long_chains_lose_no_more_digits_than_without(length: int, frame: Any) -> None:
    """For long chains, errors of `FD_derivatives` with external forces are not larger than without.

    The function forms no sums of joint forces.
    """
    model = autoTree(length, 1, 0.3, 0.9)
    s = zoo.states(model, np.random.default_rng(5))
    d = FD_derivatives(model, s.q, s.qd, s.tau, s.f_ext, frame=frame)
    exact = complex_step_q(
        model, lambda q: FDab.reference(model, q, s.qd, s.tau, s.f_ext, frame=frame), s.q
    )
    without = FD_derivatives(model, s.q, s.qd, s.tau)
    plain = complex_step_q(model, lambda q: FDab.reference(model, q, s.qd, s.tau), s.q)

    def error(x: np.ndarray, y: np.ndarray) -> float:
        return float(np.abs(x - y).max() / np.abs(y).max())

    assert error(d.dqdd_dq, exact) <= 1e-13 + 10 * error(without.dqdd_dq, plain)


@every
def test_bad_input_is_refused(function: Any) -> None:
    model, args, f_ext = case("floating", function)
    n = model.NB
    for frame in ("Base", "local", "", None, 1, f_ext):
        with pytest.raises(SpatialError, match="frame: want 'base' .external forces"):
            function(model, *args, f_ext, frame=frame)
    with pytest.raises(ArrayShapeError, match=rf"f_ext: want None, a dict.*\(\.\.\., {n}, 6\)"):
        function(model, *args, f_ext[:-1], frame="body")
    with pytest.raises(ArrayShapeError, match="forces are rows, transpose it"):
        function(model, *args, np.zeros((6, n)))
    with pytest.raises(ArrayShapeError, match=r"f_ext\[0\]: want shape \(\.\.\., 6\)"):
        function(model, *args, {0: np.zeros(3)}, frame="body")
    with pytest.raises(ArrayShapeError, match=f"f_ext: {n} is not a body"):
        function(model, *args, {n: np.zeros(6)})
    with pytest.raises(ArrayShapeError, match="leading axes do not broadcast"):
        function(model, *(np.stack([x] * 3) for x in args), np.stack([f_ext] * 2))
    with pytest.raises(TypeError):
        function(model, *args, f_ext, f_ext)


def test_apply_external_forces_accepts_either_frame() -> None:
    """`apply_external_forces` subtracts forces in body coordinates as they are, and transforms
    those in base coordinates first.
    """
    model, s = draw("mixed")
    Xup = dict(enumerate(ID(model, s.q, s.qd, s.qdd, return_info=True)[1].Xup))
    f = {i: np.zeros((6, 1)) for i in range(model.NB)}
    X0 = forward_kinematics(model, s.q).X0
    base, body = (apply_external_forces(model, Xup, f, s.f_ext, x) for x in FRAMES)
    for i in range(model.NB):
        near(X0[i].T @ base[i][:, 0], -s.f_ext[i], 1e-12)
        near(body[i][:, 0], -s.f_ext[i], 1e-15)
    with pytest.raises(SpatialError, match="frame"):
        apply_external_forces(model, Xup, f, s.f_ext, "joint")  # type: ignore[arg-type]


def test_complex_models_are_differentiated() -> None:
    """The complex step with respect to the inertia of a body is exact, because tau is
    linear in it.
    """
    model, s = draw("chain")
    change = zoo.random_inertia(np.random.default_rng(2))
    inertia = model.I.astype(complex)
    inertia[2] += 1j * 1e-30 * change
    step = ID(model.replace(I=inertia), s.q, s.qd, s.qdd).imag / 1e-30
    twice = model.I.copy()
    twice[2] += change
    near(step, ID(model.replace(I=twice), *s[:3]) - ID(model, *s[:3]), 1e-11)


@pytest.mark.parametrize("name", ["chain", "planar_tree", "floating_rotors"])
def test_external_forces_may_be_a_dict_a_list_or_an_array(name: str) -> None:
    """A dict may leave out bodies, a list may have None for some, and an array has a force for
    every body.
    """
    model, s = draw(name, (2,))
    some = {0: s.f_ext[:, 0], 2: s.f_ext[0, 2].tolist()}
    array = np.zeros_like(s.f_ext)
    array[:, 0], array[:, 2] = s.f_ext[:, 0], s.f_ext[0, 2]
    for function, last in ((ID, s.qdd), (FDab, s.tau)):
        args = (model, s.q, s.qd, last)
        near(function(*args, some), function(*args, array))
        cells = [some.get(i, [] if i else None) for i in range(model.NB)]
        near(function(*args, cells), function(*args, array))
        near(function(*args, f_ext=some), function.reference(*args, array))
        np.testing.assert_array_equal(function(*args, None), function(*args))
        np.testing.assert_array_equal(function(*args, {}), function(*args, 0 * array))
    near(HandC(model, s.q, s.qd, some).C, HandC(model, s.q, s.qd, array).C)
