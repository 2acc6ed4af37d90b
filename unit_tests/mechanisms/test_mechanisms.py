"""Couplings by closed loops and by functions: values, derivatives, branches, bad input."""

import pickle
import warnings

import mpmath
import numpy as np
import pytest
import sympy
from helpers import near
from mechanisms import (
    PIN,
    ZOO,
    bars,
    five_bar,
    four_bar,
    four_bar_by_formula,
    four_bar_by_hinge,
    geared_five_bar,
    links,
    polynomial,
    slider_crank,
    spatial_linkage,
    state,
    stewart,
    walker,
)
from public_functions import arguments, functions_of_state, suits

from derivatives import (
    IDFOZA,
    Christoffel,
    CoriolisMatrix,
    FD_derivatives,
    FD_SO_derivatives,
    H_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    KKT_FO_derivatives,
    Regressor_HqdandCTqd_derivatives,
    RegressorClassical_derivatives,
    RegressorEnergy_derivatives,
    RegressorHandG_derivatives,
    RegressorMomentum_derivatives,
    RegressorSL_derivatives,
    frame_derivatives,
    frame_SO_derivatives,
    linearize,
    modFD_second_derivatives,
    modFrame_second_derivatives,
    modID_derivatives_simple,
    modID_second_derivatives,
)
from spatial_v2 import (
    CMM,
    CRBA,
    ID,
    KKT_FD,
    CMMTimeDerivative,
    ConstraintSet,
    EnerMo,
    FDab,
    FDcrb,
    FrameConstraint,
    FrameJacobian,
    FrameJacobianTimeDerivative,
    HandC,
    Hinverse,
    Hqd_and_CTqd,
    ID_SlotineLi,
    Loop,
    ModelError,
    PointConstraint,
    Regressor_HqdandCTqd,
    RegressorClassical,
    RegressorEnergy,
    RegressorHandG,
    RegressorMomentum,
    RegressorSL,
    ShootingProblem,
    SingularWarning,
    SpatialError,
    StateCost,
    centre_of_mass_jacobian,
    configurationAddition,
    couple,
    frame_acceleration,
    frame_velocity,
    inertiaMatToVec,
    loop_constraints,
    rollout,
    show,
    showmotion,
    simulate,
    to_urdf,
    xlt,
)
from spatial_v2.control import solve
from spatial_v2.mechanisms import closed, closing, loop_jet
from spatial_v2.mechanisms.closing import openings, quality
from spatial_v2.mechanisms.kernels import has_motion
from spatial_v2.mechanisms.pull_back import turned

STEP = 1e-30


@pytest.fixture(scope="module", params=ZOO)
def mechanism(request):
    return ZOO[request.param]()


def moved(model, y, j):
    """Return y displaced by a complex step along its variable j."""
    step = np.zeros(model.NV, dtype=complex)
    step[j] = 1j * STEP
    return configurationAddition(model, y.astype(complex), step)


def by_steps(model, y, f):
    """Return the derivatives along y of a function of y, by complex steps."""
    parts = [f(moved(model, y, j)) for j in range(model.NV)]
    return np.stack([np.imag(x) / STEP for x in parts], axis=-1)


GOLDEN = {
    "four_bar": (four_bar, [0.7], [1.3], [-0.5], [4.60823158956, -3.36005842757, 0.233394863067,
                 0.182110683513, -10.363011762, 0.179534510052, 0.803042479179, 0.179534510052]),
    "four_bar_by_hinge": (four_bar_by_hinge, [0.7], [1.3], [-0.5], [4.60823158956, -3.36005842757,
                 0.233394863067, 0.182110683513, -10.363011762, 0.179534510052, 0.803042479179,
                 0.179534510052]),
    "four_bar_by_formula": (four_bar_by_formula, [0.7], [1.3], [-0.5], [4.60823158956,
                 -3.36005842757, 0.233394863067, 0.182110683513, -10.363011762, 0.179534510052,
                 0.803042479179, 0.179534510052]),
    "slider_crank": (slider_crank, [0.9], [1.3], [-0.5], [1.52876726682, -2.78642257051,
                 0.386742604927, 0.296118598013, -2.55901424309, 0.297494311482, -0.711741846472,
                 0.297494311482]),
    "spatial_linkage": (spatial_linkage, [0.4], [1.3], [-0.5], [-0.352558501326, -1.76680381324,
                 -0.0212104265096, 0.146758820534, 0.464107593014, -0.0163157126997,
                 -0.27841593911, -0.0163157126997]),
    "polynomial": (polynomial, [0.6], [1.1], [-0.4], [6.37013433444, -6.80560239265,
                 -0.0060538978917, 0.525968141559, -7.44324607239, -0.00550354353791,
                 0.236740658644, -0.00550354353791]),
}  # fmt: skip
"""Joint force, its derivatives, H, second derivatives by y, yd and both, and dH/dy."""


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_numbers_of_one_variable(name):
    make, y, yd, ydd, wanted = GOLDEN[name]
    model = make()
    found = [ID(model, y, yd, ydd), *ID_derivatives(model, y, yd, ydd), CRBA(model, y)]
    found += ID_SO_derivatives(model, y, yd, ydd)
    near(np.concatenate([np.ravel(x) for x in found]), wanted, 2e-11)


