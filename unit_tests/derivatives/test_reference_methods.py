"""Reference methods agree with each other and with the analytic derivatives, for each
joint type.
"""

import itertools

import numpy as np
import pytest
import zoo

from derivatives.reference.bicomplex_step import (
    bicomplex_step_q,
    second_order_bicomplex,
)
from derivatives.reference.chain_rule import chain_rule, second_order_chain_rule
from derivatives.reference.complex_step import complex_step, complex_step_q
from derivatives.reference.complexStepJacobian import complexStepJacobian
from derivatives.reference.crba_derivative import crba_derivative
from derivatives.reference.finite_difference import finite_diff_1, finite_diff_2, optimal_step
from derivatives.reference.finiteDiffJacobian import finiteDiff, finiteDiffJacobian
from derivatives.reference.first_order import first_order_complex, first_order_difference
from derivatives.reference.functions import FUNCTIONS, as_state
from derivatives.reference.metrics import rmsre
from derivatives.reference.verify import verify
from spatial_v2 import ID, HandC
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.models import autoTree

NAMES = [
    *("chain", "prismatic", "helical", "branched", "forest", "spherical", "SO3", "floating"),
    *("SE3", "mixed", "massless", *zoo.PLANAR, *zoo.ROTORS),
]
MULTI = ("forest", "spherical", "SO3", "floating", "SE3", "mixed", "two_floating")


def states(model, rng, shape=()):
    return zoo.states(model, rng, shape)[:3]


def make(name):
    model = zoo.build(name)
    return model, states(model, np.random.default_rng(len(name)))


def rounding_of_differences(model, state, h=1e-5):
    """Estimate the rounding error of differences: that of first derivatives divided by the step h.

    For forward dynamics it grows with the condition number of H.
    """
    return 10 * np.finfo(float).eps * max(500, np.linalg.cond(HandC(model, *state[:2]).H)) / h


def chain_rule_applies(model, function):
    return function == "ID" or not model.has_rotors


def agree(found, truth, tol):
    for field, A, B in zip(truth._fields, found, truth, strict=True):
        error = np.max(np.abs(A - B)) / max(1.0, np.max(np.abs(B)))
        assert error < tol, f"{field}: {error:.1e}"


@pytest.mark.parametrize("function", ["ID", "FD"])
@pytest.mark.parametrize("name", zoo.over(NAMES))
class TestEveryTree:
    def test_first_derivatives_of_all_methods_agree(self, name, function):
        model, state = make(name)
        truth = first_order_complex(model, *state, function)
        if chain_rule_applies(model, function):
            agree(chain_rule(model, *state, function), truth, 1e-12)
        agree(FUNCTIONS[function].derivatives(model, *state), truth, 1e-12)
        agree(first_order_difference(model, *state, function), truth, 1e-7)

    def test_second_derivatives_of_all_methods_agree(self, name, function):
        model, state = make(name)
        truth = second_order_bicomplex(model, *state, function)
        if chain_rule_applies(model, function):
            agree(second_order_chain_rule(model, *state, function), truth, 1e-12)
        agree(FUNCTIONS[function].second_derivatives(model, *state), truth, 1e-11)
        agree(finite_diff_2(model, *state, function), truth, rounding_of_differences(model, state))
        agree(finite_diff_1(model, *state, function), truth, 1e-4)


@pytest.mark.parametrize("name", zoo.over(NAMES))
def test_derivatives_by_forward_mode_crba_are_exact(name):
    model, (q, _, _) = make(name)
    H, dH = crba_derivative(model, q)
    zero = np.zeros(model.NV)
    np.testing.assert_allclose(H, HandC(model, q, zero).H, rtol=1e-12, atol=1e-12)
    truth = complex_step_q(model, lambda q: HandC(model, q, zero).H, q)
    np.testing.assert_allclose(dH, truth, rtol=1e-12, atol=1e-12 * np.max(np.abs(truth)))
    directions = np.random.default_rng(0).normal(size=(2, model.NV))
    np.testing.assert_allclose(
        crba_derivative(model, q, directions).dH, dH @ directions.T, rtol=1e-11, atol=1e-11
    )


