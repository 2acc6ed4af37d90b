"""ID, HandC, FDab and forward_kinematics obey mechanics on every kind of model."""

from functools import partial

import numpy as np
import pytest
import zoo
from helpers import in_form, near
from numpy.testing import assert_array_equal

import spatial_v2 as sv
from spatial_v2.model.rotors import expand, expand_vector

EPS = 1e-30
models = pytest.mark.parametrize("name", zoo.MODELS)
forms = pytest.mark.parametrize("form", ["kernel", "reference"])


def sample(name: str, shape: tuple[int, ...] = (4,), seed: int = 1) -> tuple[sv.Model, zoo.State]:
    model = zoo.build(name)
    return model, zoo.states(model, np.random.default_rng(seed), shape)


close = partial(near, least=0.0)


@models
@forms
def test_forward_dynamics_inverts_inverse_dynamics(name: str, form: str) -> None:
    model, s = sample(name)
    tau = in_form(form, sv.ID)(model, s.q, s.qd, s.qdd, s.f_ext)
    close(in_form(form, sv.FDab)(model, s.q, s.qd, tau, s.f_ext), s.qdd, tolerance=1e-11)


@models
@forms
def test_inverse_dynamics_is_the_equation_of_motion(name: str, form: str) -> None:
    """tau = H qdd + C; H is symmetric and positive definite; C is tau at qdd = 0."""
    model, s = sample(name)
    H, C = in_form(form, sv.HandC)(model, s.q, s.qd, s.f_ext)
    run = in_form(form, sv.ID)
    tau = run(model, s.q, s.qd, s.qdd, s.f_ext)
    close(tau, np.einsum("...ij,...j", H, s.qdd) + C)
    close(run(model, s.q, s.qd, 0 * s.qdd, s.f_ext), C)
    close(H, np.swapaxes(H, -1, -2), tolerance=1e-14)
    assert (np.linalg.eigvalsh(H) > 0).all()
    doubled = run(model, s.q, s.qd, 2 * s.qdd, s.f_ext)
    close(doubled - tau, np.einsum("...ij,...j", H, s.qdd))


