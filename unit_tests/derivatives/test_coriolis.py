"""The Coriolis matrix: MATLAB's numbers, Definitions 1-4 of the paper, changes of coordinates,
kernels.
"""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import FORMS, all_near, in_form, near

import derivatives as dv
from derivatives.reference import complex_step, complex_step_q, coriolis_by_jacobians
from spatial_v2 import ID, HandC, SpatialError, crf, crm

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
numbers = pytest.mark.parametrize("number", [1, 2, 3])
SINGLE = [name for name in zoo.NAMES if set(zoo.build(name).nv) == {1}]


@both_forms
@whole_zoo
def test_inertia_and_its_rate_are_those_of_the_motion(name: str, form: str) -> None:
    """H is the mass matrix of `HandC`, and Hdot its time derivative, by a complex step along the
    motion.
    """
    model, s = draw(name)
    terms = in_form(form, dv.CoriolisMatrix)(model, s.q, s.qd)
    near(terms.H, HandC(model, s.q, s.qd).H, 1e-13)
    along = complex_step_q(model, lambda q: HandC.reference(model, q, 0 * s.qd).H, s.q, [s.qd])
    near(terms.Hdot, along[..., 0], 1e-13)


@numbers
@whole_zoo
def test_all_numbered_factorizations_are_admissible(name: str, number: Any) -> None:
    """Definitions 2 and 3 and Proposition 1 of the paper hold for every kind of joint."""
    model, s = draw(name, (3,))
    C = dv.CoriolisMatrix(model, s.q, s.qd, number).C
    assert dv.is_valid_factorization(model, s.q, s.qd, C).all()
    assert dv.is_admissible_factorization(model, s.q, s.qd, C).all()


@numbers
@pytest.mark.parametrize("name", ["branched", "mixed", "floating_rotors"])
def test_only_the_third_factorization_is_of_the_christoffel_symbols(name: str, number: Any) -> None:
    model, s = draw(name, (3,))
    C = dv.CoriolisMatrix(model, s.q, s.qd, number).C
    assert (dv.is_christoffel_consistent(model, s.q, s.qd, C) == (number == 3)).all()


def test_predicates_distinguish_valid_and_admissible() -> None:
    """A matrix may be valid but not admissible; of a batch, each state is judged by itself."""
    model, s = draw("branched", (2,))
    valid = dv.CoriolisMatrix(model, s.q, s.qd, lambda I, v: crf(v) @ I + 3 * I @ crm(v)).C
    assert dv.is_valid_factorization(model, s.q, s.qd, valid).all()
    assert not dv.is_admissible_factorization(model, s.q, s.qd, valid).any()
    C = dv.CoriolisMatrix(model, s.q, s.qd).C.copy()
    C[1, 0, 1] += 1e-6
    assert dv.is_valid_factorization(model, s.q, s.qd, C).tolist() == [True, False]
    assert dv.is_admissible_factorization(model, s.q, s.qd, C).tolist() == [True, False]
    assert dv.is_christoffel_consistent(model, s.q, s.qd, C).tolist() == [True, False]


@whole_zoo
def test_a_function_may_give_the_factorization(name: str) -> None:
    """A given function, called with inertias and velocities in body coordinates, determines the
    factorisation.
    """
    model, s = draw(name, (2,))

    def factor(I: np.ndarray, v: np.ndarray) -> np.ndarray:
        near(I[: model.NB], model.I, 0)
        return np.asarray(crf(v) @ I)

    all_near(
        dv.CoriolisMatrix(model, s.q, s.qd, factor), dv.CoriolisMatrix(model, s.q, s.qd, 1), 1e-13
    )


@numbers
@whole_zoo
def test_coriolis_matrix_is_a_sum_over_body_jacobians(name: str, number: Any) -> None:
    """The matrix equals a sum over body Jacobians: Remark 4 of the paper, (30)-(31)."""
    model, s = draw(name, (2,))
    C = dv.CoriolisMatrix(model, s.q, s.qd, number).C
    near(coriolis_by_jacobians(model, s.q, s.qd, number), C, 1e-13)


