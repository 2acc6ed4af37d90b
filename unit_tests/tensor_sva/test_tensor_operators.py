"""Operators on tensors: MATLAB's numbers, the definitions, every kind of array, bad input."""

from collections.abc import Callable
from typing import Any

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
from helpers import near
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

import tensor_sva as sva
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.spatial import crf, factorFunctions, icrf, mcI, motion_cross_matrix, plux
from spatial_v2.three_d import rv

DATA = golden_io.load("e_tensor_tools")
RNG = np.random.default_rng(3)
BATCHES = [(), (1,), (4,), (6,), (2, 3), (0,)]
COLUMNS = {
    "crm_t": (sva.crm_t, motion_cross_matrix),
    "crf_t": (sva.crf_t, crf),
    "icrf_t": (sva.icrf_t, icrf),
}
INERTIA = np.asarray(mcI(1.5, [0.1, -0.2, 0.3], np.diag([0.4, 0.5, 0.6])))


def golden(what: str) -> np.ndarray:
    return golden_io.raw(DATA, "tens", what)


GOLDEN: dict[str, Callable[[], Any]] = {
    "crmM_U": lambda: sva.crm_t(golden("in_U")),
    "crmM_v": lambda: sva.unpage(sva.crm_t(golden("in_v"))),
    "cmfM_U": lambda: sva.crf_t(golden("in_U")),
    "cmfM_v": lambda: sva.unpage(sva.crf_t(golden("in_v"))),
    "cmf_barM_F": lambda: sva.icrf_t(golden("in_F")),
    "cmf_barM_f": lambda: sva.unpage(sva.icrf_t(golden("in_f"))),
    "cmf_bar_f": lambda: icrf(golden("in_f")),
    "Bmat_I_v": lambda: sva.B(golden("in_I"), golden("in_v")),
    "Bten_I_V": lambda: sva.B_t(golden("in_I"), golden("in_V")),
    "Tm_T_M": lambda: sva.Tm(golden("in_T"), golden("in_M")),
    "Tm_crmM_U_V": lambda: sva.Tm(sva.crm_t(golden("in_U")), golden("in_V")),
    "mT_A_Y": lambda: sva.mT(golden("in_A"), golden("in_Y")),
    "mT_VT_cmfM_U": lambda: sva.mT(golden("in_V").T, sva.crf_t(golden("in_U"))),
    "rotR_T": lambda: sva.rotR(golden("in_T")),
    "rotT_T": lambda: sva.rotT(golden("in_T")),
    "tens_norm_T": lambda: sva.tens_norm(golden("in_T"))[None, None],
}


