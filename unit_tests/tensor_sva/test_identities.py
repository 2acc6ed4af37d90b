"""Identities of the families M, K, J and P hold for all arguments, and the checks detect wrong
ones.

Left sides of K and J are complex-step derivatives of the quantities themselves, for every pair of
bodies of every model; the right sides are the published ones.
"""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import for_each
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from spatial_v2 import GlobalDynamics, Model, mcI
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from tensor_sva import identities
from tensor_sva.body import bodies
from tensor_sva.identities import IDENTITIES, Identity, State, draw, example_model
from tensor_sva.identities.general import general
from tensor_sva.identities.letters import RELATIONS

ALGEBRA = [name for name, x in IDENTITIES.items() if not x.about_joints]
JOINTS = [name for name, x in IDENTITIES.items() if x.about_joints]
MODELS = ["negative", "helical", "forest", "spherical", "SO3", "floating", "SE3", "mixed",
          "two_floating"]  # fmt: skip
BATCHES = [(), (1,), (5,), (6,), (2, 3), (0,)]
TOLERANCE = 1e-12


def test_identity_registry_is_complete() -> None:
    numbers = {"M": 27, "K": 16, "J": 9, "P": 7}
    assert list(IDENTITIES) == [
        f"{x}{n}" for x, count in numbers.items() for n in range(1, count + 1)
    ]
    for name, identity in IDENTITIES.items():
        assert name == identity.name
        assert identity.latex and identity.source and identity.arguments
        assert identity.latex.count("{") == identity.latex.count("}")


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", ALGEBRA)
def test_identity_of_matrices_holds_for_batches(name: str, batch: tuple[int, ...]) -> None:
    for case, residual in identities.residuals(name, 1, batch=batch).items():
        assert residual < TOLERANCE, case


@pytest.mark.parametrize("name", ALGEBRA)
def test_identities_of_matrices_are_proved_by_expansion(name: str) -> None:
    """Both sides expand to the same polynomials; with a changed sign they do not."""
    pytest.importorskip("sympy")
    identity = IDENTITIES[name]
    proof = identities.prove(name)
    assert isinstance(proof, identities.Proof)
    assert proof.holds and proof.terms >= proof.entries / len(identity.right_sides) / 6
    assert not identities.prove(replace(identity, rhs=lambda *x: -identity.rhs(*x))).holds


def test_general_inertias_are_spatial_inertias() -> None:
    """With values for its ten symbols, an inertia has the mass, first moments and rotational
    inertia that they name.
    """
    sympy = pytest.importorskip("sympy")
    m, c, Ic = 2.0, np.array([0.3, -0.2, 0.5]), np.diag([0.7, 0.8, 0.9])
    I = mcI(m, c, Ic)
    given = {sympy.Symbol("m", real=True): m}
    for i in range(3):
        given[sympy.Symbol(f"h_{i + 1}", real=True)] = m * c[i]
        for j in range(i, 3):
            given[sympy.Symbol(f"J_{i + 1}{j + 1}", real=True)] = I[i, j]
    found = sympy.Matrix(general("I")).subs(given)
    np.testing.assert_allclose(np.array(found, dtype=float), I, atol=1e-15)


def test_identity_without_name_in_the_registry_is_not_proved() -> None:
    with pytest.raises(SpatialError, match="no identity 'M28'"):
        identities.prove("M28")


def spoiled(x: Any, how: str, size: float) -> Any:
    """Scale an argument, and make it singular as `how` says: equal columns, zero, or no angular
    part.
    """
    x = np.array(x) * size
    if how == "zero":
        x *= 0
    elif how == "alike" and x.ndim > 1:
        x[..., 1:] = x[..., :1]
    elif how == "nearly alike" and x.ndim > 1:
        x[..., 1:] = x[..., :1] * (1 + 1e-12)
    elif how == "linear" and x.shape[:1] == (6,):
        x[:3] = 0
    return x


@given(
    seed=st.integers(0, 2**32 - 1),
    how=st.sampled_from(["as drawn", "zero", "alike", "nearly alike", "linear"]),
    which=st.integers(0, 4),
    size=st.sampled_from([1e-30, 1e-8, 1.0, 1e8]),
)
@pytest.mark.parametrize("name", ALGEBRA)
def test_identity_of_matrices_holds_for_any_argument(
    name: str, seed: int, how: str, which: int, size: float
) -> None:
    """The identity holds for scaled and singular arguments.

    Both sides are linear in every argument, so the residual is relative to the product of the
    arguments' sizes.
    """
    identity = IDENTITIES[name]
    letters = identity.letters.split()
    arguments = draw(letters, np.random.default_rng(seed))
    n = which % len(letters)
    if letters[n] != "I":
        arguments[n] = spoiled(arguments[n], how, size)
    scale = math.prod(float(np.max(np.abs(x))) for x in arguments)
    left = identity.lhs(*arguments)
    for case, side in identity.right_sides.items():
        assert side is not None
        assert_allclose(left, side(*arguments), rtol=0, atol=1e-12 * scale, err_msg=case)


@cache
def model_state(model: str) -> State:
    return State.random(zoo.build(model), np.random.default_rng(11))


@pytest.mark.parametrize("model", zoo.over(MODELS))
@pytest.mark.parametrize("name", JOINTS)
def test_identity_of_joints_holds_for_all_pairs_of_bodies(name: str, model: str) -> None:
    residuals = identities.residuals(name, 2, state=model_state(model))
    assert {"j < i", "j = i", "j > i"} <= set(residuals)
    for relation, residual in residuals.items():
        assert residual < TOLERANCE, relation


