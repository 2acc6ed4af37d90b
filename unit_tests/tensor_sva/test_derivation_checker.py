"""The checker of derivations accepts true steps only, and the rules that it applies are proved."""

import contextlib
import itertools
from typing import Any

import numpy as np
import pytest
from helpers import for_each

from spatial_v2 import crm, jcalc
from tensor_sva.identities.derivation import algebra, transforms
from tensor_sva.identities.derivation.checker import (
    Key,
    Place,
    Rule,
    Step,
    follow,
    rewrite,
    sum_around,
)
from tensor_sva.identities.derivation.labels import depends_on_k
from tensor_sva.identities.derivation.rules import Rules, Theorem
from tensor_sva.identities.derivation.search import _redex
from tensor_sva.identities.derivation.show import SYMBOLS, as_latex, as_text
from tensor_sva.identities.derivation.terms import Atom, Op, ProofError, Term, op
from tensor_sva.identities.derivation.theory import theory
from tensor_sva.identities.letters import RELATIONS

sympy = pytest.importorskip("sympy")

T1 = Term.word(Op("crm", (Atom("v", "i"),)), Atom("a", "i"))
W1 = next(iter(T1.words))
FREE = Theorem("free", T1, dict.fromkeys(RELATIONS, Term({})))


def rules(relation: str = "j < i", current: Theorem = FREE) -> Rules:
    for name in ("K6", "K15", "L7", "J1", "K5"):
        theory().learn(name)
    return Rules(relation, theory().known, current)


@pytest.mark.parametrize("name", ["X", "Xinv", "IC"])
def test_transposed_powers_are_in_parentheses(name: str) -> None:
    """A transposed symbol that has a superscript is in parentheses, because LaTeX rejects two
    superscripts.
    """
    transposed = Term.word(Op("T", (Atom(name, "i"),)))
    powers = "^" in SYMBOLS[name][1]
    assert as_latex(transposed).endswith(r")^\top" if powers else r"}^\top")
    assert as_text(transposed).endswith(")^T")


def test_only_cross_products_are_in_parentheses_after_a_factor() -> None:
    matrix, v, a = Atom("X", "i"), Atom("v", "i"), Atom("a", "i")
    crossed, plain = (matrix, Op("crm", (v,)), a), (matrix, Atom("IC", "i"), a)
    for shown in (as_text, as_latex):
        inner = shown(Term.word(*crossed[1:]))
        assert shown(Term.word(*crossed)).endswith(f"({inner})")
        assert " (" not in shown(Term.word(*plain))


def test_the_checker_refuses_a_step_with_another_result() -> None:
    right = -Term.word(Op("crm", (Atom("a", "i"),)), Atom("v", "i"))
    step = Step(Key("M8"), (Place(W1, (0,)),), right)
    assert follow(T1, (step,), rules()) == right
    for wrong in (-right, 2 * right, right + T1, Term({})):
        with pytest.raises(ProofError, match="the rule gives"):
            follow(T1, (step._replace(result=wrong),), rules())


@pytest.mark.parametrize(
    "places",
    [
        (Place(W1, (1,)),),
        (Place(W1, (0, 0)),),
        (Place((*W1, *W1), (0,)),),
        (Place(W1, (0,)), Place(W1, (0,))),
        (Place(W1, (1, 0)),),
    ],
)
def test_the_checker_refuses_a_rule_where_it_does_not_apply(places: tuple[Place, ...]) -> None:
    with pytest.raises(ProofError):
        follow(T1, (Step(Key("M8"), places, T1),), rules())


@pytest.mark.parametrize(
    ("key", "around", "relation", "said"),
    [
        (Key("free", "i"), "", "j < i", "its own proof"),
        (Key("K99", "i"), "", "j < i", "K99 is not proved"),
        (Key("K15", "λi"), "", "j < i", "has other terms for j = λi"),
        (Key("K6", "λj"), "", "j = i", "not zero for all bodies"),
        (Key("K5", "k"), "i", "j > i", "bodies k of the subtree of i move"),
        (Key("K5", "k"), "", "j < i", "the parent of i or j, got ''"),
        (Key("J1", "λλi"), "", "j < i", "the parent of i or j, got 'λλi'"),
        (Key("definition of v", "λi"), "", "j < i", "may be the base"),
        (Key("definition of IC", "k"), "i", "j < i", "want body i or j, got 'k'"),
        (Key("exponential map", "λi", "A"), "", "j < i", "is j or another"),
        (Key("velocity of the joint", "k"), "i", "j < i", "is j or another"),
        (Key("derivative of a sum", "i", "Dq v"), "", "j > i", "not proved yet: Dq of v is zero"),
        (Key("linearity", "", "Dq sum"), "", "j < i", "linearity: want .* got 'sum'"),
        (Key("sum", "i", "Dq"), "", "j < i", "sum: want left, right, .* got 'Dq'"),
        (Key("J1", "i"), "", "j = i", "write j for i"),
    ],
)
def test_rules_that_do_not_hold_are_refused(
    key: Key, around: str, relation: str, said: str
) -> None:
    known = rules()
    if said == "not proved yet: Dq of v is zero":
        known.known = {}
    with pytest.raises(ProofError, match=said):
        Rules(relation, known.known, FREE)(key, around)