@pytest.mark.parametrize("name", zoo.over(MULTI))
def test_second_derivatives_are_ordered(name):
    """H[i,j,k] is the derivative along k of the derivative along j, in this order."""
    model, (q, qd, qdd) = make(name)
    H = second_order_bicomplex(model, q, qd, qdd).dq
    by_steps = complex_step_q(
        model, lambda q: FUNCTIONS["ID"].derivatives(model, q, qd + 0 * q[..., :1], qdd)[0], q
    )
    np.testing.assert_allclose(H, by_steps, rtol=1e-10, atol=1e-10 * np.max(np.abs(H)))
    assert np.max(np.abs(H - H.swapaxes(-1, -2))) > 1e-3 * np.max(np.abs(H))


def test_bicomplex_step_q_is_the_block_dq():
    model, (q, qd, qdd) = make("mixed")
    H = second_order_bicomplex(model, q, qd, qdd).dq
    T = bicomplex_step_q(model, lambda q: ID(model, q, qd, qdd), q)
    np.testing.assert_allclose(T, H, rtol=1e-12, atol=1e-12 * np.max(np.abs(H)))


@pytest.mark.parametrize(
    "method",
    [second_order_bicomplex, second_order_chain_rule, finite_diff_1, finite_diff_2, chain_rule],
)
@pytest.mark.slow
def test_batches_are_loops(method):
    model, _ = make("mixed")
    batch = states(model, np.random.default_rng(1), (2, 3))
    for function in ("ID", "FD"):
        found = method(model, *batch, function)
        for index in itertools.product(range(2), range(3)):
            one = method(model, *(x[index] for x in batch), function)
            tol = 1e-6 if method in (finite_diff_1, finite_diff_2) else 1e-12
            agree([A[index] for A in found], one, tol)


@pytest.mark.parametrize("function", ["ID", "FD"])
def test_steps_of_different_length_give_the_same_derivatives(function):
    """With different steps h and k along the two variables, second derivatives are the same."""
    model, state = make("spherical")
    truth = second_order_bicomplex(model, *state, function)
    for h, k in ((3e-4, 1e-3), (1e-3, 3e-4)):
        agree(finite_diff_1(model, *state, function, h=h, k=k), truth, 1e-4)


def test_chunks_do_not_change_results():
    """Results for chunks agree with those of one batch, up to rounding errors.

    These are divided by the square of the step for finite differences.
    """
    model, state = make("forest")
    agree(
        second_order_bicomplex(model, *state, chunk=7), second_order_bicomplex(model, *state), 1e-12
    )
    rounding = 100 * np.finfo(float).eps / 3e-4**2
    agree(finite_diff_1(model, *state, chunk=7), finite_diff_1(model, *state), rounding)


def test_the_chain_rule_through_aba_refuses_rotors():
    model, state = make("rotors")
    for method in (chain_rule, second_order_chain_rule):
        with pytest.raises(ModelError, match="rotors"):
            method(model, *state, "FD")


def test_complex_steps_may_be_along_given_directions():
    def f(x):
        return np.stack([x[..., 0] * x[..., 1], np.sin(x[..., 2]), x[..., 0] ** 2, x[..., 1]], -1)

    x = np.random.default_rng(4).normal(size=(5, 3))
    J = complex_step(f, x)
    assert J.shape == (5, 4, 3)
    np.testing.assert_array_equal(J[2, 0], [x[2, 1], x[2, 0], 0])
    D = np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]])
    np.testing.assert_allclose(complex_step(f, x, D), J @ D.T, atol=1e-14)


def test_jacobians_agree_with_matlab():
    """Shapes agree with MATLAB's functions; the derivative of a scalar function is a gradient."""
    x = np.array([0.3, -0.2, 0.7])
    cases = [
        (lambda x: x[0] * x[1] ** 2, ()),
        (lambda x: np.stack([x[0] * x[1], x[2] ** 3]), (2,)),
        (lambda x: x[:, None] * x**2, (3, 3)),
    ]
    for f, shape in cases:
        J = complexStepJacobian(f, x)
        assert J.shape == (*shape, 3)
        np.testing.assert_allclose(finiteDiffJacobian(f, x), J, atol=1e-6)
        np.testing.assert_allclose(finiteDiff(f, x, [1, 2, 3]), J @ [1, 2, 3], atol=1e-6)
    M = np.arange(6.0).reshape(2, 3)
    assert complexStepJacobian(lambda X: X @ np.ones(3), M).shape == (2, 6)