def test_golden_numbers_of_a_five_bar():
    model, y, yd, ydd = five_bar(), [2.0, 1.1], [1.3, -0.8], [-0.5, 0.6]
    near(
        model.coupling.configuration(np.array(y)), [2, -1.209524575344, 1.1, 1.229449990938], 1e-11
    )
    near(ID(model, y, yd, ydd), [-4.13828590771, 4.42272942078], 1e-11)
    d, s = ID_derivatives(model, y, yd, ydd), ID_SO_derivatives(model, y, yd, ydd)
    near(d.dtau_dq, [[-7.07256153435, 1.08323261179], [0.84623316135, -6.8867174691]], 1e-11)
    near(d.dtau_dqd, [[0.242803244052, -0.316674518122], [-0.401480237067, 0.19075115742]], 1e-11)
    near(
        CRBA(model, y)[[0, 0, 1], [0, 1, 1]],
        [0.331861819913, 0.0269195590515, 0.322927126372],
        1e-11,
    )
    near(s.d2tau_dq[:, [0, 0, 1], [0, 1, 1]], [[2.83762320405, 0.676763725539, -1.04175392823],
         [1.74631107968, -0.813429548494, -3.34579577553]], 1e-10)  # fmt: skip
    near(s.d2tau_dqd[:, [0, 0, 1], [0, 1, 1]], [[0.139952748591, -0.0760808386057, 0.272211784918],
         [-0.267776633242, 0.0667132673149, -0.130029887388]], 1e-11)  # fmt: skip


def test_golden_numbers_of_a_stewart_platform():
    rotation = np.r_[np.cos(0.1), np.sin(0.1) * np.array([0.6, 0, 0.8])]
    pose = np.r_[rotation, 0.03, -0.05, 0.9]
    yd = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    ydd = np.array([0.3, 0.2, 0.1, 0, -0.1, -0.2])
    model = stewart()
    q = model.coupling.configuration(pose)
    near(q[9], 1.12611607826, 1e-11)
    wanted = [-0.861626019655, -0.918977774734, 0.189184360048, 1.11164501404, 9.84752120244]
    near(ID(model, pose, yd, ydd), [*wanted, 87.3195071655], 1e-10)
    sums = [-12.4797850884, 0.35531699817, 29.277817932, 19.1716912302, -0.842857391873]
    check_sums(model, pose, yd, ydd, [*sums, 2.04605283408], 176.915097858)
    legs = stewart(legs=True)
    wanted = [14.3864129617, 18.3585199956, 11.7738774919, 18.1019881021, 11.0410451727]
    y = q[9::3]
    near(ID(legs, y, yd, ydd), [*wanted, 21.3183850268], 1e-10)
    near(ID(legs, q, yd, ydd), [*wanted, 21.3183850268], 1e-10)
    sums = [-45.5934329702, -0.0910421019604, 12.2258390421, 147.271159786, 2.45947819443]
    check_sums(legs, y, yd, ydd, [*sums, -8.44556656101], 656.466442527)


def check_sums(model, y, yd, ydd, sums, norm):
    """Compare sums of all entries of derivatives."""
    d, s = ID_derivatives(model, y, yd, ydd), ID_SO_derivatives(model, y, yd, ydd)
    parts = [*d, CRBA(model, y), s.d2tau_dq, s.d2tau_cross, s.dM_dq]
    near([np.sum(x) for x in parts], sums, 1e-9)
    near(np.linalg.norm(s.d2tau_dq), norm, 1e-9)


def test_forward_dynamics_is_that_with_multipliers(mechanism):
    model, rng = mechanism, np.random.default_rng(1)
    y, yd, tau = state(model, rng)
    qdd_y = FDab(model, y, yd, tau)
    near(ID(model, y, yd, qdd_y), tau, 1e-10)
    near(FDcrb(model, y, yd, tau), qdd_y, 1e-10)
    H, C = HandC(model, y, yd)
    near(H @ qdd_y + C, tau, 1e-10)
    near(Hinverse(model, y) @ H, np.eye(model.NV), 1e-9)
    held = getattr(model.coupling, "constraints", None)
    if held is None:
        return
    q = model.coupling.configuration(y)
    x = model.coupling.jet(q, yd, qdd_y)
    near(x.qd, x.G @ yd)
    whole = np.zeros(model.tree.NV)
    whole[model.coupling.v_of_y] = tau
    kkt = KKT_FD(model.tree, q, x.qd, whole, held, rank="minimum_norm")
    near(x.qdd, kkt.qdd, 1e-10)


@pytest.mark.parametrize("name", ["slider_crank", "five_bar"])
def test_first_derivatives_are_those_with_multipliers_along_the_motion(name):
    """The rows of these linkages, without the third one, are independent beside the closure too."""
    model, rng = ZOO[name](), np.random.default_rng(2)
    y, yd, tau = state(model, rng)
    ydd = FDab(model, y, yd, tau)
    x = model.coupling.jet(model.coupling.configuration(y), yd, ydd)
    (pin,) = model.coupling.constraints.constraints
    plane = PointConstraint(pin.body2, pin.point2, pin.body1, pin.point1, np.eye(3)[:2])
    whole = np.zeros(model.tree.NV)
    whole[model.coupling.v_of_y] = tau
    k = KKT_FO_derivatives(model.tree, x.q, x.qd, whole, [plane])
    d = FD_derivatives(model, y, yd, tau)
    near(k.dqdd_dq @ x.G + k.dqdd_dqd @ x.qd_y, x.G @ d.dqdd_dq + x.qdd_y, 1e-10)
    near(k.dqdd_dqd @ x.G, x.G @ d.dqdd_dqd + x.qdd_v, 1e-10)
    near(k.dqdd_dtau[:, model.coupling.v_of_y], x.G @ d.dqdd_dtau, 1e-10)


