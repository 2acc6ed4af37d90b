"""Derivatives of forward dynamics, products with the inverse of the mass matrix, and their relation
to inverse dynamics.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import FORMS, all_near, in_form, near

import derivatives as dv
from derivatives.reference import complex_step_q
from spatial_v2 import ID, FDab, HandC, Hinverse, Model, SpatialError, autoTree

whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
ILL = {"massless": 1e2}
"""Models whose mass matrix has a large condition number (a 1 kg body on massless ones); factors of
tolerances.
"""


def tolerance(name: str, tol: float) -> float:
    return tol * ILL.get(name, 1.0)


def as_complex(*xs: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return complex arrays, for which every function runs its reference implementation."""
    return tuple(x + 0j for x in xs)


@both_forms
@whole_zoo
def test_inverse_inertia_matrix_inverts_the_inertia_matrix(name: str, form: str) -> None:
    """``H^-1 H`` is the identity, H^-1 is symmetric, and AZA computes products of H^-1 with
    vectors.
    """
    model, s = draw(name, (3,))
    Hinv = in_form(form, Hinverse)(model, s.q)
    H = HandC(model, s.q, s.qd).H
    near(H @ Hinv, np.broadcast_to(np.eye(model.NV), H.shape), tolerance(name, 1e-11))
    near(Hinv, Hinv.swapaxes(-1, -2), tolerance(name, 1e-13))
    product = in_form(form, dv.AZA)(model, s.q, s.tau)
    near(product, (Hinv @ s.tau[..., None])[..., 0], tolerance(name, 1e-12))


@pytest.mark.parametrize("model", [autoTree(24, 2), autoTree(21, 1)], ids=["branched", "chain"])
def test_second_derivatives_of_many_variables_agree_with_the_reference(model: Model) -> None:
    """Results agree for models with so many variables that the states of a batch are computed one
    by one.
    """
    s = zoo.states(model, np.random.default_rng(0), (3,))
    state = s.q, s.qd, s.tau
    found = dv.FD_SO_derivatives(model, *state)
    all_near(found, dv.FD_SO_derivatives(model, *as_complex(*state)), 1e-10)


@pytest.mark.parametrize(
    ("model", "states"), [(zoo.build("mixed"), 600), (autoTree(24, 2), 40)], ids=["small", "large"]
)
def test_large_batches_are_small_ones(model: Model, states: int) -> None:
    """Large batches, computed in several blocks and written by non-temporal stores, equal small
    batches.
    """
    s = zoo.states(model, np.random.default_rng(0), (states,))
    shape = (states, model.NV, model.NV, model.NV)
    out = tuple(np.full(np.prod(shape) + k, np.nan)[k:].reshape(shape) for k in range(1, 5))
    dv.FD_SO_derivatives(model, s.q, s.qd, s.tau, out=out)
    size = states // 12
    for b in range(0, states, size):
        part = slice(b, b + size)
        few_states = dv.FD_SO_derivatives(model, s.q[part], s.qd[part], s.tau[part])
        all_near(few_states, [x[part] for x in out], 1e-12)


def eyes(model: Model, n: int) -> np.ndarray:
    return np.broadcast_to(np.eye(model.NV), (n, model.NV, model.NV))


@whole_zoo
def test_forward_is_the_inverse_of_inverse(name: str) -> None:
    """``FDab(q, qd, ID(q, qd, qdd)) = qdd`` holds, also differentiated once and twice."""
    model, s = draw(name, (3,))
    tau = ID(model, s.q, s.qd, s.qdd)
    near(FDab(model, s.q, s.qd, tau), s.qdd, tolerance(name, 1e-12))

    f, g = dv.FD_derivatives(model, s.q, s.qd, tau), dv.ID_derivatives(model, s.q, s.qd, s.qdd)
    H = HandC(model, s.q, s.qd).H
    tol = tolerance(name, 1e-11)
    near(f.dqdd_dq + f.dqdd_dtau @ g.dtau_dq, 0 * H, tol)
    near(f.dqdd_dqd + f.dqdd_dtau @ g.dtau_dqd, 0 * H, tol)
    near(f.dqdd_dtau @ H, eyes(model, 3), tol)

    F, G = (
        dv.FD_SO_derivatives(model, s.q, s.qd, tau),
        dv.ID_SO_derivatives(model, s.q, s.qd, s.qdd),
    )

    def of_tau(T: np.ndarray) -> np.ndarray:
        return np.einsum("...il,...ljk->...ijk", f.dqdd_dtau, T)

    by_q = np.einsum("...ilj,...lk->...ijk", F.dMinv_dq, g.dtau_dq)
    by_qd = np.einsum("...ilj,...lk->...ijk", F.dMinv_dq, g.dtau_dqd)
    scale = [max(1.0, np.abs(T).max()) for T in F]
    zero = np.zeros(F.d2qdd_dq.shape)
    q_q = F.d2qdd_dq + by_q + by_q.swapaxes(-1, -2) + of_tau(G.d2tau_dq)
    near(q_q / scale[0], zero, tol)
    near((F.d2qdd_dqd + of_tau(G.d2tau_dqd)) / scale[1], zero, tol)
    near((F.d2qdd_cross + by_qd + of_tau(G.d2tau_cross)) / scale[2], zero, tol)
    q_qdd = np.einsum("...ilk,...lj->...ijk", F.dMinv_dq, H) + of_tau(G.dM_dq)
    near(q_qdd / scale[3], zero, tol)


