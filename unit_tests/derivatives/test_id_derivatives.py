"""First derivatives of inverse dynamics: MATLAB's numbers, properties, single states and batches,
kinds of arrays.
"""

from __future__ import annotations

import array_kinds as kinds
import numpy as np
import pytest
import zoo
from derivative_checks import brackets, draw, related
from helpers import FORMS, in_form, near
from numpy.testing import assert_array_equal

from derivatives import ID_derivatives, ID_SO_derivatives
from spatial_v2 import ID, configurationAddition

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)


@whole_zoo
def test_velocity_derivatives_obey_the_euler_relation(name: str) -> None:
    """The relation ``dtau_dqd qd = 2 (ID(qd) - ID(0))`` holds because ID is quadratic in qd;
    dtau_dqd is zero at rest.
    """
    model, s = draw(name, (3,))
    d = ID_derivatives(model, s.q, s.qd, s.qdd)
    velocity_terms = ID(model, s.q, s.qd, s.qdd) - ID(model, s.q, 0 * s.qd, s.qdd)
    near((d.dtau_dqd @ s.qd[..., None])[..., 0], 2 * velocity_terms, 1e-13)
    assert_array_equal(ID_derivatives(model, s.q, 0 * s.qd, s.qdd).dtau_dqd, 0)


@whole_zoo
def test_static_stiffness_is_symmetric_but_for_brackets(name: str) -> None:
    """At rest tau is the gradient of a potential, so dtau_dq is symmetric up to brackets within
    joints.
    """
    model, s = draw(name, (3,))
    K = ID_derivatives(model, s.q, 0 * s.qd, 0 * s.qd).dtau_dq
    tau = ID(model, s.q, 0 * s.qd, 0 * s.qd)
    twist = np.einsum("...l,lji->...ij", tau, brackets(model))
    near(K - twist, K.swapaxes(-1, -2), 1e-13)


@both_forms
@whole_zoo
def test_derivatives_vanish_between_branches(name: str, form: str) -> None:
    model, s = draw(name)
    for d in in_form(form, ID_derivatives)(model, s.q, s.qd, s.qdd):
        assert_array_equal(d[~related(model)], 0)


@pytest.mark.parametrize("name", ["chain", "floating", "planar_tree"])
def test_dual_numbers_give_derivatives_of_the_derivatives(name: str) -> None:
    """Dual numbers in q, qd and qdd give derivatives of the derivatives along one direction, as the
    second ones do.
    """
    model, s = draw(name)
    dq, dqd, dqdd = (draw(name, (k,))[1].qd[0] for k in (1, 2, 3))
    q = configurationAddition(model, s.q, kinds.dual(0 * dq, dq))
    d = ID_derivatives(model, q, kinds.dual(s.qd, dqd), kinds.dual(s.qdd, dqdd))
    so = ID_SO_derivatives(model, s.q, s.qd, s.qdd)
    slope = so.d2tau_dq @ dq + so.d2tau_cross @ dqd + np.einsum("ijk,j->ik", so.dM_dq, dqdd)
    near(kinds.slope(d.dtau_dq), slope, 1e-13)
    near(kinds.value(d.dtau_dq), ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dq, 1e-13)
