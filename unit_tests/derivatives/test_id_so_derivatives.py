"""Second derivatives of inverse dynamics: MATLAB's numbers, order of indices, symmetry, single
states and batches.
"""

from __future__ import annotations

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import brackets, draw, golden, related, robot_of
from helpers import FORMS, all_near, in_form, near
from numpy.testing import assert_array_equal

from derivatives import ID_derivatives, ID_SO_derivatives
from derivatives.reference import complex_step, complex_step_q, idsva_so
from spatial_v2 import ID, ArrayShapeError, HandC, Model, configurationAddition

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


@both_forms
@pytest.mark.parametrize(("file", "case", "fields"), CASES)
def test_values_agree_with_matlab(file: str, case: str, fields: tuple[str, ...], form: str) -> None:
    robot = file == "h_robots"
    model = robot_of(case) if robot else golden_io.model_of(golden_io.load(file), case)
    q, qd, qdd = golden(file, case, "in_q", "in_qd", "in_qdd")
    s = in_form(form, ID_SO_derivatives)(model, q, qd, qdd)
    all_near(s, golden(file, case, *fields), 1e-12)


@whole_zoo
def test_kernel_is_the_reference_implementation(name: str) -> None:
    model, s = draw(name, (2, 3))
    wanted = ID_SO_derivatives.reference(model, s.q, s.qd, s.qdd)
    all_near(ID_SO_derivatives(model, s.q, s.qd, s.qdd), wanted, 1e-13)


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


def stepped(model: Model, s: zoo.State) -> list[np.ndarray]:
    """Compute the four tensors by complex steps of the first derivatives and of the mass matrix."""

    def first(q: np.ndarray, qd: np.ndarray, field: str) -> np.ndarray:
        return getattr(ID_derivatives.reference(model, q, qd, s.qdd), field)

    return [
        complex_step_q(model, lambda q: first(q, s.qd, "dtau_dq"), s.q),
        complex_step(lambda qd: first(s.q, qd, "dtau_dqd"), s.qd),
        complex_step(lambda qd: first(s.q, qd, "dtau_dq"), s.qd),
        complex_step_q(model, lambda q: HandC.reference(model, q, s.qd).H, s.q),
    ]


@whole_zoo
def test_second_derivatives_are_ordered_complex_steps(name: str) -> None:
    """``d2tau_dq[i, j, k]`` is the derivative along k of the derivative of tau[i] along j, in this
    order.
    """
    model, s = draw(name, (3,))
    all_near(ID_SO_derivatives.reference(model, s.q, s.qd, s.qdd), stepped(model, s), 1e-13)


@pytest.mark.parametrize("name", ["one_S", "one_Fb", "one_SE3", "helical", "SO3", "mixed"])
def test_derivatives_agree_near_singular_configurations(name: str) -> None:
    model, s = draw(name, (28,))
    s = s._replace(q=zoo.near_singular(model))
    all_near(ID_SO_derivatives(model, s.q, s.qd, s.qdd), stepped(model, s), 1e-12)


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


@both_forms
@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "floating_rotors"])
def test_batch_is_loop(name: str, form: str) -> None:
    """Leading axes broadcast against each other; each state has the result that it has alone."""
    model, s = draw(name, (3, 2))
    f, n = in_form(form, ID_SO_derivatives), model.NV
    both = f(model, s.q[:, :1], s.qd[0], s.qdd[0, 0])
    for i, j in np.ndindex(3, 2):
        one = f(model, s.q[i, 0], s.qd[0, j], s.qdd[0, 0])
        all_near([T[i, j] for T in both], one, 1e-13)
    only_qdd = f(model, s.q[0, 0], s.qd[0, 0], s.qdd)
    assert {T.shape for T in only_qdd} == {(3, 2, n, n, n)}
    assert {T.shape for T in f(model, s.q[:0], s.qd[:0], s.qdd[:0])} == {(0, 2, n, n, n)}


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


def test_a_batch_leaves_nothing_behind() -> None:
    """The last state of a batch has the result that it has alone, to the last bit."""
    model, s = draw("mixed", (4,))
    batch = ID_SO_derivatives(model, s.q, s.qd, s.qdd)
    alone = ID_SO_derivatives(model, s.q[3:], s.qd[3:], s.qdd[3:])
    for T, one in zip(batch, alone, strict=True):
        assert_array_equal(T[3], one[0])


@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "floating_rotors"])
def test_reference_needs_only_the_array_api(name: str) -> None:
    """The reference implementation uses nothing but the array API standard."""
    model, s = draw(name, (2,))
    found = ID_SO_derivatives(model, *(kinds.strict(x) for x in s[:3]))
    wanted = ID_SO_derivatives.reference(model, s.q, s.qd, s.qdd)
    all_near([kinds.from_strict(x) for x in found], wanted, 1e-13)


@both_forms
def test_bad_input_is_refused(form: str) -> None:
    model, s = draw("floating", (3,))
    f = in_form(form, ID_SO_derivatives)
    with pytest.raises(ArrayShapeError, match=r"q: want shape \(..., 11\)"):
        f(model, s.qd, s.qd, s.qdd)
    with pytest.raises(ArrayShapeError, match=r"qdd: want shape \(..., 10\)"):
        f(model, s.q, s.qd, s.q)
    with pytest.raises(
        ArrayShapeError, match=r"leading axes do not broadcast: q \(3,\), qd \(2,\)"
    ):
        f(model, s.q, s.qd[:2], s.qdd)
