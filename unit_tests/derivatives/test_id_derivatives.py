"""First derivatives of inverse dynamics: MATLAB's numbers, properties, single states and batches,
kinds of arrays.
"""

from __future__ import annotations

from typing import Any

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import brackets, draw, golden, related, robot_of
from helpers import FORMS, all_near, in_form, near
from numpy.testing import assert_array_equal

from derivatives import ID_derivatives, ID_SO_derivatives
from derivatives.reference import complex_step, complex_step_q
from spatial_v2 import ID, ArrayShapeError, configurationAddition

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)


def cases(file: str) -> list[tuple[str, str]]:
    return [(file, case) for case in golden_io.cases(file, "ID_derivatives_dtau_dq")]


@both_forms
@pytest.mark.parametrize(("file", "case"), cases("e_derivatives_first") + cases("h_robots"))
def test_values_agree_with_matlab(file: str, case: str, form: str) -> None:
    """Derivatives agree; the robots are without rotors, which MATLAB's function does
    not support.
    """
    robot = file == "h_robots"
    model = robot_of(case) if robot else golden_io.model_of(golden_io.load(file), case)
    q, qd, qdd = golden(file, case, "in_q", "in_qd", "in_qdd")
    wanted = golden(file, case, "ID_derivatives_dtau_dq", "ID_derivatives_dtau_dqd")
    all_near(in_form(form, ID_derivatives)(model, q, qd, qdd), wanted, 1e-12)


@whole_zoo
def test_kernel_is_the_reference_implementation(name: str) -> None:
    model, s = draw(name, (2, 3))
    d = ID_derivatives.reference(model, s.q, s.qd, s.qdd)
    all_near(ID_derivatives(model, s.q, s.qd, s.qdd), d, 1e-13)


@whole_zoo
def test_first_derivatives_are_complex_steps(name: str) -> None:
    """Derivatives along q are Lie derivatives along the velocity variables, those with respect to
    qd are partial.
    """
    model, s = draw(name, (3,))
    d = ID_derivatives.reference(model, s.q, s.qd, s.qdd)
    near(
        d.dtau_dq, complex_step_q(model, lambda q: ID.reference(model, q, s.qd, s.qdd), s.q), 1e-13
    )
    near(d.dtau_dqd, complex_step(lambda qd: ID.reference(model, s.q, qd, s.qdd), s.qd), 1e-13)


@both_forms
@whole_zoo
def test_derivatives_agree_near_singular_configurations(name: str, form: str) -> None:
    """Derivatives agree with complex steps at identities, next to them, and at half turns."""
    model, s = draw(name)
    q = zoo.near_singular(model)
    d = in_form(form, ID_derivatives)(model, q, s.qd, s.qdd)
    near(d.dtau_dq, complex_step_q(model, lambda q: ID.reference(model, q, s.qd, s.qdd), q), 1e-12)
    qd = np.broadcast_to(s.qd, (len(q), model.NV))
    near(d.dtau_dqd, complex_step(lambda qd: ID.reference(model, q, qd, s.qdd), qd), 1e-12)


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


@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "floating_rotors", "massless"])
@both_forms
def test_batch_is_loop(name: str, form: str) -> None:
    """Leading axes broadcast against each other; each state has the result that it has alone."""
    model, s = draw(name, (5, 4))
    f = in_form(form, ID_derivatives)
    args = s.q[:, :1], s.qd[0], s.qdd[0, 0]
    both = f(model, *args)
    assert both.dtau_dq.shape == both.dtau_dqd.shape == (5, 4, model.NV, model.NV)
    for i, j in np.ndindex(5, 4):
        one = f(model, s.q[i, 0], s.qd[0, j], s.qdd[0, 0])
        all_near([both.dtau_dq[i, j], both.dtau_dqd[i, j]], one, 1e-13)
    only_qdd = f(model, s.q[0, 0], s.qd[0, 0], s.qdd)
    assert only_qdd.dtau_dq.shape == only_qdd.dtau_dqd.shape == (5, 4, model.NV, model.NV)
    empty = f(model, s.q[:0], s.qd[:0], s.qdd[0])
    assert empty.dtau_dq.shape == (0, 4, model.NV, model.NV)


