"""Identities across packages that users rely on: passivity, invariance, balance of energy."""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import near
from scipy.integrate import solve_ivp

import spatial_v2 as sv
from derivatives import CoriolisMatrix, ID_derivatives

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
FREE = ["one_Fb", "one_SE3", "floating", "SE3", "mixed", "floating_rotors"]
free_trees = pytest.mark.parametrize("name", FREE)


@pytest.mark.parametrize("number", [1, 2, 3])
@whole_zoo
def test_velocity_terms_are_inverse_dynamics_without_gravity(name: str, number: Any) -> None:
    """``C qd`` is inverse dynamics without gravity and acceleration."""
    model, s = draw(name, (3,))
    C = CoriolisMatrix(model, s.q, s.qd, number).C
    weightless = model.replace(gravity=0 * model.gravity)
    near((C @ s.qd[..., None])[..., 0], sv.ID(weightless, s.q, s.qd, 0 * s.qd), 1e-13)


@free_trees
def test_rotations_about_a_vertical_axis_have_no_effect(name: str) -> None:
    """Rotations of a floating base about a vertical axis do not change the dynamics; the derivative
    along them is zero.
    """
    model, s = draw(name)
    model.gravity = [0, 0, -9.81]
    up = model.Xtree[0][:3, :3] @ [0, 0, 1]
    E = sv.rq(s.q[:4]) if model.jtype[0] == "Fb" else s.q[:16].reshape(4, 4, order="F")[:3, :3]
    turn = np.zeros(model.NV)
    turn[:3] = E @ up
    turned = sv.configurationAddition(model, s.q, 1.3 * turn)
    near(sv.ID(model, turned, s.qd, s.qdd), sv.ID(model, s.q, s.qd, s.qdd), 1e-13)
    slope = ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dq @ turn
    near(slope, 0 * slope, 1e-13)


def motion(model: sv.Model, s: zoo.State, tau: Any, span: float = 0.5) -> Any:
    """Simulate with the joint forces ``tau(t, q, qd)``; return q, qd and their work over time, as
    rows.
    """

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, qd = y[: model.NQ], y[model.NQ : -1]
        force = tau(t, q, qd)
        q_dot = sv.configurationRates(model, q, qd, stabilise=False)
        return np.concatenate([q_dot, sv.FDab(model, q, qd, force), [force @ qd]])

    start = np.concatenate([s.q, s.qd, [0.0]])
    return solve_ivp(rates, (0, span), start, method="DOP853", rtol=1e-11, atol=1e-11).y


@pytest.mark.parametrize("name", ["chain", "helical", "mixed", "planar_tree", "floating_rotors"])
def test_energy_grows_by_the_work_of_forces(name: str) -> None:
    """Along a simulated motion the energy grows by the work of motors and friction."""
    model, s = draw(name)
    y = motion(model, s, lambda t, q, qd: np.cos(3 * t) * s.tau - 0.1 * qd)
    q, qd, work = y[: model.NQ].T, y[model.NQ : -1].T, y[-1]
    assert np.ptp(sv.EnerMo(model, q, qd).KE) > 0.05
    e = sv.EnerMo(model, q, qd)
    near(e.KE + e.PE - e.KE[0] - e.PE[0], work, 1e-8)


@pytest.mark.parametrize("name", ["floating", "mixed", "two_floating", "SE3"])
def test_free_trees_keep_their_momentum(name: str) -> None:
    """Without gravity and base forces, momentum in base coordinates is constant for any joint
    forces.
    """
    model, s = draw(name)
    model.gravity = 0 * model.gravity
    free = np.concatenate([np.full(n, p >= 0) for n, p in zip(model.nv, model.parent, strict=True)])
    y = motion(model, s, lambda t, q, qd: np.sin(2 + t) * s.tau * free)
    q, qd = y[: model.NQ].T, y[model.NQ : -1].T
    h = sv.EnerMo(model, q, qd).htot
    assert np.ptp(qd[:, :6], axis=0).max() > 0.1
    near(h, np.broadcast_to(h[0], h.shape), 1e-8)
    A = sv.CMM(model, q)
    spin = (A @ qd[..., None])[:, :3, 0]
    near(spin, np.broadcast_to(spin[0], spin.shape), 1e-8)
