"""Derivatives of ID and FDab contracted with a vector equal the contracted tensors."""

from __future__ import annotations

from typing import Any

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import draw, golden
from helpers import FORMS, all_near, in_form, near, parts

from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    modFD,
    modFD_derivatives,
    modFD_second_derivatives,
    modID,
    modID_derivatives,
    modID_derivatives_simple,
    modID_second_derivatives,
)
from derivatives.modFD_second_derivatives import ModFDSecondDerivatives
from derivatives.modID_second_derivatives import ModIDSecondDerivatives
from derivatives.reference import complex_step, complex_step_q
from spatial_v2 import ID, ArrayShapeError, FDab, HandC, Model, autoTree

whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
ILL = {"massless": 1e2}


def weighted(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State, np.ndarray]:
    """Return a model, states, and weights lambda."""
    model, s = draw(name, shape)
    return model, s, np.random.default_rng(7).normal(size=(*shape, model.NV))


def sum_over_rows(weights: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Compute ``sum_i lambda_i T[i, ...]`` for each state."""
    extra = "jk"[: T.ndim - weights.ndim]
    return np.einsum(f"...i,...i{extra}->...{extra}", weights, T)


@pytest.mark.parametrize("case", golden_io.cases("d_dynamics_matrices", "modID_out"))
def test_scalars_agree_with_matlab(case: str) -> None:
    file = "d_dynamics_matrices"
    model = golden_io.model_of(golden_io.load(file), case)
    q, qd, qdd, tau, lam = golden(
        file, case, *(f"in_{x}" for x in ("q", "qd", "qdd", "tau")), "in_lambda"
    )
    out_id, out_fd = golden(file, case, "modID_out", "modFD_out")
    near(modID(model, q, qd, qdd, lam), out_id[:, 0], 1e-12)
    near(modFD(model, q, qd, tau, lam), out_fd[:, 0], 1e-11)


@both_forms
@pytest.mark.parametrize("case", golden_io.cases("e_derivatives_first"))
def test_gradients_agree_with_matlab(case: str, form: str) -> None:
    file = "e_derivatives_first"
    model = golden_io.model_of(golden_io.load(file), case)
    q, qd, qdd, tau, lam, three, simple = golden(
        file, case, "in_q", "in_qd", "in_qdd", "in_tau", "in_lambda", "in_Lambda3",
        "modID_derivatives_simple_grad_q",
    )  # fmt: skip
    wanted = golden(file, case, "modID_derivatives_grad_q", "modID_derivatives_grad_qd")
    all_near(in_form(form, modID_derivatives)(model, q, qd, qdd, lam), wanted, 1e-12)
    wanted = golden(file, case, *(f"modFD_derivatives_grad_{x}" for x in ("q", "qd", "tau")))
    all_near(in_form(form, modFD_derivatives)(model, q, qd, tau, lam), wanted, 1e-11)
    rows = three.swapaxes(-1, -2)
    found = in_form(form, modID_derivatives_simple)(model, q[:, None], qdd[:, None], rows)
    near(found.swapaxes(-1, -2), simple, 1e-12)


@both_forms
@pytest.mark.parametrize("case", golden_io.cases("e_derivatives_second"))
def test_hessians_agree_with_matlab(case: str, form: str) -> None:
    file = "e_derivatives_second"
    model = golden_io.model_of(golden_io.load(file), case)
    q, qd, qdd, tau, lam = golden(
        file, case, *(f"in_{x}" for x in ("q", "qd", "qdd", "tau")), "in_lambda"
    )
    m = in_form(form, modID_second_derivatives)(model, q, qd, qdd, lam)
    all_near(m, golden(file, case, *(f"modID_second_{f}" for f in m._fields)), 1e-12)
    m = in_form(form, modFD_second_derivatives)(model, q, qd, tau, lam)
    all_near(m, golden(file, case, *(f"modFD_second_{f}" for f in m._fields)), 1e-11)


@whole_zoo
def test_scalars_are_weighted_sums_of_results(name: str) -> None:
    model, s, lam = weighted(name, (3,))
    near(modID(model, s.q, s.qd, s.qdd, lam), (lam * ID(model, s.q, s.qd, s.qdd)).sum(-1), 1e-13)
    near(modFD(model, s.q, s.qd, s.tau, lam), (lam * FDab(model, s.q, s.qd, s.tau)).sum(-1), 1e-13)


@both_forms
@whole_zoo
def test_contractions_of_inverse_dynamics_are_weighted_tensors(name: str, form: str) -> None:
    """Contraction during the computation gives the same as contraction of the finished tensors."""
    model, s, lam = weighted(name, (2, 3))
    state = s.q, s.qd, s.qdd
    d, so = ID_derivatives(model, *state), ID_SO_derivatives(model, *state)
    gradient = in_form(form, modID_derivatives)(model, *state, lam)
    all_near(gradient, [sum_over_rows(lam, x) for x in d], 1e-12)
    wanted = ModIDSecondDerivatives(
        *gradient, *(sum_over_rows(lam, T) for T in so[:3]), d.dtau_dq, d.dtau_dqd
    )
    all_near(in_form(form, modID_second_derivatives)(model, *state, lam), wanted, 1e-12)


@whole_zoo
def test_contractions_of_forward_dynamics_are_weighted_tensors(name: str) -> None:
    model, s, lam = weighted(name, (2, 3))
    state, tol = (s.q, s.qd, s.tau), 1e-11 * ILL.get(name, 1.0)
    d, so = FD_derivatives(model, *state), FD_SO_derivatives(model, *state)
    wanted = [sum_over_rows(lam, x) for x in d]
    all_near(modFD_derivatives(model, *state, lam), wanted, tol)
    H_qq, H_qdqd, H_qqd, H_tauq = (sum_over_rows(lam, T) for T in so)
    hessian = ModFDSecondDerivatives(*d, H_qq, H_qdqd, H_qqd.swapaxes(-1, -2), H_tauq)
    all_near(modFD_second_derivatives(model, *state, lam), hessian, tol)


@whole_zoo
def test_contractions_of_inverse_dynamics_are_complex_steps(name: str) -> None:
    """Gradients agree with complex steps of `modID`, and Hessian blocks with complex steps of the
    gradients.
    """
    model, s, lam = weighted(name, (3,))
    q, qd, qdd = s.q, s.qd, s.qdd

    def gradient(q: np.ndarray, qd: np.ndarray, k: int) -> np.ndarray:
        return modID_derivatives.reference(model, q, qd, qdd, lam)[k]

    found = modID_second_derivatives(model, q, qd, qdd, lam)
    near(found.dmod_dq, complex_step_q(model, lambda q: modID(model, q, qd, qdd, lam), q), 1e-13)
    near(found.dmod_dv, complex_step(lambda qd: modID(model, q, qd, qdd, lam), qd), 1e-13)
    near(found.dmod_dqq, complex_step_q(model, lambda q: gradient(q, qd, 0), q), 1e-13)
    near(found.dmod_dvv, complex_step(lambda qd: gradient(q, qd, 1), qd), 1e-13)
    near(found.dmod_dqv, complex_step(lambda qd: gradient(q, qd, 0), qd), 1e-13)
    simple = modID_derivatives_simple(model, q, qdd, lam)

    def of_inertia(q: np.ndarray) -> np.ndarray:
        return np.einsum("...i,...ij,...j", lam, HandC.reference(model, q, 0 * qd).H, qdd)

    near(simple, complex_step_q(model, of_inertia, q), 1e-13)


@whole_zoo
def test_contractions_of_forward_dynamics_are_complex_steps(name: str) -> None:
    model, s, lam = weighted(name, (3,))
    q, qd, tau, tol = s.q, s.qd, s.tau, 1e-11 * ILL.get(name, 1.0)

    def gradient(q: np.ndarray, qd: np.ndarray, k: int) -> np.ndarray:
        return modFD_derivatives(model, q, qd, tau, lam)[k]

    g = modFD_derivatives(model, q, qd, tau, lam)
    near(g.grad_q, complex_step_q(model, lambda q: modFD(model, q, qd, tau, lam), q), tol)
    near(g.grad_qd, complex_step(lambda qd: modFD(model, q, qd, tau, lam), qd), tol)
    near(g.grad_tau, complex_step(lambda tau: modFD(model, q, qd, tau, lam), tau), tol)
    found = modFD_second_derivatives(model, q, qd, tau, lam)
    near(found.H_qq, complex_step_q(model, lambda q: gradient(q, qd, 0), q), tol)
    near(found.H_qdqd, complex_step(lambda qd: gradient(q, qd, 1), qd), tol)
    near(found.H_qdq, complex_step_q(model, lambda q: gradient(q, qd, 1), q), tol)
    near(found.H_tauq, complex_step_q(model, lambda q: gradient(q, qd, 2), q), tol)


FUNCTIONS: list[Any] = [
    modID,
    modID_derivatives,
    modID_second_derivatives,
    modFD,
    modFD_derivatives,
    modFD_second_derivatives,
]
every_function = pytest.mark.parametrize("function", FUNCTIONS)
UNWEIGHTED = {"dtau_dq", "dtau_dv", "FD_q", "FD_qd", "FD_tau"}
"""Fields that are first derivatives of the function itself, not weighted by lambda."""


@every_function
@both_forms
@pytest.mark.parametrize("name", ["mixed", "planar_tree", "floating_rotors"])
def test_contractions_are_linear_in_lambda(name: str, form: str, function: Any) -> None:
    """Unit vectors as lambda, along a leading axis, give the rows of the tensors; unweighted fields
    stay the same.
    """
    model, s, lam = weighted(name)
    f = in_form(form, function)
    state = s.q, s.qd, s.tau
    rows, whole = f(model, *state, np.eye(model.NV)), f(model, *state, lam)
    names = getattr(whole, "_fields", ("value",))
    for field, row, one in zip(names, parts(rows), parts(whole), strict=True):
        assert row.shape == (model.NV, *one.shape)
        if field in UNWEIGHTED:
            near(row, np.broadcast_to(one, row.shape), 1e-13)
        else:
            assert np.abs(one).max() > 1e-3
            near(np.tensordot(lam, row, 1), one, 1e-11)


@every_function
@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "floating_rotors"])
def test_batch_is_loop(name: str, function: Any) -> None:
    model, s, lam = weighted(name, (3, 2))
    both = parts(function(model, s.q[:, :1], s.qd[0], s.tau[0, 0], lam))
    for i, j in np.ndindex(3, 2):
        one = function(model, s.q[i, 0], s.qd[0, j], s.tau[0, 0], lam[i, j])
        all_near([x[i, j] for x in both], parts(one), 1e-11)


@every_function
@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "floating_rotors"])
def test_reference_needs_only_the_array_api(name: str, function: Any) -> None:
    """The reference implementations use nothing but the array API standard."""
    model, s, lam = weighted(name, (2,))
    args = s.q, s.qd, s.tau, lam
    found = parts(function(model, *(kinds.strict(x) for x in args)))
    wanted = parts(function(model, *args))
    all_near([kinds.from_strict(x) for x in found], wanted, 1e-11)


@every_function
def test_bad_input_is_refused(function: Any) -> None:
    """The message names the argument as the caller knows it."""
    model, s, lam = weighted("floating", (3,))
    with pytest.raises(ArrayShapeError, match=r"^lambda_: want shape \(..., 10\)"):
        function(model, s.q, s.qd, s.tau, s.q)
    with pytest.raises(ArrayShapeError, match=r"^q: want shape \(..., 11\)"):
        function(model, lam, s.qd, s.tau, lam)
    last = "qdd" if "ID" in function.__name__ else "tau"
    with pytest.raises(ArrayShapeError, match=rf"^{last}: want shape \(..., 10\)"):
        function(model, s.q, s.qd, s.tau[:, :9], lam)
    with pytest.raises(ArrayShapeError, match=r"lambda_ \(2,\)"):
        function(model, s.q, s.qd, s.tau, lam[:2])


@both_forms
def test_contractions_of_long_chains_keep_their_digits(form: str) -> None:
    """For a chain of twelve links, with condition 1.4e4 of the inertia matrix, against numbers of
    fifty digits: products with the inverse inertia matrix would lose two more.
    """
    mpmath = pytest.importorskip("mpmath")
    exact = np.vectorize(mpmath.mpf, otypes=[object])
    model = autoTree(12, 1, 0.3, 1)
    state = np.random.default_rng(0).normal(size=(4, 12))
    found = in_form(form, modFD_second_derivatives)(model, *state)
    fields = {name: exact(getattr(model, name)) for name in ("I", "Xtree", "gravity")}
    with mpmath.workdps(50):
        wanted = modFD_second_derivatives(model.replace(**fields), *map(exact, state))
    all_near(found, [np.asarray(x, dtype=float) for x in wanted], 1e-13)
