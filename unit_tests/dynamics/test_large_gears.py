"""Large terms of fast rotors, which cancel, cost few digits.

A rotor with gear ratio g spins g times as fast as its joint. Terms of the order of g^2 or g^3
vanish, because a spin about its own axis changes nothing. Rounding may leave g^2 times the last
digit of a result, and no more. Results are compared with sums in body coordinates, where each such
term is zero, and with complex steps of these sums.
"""

from collections.abc import Callable

import numpy as np
import pytest
import zoo
from helpers import FORMS, KERNEL, in_form

import spatial_v2 as sv
from derivatives import AZA, Christoffel, CoriolisMatrix, FD_derivatives
from derivatives.reference import complex_step_q
from spatial_v2 import CRBA, Model

MODELS: dict[str, Callable[[], Model]] = {
    "five": lambda: sv.autoTree_rotor(5, 1.5, np.pi / 3, 0.95),
    "twenty": lambda: sv.autoTree_rotor(20, 1.5, np.pi / 3, 0.95),
    "floating": lambda: zoo.build("floating_rotors"),
}
GEARS = [1.0, 30.0, 100.0, 1000.0]

pytestmark = [
    pytest.mark.parametrize("form", FORMS),
    pytest.mark.parametrize("gear", GEARS),
    pytest.mark.parametrize("name", MODELS),
]


def draw(name: str, gear: float) -> tuple[Model, zoo.State]:
    model = MODELS[name]()
    model = model.replace(gr=gear * (-1.0) ** np.arange(model.NB))
    return model, zoo.states(model, np.random.default_rng(11))


def close(found: np.ndarray, wanted: np.ndarray, gear: float) -> None:
    error = np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))
    assert error <= 1e-13 + 2e-16 * gear**2, error


def test_rate_of_inertia_keeps_its_digits(name: str, gear: float, form: str) -> None:
    """``dH/dt`` keeps its digits, and so does C, which is half of it plus a skew part."""
    model, s = draw(name, gear)
    wanted = complex_step_q(model, lambda q: CRBA.reference(model, q), s.q, [s.qd])[..., 0]
    C, Hdot, H = in_form(form, CoriolisMatrix)(model, s.q, s.qd)
    close(Hdot, wanted, gear)
    close(C + C.T, wanted, gear)
    close(H, CRBA.reference(model, s.q), gear)


def test_christoffel_symbols_keep_their_digits(name: str, gear: float, form: str) -> None:
    """Christoffel symbols contracted with qd agree with the Coriolis matrix to these digits."""
    model, s = draw(name, gear)
    C = np.einsum("ijk,j->ik", in_form(form, Christoffel)(model, s.q), s.qd)
    close(C, CoriolisMatrix(model, s.q, s.qd).C, gear)


def test_momentum_keeps_its_digits(name: str, gear: float, form: str) -> None:
    """``H qd`` keeps its digits, and so does ``C^T qd``.

    For joints with one degree of freedom, the latter is the gradient of the kinetic energy along q.
    """
    model, s = draw(name, gear)
    H = CRBA.reference(model, s.q)
    Hqd, CTqd = in_form(form, sv.Hqd_and_CTqd)(model, s.q, s.qd)
    close(Hqd, H @ s.qd, gear)
    close(in_form(form, sv.EnerMo)(model, s.q, s.qd).KE, s.qd @ H @ s.qd / 2, gear)
    single = np.concatenate([np.full(n, n == 1) for n in model.nv])

    def energy(q: np.ndarray) -> np.ndarray:
        return np.einsum("i,...ij,j", s.qd, CRBA.reference(model, q), s.qd) / 2

    close(CTqd[single], complex_step_q(model, energy, s.q)[single], gear)


def test_slotine_li_form_keeps_its_digits(name: str, gear: float, form: str) -> None:
    """Slotine and Li's form of inverse dynamics keeps its digits, with qd_r equal to qd and
    different from it.
    """
    model, s = draw(name, gear)
    function = in_form(form, sv.ID_SlotineLi)
    tau = function(model, s.q, s.qd, s.qd, s.qdd)
    close(tau, sv.ID.reference(model, s.q, s.qd, s.qdd), gear)
    state = s.q, s.qd, s.tau, s.qdd
    close(function(model, *state), sv.ID_SlotineLi.reference(model, *state), gear)


def test_centroidal_momentum_keeps_its_digits(name: str, gear: float, form: str) -> None:
    """The centroidal momentum matrix and its rate keep their digits, compared with a
    complex step.
    """
    model, s = draw(name, gear)
    wanted = complex_step_q(model, lambda q: sv.CMM.reference(model, q), s.q, [s.qd])[..., 0]
    close(in_form(form, sv.CMM)(model, s.q), sv.CMM.reference(model, s.q), gear)
    close(in_form(form, sv.CMMTimeDerivative)(model, s.q, s.qd), wanted, gear)


def test_forward_dynamics_keeps_its_digits(name: str, gear: float, form: str) -> None:
    """Accelerations, H^-1, and products of H^-1 with a vector keep their digits."""
    model, s = draw(name, gear)
    qdd = in_form(form, sv.FDab)(model, s.q, s.qd, s.tau)
    close(qdd, sv.FDab.reference(model, s.q, s.qd, s.tau), gear)
    close(in_form(form, AZA)(model, s.q, s.tau), AZA.reference(model, s.q, s.tau), gear)
    H = CRBA.reference(model, s.q)
    close(in_form(form, sv.Hinverse)(model, s.q), np.linalg.inv(H), gear)


def test_derivatives_of_forward_dynamics_keep_their_digits(
    name: str, gear: float, form: str
) -> None:
    """Derivatives agree with a complex step; the reference implementation loses one digit more."""
    model, s = draw(name, gear)
    wanted = complex_step_q(model, lambda q: sv.FDab.reference(model, q, s.qd, s.tau), s.q)
    found = in_form(form, FD_derivatives)(model, s.q, s.qd, s.tau)
    close(found.dqdd_dq, wanted, gear if form == KERNEL else 6 * gear)
    close(found.dqdd_dtau, np.linalg.inv(CRBA.reference(model, s.q)), gear)
