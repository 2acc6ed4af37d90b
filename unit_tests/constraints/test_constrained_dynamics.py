"""Constrained dynamics over the zoo: the KKT equations hold, derivatives agree with
complex steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import along, constraints, placed_near
from helpers import near as close
from parameters import few

from derivatives import (
    Impact_FO_derivatives,
    Impact_SO_derivatives,
    KKT_FD_directional_derivative,
    KKT_FO_derivatives,
    KKT_ID_derivatives,
    KKT_ID_SO_derivatives,
    KKT_SO_derivatives,
    modKKT_second_derivatives,
)
from spatial_v2 import (
    CRBA,
    ID,
    KKT_FD,
    KKT_ID,
    ConstraintSet,
    FDab,
    Impact_dyn,
    Model,
    constraint_bias,
    constraint_derivatives,
    constraint_jacobian,
    constraint_SO_derivatives,
    constraint_velocity,
    position_error,
    project_configuration,
    project_velocity,
)

MODELS = ["mixed", "floating", "two_floating", "SE3", "helical", "negative", "branched",
          "spherical", "rotors", "floating_rotors", "planar_tree", "one_Fb",
          "massless"]  # fmt: skip


THROUGH = ["mixed", "SE3", "negative", "floating_rotors", "planar_tree"]
"""Models that are tested with every kind of constraint; others only with those whose position
errors kernels compute.
"""


def cases() -> Iterator[Any]:
    """Yield models with kinds of constraints; a default run tries each kind with one model."""
    tried = dict(zip(constraints(zoo.build("mixed")), cycle(THROUGH)))
    for name in MODELS:
        kinds = constraints(zoo.build(name))
        some = [k for k in kinds if name in THROUGH or k not in ("log6", "aligned loop")]
        for kind in some:
            marks = () if tried.get(kind, name) == name else pytest.mark.wide
            yield pytest.param(name, kind, id=f"{name}-{kind}", marks=marks)


class Case:
    """A model at random states, with a set `held` of m constraint rows, and random weights.

    The weights mu (NV) and nu (m) are those of joint accelerations and multipliers.
    """

    def __init__(self, name: str, kind: str, shape: tuple[int, ...] = ()) -> None:
        self.model: Model = zoo.build(name)
        rng = np.random.default_rng(7)
        self.held = constraints(self.model)[kind]
        n = int(np.prod(shape))
        many = zoo.states(self.model, rng, (20 * n,))
        good = np.flatnonzero(well_posed(self.model, many.q, self.held))[:n]
        self.q, self.qd, self.qdd, self.tau, self.f_ext = (
            x[good].reshape(*shape, *x.shape[1:]) for x in many
        )
        self.m = ConstraintSet(self.model, self.held).m
        self.mu, self.nu = rng.normal(size=self.model.NV), rng.normal(size=self.m)


def well_posed(model: Model, q: np.ndarray, held: Any) -> np.ndarray:
    """Return a mask of the states in which the constraint rows, each scaled to size one, are
    clearly independent.
    """
    G, H = constraint_jacobian(model, q, held), CRBA(model, q)
    W = G @ np.linalg.solve(H, np.swapaxes(G, -1, -2))
    size = np.sqrt(np.diagonal(W, axis1=-2, axis2=-1))
    least = np.linalg.eigvalsh(W / size[..., None] / size[..., None, :])[..., 0]
    return (least > 0.02) & (size > 0.05 * size.max(axis=0)).all(axis=-1)


every_case = pytest.mark.parametrize(("name", "kind"), few(cases()))
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "damping": {"damping": 0.3},
    "baumgarte": {"baumgarte": (30.0, 7.0)},
    "forces": {"frame": "base"},
    "carried forces": {"frame": "body"},
}


def options(c: Case, how: str) -> dict[str, Any]:
    """Return the options with a given name, with the external forces of the case if the name says
    so.
    """
    return OPTIONS[how] | ({"f_ext": c.f_ext} if "forces" in how else {})


every_case_and_option = pytest.mark.parametrize(
    ("name", "kind", "how"),
    few(
        pytest.param(*case.values, how, id=f"{case.id}-{how}", marks=case.marks)
        for k, case in enumerate(cases())
        for j, how in enumerate(OPTIONS)
        if how == "plain" or k % (len(OPTIONS) - 1) == j - 1
    ),
)


@every_case
def test_rows_and_equation_of_motion_hold(name: str, kind: str) -> None:
    """``G qdd + gamma = 0`` holds, and ID of the motion equals tau plus the constraints' joint
    forces.
    """
    c = Case(name, kind)
    qdd, lambda_ = KKT_FD(c.model, c.q, c.qd, c.tau, c.held, c.f_ext)
    G, gamma = (
        constraint_jacobian(c.model, c.q, c.held),
        constraint_bias(c.model, c.q, c.qd, c.held),
    )
    size = np.abs(G).max() * np.abs(qdd).max() + np.abs(gamma).max()
    assert np.abs(G @ qdd + gamma).max() <= 1e-11 * size
    close(ID(c.model, c.q, c.qd, qdd, c.f_ext) - G.T @ lambda_, c.tau, 1e-11)
    close(KKT_ID(c.model, c.q, c.qd, qdd, lambda_, c.held, c.f_ext), c.tau, 1e-11)


@every_case_and_option
def test_first_derivatives_are_complex_steps(name: str, kind: str, how: str) -> None:
    """First derivatives of qdd and lambda agree with complex steps of `KKT_FD`."""
    c = Case(name, kind)
    kw = options(c, how)
    held = placed_near(c.model, c.held, c.q) if how == "baumgarte" else c.held

    def f(q: Any, qd: Any, tau: Any) -> Any:
        return tuple(KKT_FD(c.model, q, qd, tau, held, **kw))

    d = KKT_FO_derivatives(c.model, c.q, c.qd, c.tau, held, **kw)
    state = c.q, c.qd, c.tau
    for by in range(3):
        dqdd, dlambda = along(c.model, f, *state, by=by)
        close(d[by], dqdd)
        close(d[3 + by], dlambda)
    close(d.dqdd_dtau, d.dqdd_dtau.T)


@every_case_and_option
def test_second_derivatives_are_complex_steps_of_the_first(name: str, kind: str, how: str) -> None:
    """Second derivatives agree with complex steps of the first; weighted sums of them are the
    contraction.
    """
    c = Case(name, kind)
    kw = options(c, how)
    held = placed_near(c.model, c.held, c.q) if how == "baumgarte" else c.held

    def f(q: Any, qd: Any) -> Any:
        return tuple(KKT_FO_derivatives(c.model, q, qd, c.tau, held, **kw))

    d = KKT_SO_derivatives(c.model, c.q, c.qd, c.tau, held, **kw)
    by_q, by_qd = along(c.model, f, c.q, c.qd, by=0), along(c.model, f, c.q, c.qd, by=1)
    for k in (0, 1):
        close(d[4 * k], by_q[3 * k])
        close(d[4 * k + 1], by_qd[3 * k + 1])
        close(d[4 * k + 2], by_qd[3 * k])
        close(d[4 * k + 3], by_q[3 * k + 2])
    w = modKKT_second_derivatives(c.model, c.q, c.qd, c.tau, c.mu, c.nu, held, **kw)
    first = f(c.q, c.qd)
    for k in range(3):
        close(w[k], c.mu @ first[k] + c.nu @ first[3 + k])
    weighted = [np.tensordot(c.mu, d[k], 1) + np.tensordot(c.nu, d[4 + k], 1) for k in range(4)]
    H_qq, H_qdqd, H_qqd, H_tauq = weighted
    for block, wanted in zip(w[3:], (H_qq, H_qdqd, H_qqd.T, H_tauq), strict=True):
        close(block, wanted)


@every_case
def test_a_directional_derivative_is_the_jacobian_times_the_direction(name: str, kind: str) -> None:
    """A directional derivative equals the derivatives of `KKT_FO_derivatives` times the
    direction.
    """
    c = Case(name, kind)
    rng = np.random.default_rng(2)
    dq, dqd, dtau = rng.normal(size=(3, 4, c.model.NV))
    d = KKT_FO_derivatives(c.model, c.q, c.qd, c.tau, c.held)
    x = KKT_FD_directional_derivative(c.model, c.q, c.qd, c.tau, dq, dqd, dtau, c.held)
    close(x.dqdd, dq @ d.dqdd_dq.T + dqd @ d.dqdd_dqd.T + dtau @ d.dqdd_dtau.T)
    close(x.dlambda, dq @ d.dlambda_dq.T + dqd @ d.dlambda_dqd.T + dtau @ d.dlambda_dtau.T)


@every_case
@pytest.mark.parametrize("e", [0.0, 0.6, "each"])
def test_impacts_obey_newtons_law_and_have_exact_derivatives(name: str, kind: str, e: Any) -> None:
    """Impacts obey Newton's law of restitution and lose the energy that follows; derivatives agree
    with complex steps.
    """
    c = Case(name, kind)
    e = np.linspace(0, 1, c.m) if e == "each" else e
    qd_plus, impulse = Impact_dyn(c.model, c.q, c.qd, c.held, e)
    G, H = constraint_jacobian(c.model, c.q, c.held), CRBA(c.model, c.q)
    close(G @ qd_plus, -e * (G @ c.qd))
    close(H @ (qd_plus - c.qd), G.T @ impulse)
    w = G @ c.qd
    W = np.linalg.inv(G @ np.linalg.solve(H, G.T))
    change = 0.5 * qd_plus @ H @ qd_plus - 0.5 * c.qd @ H @ c.qd
    close(change, 0.5 * (e * w) @ W @ (e * w) - 0.5 * w @ W @ w, 1e-10)

    def f(q: Any, qd: Any) -> Any:
        return tuple(Impact_dyn(c.model, q, qd, c.held, e))

    def df(q: Any, qd: Any) -> Any:
        return tuple(Impact_FO_derivatives(c.model, q, qd, c.held, e))

    d = Impact_FO_derivatives(c.model, c.q, c.qd, c.held, e)
    d2 = Impact_SO_derivatives(c.model, c.q, c.qd, c.held, e)
    for by in (0, 1):
        dqd, dimpulse = along(c.model, f, c.q, c.qd, by=by)
        close(d[by], dqd)
        close(d[2 + by], dimpulse)
        second = along(c.model, df, c.q, c.qd, by=by)
        close(d2[by], second[0])
        close(d2[2 + by], second[2])


@every_case
def test_rows_have_exact_derivatives(name: str, kind: str) -> None:
    """Velocity, acceleration and position error of the rows have derivatives that agree with
    complex steps.
    """
    c = Case(name, kind)
    state = c.q, c.qd, c.qdd
    held = placed_near(c.model, c.held, c.q)

    def alpha(q: Any, qd: Any, qdd: Any) -> Any:
        G = constraint_jacobian(c.model, q, held)
        return constraint_bias(c.model, q, qd, held) + (G @ qdd[..., None])[..., 0]

    d = constraint_derivatives(c.model, *state, held)
    close(d.dw_dqd, constraint_jacobian(c.model, c.q, held))
    close(constraint_velocity(c.model, c.q, c.qd, held), d.dw_dqd @ c.qd)
    (dw,) = along(
        c.model, lambda q, qd: constraint_velocity(c.model, q, qd, held), *state[:2], by=0
    )
    close(d.dw_dq, dw)
    close(d.dalpha_dq, along(c.model, alpha, *state, by=0)[0])
    close(d.dalpha_dqd, along(c.model, alpha, *state, by=1)[0])

    def df(*x: Any) -> Any:
        return tuple(constraint_derivatives(c.model, *x, held))

    d2 = constraint_SO_derivatives(c.model, *state, held)
    by_q, by_qd = along(c.model, df, *state, by=0), along(c.model, df, *state, by=1)
    close(d2.dG_dq, by_q[1])
    close(d2.d2alpha_dq, by_q[2])
    close(d2.d2alpha_dqd, by_qd[3])
    close(d2.d2alpha_cross, by_qd[2])
    rows = held.rows(c.model, *state)
    (de,) = along(c.model, lambda q: position_error(c.model, q, held), c.q, by=0)
    close(rows.e_q, de)
    (d2e,) = along(c.model, lambda q: held.rows(c.model, q, c.qd, c.qdd).e_q, c.q, by=0)
    close(rows.e_qq, d2e)


@every_case
def test_derivatives_of_constrained_inverse_dynamics_are_complex_steps(
    name: str, kind: str
) -> None:
    """Derivatives of the joint forces for given accelerations and constraint forces agree with
    complex steps.
    """
    c = Case(name, kind)
    state = c.q, c.qd, c.qdd, c.nu

    def f(*x: Any) -> Any:
        return KKT_ID(c.model, *x, c.held)

    def df(*x: Any) -> Any:
        return tuple(KKT_ID_derivatives(c.model, *x, c.held))

    d, d2 = df(*state), KKT_ID_SO_derivatives(c.model, *state, c.held)
    for by in range(4):
        close(d[by], along(c.model, f, *state, by=by)[0])
    by_q, by_qd = along(c.model, df, *state, by=0), along(c.model, df, *state, by=1)
    close(d2.d2tau_dq, by_q[0])
    close(d2.d2tau_dqd, by_qd[1])
    close(d2.d2tau_cross, by_qd[0])
    close(d2.dM_dq, by_q[2])
    close(d2.d2tau_dqforces, np.moveaxis(by_q[3], -1, -2))


@every_case
def test_projections_keep_the_constraints(name: str, kind: str) -> None:
    """Projected velocities and configurations satisfy the constraints; projecting a velocity again
    changes nothing.
    """
    c = Case(name, kind)
    qd = project_velocity(c.model, c.q, c.qd, c.held)
    close(constraint_velocity(c.model, c.q, qd, c.held), np.zeros(c.m))
    close(project_velocity(c.model, c.q, qd, c.held), qd)
    held = placed_near(c.model, c.held, c.q)
    found = project_configuration(c.model, c.q, held)
    assert found.converged
    close(position_error(c.model, found.q, held), np.zeros(c.m))


@every_case_and_option
def test_kernels_agree_with_the_reference_one_by_one_and_in_batches(
    name: str, kind: str, how: str
) -> None:
    """Kernels agree with reference implementations, one state at a time and in batches."""
    c = Case(name, kind, (9,))
    kw = options(c, how)
    held = placed_near(c.model, c.held, c.q[0]) if how == "baumgarte" else c.held
    held = ConstraintSet(c.model, held.constraints if how == "baumgarte" else held)
    mu, nu = (np.broadcast_to(x, (9, len(x))) for x in (c.mu, c.nu))
    state = c.q, c.qd, c.tau
    weights: dict[Any, tuple[np.ndarray, ...]] = {
        KKT_FD: (),
        KKT_FO_derivatives: (),
        modKKT_second_derivatives: (mu, nu),
        KKT_SO_derivatives: (),
        KKT_FD_directional_derivative: (mu, 2 * mu, 3 * mu),
    }
    for f, more in weights.items():
        page = f.reference(c.model, *state, *more, held, **kw)
        for x, y in zip(f(c.model, *state, *more, held, **kw), page, strict=True):
            close(x, y, 1e-11)
        kw1 = {**kw, "f_ext": kw["f_ext"][4]} if "f_ext" in kw else kw
        one = f(c.model, *(x[4] for x in (*state, *more)), held, **kw1)
        for x, y in zip(one, page, strict=True):
            close(x, y[4], 1e-11)


@pytest.mark.parametrize("kind", ["aligned", "aligned loop", "log6"])
def test_gains_of_position_errors_run_the_reference(kind: str) -> None:
    """With Baumgarte gains, results are right also if no kernel computes the position errors."""
    test_kernels_agree_with_the_reference_one_by_one_and_in_batches("mixed", kind, "baumgarte")


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_without_constraints_the_motion_is_free(name: str) -> None:
    """An empty list of constraints has no effect."""
    c = Case(name, "point", (3,))
    qdd, lambda_ = KKT_FD(c.model, c.q, c.qd, c.tau, [], c.f_ext)
    close(qdd, FDab(c.model, c.q, c.qd, c.tau, c.f_ext), 1e-11)
    assert lambda_.shape == (3, 0)
    d2 = KKT_SO_derivatives(c.model, c.q, c.qd, c.tau, [])
    assert d2.d2lambda_dq.shape == (3, 0, c.model.NV, c.model.NV)
    close(Impact_dyn(c.model, c.q, c.qd, []).qd_plus, c.qd)
    given = c.q, c.qd, c.tau, c.mu, np.zeros(0), []
    wanted = modKKT_second_derivatives.reference(c.model, *given)
    for x, y in zip(modKKT_second_derivatives(c.model, *given), wanted, strict=True):
        close(x, y, 1e-11)