@numbers
@pytest.mark.parametrize("name", zoo.over(SINGLE))
def test_christoffel_matrix_is_half_the_velocity_derivative_of_any_valid_one(
    name: str, number: Any
) -> None:
    """For joints with one degree of freedom, ``2 C = d(C' qd)/dqd = dtau/dqd``, with any valid C':
    Remark 3 of the paper, (28).
    """
    model, s = draw(name)

    def force(qd: Any) -> Any:
        return (dv.CoriolisMatrix.reference(model, s.q, qd, number).C @ qd[..., None])[..., 0]

    C = dv.CoriolisMatrix(model, s.q, s.qd).C
    near(2 * C, complex_step(force, s.qd), 1e-13)
    near(2 * C, dv.ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dqd, 1e-13)


@whole_zoo
def test_velocity_derivative_of_inverse_dynamics_is_twice_the_coriolis_matrix(name: str) -> None:
    """``dtau_i/dqd_k = 2 C_ik + sum_j s_ikj qd_j``, where s, the structure constants, are zero
    between joints.
    """
    model, s = draw(name)
    first, _ = dv.StructureConstants(model, s.q)
    wanted = dv.ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dqd
    near(2 * dv.CoriolisMatrix(model, s.q, s.qd).C + first @ s.qd, wanted, 1e-13)


W = np.array([[0.3, -0.5, 0.2, 0.4], [0.1, 0.6, -0.3, 0.2], [0.5, 0.1, 0.7, -0.2],
              [-0.4, 0.2, 0.1, 0.3]])  # fmt: skip


def warp(x: Any) -> Any:
    """Return the old coordinates q at the new ones x."""
    return x + 0.5 * np.sin(x @ W.T)


def warp_rate(x: Any) -> Any:
    """Return A, the derivative of the old coordinates with respect to the new ones."""
    return np.eye(4) + 0.5 * np.cos(x @ W.T)[..., None] * W


def test_transformed_terms_are_those_of_the_new_coordinates() -> None:
    """By (22)-(27) and Theorem 1 of the paper, the transformed terms are those of the new
    coordinates.
    """
    model, s = draw("chain")
    x, xd, xdd = s.q, s.qd, s.qdd
    A, q = warp_rate(x), warp(x)
    dA = complex_step(warp_rate, x)
    A_dot = dA @ xd
    qd, qdd = A @ xd, A @ xdd + A_dot @ xd
    C, _, H = dv.CoriolisMatrix(model, q, qd)
    g, tau = ID(model, q, 0 * qd, 0 * qd), ID(model, q, qd, qdd)
    Gamma = dv.Christoffel(model, q, "textbook")
    t = dv.transform_coordinates(A, A_dot, M=H, C=C, g=g, tau=tau, Gamma=Gamma, dA=dA)
    near(t.M @ xdd + t.C @ xd + t.g, t.tau, 1e-13)

    def inertia(x: Any) -> Any:
        A = warp_rate(x)
        return np.matrix_transpose(A) @ HandC.reference(model, warp(x), 0 * x).H @ A

    dM = complex_step(inertia, x)
    near(t.C + t.C.T, dM @ xd, 1e-13)
    near(t.Gamma, (dM + dM.swapaxes(1, 2) - dM.transpose(2, 0, 1)) / 2, 1e-13)
    near(t.C, t.Gamma @ xd, 1e-13)


def test_admissible_matrices_stay_admissible_for_generalised_speeds() -> None:
    """By Remark 5 of the paper, an admissible matrix remains admissible; terms that are not given
    remain None.
    """
    model, s = draw("mixed", (3,))
    rng = np.random.default_rng(4)
    A, A_dot = rng.normal(size=(2, 3, model.NV, 5))
    C, Hdot, H = dv.CoriolisMatrix(model, s.q, s.qd, 1)
    t = dv.transform_coordinates(A, A_dot, M=H, C=C)
    assert (t.g, t.tau, t.Gamma) == (None, None, None)
    At = A.swapaxes(-1, -2)
    rate = A_dot.swapaxes(-1, -2) @ H @ A + At @ Hdot @ A + At @ H @ A_dot
    near(t.C + t.C.swapaxes(-1, -2), rate, 1e-13)


def test_all_terms_have_all_leading_axes() -> None:
    """Terms that do not depend on a batch are repeated over it, as results are everywhere."""
    rng = np.random.default_rng(7)
    A, M, g = rng.normal(size=(5, 1, 3, 2)), rng.normal(size=(4, 3, 3)), rng.normal(size=3)
    t = dv.transform_coordinates(A, M=M, g=g, tau=g)
    assert [x.shape for x in (t.M, t.g, t.tau)] == [(5, 4, 2, 2), (5, 4, 2), (5, 4, 2)]
    near(t.g[3, 2], A[3, 0].T @ g, 1e-14)