def energy(model: sv.Model, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Compute kinetic and potential energy from the motion of the bodies, with rotors as separate
    bodies.
    """
    if model.has_rotors:
        q, qd = expand_vector(model, q, "q"), expand_vector(model, qd, "v")
        model = expand(model)
    kin = sv.forward_kinematics(model, q, qd)
    kinetic = 0.5 * np.einsum("...bi,bij,...bj", kin.v, model.I, kin.v)
    m = np.array([I[-1, -1] for I in model.I])
    c = np.array([sv.inertia_parts(I).c if I[-1, -1] else 0 * model.gravity for I in model.I])
    centre = kin.p + np.einsum("...bij,bj->...bi", kin.R, c)
    return np.asarray(kinetic - np.einsum("b,...bi,i", m, centre, model.gravity))


@models
@forms
def test_power_changes_the_energy(name: str, form: str) -> None:
    """The power qd . tau is the rate of KE + PE along the motion (q (+) t qd, qd + t qdd), by a
    complex step.
    """
    model, s = sample(name)
    tau = in_form(form, sv.ID)(model, s.q, s.qd, s.qdd)
    step = 1j * EPS
    later = energy(model, sv.configurationAddition(model, s.q, step * s.qd), s.qd + step * s.qdd)
    close(np.sum(tau * s.qd, axis=-1), later.imag / EPS)


@models
def test_kinetic_energy_is_in_the_mass_matrix(name: str) -> None:
    """The kinetic energy is 1/2 qd . H qd."""
    model, s = sample(name)
    H = sv.HandC(model, s.q, s.qd).H
    kinetic = energy(model, s.q, s.qd) - energy(model, s.q, 0 * s.qd)
    close(0.5 * np.einsum("...i,...ij,...j", s.qd, H, s.qd), kinetic)


@models
def test_gravity_is_the_gradient_of_potential_energy(name: str) -> None:
    """C(q, 0) = dV/dq along the velocity variables, by complex steps."""
    model, s = sample(name)
    steps = 1j * EPS * np.eye(model.NV)[:, None]
    moved = energy(model, sv.configurationAddition(model, s.q, steps), 0 * s.qd).imag / EPS
    close(sv.HandC(model, s.q, 0 * s.qd).C, moved.T)


@models
def test_body_velocities_are_rates_of_poses(name: str) -> None:
    """The poses satisfy dX0/dt = -v x X0 along the motion, by a complex step; p and R are the parts
    of X0.
    """
    model, s = sample(name)
    kin = sv.forward_kinematics(model, s.q, s.qd)
    moved = sv.forward_kinematics(model, sv.configurationAddition(model, s.q, 1j * EPS * s.qd))
    close(moved.X0.imag / EPS, -sv.crm(kin.v[..., None]) @ kin.X0)
    rebuilt = sv.plux(np.swapaxes(kin.R, -1, -2), kin.p)
    close(rebuilt, kin.X0, tolerance=1e-14)
    assert_array_equal(sv.forward_kinematics(model, s.q).v, 0 * kin.v)


def test_planar_models_are_slices_of_spatial_ones() -> None:
    """A planar chain has the joint forces of the same chain with 6x6 quantities, which rotates
    about z.
    """
    flat, s = sample("planar_chain")
    parts = [(X, I) for X, I in zip(flat.Xtree, flat.I, strict=True)]
    Xtree, inertia = [], []
    for X, I in parts:
        E, r = sv.plux(X)
        turn = np.arctan2(E[0, 1], E[0, 0])
        m, c, Ic = sv.inertia_parts(I)
        Xtree.append(sv.plux(sv.rz(turn), [*r, 0]))
        inertia.append(sv.mcI(m, [*c, 0], np.diag([Ic, Ic, Ic])))
    spatial = sv.Model(
        parent=flat.parent, jtype=["Rz"] * 3, Xtree=Xtree, I=inertia, gravity=[*flat.gravity, 0]
    )
    f6 = np.zeros((4, 3, 6))
    f6[..., 2:5] = s.f_ext
    close(sv.ID(flat, *s[:3], s.f_ext), sv.ID(spatial, *s[:3], f6))
    close(sv.FDab(flat, s.q, s.qd, s.tau), sv.FDab(spatial, s.q, s.qd, s.tau))
    close(sv.HandC(flat, s.q, s.qd).H, sv.HandC(spatial, s.q, s.qd).H)


def test_a_free_body_spins_by_eulers_equation() -> None:
    """One floating body without gravity: I a + v x* I v = the wrench."""
    model = zoo.build("one_Fb").replace(gravity=[0, 0, 0])
    s = zoo.states(model, np.random.default_rng(5))
    I, v = model.I[0], s.qd
    wrench = I @ s.qdd - sv.crm(v).T @ (I @ v)
    close(sv.ID(model, s.q, v, s.qdd), wrench)


@models
@forms
def test_quantities_of_the_sweeps_are_consistent(name: str, form: str) -> None:
    """Quantities of the sweeps, which ``return_info=True`` adds, are consistent with each other.

    Joint torques are ``S^T f`` of the forces f across joints, momenta are ``I v``, and f0 is the
    sum of the forces on the roots.
    """
    model, s = sample(name, (3,))
    tau, info = in_form(form, sv.ID)(model, s.q, s.qd, s.qdd, s.f_ext, return_info=True)
    close(tau, sv.ID(model, s.q, s.qd, s.qdd, s.f_ext))
    kin = sv.forward_kinematics(model, s.q, s.qd)
    close(info.v, kin.v)
    for i, p in enumerate(model.parent):
        close(info.Xup[:, i] @ kin.X0[:, p] if p >= 0 else info.Xup[:, i], kin.X0[:, i])
    close(info.h, np.einsum("bij,...bj->...bi", model.I, kin.v))
    (H, C), more = in_form(form, sv.HandC)(model, s.q, s.qd, s.f_ext, return_info=True)
    close(H, sv.HandC(model, s.q, s.qd).H)
    close(C, sv.HandC(model, s.q, s.qd, s.f_ext).C)
    close(more.v, kin.v)
    if not model.has_rotors:
        roots = np.flatnonzero(model.parent == -1)
        total = sum(np.einsum("...ji,...j->...i", info.Xup[:, i], info.f[:, i]) for i in roots)
        close(info.f0, total)
        own = [
            np.einsum("ij,...i->...j", model.layout.joints[i].S, info.f[:, i])
            for i in range(model.NB)
        ]
        close(tau, np.concatenate(own, axis=-1))
        leaves = [i for i in range(model.NB) if i not in model.parent]
        close(more.IC[:, leaves], np.stack([model.I[leaves]] * 3))


@forms
@pytest.mark.parametrize("name", ["forest", "floating"])
def test_norms_of_quaternions_have_no_effect(name: str, form: str) -> None:
    """A multiple of a quaternion represents the same rotation."""
    model, s = sample(name)
    q = s.q.copy()
    for joint, qs in zip(model.layout.joints, model.qinds, strict=True):
        if joint.code in ("S", "Fb"):
            q[..., qs.start : qs.start + 4] *= -2.5
    for function, args in ((sv.ID, (s.qd, s.qdd)), (sv.FDab, (s.qd, s.tau))):
        close(in_form(form, function)(model, q, *args), function.reference(model, s.q, *args))