def test_first_derivatives_agree_with_complex_steps(mechanism):
    model, rng = mechanism, np.random.default_rng(3)
    y, yd, ydd = state(model, rng)
    d = ID_derivatives(model, y, yd, ydd)
    near(d.dtau_dq, by_steps(model, y, lambda z: ID(model, z, yd, ydd)), 1e-11)
    one = np.eye(model.NV) * 1j * STEP
    near(d.dtau_dqd, np.imag(ID(model, y, yd + one, ydd)).T / STEP, 1e-11)
    tau = ID(model, y, yd, ydd)
    f = FD_derivatives(model, y, yd, tau)
    near(f.dqdd_dq, by_steps(model, y, lambda z: FDab(model, z, yd, tau)), 1e-9)
    near(f.dqdd_dqd, np.imag(FDab(model, y, yd + one, tau)).T / STEP, 1e-9)
    near(f.dqdd_dtau, Hinverse(model, y), 1e-10)


def test_second_derivatives_agree_with_complex_steps(mechanism):
    model, rng = mechanism, np.random.default_rng(4)
    y, yd, ydd = state(model, rng)
    s = ID_SO_derivatives(model, y, yd, ydd)
    near(s.d2tau_dq, by_steps(model, y, lambda z: ID_derivatives(model, z, yd, ydd).dtau_dq), 1e-10)
    cross = by_steps(model, y, lambda z: ID_derivatives(model, z, yd, ydd).dtau_dqd)
    near(turned(s.d2tau_cross), cross, 1e-10)
    near(s.dM_dq, by_steps(model, y, lambda z: CRBA(model, z)), 1e-10)
    near(H_derivatives(model, y), s.dM_dq, 1e-11)
    one = np.eye(model.NV) * 1j * STEP
    vv = [np.imag(ID_derivatives(model, y, yd + e, ydd).dtau_dqd) / STEP for e in one]
    near(s.d2tau_dqd, np.stack(vv, axis=-1), 1e-10)
    tau = ID(model, y, yd, ydd)
    f = FD_SO_derivatives(model, y, yd, tau)
    qq = by_steps(model, y, lambda z: FD_derivatives(model, z, yd, tau).dqdd_dq)
    near(f.d2qdd_dq, qq, 1e-8)


def test_contractions_are_those_of_the_tensors(mechanism):
    model, rng = mechanism, np.random.default_rng(5)
    y, yd, ydd = state(model, rng)
    mu = rng.normal(size=model.NV)
    s, m = ID_SO_derivatives(model, y, yd, ydd), modID_second_derivatives(model, y, yd, ydd, mu)
    near(m.dmod_dqq, np.tensordot(mu, s.d2tau_dq, 1), 1e-10)
    near(m.dmod_dqv, np.tensordot(mu, s.d2tau_cross, 1), 1e-10)
    near(m.dmod_dvv, np.tensordot(mu, s.d2tau_dqd, 1), 1e-10)
    near(IDFOZA(model, y, ydd), np.einsum("ijk,j->ik", s.dM_dq, ydd), 1e-10)
    near(modID_derivatives_simple(model, y, ydd, mu), mu @ IDFOZA(model, y, ydd), 1e-10)
    tau = ID(model, y, yd, ydd)
    f, g = FD_SO_derivatives(model, y, yd, tau), modFD_second_derivatives(model, y, yd, tau, mu)
    near(g.H_qq, np.tensordot(mu, f.d2qdd_dq, 1), 1e-8)
    near(g.H_qdqd, np.tensordot(mu, f.d2qdd_dqd, 1), 1e-8)


def test_coriolis_matrix_and_momentum(mechanism):
    model, rng = mechanism, np.random.default_rng(6)
    y, yd, ydd = state(model, rng)
    C, Hdot, H = CoriolisMatrix(model, y, yd)
    near(C + C.T, Hdot, 1e-11)
    near(Hdot, H_derivatives(model, y) @ yd, 1e-11)
    bias, rest = HandC(model, y, yd)[1], HandC(model, y, 0 * yd)[1]
    near(C @ yd, bias - rest, 1e-11)
    near(np.einsum("ijk,k->ij", Christoffel(model, y, order="textbook"), yd), C, 1e-10)
    near(np.einsum("ijk,j->ik", Christoffel(model, y), yd), C, 1e-10)
    Hqd, CTqd = Hqd_and_CTqd(model, y, yd)
    near(Hqd, H @ yd, 1e-11)
    near(CTqd, C.T @ yd, 1e-11)
    r = rng.normal(size=model.NV)
    near(ID_SlotineLi(model, y, yd, r, ydd), H @ ydd + C @ r + rest, 1e-10)
    energy = EnerMo(model, y, yd)
    near(energy.KE, yd @ H @ yd / 2, 1e-11)
    x = model.coupling.jet(model.coupling.configuration(y), yd, ydd)
    whole = EnerMo(model.tree, x.q, x.qd)
    near(energy.PE, whole.PE)
    h = CMM(model, y) @ yd
    near(h, CMM(model.tree, x.q) @ x.qd)
    rate = CMMTimeDerivative(model, y, yd) @ yd + CMM(model, y) @ ydd
    near(
        rate, CMMTimeDerivative(model.tree, x.q, x.qd) @ x.qd + CMM(model.tree, x.q) @ x.qdd, 1e-11
    )


