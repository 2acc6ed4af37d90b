"""Derivatives of regressors agree with complex steps; times parameters they are derivatives of the
dynamics.
"""

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import all_near, near

import derivatives as dv
import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)


@whole_zoo
def test_times_the_parameters_they_are_derivatives_of_inverse_dynamics(name: str) -> None:
    model, s = draw(name, (3,))
    links, rotors = sv.getModelInertialParams(model)
    d, wanted = (
        f(model, s.q, s.qd, s.qdd) for f in (dv.RegressorClassical_derivatives, dv.ID_derivatives)
    )
    for Y, Y_rot, tau in zip(d[:2], d[2:], wanted[:2], strict=True):
        near(np.einsum("...kpl,p", Y, links) + np.einsum("...kpl,p", Y_rot, rotors), tau, 1e-13)


@whole_zoo
def test_times_the_parameters_they_are_derivatives_of_inertia(name: str) -> None:
    model, s = draw(name, (3,))
    links, rotors = sv.getModelInertialParams(model)
    d = dv.RegressorHandG_derivatives(model, s.q)
    H = np.einsum("...klpm,p", d.dYH_dq, links) + np.einsum("...klpm,p", d.dYH_rot_dq, rotors)
    near(H, dv.H_derivatives(model, s.q), 1e-13)


@whole_zoo
def test_with_one_velocity_slotine_li_is_inverse_dynamics(name: str) -> None:
    """With qd_r = qd, derivatives with respect to both velocities add up to the one with respect to
    qd.

    The sum is the derivative of the regressor of inverse dynamics.
    """
    model, s = draw(name, (3,))
    d = dv.RegressorSL_derivatives(model, s.q, s.qd, s.qd, s.qdd)
    wanted = dv.RegressorClassical_derivatives(model, s.q, s.qd, s.qdd)
    both = (d.dY_dq, d.dY_dqd + d.dY_dqd_r, d.dY_rot_dq, d.dY_rot_dqd + d.dY_rot_dqd_r)
    all_near(both, wanted, 1e-13)


@whole_zoo
def test_momentum_and_gravity_columns_are_derivatives_of_energies(name: str) -> None:
    """Derivatives of the energies' regressors are the regressors of momenta and gravity forces.

    Momenta are derivatives of the kinetic energy with respect to velocities, gravity forces those
    of the potential energy along q.
    """
    model, s = draw(name, (3,))
    d, T = dv.RegressorEnergy_derivatives(model, s.q, s.qd), lambda x: np.swapaxes(x, -1, -2)
    M, G = sv.Regressor_HqdandCTqd(model, s.q, s.qd), sv.RegressorHandG(model, s.q)
    all_near((d.dY_KE_dqd, d.dY_KE_rot_dqd), (T(M.Y_Hqd), T(M.Y_Hqd_rot)), 1e-13)
    all_near((d.dY_PE_dq, d.dY_PE_rot_dq), (T(G.Yg), T(G.Yg_rot)), 1e-13)


@pytest.mark.parametrize("name", ["floating", "mixed", "floating_rotors"])
def test_momentum_by_velocity_is_the_momentum_matrix(name: str) -> None:
    """The derivative with respect to velocity gives the linear rows of the centroidal momentum
    matrix.

    These do not depend on the point about which moments are taken.
    """
    model, s = draw(name, (3,))
    links, rotors = sv.getModelInertialParams(model)
    d = dv.RegressorMomentum_derivatives(model, s.q, s.qd)
    A = np.einsum("...apl,p", d.dYh_dqd, links) + np.einsum("...apl,p", d.dYh_rot_dqd, rotors)
    near(A[..., 3:, :], sv.CMM(model, s.q)[..., 3:, :], 1e-13)