@whole_zoo
def test_all_products_give_the_same_derivatives(name: str) -> None:
    """Products with the inverse by DMM and AZA, and of tensors by DTM and IDFOZA, give the same
    derivatives.
    """
    model, s = draw(name, (2,))
    state, tol = (s.q, s.qd, s.tau), tolerance(name, 1e-11)
    dense = dv.FD_derivatives(model, *state, product="DMM")
    all_near(dv.FD_derivatives(model, *state, product="AZA"), dense, tol)
    second = dv.FD_SO_derivatives(model, *state)
    for ways in ({"inner": "IDFOZA"}, {"outer": "AZA"}, {"inner": "IDFOZA", "outer": "AZA"}):
        all_near(dv.FD_SO_derivatives(model, *state, **ways), second, tol)  # type: ignore[arg-type]


@both_forms
@whole_zoo
def test_idfoza_is_the_derivative_of_inertia_times_a_vector(name: str, form: str) -> None:
    """IDFOZA is dM/dq contracted with a vector b, which is the derivative of H b along q."""
    model, s = draw(name, (3,))
    found = in_form(form, dv.IDFOZA)(model, s.q, s.tau)
    dM = dv.ID_SO_derivatives(model, s.q, 0 * s.qd, 0 * s.qd).dM_dq
    near(found, np.einsum("...ijk,...j->...ik", dM, s.tau), 1e-12)
    H_b = complex_step_q(
        model, lambda q: (HandC.reference(model, q, 0 * s.qd).H @ s.tau[..., None])[..., 0], s.q
    )
    near(found, H_b, 1e-12)


def test_products_of_columns_are_those_of_each() -> None:
    """AZA for the columns of a matrix at one q gives products with H^-1, and so does a batch in
    which q repeats.
    """
    model, s = draw("mixed", (4,))
    B = np.random.default_rng(0).normal(size=(4, model.NV, 5))
    found = dv.AZA(model, s.q[:, None], B.swapaxes(-1, -2)).swapaxes(-1, -2)
    near(found, Hinverse(model, s.q) @ B, 1e-11)
    for states in ([0, 0, 1, 0, 0, 2], np.repeat([0, 1, 0], 8)):  # the second fills SIMD batches
        q, b = s.q[states], np.random.default_rng(1).normal(size=(len(states), model.NV))
        near(dv.AZA(model, q, b), dv.AZA.reference(model, q, b), 1e-12)


@pytest.mark.parametrize(
    "name", zoo.over([n for n in zoo.NAMES if not zoo.build(n).layout.matrices])
)
def test_states_that_differ_in_one_coordinate_do_not_share_factors(name: str) -> None:
    """A state that differs from the one before in a single entry of q does not use its factors.

    This holds for states one by one and in SIMD batches. In a joint whose position is a rotation
    matrix, no entry can change alone.
    """
    model, s = draw(name)
    turns = np.tril(np.ones((model.NQ + 1, model.NQ)), -1)
    q = s.q + 0.3 * turns
    wanted = np.array([dv.AZA(model, x, s.tau) for x in q])
    for each in (1, 8):
        x, y = (np.repeat(z, each, axis=0) for z in (q, wanted))
        near(dv.AZA(model, x, s.tau), y, 1e-12)
        near(dv.AZA(model, x[::-1], s.tau), y[::-1], 1e-12)


def test_unknown_products_are_refused() -> None:
    model, s = draw("chain")
    state: Any = s.q, s.qd, s.tau
    for wrong in ({}, {"tau": s.tau, "qdd": s.qdd}):
        with pytest.raises(SpatialError, match=r"give either tau or qdd=\.\.\."):
            dv.FD_SO_derivatives(model, s.q, s.qd, **wrong)
    with pytest.raises(SpatialError, match="product: want 'DMM' or 'AZA', got 'dmm'"):
        dv.FD_derivatives(model, *state, product="dmm")  # type: ignore[arg-type]
    with pytest.raises(SpatialError, match="inner: want 'DTM' or 'IDFOZA', got 'AZA'"):
        dv.FD_SO_derivatives(model, *state, inner="AZA")  # type: ignore[arg-type]
    with pytest.raises(SpatialError, match="outer: want 'DTM' or 'AZA', got 'DMM'"):
        dv.FD_SO_derivatives(model, *state, outer="DMM")  # type: ignore[arg-type]


@both_forms
def test_contractions_of_long_chains_keep_their_digits(form: str) -> None:
    """For a chain of twelve links, with condition 1.4e4 of the inertia matrix, against numbers of
    fifty digits: products with the inverse inertia matrix would lose two more.
    """
    mpmath = pytest.importorskip("mpmath")
    exact = np.vectorize(mpmath.mpf, otypes=[object])
    model = autoTree(12, 1, 0.3, 1)
    state = np.random.default_rng(0).normal(size=(4, 12))
    found = in_form(form, dv.modFD_second_derivatives)(model, *state)
    fields = {name: exact(getattr(model, name)) for name in ("I", "Xtree", "gravity")}
    with mpmath.workdps(50):
        wanted = dv.modFD_second_derivatives(model.replace(**fields), *map(exact, state))
    all_near(found, [np.asarray(x, dtype=float) for x in wanted], 1e-13)
