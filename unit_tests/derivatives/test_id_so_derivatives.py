"""Second derivatives of inverse dynamics: MATLAB's numbers, order of indices, symmetry, single
states and batches.
"""

from __future__ import annotations

import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import brackets, draw, related
from helpers import FORMS, all_near, in_form, near
from numpy.testing import assert_array_equal

from derivatives import ID_derivatives, ID_SO_derivatives
from derivatives.reference import complex_step, complex_step_q, idsva_so
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


@whole_zoo
def test_mixed_derivatives_with_velocities_commute(name: str) -> None:
    """Partial derivatives with respect to q and qd, and with respect to q and qdd, commute."""
    model, s = draw(name, (2,))
    so = ID_SO_derivatives(model, s.q, s.qd, s.qdd)

    def by_qd(q: np.ndarray) -> np.ndarray:
        return ID_derivatives.reference(model, q, s.qd, s.qdd).dtau_dqd

    near(so.d2tau_cross.swapaxes(-1, -2), complex_step_q(model, by_qd, s.q), 1e-13)
    by_q = complex_step(lambda a: ID_derivatives.reference(model, s.q, s.qd, a).dtau_dq, s.qdd)
    near(so.dM_dq.swapaxes(-1, -2), by_q, 1e-13)


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


@pytest.mark.parametrize("name", ["spherical", "mixed", "SE3", "SO3"])
def test_orders_of_derivatives_differ_within_joints(name: str) -> None:
    """For joints whose columns of S do not commute, the two orders of derivatives differ."""
    model, s = draw(name)
    T = ID_SO_derivatives(model, s.q, s.qd, s.qdd).d2tau_dq
    assert np.abs(T - T.swapaxes(-1, -2)).max() > 0.1


@whole_zoo
def test_symmetric_part_is_the_hessian_of_the_exponential(name: str) -> None:
    """With the symmetric part T, ``dq . T dq`` is the second derivative of tau along
    ``q (+) t dq``, by differences.
    """
    model, s = draw(name)
    dq, h = draw(name, (1,))[1].qd[0], 1e-3
    t = h * np.array([-2, -1, 0, 1, 2])
    tau = ID(model, configurationAddition(model, s.q, t[:, None] * dq), s.qd, s.qdd)
    curvature = np.array([-1, 16, -30, 16, -1]) @ tau / (12 * h * h)
    T = ID_SO_derivatives(model, s.q, s.qd, s.qdd).d2tau_dq
    near(T @ dq @ dq, curvature, 1e-7)


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