@both_forms
def test_memory_layouts_have_no_effect(form: str) -> None:
    """Strided, reversed, Fortran-ordered and read-only arrays, lists and integers are accepted;
    none is changed.
    """
    model, s = draw("branched", (6,))
    f = in_form(form, ID_derivatives)
    wanted = f(model, s.q, s.qd, s.qdd)
    wide = np.stack([s.q, s.q + 9], axis=-1)[..., 0]
    all_near(f(model, wide, np.asfortranarray(s.qd), s.qdd.tolist()), wanted, 0)
    reverse = f(model, s.q[::-1], s.qd[::-1], s.qdd[::-1])
    all_near([x[::-1] for x in reverse], wanted, 0)
    frozen = [x.copy() for x in s[:3]]
    for x in frozen:
        x.flags.writeable = False
    all_near(f(model, *frozen), wanted, 0)
    ones = np.ones(model.NV, dtype=np.int32)
    all_near(f(model, ones, ones, list(ones)), f(model, 1.0 * ones, 1.0 * ones, 1.0 * ones), 0)


def test_edits_of_a_model_are_seen() -> None:
    model, s = draw("floating")
    before = ID_derivatives(model, s.q, s.qd, s.qdd)
    model.I = {2: 2 * model.I[2]}
    model.gravity = 0 * model.gravity
    after = ID_derivatives(model, s.q, s.qd, s.qdd)
    assert np.abs(after.dtau_dq - before.dtau_dq).max() > 0.1
    all_near(after, ID_derivatives.reference(model, s.q, s.qd, s.qdd), 1e-13)


@both_forms
def test_nan_is_passed_on(form: str) -> None:
    """NaN in an argument gives NaN in the result, in that state only."""
    model, s = draw("chain", (2,))
    s.qd[1, 2] = np.nan
    d = in_form(form, ID_derivatives)(model, s.q, s.qd, s.qdd)
    assert np.isfinite(d.dtau_dq[0]).all()
    assert np.isnan(d.dtau_dq[1, 2, 0])


@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "floating_rotors"])
def test_reference_needs_only_the_array_api(name: str) -> None:
    """The reference implementation uses nothing but the array API standard."""
    model, s = draw(name, (2,))
    d = ID_derivatives(model, *(kinds.strict(x) for x in s[:3]))
    wanted = ID_derivatives.reference(model, s.q, s.qd, s.qdd)
    all_near([kinds.from_strict(x) for x in d], wanted, 1e-14)


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


BAD: list[tuple[str, Any, str]] = [
    ("q", np.zeros(12), r"q: want shape (..., 11)"),
    ("q", np.zeros(10), "a 'Fb' joint has 7 position and 6 velocity variables"),
    ("qd", np.zeros(11), r"qd: want shape (..., 10)"),
    ("qd", np.zeros((10, 1)), "transpose (MATLAB columns)?"),
    ("qdd", 3.0, r"qdd: want shape (..., 10)"),
    ("qdd", ["a"] * 10, "qdd: want numbers"),
    ("qdd", None, "qdd: want"),
    ("qdd", np.zeros((2, 10)), "leading axes do not broadcast: q (3,), qd (3,), qdd (2,)"),
]


@both_forms
@pytest.mark.parametrize(("name", "value", "message"), BAD)
def test_bad_input_is_refused(name: str, value: Any, message: str, form: str) -> None:
    model, s = draw("floating", (3,))
    args = {"q": s.q, "qd": s.qd, "qdd": s.qdd, name: value}
    with pytest.raises(ArrayShapeError) as error:
        in_form(form, ID_derivatives)(model, **args)
    assert message in str(error.value)


def test_wrong_calls_are_refused() -> None:
    model, s = draw("chain")
    with pytest.raises(TypeError, match=r"model: want a spatial_v2.Model, got str"):
        ID_derivatives("chain", s.q, s.qd, s.qdd)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"ID_derivatives: got 3 arguments, want"):
        ID_derivatives(model, s.q, s.qd)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'f_exte'"):
        ID_derivatives(model, s.q, s.qd, s.qdd, f_exte={})  # type: ignore[call-arg]