def test_power_is_the_rate_of_energy(mechanism):
    model, rng = mechanism, np.random.default_rng(7)
    y, yd, ydd = state(model, rng)
    x = model.coupling.jet(model.coupling.configuration(y), yd, ydd)
    dq = configurationAddition(model.tree, x.q.astype(complex), 1j * STEP * x.qd)
    energy = EnerMo(model.tree, dq, x.qd + 1j * STEP * x.qdd)
    near(yd @ ID(model, y, yd, ydd), np.imag(energy.KE + energy.PE) / STEP, 1e-10)


def test_frames_and_regressors(mechanism):
    model, rng = mechanism, np.random.default_rng(8)
    y, yd, ydd = state(model, rng)
    frame = model.tree.NB - 1
    J = FrameJacobian(model, y, frame)
    near(J @ yd, frame_velocity(model, y, yd, frame))
    rate = FrameJacobianTimeDerivative(model, y, yd, frame) @ yd
    near(rate + J @ ydd, frame_acceleration(model, y, yd, ydd, frame), 1e-11)
    near(centre_of_mass_jacobian(model, y) @ yd, EnerMo(model, y, yd).vcm, 1e-11)
    d = frame_derivatives(model, y, frame)
    near(d.dJ_dq, by_steps(model, y, lambda z: FrameJacobian(model, z, frame)), 1e-11)
    s = frame_SO_derivatives(model, y, frame)
    near(s.dJ_dq, d.dJ_dq, 1e-11)
    wanted = by_steps(model, y, lambda z: frame_derivatives(model, z, frame).dJ_dq)
    near(s.d2J_dq, wanted, 1e-10)
    w = rng.normal(size=len(J))
    m = modFrame_second_derivatives(model, y, yd, w, frame)
    near(m.dmod_du, w @ J, 1e-11)
    near(m.dmod_duq, np.tensordot(w, d.dJ_dq, 1), 1e-11)
    near(m.dmod_dq, yd @ m.dmod_duq, 1e-11)
    near(m.dmod_dqq, np.einsum("i,a,iajk->jk", w, yd, s.d2J_dq), 1e-10)
    check_derivatives_of_regressors(model, y, yd, ydd, rng.normal(size=model.NV))
    if model.tree.has_rotors or model.is_planar:
        return
    a = inertiaMatToVec(model.tree.I).ravel()
    Y = Regressor_HqdandCTqd(model, y, yd)
    for x, z in zip(Y, Hqd_and_CTqd(model, y, yd), strict=False):
        near(x @ a, z, 1e-10)
    near(RegressorClassical(model, y, yd, ydd)[0] @ a, ID(model, y, yd, ydd), 1e-10)
    r = rng.normal(size=model.NV)
    near(RegressorSL(model, y, yd, r, ydd)[0] @ a, ID_SlotineLi(model, y, yd, r, ydd), 1e-10)


def check_derivatives_of_regressors(model, *x):
    """Compare them with steps along y and complex steps of yd and a reference velocity."""
    of_links = {
        RegressorClassical: (RegressorClassical_derivatives, (0, 1, 2), ["q0", "v0"]),
        RegressorEnergy: (RegressorEnergy_derivatives, (0, 1), ["q0", "v0", "q1"]),
        RegressorHandG: (RegressorHandG_derivatives, (0,), ["q0", "q1"]),
        RegressorMomentum: (RegressorMomentum_derivatives, (0, 1), ["q0", "v0"]),
        RegressorSL: (RegressorSL_derivatives, (0, 1, 3, 2), ["q0", "v0", "r0"]),
        Regressor_HqdandCTqd: (Regressor_HqdandCTqd_derivatives, (0, 1), ["q0", "v0", "q1", "v1"]),
    }
    for function, (derivatives, places, kinds) in of_links.items():
        given = [x[k] for k in places]
        results = len(function(model, *given)) // 2
        rotors = [f"{kind[0]}{int(kind[1]) + results}" for kind in kinds]
        for found, (variable, k) in zip(derivatives(model, *given), kinds + rotors, strict=True):

            def value(z, place, k=int(k), given=given, function=function):
                return function(model, *given[:place], z, *given[place + 1 :])[k]

            if variable == "q":
                wanted = by_steps(model, x[0], lambda z, value=value: value(z, 0))
            else:
                place = "qvr".index(variable)
                steps = [value(given[place] + e, place) for e in 1e-30j * np.eye(model.NV)]
                wanted = np.stack(steps, axis=-1).imag / 1e-30
            near(found, wanted, 1e-10)


def test_batches_full_configurations_and_external_forces(mechanism):
    model, rng = mechanism, np.random.default_rng(9)
    y, yd, ydd = state(model, rng, 3)
    f = rng.normal(size=(3, model.tree.NB, 3 if model.is_planar else 6))
    tau = ID(model, y, yd, ydd, f)
    q = model.coupling.configuration(y)
    first = ID_derivatives(model, y, yd, ydd, f).dtau_dq
    second = ID_SO_derivatives(model, y, yd, ydd, f).d2tau_dq
    for k in range(3):
        near(tau[k], ID(model, y[k], yd[k], ydd[k], f[k]), 1e-11)
        near(tau[k], ID(model, q[k], yd[k], ydd[k], f[k]), 1e-11)
        near(first[k], ID_derivatives(model, y[k], yd[k], ydd[k], f[k]).dtau_dq, 1e-11)
        near(second[k], ID_SO_derivatives(model, q[k], yd[k], ydd[k], f[k]).d2tau_dq, 1e-10)
    near(FDab(model, y, yd, tau, f), ydd, 1e-9)
    if hasattr(model.coupling, "constraints"):
        near(ID(pickle.loads(pickle.dumps(model)), y, yd, ydd, f), tau)
    light = model.replace(gravity=[0, 0, 0])
    rest = ID(light, y, 0 * yd, 0 * ydd)
    near(rest, 0 * rest, 1e-9)


