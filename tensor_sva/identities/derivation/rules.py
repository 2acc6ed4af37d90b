"""All rules that a derivation may use: algebra, definitions, calculus, sums, proved theorems.

D is the name of a derivative along a direction of joint j: ``Dq`` with respect to positions,
``Dqd`` with respect to velocities.
"""

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
    """A derivative of a quantity of body i along a direction of joint j, for every relation of i
    and j.
    """

    name: str
    """Name of the identity."""
    left: Term
    """The derivative, a term about body i."""
    right: Mapping[str, Term]
    """Right sides of the identity, by the relation of bodies i and j: "j < i", "j = i", "j > i",
    "unrelated".
    """


class Rules:
    """Rules that hold for bodies i and j in a given relation, such as "j < i": j is an ancestor
    of i.
    """

    def __init__(self, relation: str, known: Mapping[str, Theorem], current: Theorem) -> None:
        self.relation, self.known, self.current = relation, known, current

    def __call__(self, key: Key, around: str) -> Rule:
        """Return the rule of a key; `around` is the label of the body whose subtree is summed over
        where the rule is applied, or empty.
        """
        name, body, column = key
        if name in ALGEBRA:
            if not expands(name):
                raise ProofError(f"rule {name}: its two sides expand to different polynomials")
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
        """Return the position of a body in the tree relative to joint j: "=", "<", "<=" or "apart".

        It is "=" for body j itself, "<" for bodies that j is a proper ancestor of, "<=" if either
        may be the case, and "apart" for all others, which do not move with joint j.
        """
        if body == "k":
            if self.place(around) == "apart":
                raise ProofError(
                    f"cannot tell whether the bodies k of the subtree of {around} move with joint j"
                )
            return "<="
        origin = body.lstrip(PARENT)
        above = len(body) - len(origin)
        if origin not in ("i", "j") or above > 1:
            raise ProofError(f"body: want i, j, k or the parent of i or j, got {body!r}")
        if origin == "j":
            return "apart" if above else "="
        if self.relation == "j < i":
            return "<=" if above else "<"
        if self.relation == "j = i":
            raise ProofError(f"{body!r} does not occur in the case j = i: write j for i")
        return "apart"

    def _definition(self, what: str, body: str, column: str) -> Rule:
        if body not in ("i", "j", "k"):
            raise ProofError(
                f"definition of {what}: want body i, j or k, got {body!r}; it may be the base, for "
                "which the definition does not hold"
            )
        if body == "k" and what in SUMS:
            raise ProofError(f"{what} of body k is a sum over bodies k: want body i or j, got 'k'")
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
            raise ProofError(f"linearity: want crm, crf, icrf or T, got {name!r}")
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
            raise ProofError("cannot tell whether the joint of this body is j or another one")
        return derivative if place == "=" else Term({})

    def _exponential(self, name: str, place: str, body: str) -> Rule:
        A = Term.word(Atom(name, body))
        cross = op("crm", Term.word(Atom("S0", body), Atom("e", "", "p")))
        derivative = {"A": A * cross, "Ainv": -cross * A}[name]
        return Rule((Op("Dq", (Atom(name, body),)),), self._moved(place, derivative))

    def _derivative_of_a_sum(self, body: str, column: str) -> Rule:
        """Return the rule for the derivative of a sum over the bodies of a subtree.

        Bodies that do not move with joint j contribute nothing. `column` names derivative and
        quantity, such as "Dq I".
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
        raise ProofError(f"cannot tell whether the subtree of {body} moves with joint j")

    def _rest_at(self, name: str, D: str) -> None:
        """Raise an error unless it is proved that the derivative D of the quantity `name` is zero
        for bodies that do not move with joint j.
        """
        for theorem in self.known.values():
            if theorem.left == op(D, Term.word(Atom(name, "i"))) and not (
                theorem.right["j > i"] or theorem.right["unrelated"]
            ):
                return
        raise ProofError(
            f"not proved yet: {D} of {name} is zero for bodies that do not move with joint j"
        )

    def _theorem(self, name: str, place: str, body: str) -> Rule:
        """Return the rule of a theorem about another body; the current theorem may be used for the
        parent, by induction.
        """
        current = name == self.current.name
        if current and not body.startswith(PARENT):
            raise ProofError(f"{name} is used in its own proof, for another body than a parent")
        theorem = self.current if current else self.known.get(name)
        if theorem is None:
            raise ProofError(f"{name} is not proved")
        right = theorem.right
        same = renamed(right["j < i"], {"i": "j"}) == right["j = i"]
        if place == "apart":
            if right["j > i"] or right["unrelated"]:
                raise ProofError(
                    f"{name} is not zero for all bodies that do not move with joint j, so it "
                    f"cannot be used for {body}"
                )
            made = Term({})
        elif place == "<=" and not same:
            raise ProofError(
                f"cannot tell whether {body} is j: {name} has other terms for j = {body} than for "
                f"j < {body}"
            )
        else:
            made = right["j = i"] if place == "=" else right["j < i"]
        ((left, _),) = theorem.left
        return Rule(
            next(iter(renamed(Term.word(*left), {"i": body}).words)), renamed(made, {"i": body})
        )


def _linear_in_k(body: str, which: str) -> Rule:
    """Return a rule that moves an operation out of a sum over the bodies k of a subtree.

    `which` is "left" or "right" for a factor at that end which does not depend on k, or the name
    of a linear operator: the sum of ``crm(v_k)`` is crm of the sum of ``v_k``.
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
        raise ProofError(f"sum: want left, right, crm, crf or icrf, got {which!r}")
    return Rule(
        (Op("sum", (Op(which, (B,)),), body),), Term.word(Op(which, (Op("sum", (B,), body),)))
    )
