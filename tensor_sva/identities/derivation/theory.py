"""Proofs of the identities about joints, each from the theorems it needs, proved first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from tensor_sva.identities.derivation.checker import Step, follow
from tensor_sva.identities.derivation.labels import renamed
from tensor_sva.identities.derivation.lemmas import LEMMAS, THEOREM_OF
from tensor_sva.identities.derivation.rules import Rules, Theorem
from tensor_sva.identities.derivation.search import search
from tensor_sva.identities.derivation.terms import ProofError, Term
from tensor_sva.identities.derivation.trace import statement
from tensor_sva.identities.letters import RELATIONS
from tensor_sva.identities.registry import IDENTITIES

__all__ = ["Derivation", "Theory", "theory"]


class Derivation(NamedTuple):
    """Derivation of one case: the left and the right side are both led to the same term."""

    start: Term
    """The left side."""
    left: tuple[Step, ...]
    """Steps from the left side."""
    right: tuple[Step, ...]
    """Steps from the right side."""
    end: Term
    """The right side."""
    gap: Term
    """Difference of the last terms, which is zero if the derivation is complete."""
    stopped: str = ""
    """Message of the rule that ended the search because it does not hold; empty if none did."""


class Theory:
    """Theorems by name, each with the derivations that proved it."""

    def __init__(self) -> None:
        self.known: dict[str, Theorem] = {}
        self.derivations: dict[str, Mapping[str, Derivation]] = {}

    def prove(self, theorem: Theorem) -> Mapping[str, Derivation]:
        """Search for a derivation of every case, and check those that are complete (have no
        gap).
        """
        derivations = {case: self._case(theorem, case) for case in RELATIONS}
        for case, derivation in derivations.items():
            if not derivation.gap:
                self.check(theorem, case, derivation)
        return derivations

    def check(self, theorem: Theorem, case: str, derivation: Derivation) -> None:
        """Follow a derivation from both sides; raise `ProofError` unless the ends are equal."""
        start, end = sides(theorem, case)
        rules = Rules(case, self.known, theorem)
        ends = [follow(x, s, rules) for x, s in ((start, derivation.left), (end, derivation.right))]
        if ends[0] != ends[1]:
            raise ProofError(f"{theorem.name}, {case}: the sides lead to different terms")

    def learn(self, name: str) -> None:
        """Prove a lemma or an identity of the registry, if it is not known yet."""
        if name in self.known:
            return
        theorem = LEMMAS[name] if name in LEMMAS else statement(IDENTITIES[name])
        proofs = self.prove(theorem)
        gaps = {case: d.gap for case, d in proofs.items() if d.gap}
        if gaps:
            raise ProofError(f"{name} is not proved: {gaps}")
        self.known[name], self.derivations[name] = theorem, proofs

    def _case(self, theorem: Theorem, case: str) -> Derivation:
        def named(D: str, quantity: str) -> str:
            name = THEOREM_OF.get((D, quantity), "")
            if name and name != theorem.name:
                self.learn(name)
            return name

        start, end = sides(theorem, case)
        result = search(start, end, Rules(case, self.known, theorem), named)
        return Derivation(start, result.left, result.right, end, result.gap, result.stopped)


def sides(theorem: Theorem, case: str) -> tuple[Term, Term]:
    """Return both sides of a case; if the two bodies of the case are the same, both are
    called j.
    """
    left = renamed(theorem.left, {"i": "j"}) if case == "j = i" else theorem.left
    return left, theorem.right[case]


@cache
def theory() -> Theory:
    """Return the theory of the registry, which proves theorems when they are first needed."""
    return Theory()
