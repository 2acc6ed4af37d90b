"""Derivations of the identities about joints are complete, accepted by the checker, and hold for
random numbers.

Wrong identities are rejected: with changed signs, factors, transpositions, bodies or kinds of
products.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from parameters import chosen

from spatial_v2 import GlobalDynamics, crf, crm, icrf
from spatial_v2.configuration import configurationAddition, random_configuration
from spatial_v2.exceptions import SpatialError
from tensor_sva import B_t, Tm, crf_t, crm_t, mT, rotR, unpage
from tensor_sva.identities import IDENTITIES, Derived, Identity, by_q, by_qd, example_model, prove
from tensor_sva.identities.derivation.lemmas import LEMMAS, THEOREM_OF
from tensor_sva.identities.derivation.rules import Theorem
from tensor_sva.identities.derivation.terms import PARENT, Atom, Op, Term, Word
from tensor_sva.identities.derivation.theory import theory
from tensor_sva.identities.derivation.trace import statement
from tensor_sva.identities.letters import RELATIONS
from tensor_sva.identities.state import STEP

pytest.importorskip("sympy")

JOINTS = [name for name, x in IDENTITIES.items() if x.about_joints]
THEOREMS = [*LEMMAS, *JOINTS]


@pytest.mark.parametrize("name", JOINTS)
def test_every_identity_of_joints_is_derived(name: str) -> None:
    proof = prove(name)
    assert isinstance(proof, Derived)
    assert proof.holds and proof.gaps == {}
    assert tuple(proof.cases) == RELATIONS
    assert proof.steps >= len(RELATIONS)


@pytest.mark.parametrize("name", JOINTS)
def test_a_derivation_leads_from_the_left_to_the_right_side(name: str) -> None:
    theorem, proof = statement(IDENTITIES[name]), prove(name)
    assert isinstance(proof, Derived)
    for case, lines in proof.cases.items():
        assert lines[0].text.startswith("∂q") and not lines[0].reason
        assert all(line.reason for line in lines[1:])
        assert (lines[-1].text == "0") == (not theorem.right[case])
        assert "∂q" not in lines[-1].text


def test_lemmas_are_used_and_theorems_do_not_depend_on_themselves() -> None:
    """Every theorem is derived from theorems that were derived before it, and all
    lemmas are used.
    """
    for name in JOINTS:
        theory().learn(name)
    assert set(LEMMAS) <= set(theory().known)
    order = list(theory().known)
    for name, cases in theory().derivations.items():
        steps = [s for d in cases.values() for s in (*d.left, *d.right)]
        used = {s.key.name for s in steps if s.key.name in theory().known}
        assert all(order.index(x) < order.index(name) for x in used - {name})
        assert all(s.key.body.startswith(PARENT) for s in steps if s.key.name == name)
    assert set(THEOREM_OF.values()) <= set(order)


# Tests with numbers: the expressions of all steps of a derivation have the same value.


class Numbers:
    """Values of the quantities (atoms) in terms, for all bodies of the example model.

    The states may be complex.
    """

    def __init__(self, q: Any, qd: Any, qdd: Any) -> None:
        self.q, self.qd, self.qdd = q, qd, qdd
        model = MODEL
        g = GlobalDynamics(model, q, qd, qdd)
        X = [np.linalg.inv(x) for x in g.X0]
        zero = np.zeros(6)
        a0 = np.concatenate([np.zeros(3), -np.asarray(model.gravity)])
        base = {"X": np.eye(6), "Xinv": np.eye(6), "v": zero, "xi": zero, "gamma": zero, "a": a0}
        self.atoms: dict[int, dict[str, Any]] = {-1: base}
        for i, parent in enumerate(model.parent.tolist()):
            up, n = self.atoms[parent], model.vinds[i]
            S, v, vJ = g.S[:, n], g.v[i], g.vJ[i]
            self.atoms[i] = {
                "X": X[i], "Xinv": g.X0[i], "Xstar": g.X0[i].T, "A": up["Xinv"] @ X[i],
                "Ainv": g.X0[i] @ up["X"], "S0": g.X0[i] @ S, "I0": X[i].T @ g.I[i] @ X[i],
                "S": S, "Sd": g.Sd[:, n], "psid": g.psid[:, n], "psidd": g.psidd[:, n],
                "qd": qd[n], "qdd": qdd[n], "e": np.eye(S.shape[1]), "vJ": vJ, "aJ": S @ qdd[n],
                "v": v, "a": g.a[i], "xi": up["xi"] + crm(v) @ vJ,
                "gamma": up["gamma"] + S @ qdd[n], "I": g.I[i], "IC": g.IC[i], "B": g.B[i],
                "BC": g.BC[i], "f": g.f[i], "fC": g.fC[i],
            }  # fmt: skip


RNG = np.random.default_rng(5)
MODEL = example_model(RNG)
NOW = Numbers(random_configuration(MODEL, RNG), *RNG.normal(size=(2, MODEL.NV)))
CONSTANT = dict(zip(("m", "force"), RNG.normal(size=(2, 6)), strict=True))
PAIRS = {"j < i": (3, 0), "j = i": (3, 3), "j > i": (1, 3), "unrelated": (5, 3)}
"""Numbers of the bodies i and j in each case.