def test_optimal_step_lies_where_the_paper_finds_it():
    """The best steps are those of the paper, where truncation and rounding errors are equal.

    They are from 1e-4 to 1e-3 for Finite-Diff-1, and near 1e-5 for Finite-Diff-2.
    """
    model = autoTree(8)
    state = states(model, np.random.default_rng(5))
    truth = second_order_bicomplex(model, *state)
    h = 10.0 ** np.arange(-7, 0)
    one = optimal_step(
        lambda h, k: finite_diff_1(model, *state, h=h, k=k), truth, itertools.product(h, h)
    )
    two = optimal_step(lambda h: finite_diff_2(model, *state, h=h), truth, ((x,) for x in h))
    assert all(9e-5 < s < 2e-3 for s in one.steps)
    assert 9e-7 < two.steps[0] < 2e-5
    assert len(one.tried) == 49 and one.error == min(one.tried.values())
    assert two.error < one.error < 1e-6


def test_verify_tabulates_every_method():
    model = autoTree(5, 2)
    rows = verify(
        model,
        states(model, np.random.default_rng(6), (3,)),
        methods=["analytic", "chain-rule", "finite-diff-1", "finite-diff-2"],
    )
    by = {(row.method, row.quantity): row for row in rows}
    assert by["bicomplex", "d2tau_dq"].errors.mae == 0
    assert by["analytic", "dtau_dq"].errors.rmsre < 1e-13
    assert by["analytic", "dM_dq"].errors.rmsre < 1e-13
    assert by["chain-rule", "d2tau_cross"].errors.rmsre < 1e-13
    assert 1e-13 < by["finite-diff-2", "d2tau_dq"].errors.rmsre < 1e-7
    assert 1e-13 < by["finite-diff-1", "d2tau_dq"].errors.rmsre < 1e-4
    assert ("finite-diff-2", "dtau_dq") not in by
    assert all(row.seconds > 0 for row in rows)


def test_verify_would_find_a_wrong_derivative(monkeypatch):
    model, state = make("spherical")
    right = FUNCTIONS["ID"].second_derivatives

    def transposed(*args):
        blocks = right(*args)
        return blocks[0].swapaxes(-1, -2), *blocks[1:]

    wrong = {**vars(FUNCTIONS["ID"]), "second_derivatives": transposed}
    monkeypatch.setitem(FUNCTIONS, "ID", type(FUNCTIONS["ID"])(**wrong))
    rows = {r.quantity: r for r in verify(model, state, methods=["analytic"]) if r.method[0] == "a"}
    assert rows["d2tau_dq"].errors.mae > 0.1
    assert rows["d2tau_dqd"].errors.mae < 1e-11


def test_unknown_names_are_refused():
    model = autoTree(2)
    state = as_state(model, [0, 0], [0, 0], [0, 0])
    with pytest.raises(SpatialError, match=r"methods: 'magic' is unknown; valid: analytic"):
        verify(model, state, methods=["magic"])
    with pytest.raises(SpatialError, match="function: 'KK'"):
        verify(model, state, function="KK")


@pytest.mark.slow
def test_exact_methods_stay_near_machine_precision_on_a_long_chain():
    """For 30 bodies, IDSVA-SO and the chain rule have errors near machine precision: paper 000,
    Fig. 12.
    """
    model = autoTree(30)
    q, qd, qdd = np.random.default_rng(7).uniform(-1, 1, (3, 30))
    truth = np.concatenate([x.ravel() for x in second_order_bicomplex(model, q, qd, qdd)])
    for method in (second_order_chain_rule, FUNCTIONS["ID"].second_derivatives):
        found = np.concatenate([x.ravel() for x in method(model, q, qd, qdd)])
        assert rmsre(found, truth) < 1e-12
