"""Christoffel symbols, derivatives of H, structure constants, symmetrised second derivatives."""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import brackets, draw, related
from helpers import FORMS, in_form, near

import derivatives as dv
import spatial_v2 as sv
from derivatives.reference import (
    bicomplex_step,
    christoffel_loops,
    complex_step,
    complex_step_q,
)

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
SINGLE = [name for name in zoo.NAMES if set(zoo.build(name).nv) == {1}]


@both_forms
@whole_zoo
def test_contraction_is_the_coriolis_matrix(name: str, form: str) -> None:
    """C_ik is the sum over j of Gamma_ijk qd_j in MATLAB's order; in textbook order the last index
    is summed.
    """
    model, s = draw(name, (3,))
    C = dv.CoriolisMatrix(model, s.q, s.qd).C
    symbols = in_form(form, dv.Christoffel)
    near(np.einsum("...ijk,...j->...ik", symbols(model, s.q), s.qd), C, 1e-13)
    textbook = symbols(model, s.q, "textbook")
    near(np.einsum("...ijk,...k->...ij", textbook, s.qd), C, 1e-13)
    near(textbook, symbols(model, s.q).swapaxes(-1, -2), 1e-13)


@whole_zoo
def test_symbols_are_derivatives_of_the_coriolis_matrix(name: str) -> None:
    """``Gamma_ijk = dC_ik / dqd_j``."""
    model, s = draw(name)
    slope = complex_step(lambda qd: dv.CoriolisMatrix.reference(model, s.q, qd).C, s.qd)
    near(dv.Christoffel(model, s.q), slope.swapaxes(-1, -2), 1e-13)


@whole_zoo
def test_symbols_obey_the_koszul_formula(name: str) -> None:
    """The symbols follow from derivatives of H and structure constants, for any joints."""
    model, s = draw(name, (3,))
    dH, (c, _) = dv.H_derivatives(model, s.q), dv.StructureConstants(model, s.q)

    def at(x: np.ndarray, order: str) -> np.ndarray:
        """Return x with the indices in the given order, at [i, j, k]."""
        return np.einsum(f"...{order}->...ijk", x)

    twice = (
        at(dH, "kij") + at(dH, "jik") - at(dH, "jki") + at(c, "ijk") + at(c, "kij") + at(c, "jik")
    )
    near(dv.Christoffel(model, s.q), twice / 2, 1e-13)


@pytest.mark.parametrize("name", zoo.over(SINGLE))
def test_symbols_are_symmetric_for_joints_of_one_degree_of_freedom(name: str) -> None:
    """The symbols are symmetric, equation (4) of the paper holds, and both orders of
    indices agree.
    """
    model, s = draw(name)
    Gamma, dH = dv.Christoffel(model, s.q), dv.H_derivatives(model, s.q)
    near(Gamma, Gamma.swapaxes(1, 2), 1e-13)
    near(Gamma, (dH + dH.swapaxes(1, 2) - dH.transpose(2, 0, 1)) / 2, 1e-13)


@both_forms
@whole_zoo
def test_symbols_vanish_between_branches(name: str, form: str) -> None:
    model, s = draw(name)
    pairs = related(model)
    apart = ~(pairs[:, :, None] & pairs[:, None, :] & pairs[None, :, :])
    for function in (dv.Christoffel, dv.H_derivatives):
        near(in_form(form, function)(model, s.q)[apart], np.zeros(apart.sum()), 0)


@both_forms
@whole_zoo
def test_derivatives_of_the_inertia_matrix_are_complex_steps(name: str, form: str) -> None:
    """The derivatives agree with a complex step of H and with `ID_SO_derivatives`, and are
    symmetric in the first two indices.
    """
    model, s = draw(name)
    dH = in_form(form, dv.H_derivatives)(model, s.q)
    rest = np.zeros(model.NV)
    near(dH, complex_step_q(model, lambda q: sv.HandC.reference(model, q, rest).H, s.q), 1e-13)
    near(dH, dH.swapaxes(0, 1), 1e-14)
    near(dH, dv.ID_SO_derivatives(model, s.q, s.qd, s.qdd).dM_dq, 1e-13)


