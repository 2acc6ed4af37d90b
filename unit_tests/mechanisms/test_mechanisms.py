"""Mechanisms: values and derivatives obey the laws of the free tree along the motion."""

import pickle
import warnings

import numpy as np
import pytest
from helpers import near
from mechanisms import (
    STEP,
    ZOO,
    by_steps,
    state,
)

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
    EnerMo,
    FDab,
    FDcrb,
    FrameJacobian,
    FrameJacobianTimeDerivative,
    HandC,
    Hinverse,
    Hqd_and_CTqd,
    ID_SlotineLi,
    PointConstraint,
    Regressor_HqdandCTqd,
    RegressorClassical,
    RegressorEnergy,
    RegressorHandG,
    RegressorMomentum,
    RegressorSL,
    centre_of_mass_jacobian,
    configurationAddition,
    frame_acceleration,
    frame_velocity,
    inertiaMatToVec,
)
from spatial_v2.mechanisms import closed, closing, loop_jet
from spatial_v2.mechanisms.closing import openings, quality
from spatial_v2.mechanisms.kernels import has_motion
from spatial_v2.mechanisms.pull_back import turned


@pytest.fixture(scope="module", params=ZOO)
def mechanism(request):
    return ZOO[request.param]()


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


LARGE = {"geared_walker", "stewart", "stewart_by_legs", "walker_with_rotors"}


@pytest.mark.parametrize(
    "mechanism",
    [pytest.param(x, marks=[pytest.mark.slow] * (x in LARGE)) for x in ZOO],
    indirect=True,
)
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