@pytest.mark.parametrize("what", GOLDEN)
def test_operators_agree_with_matlab(what: str) -> None:
    assert_allclose(GOLDEN[what](), golden(what), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", COLUMNS)
def test_slice_of_a_column_operator_is_the_operator_of_the_column(
    name: str, batch: tuple[int, ...]
) -> None:
    tensor, matrix = COLUMNS[name]
    for n in (0, 1, 3, 6, 7):
        U = RNG.normal(size=(*batch, 6, n))
        A = tensor(U)
        assert A.shape == (*batch, 6, 6, n)
        for k in range(n):
            assert_array_equal(A[..., k], matrix(U[..., k]))


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("batch", BATCHES)
def test_slice_of_the_body_coriolis_tensor_is_its_matrix(
    batch: tuple[int, ...], number: Any
) -> None:
    V = RNG.normal(size=(*batch, 6, 4))
    for k in range(4):
        wanted = factorFunctions(INERTIA, V[..., k], number)
        assert_allclose(sva.B_t(INERTIA, V, number)[..., k], wanted, atol=1e-14)
        near(sva.B(INERTIA, V[..., k], number), wanted, 1e-14)


@given(
    sizes=st.lists(st.integers(1, 7), min_size=5, max_size=5),
    left=st.sampled_from([(), (1,), (4,), (6,), (2, 4)]),
    middle=st.sampled_from([(), (1,), (2, 1)]),
    seed=st.integers(0, 2**32 - 1),
)
def test_products_are_their_definitions(
    sizes: list[int], left: tuple[int, ...], middle: tuple[int, ...], seed: int
) -> None:
    rng, (a, l, m, b, c) = np.random.default_rng(seed), sizes
    A = rng.normal(size=(*middle, l, m, c))
    B, C = rng.normal(size=(*left, a, l)), rng.normal(size=(m, b))
    same = {"rtol": 0, "atol": 1e-12}
    assert_allclose(sva.Tm(A, C), np.einsum("...ilk,...lj->...ijk", A, C), **same)
    assert_allclose(sva.mT(B, A), np.einsum("...il,...ljk->...ijk", B, A), **same)
    wanted = np.einsum("...il,...lmk,...mj->...ijk", B, A, C)
    assert_allclose(sva.mTm(B, A, C), wanted, **same)
    assert_allclose(sva.mTm(B, A, C), sva.Tm(sva.mT(B, A), C), **same)


CONTRACTIONS = [
    "ij,jk->ik",
    "ij,jk->ki",
    "li,lmk,mj->ijk",
    "li,lmj,mk->ijk",
    "a,b->ab",
    "ia,ib->iab",
    "lij,lik->jki",
    "ij,jk,kl,lm->im",
    "ia,jb,ab->ij",
    "ijk,i,j->k",
    "ab,ab->",
    "i,ij,j->",
]


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
@pytest.mark.parametrize("subscripts", CONTRACTIONS)
def test_contraction_is_einsum(subscripts: str, batch: tuple[int, ...]) -> None:
    sizes = dict(zip("abcijklm", (2, 3, 4, 5, 6, 2, 3, 4, 5), strict=False)) | {"m": 3}
    inputs, output = subscripts.split("->")
    operands = [RNG.normal(size=[*batch, *(sizes[i] for i in t)]) for t in inputs.split(",")]
    operands[0] = operands[0][(0,) * len(batch)]
    dotted = ",".join("..." + t for t in inputs.split(",")) + "->..." + output
    wanted = np.einsum(dotted, *operands)
    assert_allclose(sva.contract(subscripts, *operands), wanted, atol=1e-12)
    pairwise = sva.contract(subscripts, *map(kinds.strict, operands))
    assert_allclose(kinds.from_strict(pairwise), wanted, atol=1e-12)


def test_transposes_move_indices_as_defined() -> None:
    A = RNG.normal(size=(5, 2, 3, 4))
    for i, j, k in np.ndindex(2, 3, 4):
        a = A[:, i, j, k]
        assert_array_equal(sva.rotT(A)[:, j, i, k], a)
        assert_array_equal(sva.rotR(A)[:, i, k, j], a)
        assert_array_equal(sva.rotRT(A)[:, k, i, j], a)
    assert_array_equal(sva.rotRT(A), sva.rotT(sva.rotR(A)))
    assert_array_equal(sva.rotRT(sva.rotRT(sva.rotRT(A))), A)
    assert_array_equal(sva.unpage(sva.page(A)), A)


def test_factorisations_give_the_velocity_product_force() -> None:
    V = RNG.normal(size=(6, 5))
    for number in (1, 2, 3):
        A = sva.B_t(INERTIA, V, number)
        for k, v in enumerate(V.T):
            assert_allclose(A[..., k] @ v, crf(v) @ INERTIA @ v, atol=1e-13)
    A = sva.B_t(INERTIA, V)
    rate = sva.Tm(sva.crf_t(V), INERTIA) - sva.mT(INERTIA, sva.crm_t(V))
    assert_allclose(A + sva.rotT(A), rate, atol=1e-14)


def test_lie_algebra_names_are_those_of_the_group() -> None:
    u, v = RNG.normal(size=(2, 6))
    E, F = sva.hat(u), sva.hat(v)
    assert_allclose(sva.vee(E @ F - F @ E), sva.ad(u) @ v, atol=1e-14)
    assert_allclose(sva.Ad(expm(E)), expm(sva.ad(u)), atol=1e-13)
    assert_allclose(sva.Ad(expm(E)) @ v, sva.vee(expm(E) @ F @ expm(-E)), atol=1e-13)
    assert_array_equal(sva.ad_star(u), sva.ad(u).T)
    assert_array_equal(sva.ad_star(u), -crf(u))
    X = plux(rv(u[:3]), v[:3])
    assert_allclose(X @ sva.ad(u) @ np.linalg.inv(X), sva.ad(X @ u), atol=1e-13)


def test_tens_norm_needs_only_the_array_api() -> None:
    A = RNG.normal(size=(2, 3, 4, 5))
    got = kinds.from_strict(sva.tens_norm(kinds.strict(A)))
    assert_allclose(got, sva.tens_norm(A), rtol=1e-14)
    wanted = [np.linalg.norm([np.linalg.norm(a[..., k], 2) for k in range(5)]) for a in A]
    assert_allclose(got, wanted, rtol=1e-14)


U, V, A = np.ones((6, 2)), np.ones((6, 3)), np.ones((6, 6, 4))
BAD: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: sva.crm_t(np.ones((3, 2))),
        "crm_t: U must hold motion vectors as columns, shape (..., 6, n), got shape (3, 2)",
    ),
    (lambda: sva.crm_t(np.ones((2, 6))), "got shape (2, 6); transpose it?"),
    (
        lambda: sva.crf_t(np.ones(6)),
        "crf_t: U must be a matrix (..., rows, columns), got shape (6,); "
        "a vector is a matrix of one column, shape (6, 1)",
    ),
    (
        lambda: sva.icrf_t(np.ones((5, 2))),
        "icrf_t: F must hold force vectors as columns, shape (..., 6, n), got shape (5, 2)",
    ),
    (lambda: sva.B_t(np.eye(5), U), "B_t: I must have shape (..., 6, 6), got (5, 5)"),
    (lambda: sva.B_t(np.eye(6), np.eye(3)), "B_t: V must hold motion vectors"),
    (lambda: sva.B_t(np.eye(6), U, 4), "number must be 1, 2 or 3, got 4"),
    (lambda: sva.B(np.eye(6), np.ones(5)), "got (5,)"),
    (
        lambda: sva.Tm(A, np.ones((5, 2))),
        "Tm(A, B): the left factor has 6 columns, the right factor 5 rows; "
        "shapes (6, 6, 4) and (5, 2)",
    ),
    (lambda: sva.Tm(U, V), "Tm: A must be a tensor (..., rows, columns, pages), got shape (6, 2)"),
    (
        lambda: sva.mT(U, A),
        "mT(B, A): the left factor has 2 columns, the right factor 6 rows; "
        "shapes (6, 2) and (6, 6, 4)",
    ),
    (
        lambda: sva.mTm(U.T, A, V.T),
        "mTm(B, A, C), A C: the left factor has 6 columns, the right factor 3 rows",
    ),
    (
        lambda: sva.mTm(U, A, V),
        "mTm(B, A, C), B A: the left factor has 2 columns, the right factor 6 rows",
    ),
    (
        lambda: sva.mT(np.ones((2, 5, 6)), np.ones((3, 6, 6, 4))),
        "contract il,ljk->ijk: the leading axes (2,) and (3,) do not broadcast; "
        "shapes (2, 5, 6), (3, 6, 6, 4)",
    ),
    (
        lambda: sva.contract("ij,jk->ik", np.ones((2, 3, 3)), np.ones((4, 3, 3))),
        "contract ij,jk->ik: the leading axes (2,) and (4,) do not broadcast",
    ),
    (lambda: sva.rotR(U), "rotR: A must be a tensor"),
    (lambda: sva.rotT(U), "rotT: A must be a tensor"),
    (lambda: sva.rotRT(U), "rotRT: A must be a tensor"),
    (lambda: sva.unpage(A), "unpage: A must have one page, got shape (6, 6, 4)"),
    (lambda: sva.page(1.0), "page: M must be a matrix"),
    (lambda: sva.crm_t("U"), "crm_t: U must be numbers"),
    (lambda: sva.contract("ij,jk->ik", U, V), "index j has sizes 2 and 6; shapes (6, 2), (6, 3)"),
    (lambda: sva.contract("ij,jk->ik", U), "want two or more operands, one for each of 2 terms"),
    (lambda: sva.contract("ijk,jk->i", U, V), "'ijk' does not name the last axes"),
    (lambda: sva.contract("ij,ik->k", U, V), "index j must be in the result or in two operands"),
    (lambda: sva.contract("ii,ik->k", np.eye(6), V), "'ii' does not name the last axes"),
    (lambda: sva.hat(np.ones(5)), "(5,)"),
    (lambda: sva.vee(np.eye(3)), "(3, 3)"),
    (lambda: sva.vee(np.eye(4)), "vee: E must have the form [omega x, v; 0 0 0 0]"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=range(len(BAD)))
def test_bad_input_is_named_with_its_shape(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(SpatialError) as error:
        call()
    assert message in str(error.value)
    assert isinstance(error.value, (ArrayShapeError, SpatialError))