@pytest.mark.parametrize("name", JOINTS)
def test_identity_of_joints_holds_in_all_cases(name: str) -> None:
    residuals = identities.residuals(name, 3)
    assert tuple(residuals) == RELATIONS
    assert max(residuals.values()) < TOLERANCE
    assert residuals["unrelated"] == 0.0


def test_identity_of_joints_holds_near_singular_configurations() -> None:
    model, rng = zoo.build("mixed"), np.random.default_rng(4)
    for q in zoo.near_singular(model)[[0, 2, 7, 11, 15, 19, 23, 27]]:
        state = State.of(model, q, *rng.normal(size=(2, model.NV)))
        for name in JOINTS:
            assert identities.check(name, rng, state=state) < TOLERANCE, name


def test_identity_of_joints_holds_at_rest_without_gravity() -> None:
    model = zoo.build("SE3").replace(gravity=[0, 0, 0])
    q, zero = zoo.states(model, np.random.default_rng(5)).q, np.zeros(model.NV)
    state = State.of(model, q, zero, zero)
    for name in JOINTS:
        assert identities.check(name, state=state) < TOLERANCE, name


def mutants() -> list[tuple[Identity, str]]:
    """Return every identity with a small error of the right side of one case; zero is replaced by
    the main formula.
    """
    out = []
    for identity in IDENTITIES.values():
        for case, side in identity.right_sides.items():
            wrong = identity.rhs if side is None else lambda *a, side=side: side(*a) * (1 + 1e-9)
            mutant = replace(identity, cases={**identity.cases, case: wrong})
            out.append((mutant, case))
    return out


MUTANTS = mutants()


@for_each(MUTANTS)
def test_identity_with_small_error_fails(mutant: Identity, case: str) -> None:
    """The case that has the error is told, and no other."""
    wrong = {k: x for k, x in identities.residuals(mutant, 7).items() if x > TOLERANCE}
    assert wrong.keys() == {case} and wrong[case] > 100 * TOLERANCE


def test_identity_mutants_cover_every_case() -> None:
    assert len(MUTANTS) == 27 + 1 + 7 + 4 * (16 + 9)


def test_identity_table_has_all_rows_with_small_residuals() -> None:
    rows = identities.table()
    assert [row.name for row in rows] == list(IDENTITIES)
    assert max(row.residual for row in rows) < TOLERANCE
    assert rows[6].arguments == {"lam": "scalar", "U": "motion matrix"}


def test_identity_check_reports_the_worst_pair_of_bodies() -> None:
    """The largest residual of a case is reported even if the pairs of bodies after the worst one
    are right.
    """
    right = IDENTITIES["K1"].rhs
    wrong = replace(IDENTITIES["K1"], rhs=lambda i, j: right(i, j) + (i.index == j.index == 0))
    residuals = identities.residuals(wrong, 6)
    assert residuals["j = i"] > 0.1
    assert residuals["j < i"] < TOLERANCE


def test_identity_check_depends_on_rng_alone() -> None:
    assert identities.check("K10", 8) == identities.check("K10", np.random.default_rng(8))
    assert identities.check("M27", 8) == identities.check("M27", 8)


def test_identity_unknown_is_refused() -> None:
    with pytest.raises(SpatialError, match="no identity 'M28'; there are M1 to M27"):
        identities.check("M28")


def test_identity_with_sides_of_different_shape_is_refused() -> None:
    wrong = replace(IDENTITIES["M5"], rhs=lambda U, F: np.ones((6, 1)))
    with pytest.raises(
        ArrayShapeError, match=r"M5: want both sides of .*, got \(6, .*\) and \(6, 1\)"
    ):
        identities.check(wrong)


def test_identity_example_model_has_every_relation_and_joints_that_do_not_commute() -> None:
    model = example_model(np.random.default_rng(0))
    state = State.random(model, np.random.default_rng(0))
    relations = {state.relation(i, j) for i in state.bodies for j in state.bodies}
    assert relations == set(RELATIONS)
    assert {"Fb", "S", "H"} <= {j.code for j in model.layout.joints}


DATA = golden_io.load("e_tensor_tools")
JOINT_MATRICES = ["S", "Sd", "psid", "psidd"]
QUANTITIES = [*JOINT_MATRICES, "vJ", "v", "a", "xi", "gamma", "I", "IC", "B", "BC", "f", "fC"]


def golden_bodies(case: str) -> tuple[Model, list[Any]]:
    model = golden_io.model_of(DATA, case)
    q, qd, qdd = (golden_io.raw(DATA, case, f"in_{x}")[:, 0] for x in ("q", "qd", "qdd"))
    return model, bodies(model, GlobalDynamics(model, q, qd, qdd), qdd)


@pytest.mark.parametrize("what", QUANTITIES)
@pytest.mark.parametrize("case", ["sph", "tree"])
def test_quantities_of_bodies_are_matlab_numbers(case: str, what: str) -> None:
    model, all_bodies = golden_bodies(case)
    wanted = golden_io.raw(DATA, case, f"GlobalDynamics_{what}")
    for body in all_bodies:
        index = model.vinds[body.index] if what in JOINT_MATRICES else body.index
        assert_allclose(getattr(body, what), wanted[..., index], rtol=1e-9, atol=1e-11)
