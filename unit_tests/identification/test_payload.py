"""`identify_payload`: loads of robots of every kind, from exact forces and from forces at rest."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

import spatial_v2 as sv
from spatial_v2.exceptions import ExcitationWarning


@pytest.mark.filterwarnings("ignore::spatial_v2.exceptions.ExcitationWarning")
@pytest.mark.parametrize("name", zoo.MODELS)
def test_forces_with_what_was_found_are_those_with_the_load(name: str) -> None:
    """So they are at other states too, whatever a motion of the robot cannot determine."""
    rng = np.random.default_rng(0)
    model = zoo.build(name)
    flat = model.is_planar
    X = sv.plnr(0.3, [0.1, 0.2]) if flat else sv.xlt([0.1, 0.2, -0.1])
    load = (
        sv.mcI(2.0, [0.1, 0.05], 0.03) if flat else sv.mcI(2.0, [0.01, 0.02, 0.1], 0.02 * np.eye(3))
    )
    hand = sv.Frame(model.NB - 1, X)
    true = sv.attach(model, hand, load)
    q, (qd, qdd) = sv.random_configuration(model, rng, 40), rng.normal(size=(2, 40, model.NV))
    found = sv.identify_payload(model, hand, q, qd, qdd, sv.ID(true, q, qd, qdd), physical=not flat)
    assert found.model is not None
    states = sv.random_configuration(model, rng, 5), *rng.normal(size=(2, 5, model.NV))
    wanted = sv.ID(true, *states)
    assert_allclose(sv.ID(found.model, *states), wanted, atol=1e-7 * np.abs(wanted).max())
    assert_allclose(sv.mcI(found.I)[0], found.mass)


def test_places_at_rest_determine_mass_and_centre_of_mass() -> None:
    arm, rng = sv.puma560(), np.random.default_rng(0)
    load = sv.mcI(1.5, [0.02, -0.03, 0.08], 0.004 * np.eye(3))
    q, zero = rng.normal(size=(8, 6)), np.zeros((8, 6))
    tau = sv.ID(sv.attach(arm, "flange", load), q, zero, zero)
    with pytest.warns(ExcitationWarning, match="determines 4 combinations of 10"):
        found = sv.identify_payload(arm, "flange", q, zero, zero, tau)
    assert_allclose([found.mass, *found.center], [1.5, 0.02, -0.03, 0.08], atol=1e-8)
    with pytest.warns(ExcitationWarning):
        informed = sv.identify_payload(arm, "flange", q, zero, zero, tau, prior=load)
    assert_allclose(informed.I, load, atol=1e-8)


def test_nothing_in_the_hand_weighs_nothing() -> None:
    arm, rng = sv.puma560(), np.random.default_rng(0)
    x = rng.normal(size=(3, 50, 6))
    assert abs(sv.identify_payload(arm, 5, *x, sv.ID(arm, *x)).mass) < 1e-6
    lighter = sv.ID(arm, *x) - 0.1 * (sv.ID(sv.attach(arm, 5, np.eye(6)), *x) - sv.ID(arm, *x))
    assert sv.identify_payload(arm, 5, *x, lighter, physical=False).model is None


X = np.zeros((3, 5, 2))
WRONG: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    (
        sv.SpatialError,
        "no frame and no body",
        lambda: sv.identify_payload(sv.autoTree(2), "a", *X, X[0]),
    ),
    (
        sv.SpatialError,
        "frame: the base does",
        lambda: sv.identify_payload(sv.autoTree(2), -1, *X, X[0]),
    ),
    (
        sv.SpatialError,
        "prior",
        lambda: sv.identify_payload(sv.autoTree(2), 1, *X, X[0], prior=np.eye(4)),
    ),
    (sv.ArrayShapeError, "tau", lambda: sv.identify_payload(sv.autoTree(2), 1, *X, X[0, :, :1])),
    (
        sv.ArrayShapeError,
        "q",
        lambda: sv.identify_payload(sv.autoTree(2), 1, X[0, :, :1], *X[1:], X[0]),
    ),
]


@pytest.mark.parametrize("k", range(len(WRONG)))
def test_wrong_arguments_are_named(k: int) -> None:
    error, text, call = WRONG[k]
    with pytest.raises(error, match=text):
        call()
