"""Derivatives of ID and FDab contracted with a vector equal the contracted tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
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
    modID_second_derivatives,
)
from derivatives.modFD_second_derivatives import ModFDSecondDerivatives
from derivatives.modID_second_derivatives import ModIDSecondDerivatives
from spatial_v2 import ID, FDab, Model, autoTree

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
