"""Numbers that decide in identification: just beside them the decision is another."""

import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv
from spatial_v2.identification import entropic, linear_matrix_inequality
from spatial_v2.identification.excitation import _independent
from spatial_v2.identification.identify import Method

SIZES = pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])


@SIZES
@pytest.mark.parametrize(("share", "rank"), [(5e-8, 2), (5e-9, 1)])
def test_the_rank_of_a_range(share: float, rank: int, size: float) -> None:
    assert sv.RangeBasis(size * np.diag([1.0, share])).Q.shape == (2, rank)


@SIZES
@pytest.mark.parametrize(("share", "kept"), [(5e-6, [0, 1]), (5e-7, [0])])
def test_columns_that_others_explain(share: float, kept: list[int], size: float) -> None:
    """Of a unit vector, a part below 1e-6 is none of its own."""
    assert _independent(size * np.array([[1.0, 1.0], [0.0, share]])).tolist() == kept


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("method", "limit"), [("qr", 1e-11), ("normal", 1e-6)])
def test_what_a_motion_determines(method: Method, limit: float, mass: float) -> None:
    """At nearly constant speed, viscous friction and offset differ by little: the smallest singular
    value is half of the relative change of the speed.
    """
    model = sv.Model(
        parent=[-1], jtype=["Rz"], Xtree=[np.eye(6)], I=[sv.mcI(mass, [0, 0, 0], np.eye(3))]
    )
    even = np.tile([1.0, -1.0], 20)
    qdd = np.random.default_rng(0).normal(size=(40, 1))
    for share, known in ((3.0, True), (0.3, False)):
        qd = 1.0 + 2 * share * limit * even[:, None]
        tau = sv.ID(model, 0 * qd, qd, qdd) + mass * (2.0 * qd + 1.0)
        with nullcontext() if known else pytest.warns(sv.ExcitationWarning):
            found = sv.identify(
                model, 0 * qd, qd, qdd, tau, friction="viscous", offset=True, method=method,
                physical=False, prior=model,
            )  # fmt: skip
        assert found.rank == 2 + known


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("share", "told"), [(5e-9, True), (5e-10, False)])
def test_negative_friction_is_told_beyond_rounding(share: float, told: bool, mass: float) -> None:
    model = sv.autoTree(2)
    model = model.replace(I=mass * np.asarray(model.I))
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 60, 2))
    tau = sv.ID(model, q, qd, qdd) + mass * qd * [1.0, -share]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", sv.InertiaWarning)
        sv.identify(model, q, qd, qdd, tau, friction="viscous", physical=False, prior=model)
    assert any("negative viscous" in str(x.message) for x in said) == told


@pytest.mark.parametrize("weight", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("gap", "told"), [(5e-6, True), (5e-7, False)])
def test_a_distance_from_the_minimum_is_told(
    gap: float, told: bool, weight: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(self: Any, t: float, end: float) -> tuple[int, float]:
        return 1, gap * self.weight

    monkeypatch.setattr(entropic._Newton, "minimise", stopped)
    model = sv.autoTree(2)
    x = np.random.default_rng(0).normal(size=(3, 40, 2))
    with pytest.warns(sv.ConvergenceWarning) if told else nullcontext():
        sv.identify(model, *x, sv.ID(model, *x), prior=model, prior_weight=weight)


@pytest.mark.optional
@pytest.mark.parametrize(("gap", "told"), [(5e-4, True), (5e-5, False)])
def test_the_price_of_consistency_is_told(
    gap: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The semidefinite program warns if its bound is further below the cost than 1e-4 of it."""
    pytest.importorskip("cvxpy")
    bound = linear_matrix_inequality._bound
    monkeypatch.setattr(linear_matrix_inequality, "_bound", lambda *x: (1 - gap) * bound(*x))
    model = sv.autoTree(2)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 40, 2))
    tau = -sv.ID(model, q, qd, qdd)  # of negative masses: consistency has a price
    with pytest.warns(sv.ConvergenceWarning) if told else nullcontext():
        sv.identify(model, q, qd, qdd, tau, prior=model, physical="lmi")


@pytest.mark.parametrize(("share", "nothing"), [(-5e-10, True), (-5e-9, False)])
def test_nothing_in_the_hand_up_to_rounding(share: float, nothing: bool) -> None:
    """Forces below 1e-9 of those of the joints are none of a payload: its least squares may have
    any sign, while a payload has a positive mass.
    """
    arm = sv.puma560()
    x = np.random.default_rng(0).normal(size=(3, 50, 6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sv.InertiaWarning)
        found = sv.identify_payload(arm, "flange", *x, (1 + share) * np.asarray(sv.ID(arm, *x)))
    assert (found.mass > 0) == (not nothing)
    near(found.mass, 0.0, 1e-6)
