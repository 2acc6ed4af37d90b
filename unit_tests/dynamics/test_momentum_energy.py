"""Energy, momenta, Slotine-Li and Hamiltonian dynamics: MATLAB's numbers, definitions, kernels."""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import FORMS, in_form, near
from numpy.testing import assert_allclose

import spatial_v2 as sv
from derivatives import CoriolisMatrix
from derivatives.reference import complex_step_q

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
spatial_zoo = pytest.mark.parametrize("name", zoo.over([*zoo.SPATIAL, *zoo.ROTORS]))
both_forms = pytest.mark.parametrize("form", FORMS)


@spatial_zoo
def test_mass_and_its_centre_are_sums_over_bodies(name: str) -> None:
    """Mass and centre of mass are sums over the bodies at their poses; vcm is the time derivative
    of cm.
    """
    model = zoo.build(name).replace(has_rotor=None)
    s = zoo.states(model, np.random.default_rng(2))
    e, motion = sv.EnerMo(model, s.q, s.qd), sv.forward_kinematics(model, s.q)
    m = model.I[:, 5, 5]
    first = np.stack([model.I[:, 2, 4], model.I[:, 0, 5], model.I[:, 1, 3]], axis=-1)
    moments = m[:, None] * motion.p + (motion.R @ first[..., None])[..., 0]
    near(e.mass, m.sum(), 1e-14)
    near(e.mass * e.cm, moments.sum(axis=0), 1e-13)
    rate = complex_step_q(model, lambda q: sv.EnerMo.reference(model, q, s.qd).cm, s.q, [s.qd])
    near(e.vcm, rate[..., 0], 1e-13)


@whole_zoo
def test_generalised_momentum_is_inertia_times_velocity(name: str) -> None:
    """The results are ``H qd`` and ``C^T qd``; the latter is the same for every admissible C."""
    model, s = draw(name, (3,))
    ours = sv.Hqd_and_CTqd(model, s.q, s.qd)
    for number in (1, 2, 3):
        C, _, H = CoriolisMatrix(model, s.q, s.qd, number)
        near(ours.Hqd, (H @ s.qd[..., None])[..., 0], 1e-13)
        near(ours.CTqd, (C.swapaxes(-1, -2) @ s.qd[..., None])[..., 0], 1e-13)


@pytest.mark.parametrize("number", [1, 2, 3])
@whole_zoo
def test_slotine_li_form_is_inverse_dynamics_for_one_velocity(name: str, number: Any) -> None:
    """The result is ``H qdd + C qd_r + g``, and inverse dynamics if qd_r is the actual velocity."""
    model, s = draw(name, (3,))
    C, _, H = CoriolisMatrix(model, s.q, s.qd, number)
    qd_r, g = s.tau, sv.ID(model, s.q, 0 * s.qd, 0 * s.qd)
    wanted = (H @ s.qdd[..., None] + C @ qd_r[..., None])[..., 0] + g
    near(sv.ID_SlotineLi(model, s.q, s.qd, qd_r, s.qdd, number), wanted, 1e-13)
    near(sv.ID_SlotineLi(model, s.q, s.qd, s.qd, s.qdd, number), sv.ID(model, *s[:3]), 1e-13)


@whole_zoo
def test_hamiltonian_dynamics_is_forward_dynamics(name: str) -> None:
    """q_dot solves ``p = H q_dot``, and p_dot is the time derivative of ``H qd`` under forward
    dynamics.
    """
    model, s = draw(name)
    H = sv.HandC(model, s.q, s.qd).H
    ours = sv.HamiltonianDynamics(model, s.q, H @ s.qd, s.tau, s.f_ext)
    near(ours.q_dot, s.qd, 1e-10)
    qdd = sv.FDab(model, s.q, s.qd, s.tau, s.f_ext)
    rate = CoriolisMatrix(model, s.q, s.qd).Hdot @ s.qd + H @ qdd
    near(ours.p_dot, rate, 1e-10)


@spatial_zoo
def test_centroidal_momentum_is_that_about_the_centre_of_mass(name: str) -> None:
    """``A qd``, with A the centroidal momentum matrix, is the momentum about the centre of mass;
    its linear part is mass times velocity.
    """
    model, s = draw(name)
    e, h = sv.EnerMo(model, s.q, s.qd), sv.CMM(model, s.q) @ s.qd
    near(h, sv.xlt(-e.cm).T @ e.htot, 1e-13)
    near(h[3:], e.mass * e.vcm, 1e-13)


