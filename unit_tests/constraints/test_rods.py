"""Rows along the line between two points: kernels against the reference implementation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import constraints
from helpers import near

from derivatives import (
    KKT_FO_derivatives,
    KKT_SO_derivatives,
    modKKT_second_derivatives,
)
from spatial_v2 import (
    KKT_FD,
    ConstraintSet,
    DistanceConstraint,
    Model,
    RankWarning,
    SpatialError,
    constraint_jacobian,
    mcI,
)
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.DistanceConstraint import DistanceOnModel
from spatial_v2.constraints.residual import Gains

MODELS = ["mixed", "floating", "SE3", "negative", "planar_tree", "helical", "branched",
          "spherical", "two_floating", "floating_rotors"]  # fmt: skip
ROWS = ("G", "sizes", "w", "w_q", "G_q", "residual", "residual_q", "residual_qd", "residual_qq",
        "residual_qv", "residual_vv")  # fmt: skip
over_models = pytest.mark.parametrize("name", zoo.over(MODELS))


@over_models
def test_kernels_compute_rods_as_the_reference_implementation(name: str) -> None:
    """Rows with gains of position errors, and all their derivatives, of one state and of batches,
    also of none.
    """
    model = zoo.build(name)
    held = ConstraintSet(model, constraints(model)["rod"])
    gains = Gains(np.full(1, 30.0), np.full(1, 7.0))
    for shape in ((), (9,), (0,)):
        s = zoo.states(model, np.random.default_rng(2), shape)
        state, weight = (s.q, s.qd, s.qdd), np.full((*shape, 1), 1.7)
        page = held.rows(model, *state, gains)
        kernel = CompiledSet(held, bool(shape)).rows(model, *state, gains)
        for x in ROWS:
            near(getattr(kernel, x), getattr(page, x), 1e-12)
        near(kernel.pushed(weight), page.pushed(weight), 1e-12)
        near(kernel.G_qq(weight), page.G_qq(weight), 1e-12)


@over_models
def test_second_derivatives_under_rods_agree_with_the_reference(name: str) -> None:
    model = zoo.build(name)
    held = constraints(model)["rod"]
    s = zoo.states(model, np.random.default_rng(3), (9,))
    mu, nu = np.linspace(-1, 1, model.NV), np.array([0.7])
    weights: dict[Any, tuple[np.ndarray, ...]] = {
        KKT_FD: (), KKT_FO_derivatives: (), KKT_SO_derivatives: (),
        modKKT_second_derivatives: (mu, nu),
    }  # fmt: skip
    for f, more in weights.items():
        page = f.reference(model, s.q, s.qd, s.tau, *more, held, baumgarte=(30.0, 7.0))
        many = f(model, s.q, s.qd, s.tau, *more, held, baumgarte=(30.0, 7.0))
        one = f(model, s.q[4], s.qd[4], s.tau[4], *more, held, baumgarte=(30.0, 7.0))
        for x, y, z in zip(many, page, one, strict=True):
            near(x, y, 1e-11)
            near(z, y[4], 1e-11)


def test_constraints_without_a_kernel_run_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constraints whose rows no kernel computes have the results of those that have one."""
    model = zoo.build("mixed")
    s = zoo.states(model, np.random.default_rng(4), (3,))

    def results() -> list[np.ndarray]:
        held = ConstraintSet(model, constraints(model)["aligned loop"])
        assert held.is_plain == DistanceOnModel.compiled
        given = model, s.q, s.qd, s.tau, held
        return [*KKT_FD(*given), *KKT_FO_derivatives(*given)]

    found = results()
    monkeypatch.setattr(DistanceOnModel, "compiled", False)
    for x, y in zip(found, results(), strict=True):
        near(x, y, 1e-11)


@pytest.mark.parametrize("apart", [1e-9, 1e-6, 1e-3])
def test_short_rods_lose_no_digits(apart: float) -> None:
    """A point mass that circles on a short rod: its force is that of the circle."""
    mass = mcI(2.0, [0, 0, 0], np.zeros((3, 3)))
    ball = Model(parent=[-1, 0], jtype=["Px", "Py"], Xtree=[np.eye(6)] * 2, I=[0 * mass, mass],
                 gravity=[0, 0, 0])  # fmt: skip
    q, speed = apart * np.array([0.6, 0.8]), 3.0
    qd = speed * np.array([-0.8, 0.6])
    for form in (KKT_FD, KKT_FD.reference):
        qdd, force = form(ball, q, qd, np.zeros(2), [DistanceConstraint(1)])
        near(force * apart, [-2.0 * speed**2], 1e-12)
        near(qdd * apart, -(speed**2) * q / apart, 1e-12)


def test_points_that_meet_are_told_by_kernels() -> None:
    """Kernels give NaN where the points of a rod meet, and calls tell so: an error of one state, a
    warning of a batch.
    """
    mass = mcI(1.0, [0, 0, 0], np.zeros((3, 3)))
    ball = Model(parent=[-1, 0], jtype=["Px", "Py"], Xtree=[np.eye(6)] * 2, I=[0 * mass, mass])
    rod, zero = [DistanceConstraint(1, point1=[1.0, 2.0, 0.0])], np.zeros(2)
    q = np.array([[1.0, 2.0], [1.5, 2.0]])
    calls: list[Callable[[np.ndarray], Any]] = [
        lambda q: constraint_jacobian(ball, q, rod),
        lambda q: KKT_FD(ball, q, zero, zero, rod).qdd,
        lambda q: KKT_FO_derivatives(ball, q, zero, zero, rod).dqdd_dq,
        lambda q: KKT_SO_derivatives(ball, q, zero, zero, rod).d2qdd_dq,
    ]
    for call in calls:
        with pytest.raises(SpatialError, match="points meet"):
            call(q[0])
        with pytest.warns(RankWarning, match="meet in 1 of 2 states"):
            found = call(q)
        assert np.isnan(found[0]).any()
        near(found[1], call(q[1]), 1e-11)