@whole_zoo
def test_structure_constants_are_the_brackets_of_the_joints(name: str) -> None:
    """The constants are the Lie brackets of the columns of S, skew-symmetric in the last two
    indices.
    """
    model, _ = draw(name)
    second = dv.StructureConstants(model)
    near(second, brackets(model), 1e-15)
    near(second, -second.swapaxes(1, 2), 0)


@whole_zoo
def test_symmetrised_form_is_the_hessian(name: str) -> None:
    """The symmetrised derivatives agree with bicomplex steps of
    ``dq -> ID(configurationAddition(q, dq))`` at zero.
    """
    model, s = draw(name)
    T = dv.ID_SO_derivatives(model, s.q, s.qd, s.qdd).d2tau_dq
    d1 = dv.ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dq

    def tau(dq: Any) -> Any:
        return sv.ID.reference(model, sv.configurationAddition(model, s.q, dq), s.qd, s.qdd)

    hessian = bicomplex_step(tau, np.zeros(model.NV))
    near(dv.symmetrize(T, d1, model), hessian, 1e-12)
    near(dv.symmetrize(T, d1, model), (T + T.swapaxes(1, 2)) / 2, 1e-13)


@pytest.mark.parametrize("name", ["mixed", "branched"])
def test_symmetrised_contractions_are_hessians(name: str) -> None:
    """The result is the Hessian of ``lambda . ID``; it differs from the ordered form only for
    joints with several degrees of freedom.
    """
    model, s = draw(name, (4,))
    lam = s.tau
    second = dv.modID_second_derivatives(model, s.q, s.qd, s.qdd, lam).dmod_dqq
    first = dv.modID_derivatives(model, s.q, s.qd, s.qdd, lam).grad_q
    H = dv.symmetrize(second, first, model)
    near(H, (second + second.swapaxes(-1, -2)) / 2, 1e-13)
    assert (name == "mixed") == (np.abs(H - second).max() > 1e-3)


@pytest.mark.parametrize("nb", [1, 40])
def test_long_chains_agree_with_the_reference(nb: int) -> None:
    model = sv.autoTree(nb, 1, 0.4, 0.98)
    q = np.random.default_rng(nb).normal(size=(2, nb))
    near(dv.Christoffel(model, q), dv.Christoffel.reference(model, q), 1e-12)
    near(dv.H_derivatives(model, q), dv.H_derivatives.reference(model, q), 1e-12)


@pytest.mark.parametrize("name", zoo.over(SINGLE))
def test_loops_of_the_paper_give_the_same_symbols(name: str) -> None:
    """Algorithm 2, written line by line, gives the symbols up to rounding."""
    model, s = draw(name, (2, 3))
    near(christoffel_loops(model, s.q), dv.Christoffel(model, s.q), 1e-12)
    near(christoffel_loops(model, s.q[1, 0]), dv.Christoffel(model, s.q[1, 0]), 1e-12)


@pytest.mark.slow
def test_loops_need_fewer_operations_with_symbols_than_masks() -> None:
    sympy = pytest.importorskip("sympy")
    model, q = sv.autoTree(3), np.array(sympy.symbols("q:3"), dtype=object)

    def operations(symbols: np.ndarray) -> int:
        shared, rest = sympy.cse(list(symbols.ravel()))
        return sum(sympy.count_ops(x) for x in [*rest, *(x for _, x in shared)])

    assert 2 * operations(christoffel_loops(model, q)) < operations(dv.Christoffel(model, q))


def test_bad_input_is_refused() -> None:
    model, s = draw("floating")
    with pytest.raises(sv.SpatialError, match="order: want 'matlab' or 'textbook', got 'middle'"):
        dv.Christoffel(model, s.q, "middle")  # type: ignore[arg-type]
    with pytest.raises(sv.ArrayShapeError, match=r"q: want shape \(..., 11\)"):
        dv.H_derivatives(model, s.qd)
    with pytest.raises(sv.ModelError, match="want joints with one degree of freedom, got"):
        christoffel_loops(model, s.q)
    with pytest.raises(sv.ArrayShapeError, match=r"symmetrize: want d2 \(..., 10, 10\) and d1"):
        dv.symmetrize(np.zeros((10, 10)), np.zeros(9), model)