@pytest.mark.parametrize("name", ["branched", "mixed", "planar_tree"])
def test_predicates_keep_their_tolerance(name: str) -> None:
    """Matrices with half the allowed error pass and those with twice it fail, for each condition of
    the two predicates.
    """
    model, s = draw(name)
    C, _, H = dv.CoriolisMatrix(model, s.q, s.qd)
    rtol, scale = 1e-3, np.abs(H).max() * np.abs(s.qd).max()
    for share, answer in ((0.5, True), (2.0, False)):
        along = np.outer(s.tau, s.qd)
        along *= share * rtol * scale * np.abs(s.qd).max() / np.abs(along @ s.qd).max()
        assert dv.is_valid_factorization(model, s.q, s.qd, C + along, rtol) == answer
        across = np.outer(s.tau, s.qdd - s.qd * (s.qdd @ s.qd) / (s.qd @ s.qd))
        skew = across * share * rtol * scale / np.abs(across + across.T).max()
        assert dv.is_valid_factorization(model, s.q, s.qd, C + skew, rtol)
        assert dv.is_admissible_factorization(model, s.q, s.qd, C + skew, rtol) == answer
        other = across * share * rtol * scale / np.abs(across).max()
        assert dv.is_christoffel_consistent(model, s.q, s.qd, C + other, rtol) == answer


def test_symbols_of_generalised_speeds_contract_to_their_matrix() -> None:
    """The transformed Christoffel symbols times the generalised speeds are the transformed Coriolis
    matrix, also if dA is not symmetric: the speeds need not be rates of coordinates.
    """
    model, s = draw("chain")
    rng = np.random.default_rng(6)
    A, dA, xd = rng.normal(size=(4, 3)), rng.normal(size=(4, 3, 3)), rng.normal(size=3)
    C, _, H = dv.CoriolisMatrix(model, s.q, A @ xd)
    Gamma = dv.Christoffel(model, s.q, "textbook")
    t = dv.transform_coordinates(A, dA @ xd, M=H, C=C, Gamma=Gamma, dA=dA)
    near(t.Gamma @ xd, t.C, 1e-13)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"C": np.eye(2)}, "C is transformed with M and A_dot"),
        ({"Gamma": np.zeros((2, 2, 2)), "M": np.eye(2)}, "Gamma is transformed with M and dA"),
        ({"M": np.eye(3)}, r"M: want shape (..., 2, 2) for A (2, 1), got (3, 3)"),
        ({"g": np.zeros(3)}, r"g: want shape (..., 2) for A (2, 1), got (3,)"),
        (
            {"g": np.zeros((3, 2)), "tau": np.zeros((4, 2))},
            "do not broadcast: A (), g (3,), tau (4,)",
        ),
        ({"g": ["1", "2"]}, "g must be numbers"),
    ],
)
def test_wrong_changes_of_coordinates_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SpatialError) as error:
        dv.transform_coordinates(np.ones((2, 1)), **given)
    assert message in str(error.value)


def test_centre_of_mass_coordinates_have_the_block_structure_of_the_example() -> None:
    """The worked example of Remark 6 of the paper has a block-diagonal mass matrix and no Coriolis
    force on the mass.
    """
    path = Path(__file__).parents[2] / "examples" / "com_coordinates.py"
    names = runpy.run_path(str(path))
    M, C = names["M"], names["C"]
    near(M[:3, :3], names["mass"] * np.eye(3), 1e-13)
    for off in (M[:3, 3:], M[3:, :3], C[:3], C[:, :3]):
        near(off, 0 * off, 1e-12)


@pytest.mark.parametrize(
    ("factorization", "message"),
    [
        (4, "number must be 1, 2 or 3, got 4"),
        (lambda I, v: v, "the function must return arrays (..., 6, 6)"),
        (lambda I, v: None, "the function must return arrays (..., 6, 6), got NoneType"),
    ],
)
def test_unknown_factorizations_are_refused(factorization: Any, message: str) -> None:
    model, s = draw("chain")
    with pytest.raises(SpatialError) as error:
        dv.CoriolisMatrix(model, s.q, s.qd, factorization)
    assert message in str(error.value)