def test_a_crank_turns_without_a_change_of_branch():
    """Angles of the rod and the rocker stay those of the formula for any angle of the crank."""
    model, formula = four_bar(), four_bar_by_formula()
    y = 0.7 + np.linspace(-np.pi, np.pi, 65)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        q = model.coupling.configuration(y)
    wanted = formula.coupling.configuration(y)
    near(np.exp(1j * q), np.exp(1j * wanted), 1e-11)
    assert np.ptp(q[:, 2]) < 2.5
    # a turn of the crank turns the rod against it, and the rocker swings back
    far = model.coupling.configuration(np.array([0.7 + 2 * np.pi]))
    near(far - q[32], [2 * np.pi, -2 * np.pi, 0], 1e-10)


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "six_bar", "walker", "stewart"])
def test_kernels_of_loops_are_their_page(name, monkeypatch):
    """Paths from the guess, errors, singular values and motions, also where no loop closes."""
    model, rng = ZOO[name](), np.random.default_rng(13)
    y, yd, ydd = state(model, rng, 20)
    y[:10] = configurationAddition(model, y[:10], rng.normal(size=(10, model.NV)))

    def results():
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            q = model.coupling.configuration(y)
            x = model.coupling.jet(q[10:], yd[10:], ydd[10:])
            loops = list(zip(model.coupling.branches, model.coupling.places, strict=True))
            found = [openings(b, model.coupling.guess[p.q]) for b, p in loops]
            for (e, least), (b, p) in zip(found, loops, strict=True):
                s = quality(b, model.coupling.guess[p.q])
                assert e < 1e-12 and s / len(b.d) < least < 1.0001 * s
        values = [q, x.G, x.g, x.qd_y, x.qdd_y, x.qdd_v, x.bent(x.qdd)]
        return values, [str(w.message) for w in said]

    by_kernels, said = results()
    assert all(has_motion(b, y) for b in model.coupling.branches)
    for module in (closing, loop_jet):
        monkeypatch.setattr(module, "has_motion", lambda *_: False)
    for kernel in ("closed_by_kernel", "open_by_kernel"):
        monkeypatch.setattr(closed, kernel, lambda *_: None)
    by_page, said_of_page = results()
    assert said == said_of_page
    for x, z in zip(by_kernels, by_page, strict=True):
        near(np.nan_to_num(x, nan=7.0), np.nan_to_num(z, nan=7.0), 1e-11)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_choices_do_not_depend_on_the_unit_of_length(scale):
    def grown(x):
        return xlt(scale * np.asarray(x))

    X = [grown([0, 0, 0]), grown([0.3, 0, 0]), grown([0, 0.05, 0])]
    tree = slider_crank().tree.replace(Xtree=X)
    pin = PointConstraint(2, [0, 0, 0], 1, [scale * 0.8, 0, 0])
    guess = [0.9, -1.1, scale]
    chosen = couple(tree, constraints=[pin], guess=guess)
    model = couple(slider_crank().tree, constraints=[PointConstraint(2, [0, 0, 0], 1, [0.8, 0, 0])],
                   guess=[0.9, -1.1, 1.0])  # fmt: skip
    assert chosen.joint_names == model.joint_names
    s = [x.coupling.describe().split("value ")[1] for x in (chosen, model)]
    assert s[0] == s[1]


def test_turning_the_base_changes_nothing():
    """Rows are chosen in axes of the body that carries the loops."""
    model, rng = walker(), np.random.default_rng(0)
    y, yd, ydd = state(model, rng)
    light = model.replace(gravity=[0, 0, 0])
    wanted = CRBA(model, y)
    for _ in range(20):
        rotation = rng.normal(size=4)
        turned_y = np.r_[rotation / np.linalg.norm(rotation), rng.normal(size=3), y[7:]]
        near(CRBA(model, turned_y), wanted, 1e-9)
        near(ID(light, turned_y, yd, ydd), ID(light, y, yd, ydd), 1e-9)


REFUSED = {
    "BodyJacobian", "BodyJacobianTimeDerivative", "CMM_from_CRBA", "EIDAmb", "EIDAmb_derivatives",
    "GlobalDynamics", "HamiltonianDynamics", "IMMAmb", "bodyFrame_dyn", "body_motion_derivatives",
    "ground_kinematics", "is_admissible_factorization", "is_valid_factorization",
    "spatial_force_SO_derivatives", "spatial_force_derivatives",
}  # fmt: skip
"""Functions that take no coupling by loops or functions; all others do."""