def test_factors_of_body_k_stay_in_a_sum() -> None:
    word = (Op("sum", (Atom("I", "k"), Atom("v", "k")), "i"),)
    for which in ("left", "right"):
        step = Step(Key("sum", "i", which), (Place(word, (0,)),), Term.word(*word))
        with pytest.raises(ProofError, match="is not at"):
            follow(Term.word(*word), (step,), rules())


def test_the_search_finds_rules_that_apply_to_sums() -> None:
    """A rule that the search proposes for a sum over a subtree applies there."""
    crossed: list[Any] = [Op("crm", (Atom("v", k),)) for k in "ki"]
    ends: list[Any] = [Atom("a", k) for k in "ki"]
    products = [w for n in range(3) for w in itertools.product(crossed, repeat=n)]
    names = set()
    for summed in [(*w, x) for w in products for x in ends] + products[1:]:
        word = (Op("sum", summed, "i"),)
        found = _redex(word, set(), rules(), lambda *_: "K1") if depends_on_k(summed) else None
        if found:
            rule = rules()(found[0], sum_around(word, found[1]))
            assert rewrite(rule, word, found[1]) != Term.word(*word)
            names.add(found[0].column)
    assert {"left", "right", "crm"} <= names


def test_velocities_are_no_constants() -> None:
    word = (Op("Dq", (Atom("v", "i"),)),)
    step = Step(Key("constant", "", "Dq"), (Place(word, (0,)),), Term({}))
    with pytest.raises(ProofError, match="is not at"):
        follow(Term.word(*word), (step,), rules())


KEYS = [
    *(Key(name, "i") for name in (*algebra.ALGEBRA, *transforms.TRANSFORMS)),
    *(Key(name, "", D) for name in ("constant", "product rule") for D in ("Dq", "Dqd")),
    *(Key("linearity", "", f"{D} {x}") for D in ("Dq", "Dqd") for x in ("crm", "crf", "icrf", "T")),
    *(Key("sum", "i", which) for which in ("left", "right", "crm", "crf", "icrf")),
    *(Key(name, "i", "A") for name in ("exponential map", "velocity of the joint")),
    Key("transpose of a product"),
]  # fmt: skip


@for_each(KEYS)
def test_a_rule_gives_another_term_or_is_refused(key: Key) -> None:
    """A rule replaces products of one and two factors by another term, or says why it does
    not; constants are single factors, as products have a rule of their own.
    """
    factors = [Atom("S0", "i"), Atom("v", "i"), Atom("A", "i"), Op("crm", (Atom("v", "i"),))]
    rule = rules()(key, "i")
    for n in (1, 2):
        for inner in itertools.product(factors, repeat=n):
            for name in ("Dq", "Dqd", "T", "sum", "crm", "crf", "icrf"):
                word = (Op(name, inner, "i" if name == "sum" else ""), *inner[:1])
                with contextlib.suppress(ProofError):
                    assert rewrite(rule, word, (0,)) != Term.word(*word)
                    assert key.name != "constant" or n == 1


def test_terms_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ProofError, match="want factors whose columns"):
        follow(Term.word(Atom("v", "i"), Atom("v", "i")), (), rules())
    with pytest.raises(ProofError, match="crm applies to kind M1, got an argument of F1"):
        follow(op("crm", Term.word(Atom("f", "i"))), (), rules())


# Tests of the rules: each is proved, and a wrong rule is not.


@pytest.mark.parametrize("name", algebra.ALGEBRA)
def test_rules_of_algebra_expand_and_wrong_ones_do_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert algebra.expands(name)
    left, right, _ = algebra.ALGEBRA[name]
    wrong = 2 * Term.word(*left) - right if not right else -right
    monkeypatch.setitem(algebra.ALGEBRA, "wrong", Rule(left, wrong))
    assert algebra.expands("wrong") == (not right)
    algebra.expands.cache_clear()


def test_rules_of_transforms_hold_and_a_wrong_one_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert all(transforms.moves(name) for name in transforms.TRANSFORMS)
    transforms._moves.cache_clear()
    monkeypatch.setattr(transforms, "_crm", lambda v, f=transforms._crm: f(v).T)
    assert not transforms.moves("(X v)× X = X v×")
    transforms._moves.cache_clear()


@pytest.mark.parametrize("jtype", ["Rx", "Ry", "Rz", "Px", "Py", "Pz", "Rx-", "Pz-"])
def test_joints_move_by_the_exponential_map(jtype: str) -> None:
    """The transform XJ of a joint satisfies dXJ/dq = -(S x) XJ, by differentiation of symbols."""
    q = sympy.Symbol("q", real=True)
    XJ, S = jcalc(jtype, q)
    rate = sympy.Matrix(np.asarray(XJ)).diff(q)
    cross = sympy.Matrix(crm(np.asarray(S).ravel()))
    gap = rate + cross * sympy.Matrix(np.asarray(XJ))
    assert sympy.simplify(gap) == sympy.zeros(6, 6)
