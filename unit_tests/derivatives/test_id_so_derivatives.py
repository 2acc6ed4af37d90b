"""First and second derivatives of inverse dynamics: identities, order of indices, symmetry."""

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import brackets, draw, related
from helpers import FORMS, all_near, in_form, near
from numpy.testing import assert_array_equal

from derivatives import ID_derivatives, ID_SO_derivatives
from derivatives.reference import idsva_so
from spatial_v2 import ID, Model, configurationAddition

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
FIELDS = ("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq")
FORK_FIELDS = ("d2tau_dq", "d2tau_dv", "d2tau_dqv", "dM_dq")


def cases(file: str, fields: tuple[str, ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    names = tuple(f"ID_SO_derivatives_{field}" for field in fields)
    return [(file, case, names) for case in golden_io.cases(file, names[0])]


CASES = cases("e_derivatives_second", FIELDS) + cases("h_robots", FIELDS)
CASES += cases("e_fd_so", FORK_FIELDS)


@whole_zoo
def test_reference_is_algorithm_1_of_the_paper(name: str) -> None:
    """Masked products, as in the reference implementation, give the results of the loops of the
    paper.
    """
    model, s = draw(name, (2,))
    loops = idsva_so(model, s.q, s.qd, s.qdd)
    all_near(ID_SO_derivatives.reference(model, s.q, s.qd, s.qdd), loops, 1e-12)
    one = idsva_so(model, s.q[1], s.qd[1], s.qdd[1])
    # equal up to rounding only: NumPy sums products of a batch in another order
    all_near([T[1] for T in loops], one, 1e-14)


@both_forms
@whole_zoo
def test_tensors_are_symmetric_but_for_brackets(name: str, form: str) -> None:
    """d2tau_dqd and dM_dq are symmetric in two indices; d2tau_dq is symmetric up to brackets within
    joints.
    """
    model, s = draw(name, (3,))
    so = in_form(form, ID_SO_derivatives)(model, s.q, s.qd, s.qdd)
    dtau = ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dq
    near(so.d2tau_dqd, so.d2tau_dqd.swapaxes(-1, -2), 1e-13)
    near(so.dM_dq, so.dM_dq.swapaxes(-2, -3), 1e-13)
    difference = so.d2tau_dq - so.d2tau_dq.swapaxes(-1, -2)
    near(difference, np.einsum("...il,lkj->...ijk", dtau, brackets(model)), 1e-13)


@whole_zoo
def test_velocity_tensors_obey_the_euler_relations(name: str) -> None:
    """Second derivatives contracted with qd give first ones, because ID is quadratic in qd."""
    model, s = draw(name, (3,))
    so = ID_SO_derivatives(model, s.q, s.qd, s.qdd)
    v = s.qd[:, None, :, None]
    near((so.d2tau_dqd @ v)[..., 0], ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dqd, 1e-13)
    rest = ID_derivatives(model, s.q, 0 * s.qd, s.qdd).dtau_dq
    moving = ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dq
    near((so.d2tau_cross @ v)[..., 0], 2 * (moving - rest), 1e-12)


@both_forms
@whole_zoo
def test_tensors_vanish_between_branches(name: str, form: str) -> None:
    """Entries are zero unless their three variables are on one path from the root."""
    model, s = draw(name)
    near_kin = related(model)
    coupled = near_kin[:, :, None] & near_kin[:, None, :] & near_kin[None, :, :]
    for T in in_form(form, ID_SO_derivatives)(model, s.q, s.qd, s.qdd):
        assert_array_equal(T[~coupled], 0)


@pytest.mark.parametrize("nb", [15, 16, 17, 33])
def test_long_chains_agree_with_the_reference(nb: int) -> None:
    """Results agree for paths to the root that are shorter than, as long as, and longer than the
    kernel's blocks.
    """
    rng = np.random.default_rng(nb)
    model = Model(
        parent=range(-1, nb - 1),
        jtype=["Rx", "Ry", "Rz-", "Px"] * (nb // 4) + ["Rz"] * (nb % 4),
        Xtree=[zoo.random_transform(rng) for _ in range(nb)],
        I=[zoo.random_inertia(rng) for _ in range(nb)],
    )
    s = zoo.states(model, rng)
    wanted = ID_SO_derivatives.reference(model, s.q, s.qd, s.qdd)
    all_near(ID_SO_derivatives(model, s.q, s.qd, s.qdd), wanted, 1e-12)


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