Joint j has several degrees of freedom, of which the second one moves.
"""


@cache
def moved(variable: str, j: int, p: int) -> Numbers:
    step = 1j * STEP * np.eye(MODEL.NV)[MODEL.vinds[j]][p]
    if variable == "Dq":
        return Numbers(configurationAddition(MODEL, NOW.q, step), NOW.qd, NOW.qdd)
    return Numbers(NOW.q, NOW.qd + step, NOW.qdd)


def value(term: Term, numbers: Numbers, bodies: dict[str, int]) -> Any:
    return sum(float(x) * product(word, numbers, bodies) for word, x in term)


def product(word: Word, numbers: Numbers, bodies: dict[str, int]) -> Any:
    first, *rest = [factor(x, numbers, bodies) for x in word]
    for x in rest:
        first = first @ x
    return first


def factor(x: Any, numbers: Numbers, bodies: dict[str, int]) -> Any:
    columns = {"p": 1, "c": 0}
    if isinstance(x, Atom):
        if x.name in CONSTANT:
            return CONSTANT[x.name]
        if x.name == "e":
            label = {"p": "j", "c": "j" if bodies["i"] == bodies["j"] else "i"}[x.column]
            return NOW.atoms[bodies[label]]["e"][columns[x.column]]
        body = bodies[x.body.lstrip(PARENT)]
        for _ in range(x.body.count(PARENT)):
            body = int(MODEL.parent[body])
        found = numbers.atoms[body][x.name]
        return found[:, columns[x.column]] if x.column else found
    if x.name in ("Dq", "Dqd"):
        after = product(x.word, moved(x.name, bodies["j"], 1), bodies)
        return np.imag(after) / STEP
    if x.name == "sum":
        below = [k for k in range(MODEL.NB) if bodies[x.body] in (k, *MODEL.ancestors[k])]
        return sum(product(x.word, numbers, {**bodies, "k": k}) for k in below)
    inner = product(x.word, numbers, bodies)
    return inner.T if x.name == "T" else {"crm": crm, "crf": crf, "icrf": icrf}[x.name](inner)


@pytest.mark.parametrize("case", RELATIONS)
@pytest.mark.parametrize("name", THEOREMS)
def test_all_terms_of_a_derivation_have_the_same_value(name: str, case: str) -> None:
    """All terms of a derivation have the same value as the first one, which is computed by a
    complex step.
    """
    theory().learn(name)
    d = theory().derivations[name][case]
    bodies = dict(zip("ij", PAIRS[case], strict=True))
    start = value(d.start, NOW, bodies)
    for term in (*(s.result for s in (*d.left, *d.right)), d.end):
        gap = np.max(np.abs(value(term, NOW, bodies) - start))
        assert gap < 1e-11 * max(1.0, np.max(np.abs(start)))


# Tests with wrong identities, for which no derivation may be found.

WRONG: dict[str, tuple[str, Any]] = {
    "sign of J2": ("J2", lambda i, j, f: -icrf(f) @ crm(j.parent.v - i.v) @ j.S),
    "one sign of J4": ("J4", lambda i, j, m: icrf(i.I @ m) @ j.S - i.I @ crm(m) @ j.S),
    "factors of J4 exchanged": ("J4", lambda i, j, m: icrf(i.I @ m) @ j.S + crf(m) @ i.I @ j.S),
    "parent forgotten in J6": (
        "J6", lambda i, j: crm(j.v - i.v) @ j.psid + crm(j.parent.xi - i.xi) @ j.S),
    "parent forgotten in J7": ("J7", lambda i, j: crm(j.gamma - i.gamma) @ j.S),
    "body of J8": ("J8", lambda i, j: j.Sd),
    "one term of J9 less": ("J9", lambda i, j: j.psid + j.Sd),
    "order of K1": ("K1", lambda i, j: -Tm(crm_t(j.S), i.S)),
    "rate of K2": ("K2", lambda i, j: Tm(crm_t(j.Sd), i.S) + Tm(crm_t(j.S), i.Sd)),
    "rate of K4": ("K4", lambda i, j: Tm(crm_t(j.psid), i.S) + Tm(crm_t(j.S), i.Sd)),
    "sign in K5": ("K5", lambda i, j: Tm(crf_t(j.S), i.I) + mT(i.I, crm_t(j.S))),
    "exchange in K5": ("K5", lambda i, j: mT(i.I, crm_t(j.S)) - Tm(crf_t(j.S), i.I)),
    "body of K6": ("K6", lambda i, j: Tm(crf_t(j.S), j.IC) - mT(j.IC, crm_t(j.S))),
    "factor 2 of K9": ("K9", lambda i, j: (
        Tm(crm_t(j.psidd), i.S) + Tm(crm_t(j.psid), i.psid) + Tm(crm_t(j.S), i.psidd))),
    "inertia of K10": (
        "K10", lambda i, j: B_t(i.I, j.psid) + Tm(crf_t(j.S), i.BC) - mT(i.BC, crm_t(j.S))),
    "factor 2 of K11": (
        "K11", lambda i, j: i.I @ j.psidd + icrf(i.f) @ j.S + i.B @ j.psid),
    "transposition in K11": (
        "K11", lambda i, j: i.I @ j.psidd + icrf(i.f) @ j.S + 2 * i.B.T @ j.psid),
    "transposition in K12": (
        "K12", lambda i, j: i.IC @ j.psidd - icrf(i.fC).T @ j.S + 2 * i.BC.T @ j.psid),
    "sign of K13": ("K13", lambda i, j: mT(i.S.T, crf_t(j.S))),
    "factor of K16": ("K16", lambda i, j: 2 * B_t(i.IC, j.S)),
    "small error of K7": ("K7", lambda i, j, f=IDENTITIES["K7"].rhs: (1 + 1e-9) * f(i, j)),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_identity_is_refused(what: str) -> None:
    name, side = WRONG[what]
    proof = prove(replace(IDENTITIES[name], rhs=side))
    assert isinstance(proof, Derived)
    assert not proof.holds
    assert {"j < i", "j = i"} & set(proof.gaps)
    assert "j < i" not in proof.cases or proof.gaps["j = i"]


def changed(term: Term) -> Iterator[Term]:
    """Yield terms with one change each: a sign or factor of a product, a missing product, a
    transposition, or a body.
    """
    for word, x in term:
        rest = term - x * Term.word(*word)
        yield rest - x * Term.word(*word)
        yield rest + 2 * x * Term.word(*word)
        yield rest
        for n, part in enumerate(word):
            if part.name in ("icrf", "B", "BC"):
                new = Op("T", (part,))
                yield rest + x * Term.word(*word[:n], new, *word[n + 1 :])
            if isinstance(part, Atom) and part.name in ("v", "a", "xi", "gamma"):
                other = Atom(part.name, PARENT + part.body)
                yield rest + x * Term.word(*word[:n], other, *word[n + 1 :])


CHANGES = [
    (name, case, n)
    for name in JOINTS
    for case in ("j < i", "j > i")
    for n, _ in enumerate(changed(statement(IDENTITIES[name]).right[case]))
]


def test_changes_are_many() -> None:
    assert len(CHANGES) > 200
    assert {name for name, _, _ in CHANGES} == set(JOINTS)


@pytest.mark.parametrize("part", chosen(range(5), lambda part: part == 0))
def test_a_statement_with_one_change_is_refused(part: int) -> None:
    """Every fifth change, of all statements; the others take long."""
    for name, case, n in CHANGES[part::5]:
        right = statement(IDENTITIES[name])
        wrong = list(changed(right.right[case]))[n]
        verdict = theory().prove(Theorem(name, right.left, {**right.right, case: wrong}))
        assert verdict[case].gap, (name, case, n)


def test_nothing_is_read_from_code_that_has_other_functions() -> None:
    mine = Identity("mine", "", "", "i j", by_q(lambda i: i.S), lambda i, j: np.cross(j.S, i.S))
    with pytest.raises(SpatialError, match="mine cannot be read .* got cross"):
        prove(mine)
    with pytest.raises(SpatialError, match="mine cannot be read .* 'mass'"):
        prove(replace(mine, rhs=lambda i, j: i.mass))
    with pytest.raises(SpatialError, match="mine cannot be read .* by_q or by_qd, got function"):
        prove(replace(mine, lhs=lambda i, j: i.S))


def test_sides_of_other_shapes_or_kinds_are_refused() -> None:
    """A right side is an error if its axes differ from the left side's, or if forces are in the
    place of motions.
    """
    K1, K5 = IDENTITIES["K1"], IDENTITIES["K5"]
    with pytest.raises(SpatialError, match="K1 cannot be read .* both sides with the same axes"):
        prove(replace(K1, rhs=lambda i, j: i.S))
    with pytest.raises(SpatialError, match="K1 cannot be read .* both sides with the same axes"):
        prove(replace(K1, rhs=lambda i, j: rotR(Tm(crm_t(j.S), i.S))))
    with pytest.raises(SpatialError, match="K5 cannot be read .* want factors whose columns"):
        prove(replace(K5, rhs=lambda i, j: Tm(crm_t(j.S), i.I) - mT(i.I, crm_t(j.S))))
    with pytest.raises(SpatialError, match="K5 cannot be read .* same kind, got FM and MM"):
        prove(replace(K5, rhs=lambda i, j: crm_t(j.S)))


def test_functions_are_known_by_what_they_are_and_not_by_their_names() -> None:
    """A function of another module that is called crm is not taken for this library's."""
    J4 = IDENTITIES["J4"]
    code: dict[str, Any] = {"icrf": icrf, "crm": lambda v: -crm(v)}
    exec("def side(i, j, m): return icrf(i.I @ m) @ j.S + i.I @ crm(m) @ j.S", code)
    with pytest.raises(SpatialError, match="J4 cannot be read"):
        prove(replace(J4, rhs=code["side"]))
    code["crm"] = crm
    assert prove(replace(J4, rhs=code["side"])).holds


def test_products_whose_axes_do_not_fit_are_refused() -> None:
    K1 = IDENTITIES["K1"]
    sides = [
        lambda i, j: crm_t(i.v),
        lambda i, j: crm(i.S),
        lambda i, j: Tm(crm(i.v), i.S),
        lambda i, j: i.S @ i.v,
        lambda i, j: i.v.T,
        lambda i, j: i.S + i.v,
        lambda i, j: rotR(i.S),
        lambda i, j: unpage(crm_t(j.S)),
        lambda i, j: i.parent.f,
        lambda i, j: np.stack([crm(s) @ i.S for s in i.S.T], axis=-1),
    ]  # type: list[Any]
    for side in sides:
        with pytest.raises(SpatialError, match="K1 cannot be read"):
            prove(replace(K1, rhs=side))


def test_an_identity_of_ones_own_is_derived() -> None:
    """An identity that a user writes, for the derivative of a momentum I v along velocities, is
    derived.
    """
    mine = Identity("momentum", "", "", "i j", by_qd(lambda i: i.I @ i.v), lambda i, j: i.I @ j.S)
    assert prove(mine).holds
    assert not prove(replace(mine, rhs=lambda i, j: i.IC @ j.S)).holds