@pytest.mark.parametrize("name", ["five_bar", "walker", "functions_of_two"])
def test_every_function_answers_or_refuses_by_its_name(name):
    """The law: results are alike for one state and in a batch, for y and the full q, bound, into
    arrays and by several threads; all other functions refuse.
    """
    model, rng = ZOO[name](), np.random.default_rng(10)
    y, _, _ = state(model, rng, 2)
    refused, answered = set(), set()
    for _, function, required in functions_of_state():
        if not suits(function, model.tree):
            continue
        given = arguments(model.coupling.space, required, rng, (2,))
        given |= {k: y for k in ("q", "q0") if k in given}
        given |= {"frame": model.tree.NB - 1} if "frame" in given else {}
        given |= {"weight": rng.normal(size=(2, 6))} if "weight" in given else {}
        if "constraints" in given:
            last = model.tree.NB - 1
            tip = ConstraintSet(model, [PointConstraint(last, directions=[[0.3, 1, 0.2]])])
            given["constraints"] = tip.placed(model, y[0])
            given |= {x: rng.normal(size=(2, 1)) for x in ("forces", "nu") if x in given}
        given |= {"S": np.eye(model.NV)} if "S" in given else {}
        try:
            out = function(model, **given)
        except ModelError as error:
            assert str(error).startswith(f"{function.__name__}: takes no coupled model"), error
            refused.add(function.__name__)
            continue
        answered.add(function.__name__)
        if not hasattr(function, "work"):
            continue
        parts = out if isinstance(out, tuple) else (out,)
        several = {k for k, x in given.items() if isinstance(x, np.ndarray) and k != "S"}
        assert all(np.isfinite(x).all() for x in parts), function
        none = {k: x[:0] if k in several else x for k, x in given.items()}
        empty = function(model, **none)
        for x, z in zip(parts, empty if isinstance(empty, tuple) else (empty,), strict=True):
            assert z.shape == (0, *x.shape[1:]), function
        whole = function(model, **given | {"q": model.coupling.configuration(y)})
        one = function(model, **{k: x[1] if k in several else x for k, x in given.items()})
        bound = function.bind(model)(*given.values())
        into = tuple(np.full(np.shape(x), np.nan) for x in parts)
        function(model, **given, out=into if isinstance(out, tuple) else into[0], workers=2)
        for other in (whole, bound, into):
            other = other if isinstance(other, tuple) else (other,)
            for x, z in zip(parts, other, strict=True):
                near(x, z, 1e-9)
        for x, z in zip(parts, one if isinstance(one, tuple) else (one,), strict=True):
            near(x[1], z, 1e-9)
    assert refused <= REFUSED and not answered & REFUSED
    assert {"FD_SO_derivatives", "linearize", "forward_kinematics", "gravity_forces"} <= answered


def test_steps_and_linearisation():
    model, rng = walker(), np.random.default_rng(11)
    y, yd, ydd = state(model, rng)
    tau, n = ID(model, y, yd, ydd), model.NV
    A, B = linearize(model, y, yd, tau)
    near(A[n:, :n], by_steps(model, y, lambda z: FDab(model, z, yd, tau)), 1e-8)
    near(B[n:], Hinverse(model, y), 1e-9)
    motion = rollout(model, y, yd, np.tile(tau, (2, 1)), 0.01)
    near(motion.qd[1], yd + 0.01 * ydd, 1e-9)
    near(motion.q[1], configurationAddition(model, y, 0.01 * motion.qd[1]), 1e-9)


@pytest.mark.parametrize("name", ["four_bar_by_formula", "four_bar", "walker"])
def test_free_motions_conserve_energy(name):
    model = ZOO[name]()
    c = model.coupling
    y = c.guess[c.q_of_y] if len(c.guess) > model.NQ else c.guess
    start = y, 0.5 * np.ones(model.NV)
    motion = simulate(model, start, [0, 0.05, 0.1], np.zeros(model.NV))
    assert np.abs(motion.energy.drift).max() < 1e-7 and np.ptp(motion.energy.KE) > 0.01
    if name == "four_bar":  # what damping takes is in the balance of energy
        lossy = model.replace(damping=0.3)
        motion = simulate(lossy, start, [0, 0.02], np.zeros(1))
        assert np.abs(motion.energy.drift).max() < 1e-6
        assert sum(x[-1] - x[0] for x in (motion.energy.KE, motion.energy.PE)) < -1e-4


def test_other_functions_answer_or_refuse():
    model, y, yd = four_bar(), np.array([0.8]), np.array([0.3])
    q = model.coupling.configuration(y)
    near(show(model, y).scene.motion.q[0], q)
    drawn = showmotion(model, np.arange(2.0), np.array([[0.7], [0.8]]))
    near(drawn.scene.motion.q[1], q)
    cost = [StateCost(model, np.zeros(1), 1.0, 0.1)]
    problem = ShootingProblem(model, y, 0 * yd, np.full(3, 0.02), cost, cost)
    assert np.isfinite(solve(problem).trajectory.u).all()
    with pytest.raises(ModelError, match="^to_urdf: takes no coupled model"):
        to_urdf(model)
    with pytest.raises(SpatialError, match="takes NumPy arrays of real or complex numbers"):
        ID.reference(model, np.array([sympy.Symbol("y")]), yd, yd)
    with pytest.raises(ModelError, match="coupled already"):
        couple(model, constraints=[PIN])
    with pytest.raises(ModelError, match="does not change"):
        model.gravity = [0, 0, 0]


