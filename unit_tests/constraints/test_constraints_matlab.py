"""MATLAB's quadruped on a foot: its constrained dynamics, impacts and their derivatives."""

import golden_io
import numpy as np
import pytest
from helpers import near

import derivatives as dv
import spatial_v2 as sv

GOLD = golden_io.load("e_kkt_impact")
FEET = pytest.mark.parametrize("foot", ["foot1", "foot2"])
AS_GIVEN = pytest.mark.filterwarnings("ignore:.*no distribution of positive mass")


class Quadruped:
    """MATLAB's planar quadruped with a foot on the ground, and MATLAB's results for it."""

    def __init__(self, foot: str) -> None:
        self.foot = foot
        self.model = golden_io.model_of(GOLD, "quad")
        point = [0.0, 0.0, -GOLD["quad__kneelinkLength"].item()]
        body = {"foot1": 4, "foot2": 6}[foot]
        xz = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        self.held = sv.ConstraintSet(self.model, [sv.PointConstraint(body, point, directions=xz)])
        self.q, self.qd, u = (self.gold(x) for x in ("in_q", "in_qd", "in_tau"))
        self.S = GOLD["quad__in_S"]
        self.tau = u @ self.S.T

    def gold(self, what: str) -> np.ndarray:
        return golden_io.get(GOLD, self.foot, what)

    def near(self, x: np.ndarray, what: str, within: float = 1e-9) -> None:
        near(x, self.gold(what), within)


def joined(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    """Join accelerations x and minus the multipliers y along an axis: MATLAB's unknowns."""
    return np.concatenate([x, -y], axis=axis)


@FEET
@AS_GIVEN
def test_jacobian_of_a_foot_agrees_with_matlab(foot: str) -> None:
    c = Quadruped(foot)
    c.near(sv.constraint_jacobian(c.model, c.q, c.held), "Jac_J", 1e-14)
    rest, qdd, lambda_ = 0 * c.qd, c.gold("in_jac_qdd"), c.gold("in_jac_lam")
    d = sv.constraint_SO_derivatives(c.model, c.q, c.qd, rest, c.held)
    c.near(d.dG_dq, "Jac_J_FO_q")
    c.near(np.swapaxes(d.dG_dq, -3, -2), "Jac_JT_FO_q")
    c.near((d.dG_dq @ c.qd[:, None, :, None])[..., 0], "Jac_Jd")
    first = sv.constraint_derivatives(c.model, c.q, c.qd, rest, c.held)
    c.near(first.dalpha_dq, "Jac_Jdqd_FO_q")
    c.near(first.dalpha_dqd, "Jac_Jdqd_FO_v")
    c.near(d.d2alpha_dq, "Jac_Jdqd_SO_q")
    c.near(d.d2alpha_dqd, "Jac_Jdqd_SO_v")
    c.near(np.swapaxes(d.d2alpha_cross, -1, -2), "Jac_Jdqd_SO_vq")
    c.near(sv.constraint_derivatives(c.model, c.q, rest, qdd, c.held).dalpha_dq, "Jac_Jqdd_FO_q")
    d = sv.constraint_SO_derivatives(c.model, c.q, rest, qdd, c.held)
    c.near(d.d2alpha_dq, "Jac_Jqdd_SO_q")
    free = dv.ID_derivatives(c.model, c.q, rest, rest)[0]
    held = dv.KKT_ID_derivatives(c.model, c.q, rest, rest, lambda_, c.held)[0]
    c.near(free - held, "Jac_JTlam_FO")
    free = dv.ID_SO_derivatives(c.model, c.q, rest, rest)[0]
    held = dv.KKT_ID_SO_derivatives(c.model, c.q, rest, rest, lambda_, c.held)[0]
    c.near(free - held, "Jac_JTlam_SOq")


@FEET
@AS_GIVEN
def test_dynamics_of_the_quadruped_agrees_with_matlab(foot: str) -> None:
    c = Quadruped(foot)
    state = c.model, c.q, c.qd, c.tau, c.held
    c.near(joined(*sv.KKT_FD(*state), -1), "KKT_FD_Xf")
    d = dv.KKT_FO_derivatives(*state)
    c.near(joined(d.dqdd_dq, d.dlambda_dq, -2), "KKT_FO_dq")
    c.near(joined(d.dqdd_dqd, d.dlambda_dqd, -2), "KKT_FO_dv")
    c.near(joined(d.dqdd_dtau, d.dlambda_dtau, -2) @ c.S, "KKT_FO_dtau")
    d2 = dv.KKT_SO_derivatives(*state)
    qq, vv, qv, uq = (joined(x, y, -3) for x, y in zip(d2[:4], d2[4:], strict=True))
    uq = np.einsum("...ijk,ju->...iuk", uq, c.S)
    c.near(qq, "KKT_SO_da_dqq")
    c.near(vv, "KKT_SO_da_dvv")
    c.near(qv, "KKT_SO_da_dqv")
    c.near(np.swapaxes(qv, -1, -2), "KKT_SO_da_dvq")
    c.near(uq, "KKT_SO_da_dtauq")
    c.near(np.swapaxes(uq, -1, -2), "KKT_SO_da_dqtau")


@FEET
@AS_GIVEN
def test_impacts_of_the_quadruped_agree_with_matlab_but_for_the_sign_of_restitution(
    foot: str,
) -> None:
    """Impacts agree with MATLAB if the coefficient of restitution has the opposite sign.

    With MATLAB's sign, a foot continues into the ground. The result is linear in the coefficient.
    """
    c = Quadruped(foot)
    state = c.model, c.q, c.qd, c.held
    soft, hard, some = (joined(*sv.Impact_dyn(*state, e), -1) for e in (0.0, 1.0, 0.25))
    c.near(soft, "Impact_dyn_e0")
    c.near(soft - 0.25 * (hard - soft), "Impact_dyn_e025")
    assert np.abs(some - c.gold("Impact_dyn_e025")).max() > 1e-3
    d = dv.Impact_FO_derivatives(*state)
    c.near(joined(d.dqd_dq, d.dimpulse_dq, -2), "Impact_FO_dq")
    c.near(joined(d.dqd_dqd, d.dimpulse_dqd, -2), "Impact_FO_dv")
    d2 = dv.Impact_SO_derivatives(*state)
    qq, qv = joined(d2[0], d2[2], -3), joined(d2[1], d2[3], -3)
    c.near(qq, "Impact_SO_da_dqq")
    c.near(qv, "Impact_SO_da_dqv")
    c.near(np.swapaxes(qv, -1, -2), "Impact_SO_da_dvq")
    assert not c.gold("Impact_SO_da_dvv").any()
    c.near(joined(*sv.Impact_dyn(c.model, c.q, 2 * c.qd, c.held), -1) / 2, "Impact_dyn_e0")
