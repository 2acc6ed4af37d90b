"""Terms of an identity, read from its code: its sides are evaluated with terms, not arrays."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any

from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.identities.derivation.labels import renamed
from tensor_sva.identities.derivation.rules import Theorem
from tensor_sva.identities.derivation.terms import PARENT, Atom, ProofError, Term, kind, op
from tensor_sva.identities.derivation.traced import OPERATORS, Traced
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.letters import KINDS as LETTERS
from tensor_sva.identities.state import Derivative

__all__ = ["statement"]

MATRICES, COLUMNS = ("I", "IC", "B", "BC"), ("S", "Sd", "psid", "psidd")
VECTORS = ("v", "a", "xi", "gamma", "vJ", "f", "fC")
ABOVE = ("v", "xi", "gamma")
"""Vectors that identities use of the parent of a body, which may be the base."""


class _Body:
    """A body whose quantities are symbols (`Atom`) in place of arrays."""

    def __init__(self, label: str, column: str) -> None:
        self.label, self.column = label, column

    @property
    def parent(self) -> _Body:
        return _Body(PARENT + self.label, self.column)

    def __getattr__(self, name: str) -> Traced:
        above = self.label.startswith(PARENT)
        if name in (ABOVE if above else VECTORS):
            return Traced(Term.word(Atom(name, self.label)), "6")
        if name in MATRICES and not above:
            return Traced(Term.word(Atom(name, self.label)), "6", "6")
        if name in COLUMNS and not above:
            return Traced(Term.word(Atom(name, self.label, self.column)), "6", self.column)
        raise AttributeError(f"body {self.label}: derivations know no quantity {name!r} of it")


def _with_terms(f: Any) -> Any:
    """Return a copy of a function that calls the functions of `OPERATORS`, which work on terms, in
    place of those of this library for arrays.
    """
    if not isinstance(f, FunctionType):
        return f
    if f in OPERATORS:
        return OPERATORS[f]
    known = {
        name: OPERATORS[x] if isinstance(x, FunctionType) and x in OPERATORS else x
        for name, x in f.__globals__.items()
    }
    cells = tuple(CellType(_with_terms(c.cell_contents)) for c in f.__closure__ or ())
    defaults = tuple(_with_terms(x) for x in f.__defaults__ or ())
    made = FunctionType(f.__code__, known, f.__name__, defaults, cells)
    made.__kwdefaults__ = {k: _with_terms(x) for k, x in (f.__kwdefaults__ or {}).items()}
    return made


def statement(identity: Identity) -> Theorem:
    """Return the derivative on the left of an identity about joints, and its right sides.

    Raises
    ------
    SpatialError
        If the axes or kinds of both sides differ, or the left side is no derivative.
    """
    i, j = _Body("i", "c"), _Body("j", "p")
    constants = [
        Traced(Term.word(Atom("force" if LETTERS[x].startswith("force") else "m")), "6")
        for x in identity.letters.split()[2:]
    ]
    lhs = identity.lhs
    if not isinstance(lhs, Derivative):
        raise ProofError(
            f"left side: want a derivative made by by_q or by_qd, got {type(lhs).__name__}"
        )
    quantity = _with_terms(lhs.quantity)(i, *constants)
    right = {}
    for relation, side in identity.right_sides.items():
        right[relation] = Term({})
        if side is not None:
            terms = _with_terms(side)(i, j, *constants)
            if terms.axes != (*quantity.axes, "p"):
                raise ArrayShapeError(
                    f"{relation}: want both sides with the same axes, got "
                    f"{(*quantity.axes, 'p')} and {terms.axes}"
                )
            kinds = [{kind(word) for word, _ in x} for x in (quantity.term, terms.term)]
            if not kinds[1] <= kinds[0]:
                raise ProofError(
                    f"{relation}: want both sides of the same kind, got "
                    f"{' and '.join(map(', '.join, kinds))}"
                )
            right[relation] = terms.term
    right["j = i"] = renamed(right["j = i"], {"i": "j"})
    return Theorem(identity.name, op(f"D{lhs.variable}", quantity.term), right)