@both_forms
@whole_zoo
def test_rate_of_the_centroidal_matrix_is_a_complex_step(name: str, form: str) -> None:
    """The result agrees with a complex step of the centroidal momentum matrix along the motion."""
    model, s = draw(name)
    rate = complex_step_q(model, lambda q: sv.CMM.reference(model, q), s.q, [s.qd])
    near(in_form(form, sv.CMMTimeDerivative)(model, s.q, s.qd), rate[..., 0], 1e-13)


@pytest.mark.parametrize("name", ["one_Fb", "floating", "SE3", "mixed", "massless"])
def test_gravity_alone_moves_a_free_tree(name: str) -> None:
    """Without a force on the base, the rate ``A qdd + dA/dt qd`` of the centroidal momentum is the
    robot's weight.
    """
    model, s = draw(name)
    floating = model.NV - 6
    tau = np.concatenate([np.zeros(6), s.tau[:floating]])
    qdd = sv.FDab(model, s.q, s.qd, tau)
    rate = sv.CMM(model, s.q) @ qdd + sv.CMMTimeDerivative(model, s.q, s.qd) @ s.qd
    weight = sv.EnerMo(model, s.q, s.qd).mass * model.gravity
    near(rate, np.concatenate([np.zeros(3), weight]), 1e-11)


@pytest.mark.parametrize("name", ["floating", "SE3", "mixed", "one_Fb", "floating_rotors"])
def test_centroidal_momentum_follows_from_the_inertia_matrix(name: str) -> None:
    """CMM_from_CRBA agrees with CMM for any Xtree of the base, and for SE3 as well as Fb; MATLAB's
    function is more limited.
    """
    model, s = draw(name, (3,))
    near(sv.CMM_from_CRBA(model, s.q), sv.CMM(model, s.q), 1e-12)


@pytest.mark.parametrize("name", ["chain", "two_floating"])
def test_centroidal_momentum_needs_one_floating_base(name: str) -> None:
    model, s = draw(name)
    with pytest.raises(sv.ModelError, match="want a tree whose body 0 carries all others"):
        sv.CMM_from_CRBA(model, s.q)


@both_forms
@pytest.mark.parametrize("armature", [None, 1.0])
@pytest.mark.parametrize("function", [sv.CMM, sv.CMMTimeDerivative, sv.CMM_from_CRBA, sv.EnerMo])
def test_a_robot_without_mass_has_no_centre_of_mass(
    function: Any, armature: Any, form: str
) -> None:
    """No function of the centre of mass returns NaN or zeros for it, or calls for inertia."""
    model = sv.autoTree(3).replace(jtype=["Fb", "R", "R"], I=np.zeros((3, 6, 6)), armature=armature)
    args = [sv.neutral(model), np.ones(model.NV)]
    asked = args[: 1 if function in (sv.CMM, sv.CMM_from_CRBA) else 2]
    compute = in_form(form, function) if hasattr(function, "reference") else function
    with pytest.raises(sv.ModelError, match=f"{function.__name__}: no body of the model has mass"):
        compute(model, *asked)


def test_energy_has_the_published_values() -> None:
    """The values of model A in the functional specification agree."""
    model, n = sv.autoTree(5, 1.5, np.pi / 3, 0.95), np.arange(1, 6)
    q, qd, qdd = 0.1 * n, 0.2 * n - 0.5, 0.3 - 0.1 * n
    e = sv.EnerMo(model, q, qd)
    assert_allclose([e.KE, e.PE, e.mass], [1.017754496, 9.160186848, 3.763076388], rtol=1e-9)
    assert_allclose(e.cm, [1.739975417, 0.1830004083, 0.2481374362], rtol=1e-9)
    tau = sv.ID_SlotineLi(model, q, qd, 0.2 * n - 0.4, qdd)
    wanted = [3.890412983, 29.89655919, 7.245276777, 1.876178948, -0.6555743137]
    assert_allclose(tau, wanted, rtol=1e-9)
    row = [-0.8025416225, -0.1861732008, 0.2004403777, 0.04749913012, 0.1003204335]
    assert_allclose(sv.CMM(model, q)[0], row, rtol=1e-9)