def test_a_four_bar_obeys_lagranges_equation_of_one_coordinate():
    """``L = J(a) a'^2 / 2 - V(a)``, of closed-form positions, with derivatives of 50 digits."""
    a = sympy.Symbol("a")
    x, z = 1 - 0.35 * sympy.cos(a), -0.35 * sympy.sin(a)
    square = x * x + z * z
    rod = sympy.atan2(z, x) + sympy.acos((0.81 + square - 0.49) / (1.8 * sympy.sqrt(square)))
    rocker = sympy.atan2(0.9 * sympy.sin(rod) - z, 0.9 * sympy.cos(rod) - x)
    places = [(0, 0), (0.35 * sympy.cos(a), 0.35 * sympy.sin(a)), (1, 0)]
    bodies = [(1.3, 0.17, 0.01, 0.021), (2.1, 0.4, -0.03, 0.19), (1.6, 0.33, 0.02, 0.09)]
    inertia = weight = sympy.Integer(0)
    for angle, (px, py), (m, cx, cy, about) in zip((a, rod, rocker), places, bodies, strict=True):
        c, s = sympy.cos(angle), sympy.sin(angle)
        centre = px + c * cx - s * cy, py + s * cx + c * cy
        inertia += (
            m * sum(sympy.diff(p, a) ** 2 for p in centre) + about * sympy.diff(angle, a) ** 2
        )
        weight += m * 9.81 * centre[1]
    with mpmath.workdps(50):
        J, V = (sympy.lambdify(a, f, "mpmath") for f in (inertia, weight))
        J, V = ([float(mpmath.diff(f, 0.7, k)) for k in range(4)] for f in (J, V))
    y, yd, ydd = [0.7], [1.3], [-0.5]
    tau, by_y, by_yy = (J[k] * ydd[0] + J[k + 1] * yd[0] ** 2 / 2 + V[k + 1] for k in range(3))
    model = four_bar()
    near(ID(model, y, yd, ydd), [tau], 1e-11)
    near(np.ravel(ID_derivatives(model, y, yd, ydd)), [by_y, J[1] * yd[0]], 1e-11)
    wanted = [by_yy, J[1], J[2] * yd[0], J[1]]
    near(np.ravel(ID_SO_derivatives(model, y, yd, ydd)), wanted, 1e-10)


def test_variables_and_description():
    model = walker()
    assert (model.NQ, model.NV) == (9, 8)
    assert model.joint_names == ("joint0", "joint1", "joint4")
    assert "2 loops closed by 6 rows; independent joints named" in repr(model)
    tree = bars().replace(joint_names=["a", "b", "c"], limits={"a": (-1, 2), "b": (-9, 9)})
    chosen = couple(tree, constraints=[PIN], guess=[0.7, -0.1, 1.5])
    assert chosen.joint_names == ("a",) and "chosen" in repr(chosen)
    near(chosen.limits["a"][:2], [-1, 2])
    with pytest.raises(SpatialError, match="open by.*independent variables"):
        ID(model, model.coupling.guess + 0.1 * (np.arange(13) > 7), np.zeros(8), np.zeros(8))


BAD = [
    ({"constraints": [PIN], "independent": ["x"]}, "no joint is called 'x'"),
    ({"constraints": [PIN], "independent": [0, 1]}, "2 variables, 1 too many.*would serve"),
    ({"constraints": [PIN], "matrix": np.eye(3)}, "want either matrix=G"),
    ({"constraints": []}, "want at least one, got none"),
    ({"constraints": [PIN], "guess": [0, 0]}, r"guess: want shape \(3,\)"),
    ({"constraints": [PIN], "offset": [0, 0, 0]}, "offset: goes with matrix"),
    ({"matrix": np.eye(3), "independent": [0]}, "go with constraints or function"),
    ({"constraints": [PointConstraint(2, [0.2, 0, 0], 1, [0.1, 0, 0])]}, "cannot be closed"),
    ({"constraints": [FrameConstraint(2, xlt([0.7, 0, 0]), 1, xlt([0.9, 0, 0]), [2, 3, 4, 5])]},
     "restrict velocities, and are no closure"),
    ({"constraints": [PIN, PointConstraint(1, [0.5, 0.2, 0], point1=[0.5, 0.5, 0])]},
     "rigid|cannot be closed"),
    ({"function": 3, "independent": [0]}, "want a function of y"),
    ({"function": lambda y: y, "independent": [0]}, r"want q of shape \(3,\)"),
    ({"function": lambda y: y}, "independent: want the names"),
    ({"function": lambda y: np.array([float(y[0]), 0, 0]), "independent": [0]},
     "cannot be differentiated"),
    ({"function": lambda y: np.stack([2 * y[0], y[0], y[0]]), "independent": [0], "guess": [1]},
     "gives its own variables back"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "words"), BAD)
def test_bad_couplings(given, words):
    with pytest.raises(SpatialError, match=words):
        couple(bars(), **({"guess": [0.7, -0.1, 1.5]} if "constraints" in given else {}) | given)


