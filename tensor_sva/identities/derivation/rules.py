"""All rules that a derivation may use: algebra, definitions, calculus, sums, proved theorems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tensor_sva.identities.derivation.algebra import ALGEBRA, expands
from tensor_sva.identities.derivation.checker import Binding, Key, Rule
from tensor_sva.identities.derivation.definitions import DEFINITIONS, SUMS
from tensor_sva.identities.derivation.labels import depends_on_k, renamed
from tensor_sva.identities.derivation.terms import (
    PARENT,
    Atom,
    Op,
    ProofError,
    Term,
    Var,
    op,
)
from tensor_sva.identities.derivation.transforms import TRANSFORMS, moves

__all__ = ["CONSTANT", "Rules", "Theorem"]

CONSTANT = {
    "Dq": {"S0", "I0", "e", "qd", "qdd", "m", "force"},
    "Dqd": {"S0", "I0", "e", "qdd", "m", "force", "A", "Ainv"},
}
"""Names of the atoms that do not depend on positions, and of those that do not depend on
velocities.
"""


class Theorem(NamedTuple):
    """A derivative of a quantity of body i along a direction of joint j, by their relation."""

    name: str
    """Name of the identity."""
    left: Term
    """The derivative, a term about body i."""
    right: Mapping[str, Term]
    """Right sides by relation."""


class Rules:
    """Rules that hold for bodies i, j in a given relation."""

    def __init__(self, relation: str, known: Mapping[str, Theorem], current: Theorem) -> None:
        self.relation, self.known, self.current = relation, known, current

    def __call__(self, key: Key, around: str) -> Rule:
        """Return the rule of a key; `around` is the label of the body that the sum around the place
        is over.
        """
        name, body, column = key
        if name in ALGEBRA:
            if not expands(name):
                raise ProofError(f"rule {name} does not expand to the same polynomials")
            return ALGEBRA[name]
        if name in TRANSFORMS:
            if not moves(name):
                raise ProofError(f"rule {name} does not hold for Plücker transforms")
            return TRANSFORMS[name](body)
        if name.startswith("definition of "):
            return self._definition(name.removeprefix("definition of "), body, column)
        if name in ("product rule", "linearity", "constant"):
            return getattr(self, f"_{name.split()[0]}")(column)  # type: ignore[no-any-return]
        if name == "transpose of a product":
            A, B = Var("A", single=True), Var("B")
            return Rule((Op("T", (A, B)),), Term.word(Op("T", (B,)), Op("T", (A,))))
        if name == "exponential map":
            return self._exponential(column, self.place(body, around), body)
        if name == "velocity of the joint":
            moved = self._moved(self.place(body, around), Term.word(Atom("e", "", "p")))
            return Rule((Op("Dqd", (Atom("qd", body),)),), moved)
        if name == "derivative of a sum":
            return self._derivative_of_a_sum(body, column)
        if name == "sum":
            return _linear_in_k(body, column)
        return self._theorem(name, self.place(body, around), body)

    def place(self, body: str, around: str = "") -> str:
        """Return the place of a body relative to joint j: "=", "<", "<=" or "apart".

        It is "=" for j itself, "<" for bodies that j is a proper ancestor of, "<=" if either may
        be the case, and "apart" for all others, which do not move with joint j.
        """
        if body == "k":
            if self.place(around) == "apart":
                raise ProofError(f"the bodies k of the subtree of {around} may or may not move")
            return "<="
        origin = body.lstrip(PARENT)
        above = len(body) - len(origin)
        if origin not in ("i", "j") or above > 1:
            raise ProofError(f"{body!r} is no body of this derivation")
        if origin == "j":
            return "apart" if above else "="
        if self.relation == "j < i":
            return "<=" if above else "<"
        if self.relation == "j = i":
            raise ProofError(f"{body!r} does not occur in the case j = i: write j for i")
        return "apart"

    def _definition(self, what: str, body: str, column: str) -> Rule:
        if body not in ("i", "j", "k"):
            raise ProofError(f"{body!r} may be the base, which has no parent")
        if body == "k" and what in SUMS:
            raise ProofError("a sum over bodies k cannot be about k")
        made = SUMS[what](body) if what in SUMS else DEFINITIONS[what](body, column)
        return Rule((Atom(what, body, column),), made)

    @staticmethod
    def _product(D: str) -> Rule:
        A, B = Var("A", single=True), Var("B")
        right = op(D, Term.word(A)) * Term.word(B) + Term.word(A) * op(D, Term.word(B))
        return Rule((Op(D, (A, B)),), right)

    @staticmethod
    def _linearity(column: str) -> Rule:
        D, name = column.split()
        if name not in ("crm", "crf", "icrf", "T"):
            raise ProofError(f"{name} is not a linear operator")
        return Rule((Op(D, (Op(name, (Var("x"),)),)),), op(name, op(D, Term.word(Var("x")))))

    @staticmethod
    def _constant(D: str) -> Rule:
        def is_constant(binding: Binding) -> bool:
            (x,) = binding["x"]
            return isinstance(x, Atom) and x.name in CONSTANT[D]

        return Rule((Op(D, (Var("x", single=True),)),), Term({}), is_constant)

    @staticmethod
    def _moved(place: str, derivative: Term) -> Term:
        if place == "<=":
            raise ProofError("the joint may be j or another")
        return derivative if place == "=" else Term({})

    def _exponential(self, name: str, place: str, body: str) -> Rule:
        A = Term.word(Atom(name, body))
        cross = op("crm", Term.word(Atom("S0", body), Atom("e", "", "p")))
        derivative = {"A": A * cross, "Ainv": -cross * A}[name]
        return Rule((Op("Dq", (Atom(name, body),)),), self._moved(place, derivative))

    def _derivative_of_a_sum(self, body: str, column: str) -> Rule:
        """Return the rule for the derivative of a sum over a subtree: bodies that do not move
        contribute nothing; `column` names derivative and quantity, such as "Dq I".
        """
        D, name = column.split()
        left = (Op(D, (Op("sum", (Atom(name, "k"),), body),)),)
        part = op(D, Term.word(Atom(name, "k")))
        if self.place(body) != "apart":
            return Rule(left, op("sum", part, body))
        self._rest_at(name, D)
        if self.relation == "j > i" and body == "i":
            return Rule(left, op("sum", part, "j"))
        if self.relation == "unrelated" and body == "i":
            return Rule(left, Term({}))
        raise ProofError(f"the subtree of {body} may or may not move")

    def _rest_at(self, name: str, D: str) -> None:
        """Raise an error unless it is proved that a quantity is constant where joint j does not
        move.
        """
        for theorem in self.known.values():
            if theorem.left == op(D, Term.word(Atom(name, "i"))) and not (
                theorem.right["j > i"] or theorem.right["unrelated"]
            ):
                return
        raise ProofError(f"it is not proved that {name} of a body that rests is constant")

    def _theorem(self, name: str, place: str, body: str) -> Rule:
        """Return the rule of a theorem about another body; the current theorem may be used for the
        parent, by induction.
        """
        current = name == self.current.name
        if current and not body.startswith(PARENT):
            raise ProofError(f"{name} is used in its own proof")
        theorem = self.current if current else self.known.get(name)
        if theorem is None:
            raise ProofError(f"{name} is not proved")
        right = theorem.right
        same = renamed(right["j < i"], {"i": "j"}) == right["j = i"]
        if place == "apart":
            if right["j > i"] or right["unrelated"]:
                raise ProofError(f"{name} is not the same for all bodies that joint j is not above")
            made = Term({})
        elif place == "<=" and not same:
            raise ProofError(f"{name} has other terms for j = {body} than for j < {body}")
        else:
            made = right["j = i"] if place == "=" else right["j < i"]
        ((left, _),) = theorem.left
        return Rule(
            next(iter(renamed(Term.word(*left), {"i": body}).words)), renamed(made, {"i": body})
        )


def _linear_in_k(body: str, which: str) -> Rule:
    """Return the rule that moves factors which do not depend on k out of a sum over k; a sum of
    products v_k x is one product.
    """
    A, B = Var("A", single=True), Var("B")
    if which == "left":
        return Rule(
            (Op("sum", (A, B), body),),
            Term.word(A, Op("sum", (B,), body)),
            lambda binding: not depends_on_k(binding["A"]),
        )
    if which == "right":
        return Rule(
            (Op("sum", (A, B), body),),
            Term.word(Op("sum", (A,), body), B),
            lambda binding: not depends_on_k(binding["B"]),
        )
    if which not in ("crm", "crf", "icrf"):
        raise ProofError(f"{which} is not a linear operator")
    return Rule(
        (Op("sum", (Op(which, (B,)),), body),), Term.word(Op(which, (Op("sum", (B,), body),)))
    )
