"""Derivatives of the dynamics in other representations of the base's velocity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import all_near, near
from test_moving_base import base_transform, draw
from test_velocity_representations import charts, moving, represented

from derivatives import (
    CoriolisMatrix,
    EIDAmb_derivatives,
    FD_derivatives,
    FD_SO_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    VelocityRepresentation,
)
from derivatives.reference import bicomplex_step_q, complex_step, complex_step_q
from spatial_v2 import (
    ID,
    FDab,
    HandC,
    crm,
)


@charts
@moving
def test_first_derivatives_are_complex_steps(name: str, velocity: Any) -> None:
    """First derivatives agree with complex steps, at constant velocities and accelerations in the
    representation.
    """
    rep, q, nu, nud, force = represented(name, velocity)
    m = rep.model
    d = rep.ID_derivatives(q, nu, nud)
    near(d.dtau_dq, complex_step_q(m, lambda x: rep.ID(x, nu, nud), q), 1e-13)
    near(d.dtau_dqd, complex_step(lambda x: rep.ID(q, x, nud), nu), 1e-13)
    d2 = rep.FD_derivatives(q, nu, force)
    near(d2.dqdd_dq, complex_step_q(m, lambda x: rep.FDab(x, nu, force), q), 1e-12)
    near(d2.dqdd_dqd, complex_step(lambda x: rep.FDab(q, x, force), nu), 1e-12)
    near(d2.dqdd_dtau, complex_step(lambda x: rep.FDab(q, nu, x), force), 1e-12)


@charts
@moving
def test_second_derivatives_of_inverse_dynamics_are_complex_steps(name: str, velocity: Any) -> None:
    """Second derivatives agree with complex steps of the first derivatives, and are ordered."""
    rep, q, nu, nud, _ = represented(name, velocity)
    m, first = rep.model, rep.ID_derivatives
    s = rep.ID_SO_derivatives(q, nu, nud)
    near(s.d2tau_dq, complex_step_q(m, lambda x: first(x, nu, nud).dtau_dq, q), 1e-13)
    near(s.d2tau_dqd, complex_step(lambda x: first(q, x, nud).dtau_dqd, nu), 1e-13)
    near(s.d2tau_cross, complex_step(lambda x: first(q, x, nud).dtau_dq, nu), 1e-13)
    near(s.dM_dq, complex_step_q(m, lambda x: rep.HandC(x, nu).H, q), 1e-13)


@charts
@moving
def test_second_derivatives_of_forward_dynamics_are_complex_steps(name: str, velocity: Any) -> None:
    rep, q, nu, _, force = represented(name, velocity)
    m, first = rep.model, rep.FD_derivatives
    s = rep.FD_SO_derivatives(q, nu, force)
    near(s.d2qdd_dq, complex_step_q(m, lambda x: first(x, nu, force).dqdd_dq, q), 1e-11)
    near(s.d2qdd_dqd, complex_step(lambda x: first(q, x, force).dqdd_dqd, nu), 1e-11)
    near(s.d2qdd_cross, complex_step(lambda x: first(q, x, force).dqdd_dq, nu), 1e-11)
    near(s.dMinv_dq, complex_step_q(m, lambda x: first(x, nu, force).dqdd_dtau, q), 1e-11)


@charts
@pytest.mark.parametrize("frame", ["base", "body"])
@pytest.mark.parametrize("name", ["mixed", "floating_rotors"])
def test_derivatives_with_external_forces_are_complex_steps(
    name: str, frame: Any, velocity: Any
) -> None:
    """First derivatives agree with complex steps, and second with those of the first, with external
    forces constant in the base or in the bodies.
    """
    rep, q, nu, nud, force = represented(name, velocity, (2,))
    m, f = rep.model, zoo.states(rep.model, np.random.default_rng(1), (2,)).f_ext
    how: Any = {"f_ext": f, "frame": frame}
    d, s = rep.ID_derivatives(q, nu, nud, **how), rep.ID_SO_derivatives(q, nu, nud, **how)
    near(d.dtau_dq, complex_step_q(m, lambda x: rep.ID(x, nu, nud, **how), q), 1e-13)
    near(d.dtau_dqd, complex_step(lambda x: rep.ID(q, x, nud, **how), nu), 1e-13)

    def by_q(x: Any, v: Any) -> Any:
        return rep.ID_derivatives(x, v, nud, **how).dtau_dq

    near(s.d2tau_dq, complex_step_q(m, lambda x: by_q(x, nu), q), 1e-13)
    near(s.d2tau_cross, complex_step(lambda x: by_q(q, x), nu), 1e-13)
    P, Q, U = rep.FD_derivatives(q, nu, force, **how)
    near(P, complex_step_q(m, lambda x: rep.FDab(x, nu, force, **how), q), 1e-11)
    near(Q, complex_step(lambda x: rep.FDab(q, x, force, **how), nu), 1e-11)
    near(U, complex_step(lambda x: rep.FDab(q, nu, x, **how), force), 1e-11)
    s2 = rep.FD_SO_derivatives(q, nu, force, **how)
    by_step = complex_step_q(m, lambda x: rep.FD_derivatives(x, nu, force, **how).dqdd_dq, q)
    near(s2.d2qdd_dq, by_step, 1e-10)
    near(rep.HandC(q, nu, **how).C, rep.ID(q, nu, 0 * nu, **how), 1e-13)


def test_leading_axes_of_external_forces_broadcast() -> None:
    """Results have the leading axes of the external forces, even if only the forces have any."""
    rep, q, nu, nud, force = represented("floating", "mixed", ())
    f, n = zoo.states(rep.model, np.random.default_rng(1), (3,)).f_ext, rep.model.NV
    for k, x in enumerate((nud, force)):
        first = (rep.ID_derivatives, rep.FD_derivatives)[k]
        second = (rep.ID_SO_derivatives, rep.FD_SO_derivatives)[k]
        assert {part.shape for part in first(q, nu, x, f)} == {(3, n, n)}
        assert {part.shape for part in second(q, nu, x, f)} == {(3, n, n, n)}
        near(first(q, nu, x, f)[0][2], first(q, nu, x, f[2])[0], 1e-12)


@moving
def test_body_representation_is_the_library(name: str) -> None:
    """In the body representation, all methods agree with the functions of the library."""
    rep, q, qd, qdd, tau = represented(name, "body")
    m = rep.model
    near(rep.ID(q, qd, qdd), ID(m, q, qd, qdd), 1e-14)
    near(rep.FDab(q, qd, tau), FDab(m, q, qd, tau), 1e-13)
    all_near(rep.HandC(q, qd), HandC(m, q, qd), 1e-14)
    all_near(rep.CoriolisMatrix(q, qd), CoriolisMatrix(m, q, qd), 1e-14)
    all_near(rep.ID_derivatives(q, qd, qdd), ID_derivatives(m, q, qd, qdd), 1e-13)
    all_near(rep.ID_SO_derivatives(q, qd, qdd), ID_SO_derivatives(m, q, qd, qdd), 1e-13)
    all_near(rep.FD_derivatives(q, qd, tau), FD_derivatives(m, q, qd, tau), 1e-12)
    all_near(rep.FD_SO_derivatives(q, qd, tau), FD_SO_derivatives(m, q, qd, tau), 1e-11)


@moving
def test_forward_dynamics_obeys_the_tables(name: str) -> None:
    """Derivatives in the inertial representation follow from `FD_derivatives` by the matrices of
    the paper's tables.

    They are derivatives of the accelerations of base and joints, at constant joint forces.
    """
    model, s = draw(name, ())
    rep = VelocityRepresentation(model, "inertial")
    nu = rep.velocity(s.q, s.qd)
    P, Q, _ = FD_derivatives(model, s.q, s.qd, s.tau)
    X, a = base_transform(model, s.q), FDab(model, s.q, s.qd, s.tau)
    back, v = np.linalg.inv(X), s.qd[:6, None]
    by_H, by_v = P[:, :6] + Q[:, :6] @ crm(v), Q[:, :6] @ X
    by_H[:6] = back @ (by_H[:6] - crm(a[:6, None]))
    by_v[:6] = back @ by_v[:6]

    def acceleration(q: Any, nu: Any) -> Any:
        qd = rep.body_velocity(q, nu)
        return rep.acceleration(q, qd, FDab.reference(model, q, qd, s.tau))

    near(by_H, complex_step_q(model, lambda q: acceleration(q, nu), s.q)[:, :6], 1e-12)
    near(by_v, complex_step(lambda nu: acceleration(s.q, nu), nu)[:, :6], 1e-12)


@moving
def test_second_derivatives_obey_the_tables(name: str) -> None:
    """Second derivatives along motions of the base follow from `ID_SO_derivatives`.

    They are the derivative of D1 of `EIDAmb_derivatives`, at constant inertial velocity and
    acceleration.
    """
    model, s = draw(name, ())
    nu = VelocityRepresentation(model, "inertial").velocity(s.q, s.qd)
    d, d2 = (f(model, s.q, s.qd, s.qdd) for f in (ID_derivatives, ID_SO_derivatives))
    v = crm(s.qd[:6, None])
    mixed = d2.d2tau_cross[:, :6, :6] @ v
    base = d2.d2tau_dqd[:, :6, :6]
    e = np.stack([crm(column[:, None]) for column in v.T])
    found = d2.d2tau_dq[:, :6, :6] + mixed + np.swapaxes(mixed, -1, -2) + v.T @ base @ v
    found = found + np.einsum("ic,lck->ikl", d.dtau_dqd[:, :6], e)
    by_H = complex_step_q(
        model, lambda q: EIDAmb_derivatives.reference(model, q, nu, s.qdd).D1, s.q
    )
    near(found, by_H[..., :6], 1e-13)


def test_symmetric_second_derivatives_are_bicomplex_steps() -> None:
    """The symmetric part of second derivatives along the motions of the base agrees with bicomplex
    steps.
    """
    rep, q, nu, nud, _ = represented("floating", "mixed", ())
    s = rep.ID_SO_derivatives(q, nu, nud).d2tau_dq
    hessian = bicomplex_step_q(rep.model, lambda x: rep.ID(x, nu, nud), q)
    near((s + np.swapaxes(s, -1, -2)) / 2, (hessian + np.swapaxes(hessian, -1, -2)) / 2, 1e-12)
