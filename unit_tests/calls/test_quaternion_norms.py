"""The norm of a quaternion has no effect on results; a zero quaternion is an error."""

from typing import Any

import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import parts
from numpy.testing import assert_allclose
from parameters import chosen

import spatial_v2 as sv
from spatial_v2.exceptions import SpatialError
from spatial_v2.model.rotations import check_quaternions

MODELS = {name: zoo.build(name) for name in ("one_Fb", "mixed", "floating_rotors")}
OWN_NORM = {
    "confVecToCell": "gives the parts of q",
    "configurationAddition": "turns the quaternion and leaves its norm",
    "time_step": "turns the quaternion and leaves its norm",
    "configurationRates": "gives rates of the quaternion as it is",
    "finite_diff_1": "compares with steps of its own",
}
"""Functions whose results depend on the norm of quaternions, with the reasons."""


def scaled(model: sv.Model, q: np.ndarray, factor: float) -> np.ndarray:
    """Return the configurations with every quaternion multiplied by a factor."""
    q = q.copy()
    for joint, at in zip(model.layout.joints, model.qinds, strict=True):
        if joint.code in ("S", "Fb"):
            q[..., at.start : at.start + 4] *= factor
    return q


def cases() -> list[Any]:
    made = [
        pytest.param(call, model, id=f"{name}-{call.name}-{len(shape)}")
        for name, model in MODELS.items()
        for shape in ((), (9,))
        for call in calls.of_model(model, shape=shape)
        if call.name not in OWN_NORM and (name == "one_Fb" or call.name not in calls.REAL_ALONE)
    ]
    return chosen(made, lambda call: call.name in calls.CHOSEN)


@pytest.mark.parametrize("factor", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize(("call", "model"), cases())
def test_norms_of_quaternions_have_no_effect(model: sv.Model, call: Call, factor: float) -> None:
    """Results agree in kernels and reference implementations if quaternions are multiplied by a
    factor.
    """
    q = [scaled(model, x, factor) if np.shape(x)[-1:] == (model.NQ,) else x for x in call.arrays]
    for start in (0, 0j):
        if start == 0j and call.name in calls.REAL_ALONE:
            continue
        found = parts(call.function(q[0] + start, *q[1:]))
        wanted = parts(call.function(call.arrays[0] + start, *call.arrays[1:]))
        for a, b in zip(found, wanted, strict=True):
            assert_allclose(a, b, rtol=0, atol=1e-9 * (1 + np.abs(b).max(initial=0)))


@pytest.mark.parametrize("factor", [1e-160, 1e160])
def test_rates_are_of_the_size_of_the_quaternion(factor: float) -> None:
    q, w = np.array([0.5, -0.5, 0.5, 0.5]), np.array([1.0, 2.0, 3.0])
    model = zoo.build("one_S")
    for rates in (
        sv.rqd(factor * q, w, stabilise=False),
        sv.configurationRates(model, factor * q, w, stabilise=False),
    ):
        assert_allclose(rates / factor, sv.rqd(q, w), atol=1e-15)
    assert_allclose(sv.normalizeConfVec(model, factor * q), q)
    assert_allclose(sv.jcalc("S", factor * q)[0][:3, :3], sv.rq(q))
    step = sv.rq(factor * q * (1 + 0j) + factor * 1e-20j * np.eye(4)[1]).imag * 1e20
    assert_allclose(step, sv.rq(q + 1e-20j * np.eye(4)[1]).imag * 1e20, atol=1e-14)


def test_zero_quaternions_are_named() -> None:
    """The error for a zero quaternion names joint, body and state."""
    model = zoo.build("mixed")
    q = zoo.states(model, np.random.default_rng(0), (2, 3)).q
    check_quaternions(model, q)
    q[1, 2, model.qinds[2]] = 0
    with pytest.raises(
        SpatialError, match=r"joint 2 \('S', body 'body2'\) is zero.*state \(1, 2\)"
    ):
        check_quaternions(model, q)


def massless(model: sv.Model, *bodies: int) -> sv.Model:
    model.I = dict.fromkeys(bodies, np.zeros_like(model.I[0]))
    return model


@pytest.mark.parametrize(
    ("model", "body"),
    [
        (massless(sv.autoTree(4, 2), 3), 3),
        (massless(sv.autoTree(4), 3, 2), 3),
        (massless(zoo.build("planar_chain"), 2), 2),
        (massless(zoo.build("one_S"), 0), 0),
        (massless(zoo.build("two_floating"), 3), 3),
        (massless(sv.autoTree(2).replace(jtype=["Px", "Px"]), 0), 0),
    ],
)
@pytest.mark.parametrize("shape", [(), (4,)])
def test_bodies_without_inertia_are_named(
    model: sv.Model, body: int, shape: tuple[int, ...]
) -> None:
    """The error names the outermost body whose joint moves no inertia; of two successive prismatic
    joints, the inner one.
    """
    s = zoo.states(model, np.random.default_rng(1), shape)
    name = f"body {body} \\('body{body}'\\), with the bodies that it carries, has no inertia"
    with pytest.raises(SpatialError, match=name):
        sv.FDab(model, s.q, s.qd, s.tau)


def test_a_rotor_is_an_inertia() -> None:
    """A massless link that is driven by a geared rotor is not an error."""
    model = massless(zoo.build("one_rotor"), 1, 2)
    s = zoo.states(model, np.random.default_rng(1))
    with pytest.raises(SpatialError, match="body 2 "):
        sv.FDab(model, s.q, s.qd, s.tau)
    model = massless(zoo.build("one_rotor"), 1)
    assert np.isfinite(sv.FDab(model, s.q, s.qd, s.tau)).all()


def test_arguments_that_are_not_finite_give_no_error() -> None:
    """NaN is passed on, also by a model that moves no inertia."""
    nan = np.array([np.nan, 0])
    for model in (sv.autoTree(2), massless(sv.autoTree(2), 1)):
        for q, qd in ((nan, np.zeros(2)), (np.zeros(2), nan)):
            assert np.isnan(sv.FDab(model, q, qd, np.zeros(2))).any()
