"""Derivatives of the dynamics in other representations of the base's velocity."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import all_near, near
from test_moving_base import base_transform, draw
from test_velocity_representations import charts, moving, represented

import derivatives as dv
import spatial_v2 as sv
from derivatives.reference import bicomplex_step_q, complex_step, complex_step_q

DERIVATIVES: dict[str, dict[str, tuple[str, str, int]]] = {
    "ID_derivatives": {"dtau_dq": ("ID", "", 0), "dtau_dqd": ("ID", "", 1)},
    "FD_derivatives": {
        "dqdd_dq": ("FDab", "", 0), "dqdd_dqd": ("FDab", "", 1), "dqdd_dtau": ("FDab", "", 2),
    },
    "ID_SO_derivatives": {
        "d2tau_dq": ("ID_derivatives", "dtau_dq", 0),
        "d2tau_dqd": ("ID_derivatives", "dtau_dqd", 1),
        "d2tau_cross": ("ID_derivatives", "dtau_dq", 1), "dM_dq": ("HandC", "H", 0),
    },
    "FD_SO_derivatives": {
        "d2qdd_dq": ("FD_derivatives", "dqdd_dq", 0),
        "d2qdd_dqd": ("FD_derivatives", "dqdd_dqd", 1),
        "d2qdd_cross": ("FD_derivatives", "dqdd_dq", 1),
        "dMinv_dq": ("FD_derivatives", "dqdd_dtau", 0),
    },
}  # fmt: skip
"""Method -> field -> method, its field, and the number of an argument."""


@charts
@pytest.mark.parametrize("frame", [None, "base", "body"])
@pytest.mark.parametrize("method", DERIVATIVES)
@moving
def test_derivatives_are_complex_steps(name: str, method: str, frame: Any, velocity: Any) -> None:
    """At constant velocities and accelerations in the representation, with external forces constant
    in the base or in the bodies; second ones are ordered.
    """
    rep, q, nu, nud, force = represented(name, velocity, (2,))
    f = zoo.states(rep.model, np.random.default_rng(1), (2,)).f_ext
    how: Any = {"f_ext": f, "frame": frame} if frame else {}
    given = (q, nu, nud if method[0] == "I" else force)

    def run(what: str, x: Any) -> Any:
        return getattr(rep, what)(*(x[:2] if what == "HandC" else x), **how)

    found = run(method, given)
    for field, (base, of, k) in DERIVATIVES[method].items():

        def at(y: Any, base: str = base, of: str = of, k: int = k) -> Any:
            made = run(base, (*given[:k], y, *given[k + 1 :]))
            return getattr(made, of) if of else made

        step = complex_step(at, given[k]) if k else complex_step_q(rep.model, at, q)
        near(getattr(found, field), step, 1e-13 if method[0] == "I" else 1e-11)


@moving
def test_body_representation_is_the_library(name: str) -> None:
    """In the body representation, all methods agree with the functions of the library."""
    rep, q, qd, qdd, tau = represented(name, "body")
    m = rep.model
    near(rep.ID(q, qd, qdd), sv.ID(m, q, qd, qdd), 1e-14)
    near(rep.FDab(q, qd, tau), sv.FDab(m, q, qd, tau), 1e-13)
    all_near(rep.HandC(q, qd), sv.HandC(m, q, qd), 1e-14)
    all_near(rep.CoriolisMatrix(q, qd), dv.CoriolisMatrix(m, q, qd), 1e-14)
    all_near(rep.ID_derivatives(q, qd, qdd), dv.ID_derivatives(m, q, qd, qdd), 1e-13)
    all_near(rep.ID_SO_derivatives(q, qd, qdd), dv.ID_SO_derivatives(m, q, qd, qdd), 1e-13)
    all_near(rep.FD_derivatives(q, qd, tau), dv.FD_derivatives(m, q, qd, tau), 1e-12)
    all_near(rep.FD_SO_derivatives(q, qd, tau), dv.FD_SO_derivatives(m, q, qd, tau), 1e-11)


@moving
def test_forward_dynamics_obeys_the_tables(name: str) -> None:
    """Derivatives in the inertial representation follow from `FD_derivatives` by the matrices of
    the paper's tables.

    They are derivatives of the accelerations of base and joints, at constant joint forces.
    """
    model, s = draw(name, ())
    rep = dv.VelocityRepresentation(model, "inertial")
    nu = rep.velocity(s.q, s.qd)
    P, Q, _ = dv.FD_derivatives(model, s.q, s.qd, s.tau)
    X, a = base_transform(model, s.q), sv.FDab(model, s.q, s.qd, s.tau)
    back, v = np.linalg.inv(X), s.qd[:6, None]
    by_H, by_v = P[:, :6] + Q[:, :6] @ sv.crm(v), Q[:, :6] @ X
    by_H[:6] = back @ (by_H[:6] - sv.crm(a[:6, None]))
    by_v[:6] = back @ by_v[:6]

    def acceleration(q: Any, nu: Any) -> Any:
        qd = rep.body_velocity(q, nu)
        return rep.acceleration(q, qd, sv.FDab.reference(model, q, qd, s.tau))

    near(by_H, complex_step_q(model, lambda q: acceleration(q, nu), s.q)[:, :6], 1e-12)
    near(by_v, complex_step(lambda nu: acceleration(s.q, nu), nu)[:, :6], 1e-12)


@moving
def test_second_derivatives_obey_the_tables(name: str) -> None:
    """Second derivatives along motions of the base follow from `ID_SO_derivatives`.

    They are the derivative of D1 of `EIDAmb_derivatives`, at constant inertial velocity and
    acceleration.
    """
    model, s = draw(name, ())
    nu = dv.VelocityRepresentation(model, "inertial").velocity(s.q, s.qd)
    d, d2 = (f(model, s.q, s.qd, s.qdd) for f in (dv.ID_derivatives, dv.ID_SO_derivatives))
    v = sv.crm(s.qd[:6, None])
    mixed = d2.d2tau_cross[:, :6, :6] @ v
    base = d2.d2tau_dqd[:, :6, :6]
    e = np.stack([sv.crm(column[:, None]) for column in v.T])
    found = d2.d2tau_dq[:, :6, :6] + mixed + np.swapaxes(mixed, -1, -2) + v.T @ base @ v
    found = found + np.einsum("ic,lck->ikl", d.dtau_dqd[:, :6], e)
    by_H = complex_step_q(
        model, lambda q: dv.EIDAmb_derivatives.reference(model, q, nu, s.qdd).D1, s.q
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