def test_a_gear_between_independent_joints():
    model, free = geared_five_bar(), five_bar()
    q = model.coupling.configuration(np.array([1.9]))
    near(q[2], 2.5 - 0.7 * 1.9)
    near(q, free.coupling.configuration(q[[0, 2]]))
    L = np.array([[1], [-0.7]])
    near(CRBA(model, [1.9]), L.T @ CRBA(free, q[[0, 2]]) @ L)
    near(ID(model, q, [1.0], [2.0]), ID(model, [1.9], [1.0], [2.0]))
    again = pickle.loads(pickle.dumps(model)).replace(gravity=[0, 0, 0])
    near(CRBA(again, [1.9]), CRBA(model, [1.9]))
    off = free.coupling.configuration(np.array([1.9, 1.0]))
    with pytest.raises(SpatialError, match="differ by .* from those that they follow"):
        ID(model, off, [1.0], [2.0])
    with pytest.warns(SingularWarning, match="results of such states are NaN"):
        tau = ID(model, np.stack([q, off]), [1.0], [2.0])
    assert np.isfinite(tau[0]).all() and np.isnan(tau[1]).all()
    rows = [*free.coupling.constraints.constraints]
    given = {"constraints": rows, "independent": [0, 2], "guess": free.coupling.guess}
    for mimic, words in (
        ({1: (0, 1, 0)}, "'joint1' is not among the independent joints"),
        ({2: (0, 1, 9.0)}, "mimic: the loops do not close with it"),
        ({2: (2, 1, 0)}, "circle"),
        ({2: 0}, r"want \(joint, multiplier, offset\)"),
    ):
        with pytest.raises(ModelError, match=words):
            couple(free.tree, **given, mimic=mimic)


def test_singular_configurations_and_states_out_of_reach():
    tree = slider_crank().tree
    pin = PointConstraint(2, [0, 0, 0], 1, [0.8, 0, 0])
    straight = np.arcsin(0.05 / 1.1)
    slide = couple(tree, constraints=[pin], independent=[2], guess=[0.9, -1.1, 1.0])
    top = 1.1 * np.cos(straight)
    with pytest.warns(SingularWarning, match="nearly singular for its independent joints"):
        ID(slide, [top - 1e-6], [0.0], [0.0])
    with pytest.raises(SpatialError, match="cannot be followed from the guess"):
        ID(slide, [top + 0.01], [0.0], [0.0])
    with pytest.warns(SingularWarning, match="cannot be closed in 1 of 2 states"):
        tau = ID(slide, [[top + 0.01], [0.9]], [0.0], [0.0])
    assert np.isnan(tau[0]).all() and np.isfinite(tau[1]).all()
    q = slide.coupling.configuration(np.array([0.9]))
    for bad in (q + 0.1, np.nan * q):
        with pytest.warns(SingularWarning, match="results of 1 of 2 states are NaN"):
            again = ID(slide, np.stack([q, bad]), [0.0], [0.0])
        near(again[0], tau[1])
        assert np.isnan(again[1]).all()
        with pytest.raises(SpatialError, match="is open by"):
            ID(slide, bad, [0.0], [0.0])
    at = [straight, 0.0, top]
    with pytest.raises(ModelError, match="do not determine the loop.*would serve"):
        couple(tree, constraints=[pin], independent=[2], guess=at)
    equal = links([-1, 0, -1], [(0, 0), (0.5, 0), (1, 0)], [(1, 0.2, 0, 0.1)] * 3)
    flat = PointConstraint(2, [0.5, 0, 0], 1, [1, 0, 0])
    with pytest.raises(ModelError, match="independent: .* too few|no joints"):
        couple(equal, constraints=[flat], independent=[0], guess=[0, 0, 0])


def test_loops_of_a_robot_file_are_closed():
    here, there = xlt([0.7, 0, 0]), xlt([0.9, 0, 0])
    point = Loop("point", "body1", there, "body2", here, np.eye(6)[:, 3:])
    pin = Loop("revolute", "body1", there, "body2", here, np.eye(6)[:, [0, 1, 3, 4, 5]])
    for loop in (point, pin):
        tree = bars().replace(loops={"pin": loop})
        rows = loop_constraints(tree)
        model = couple(tree, constraints=rows, independent=[0], guess=[0.7, -0.1, 1.5])
        near(ID(model, [0.7], [1.3], [-0.5]), [4.60823158956], 1e-11)


def test_rows_along_base_axes_of_a_moving_loop_are_refused():
    tree = walker().tree
    rows = [PointConstraint(3, [0.7, 0, 0], 2, [0.9, 0, 0], directions=np.eye(3)[[0, 2]])]
    with pytest.raises(ModelError, match="directions along axes of the base close no loop"):
        couple(tree, constraints=rows, guess=np.r_[1, np.zeros(6), [-0.7, 0.1, -1.5] * 2])


@pytest.mark.parametrize("axes", ["body1", "body2", "mixed"])
def test_which_rows_are_closures(axes):
    closed = [range(6), [0, 1, 2], [3, 4, 5]]
    bodies = [[0, 1, 3, 4, 5], range(5), [0, 1, 3, 4], [0, 1, 5], [0, 1], [0, 1, 2, 4]]
    never = [[2, 3, 4, 5], [0, 1, 3], [3, 4], [5]]
    good = closed if axes == "mixed" else closed + bodies
    tree = walker(1).tree
    for rows in [*closed, *bodies, *never]:
        row = FrameConstraint(3, xlt([0.7, 0, 0]), 2, xlt([0.9, 0, 0]), [*rows], axes)
        words = "no closure|close no loop"
        if rows in good:  # other reasons may stand against a closure of a planar leg
            words = "cannot be closed|rigid|too|hold in every"
        try:
            couple(tree, constraints=[row], guess=np.r_[1, np.zeros(6), -0.7, 0.1, -1.5])
        except ModelError as error:
            assert any(w in str(error) for w in words.split("|")), (axes, [*rows], error)
        else:
            assert rows in good
