"""Terms of an identity, read from its code: the sides are called with terms in place of arrays."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import CellType, FunctionType
from typing import Any

import numpy as np

from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.identities.derivation.definitions import coriolis
from tensor_sva.identities.derivation.rules import Theorem, renamed
from tensor_sva.identities.derivation.terms import (
    KINDS,
    PARENT,
    Atom,
    ProofError,
    Term,
    kind,
    op,
)
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.letters import KINDS as LETTERS
from tensor_sva.identities.state import Derivative

__all__ = ["Traced", "statement"]


class Traced:
    """A term in place of an array; the axes have labels instead of sizes.

    Labels are "6" for spatial vectors, "1" for one column, and the labels of columns: c for those
    of joint i, p for those of joint j.
    """

    def __init__(self, term: Term, *axes: str) -> None:
        self.term, self.axes = term, axes

    def __add__(self, other: Traced) -> Traced:
        if self.axes != other.axes:
            raise ArrayShapeError(f"a sum of axes {self.axes} and {other.axes}")
        return Traced(self.term + other.term, *self.axes)

    def __neg__(self) -> Traced:
        return self * -1

    def __sub__(self, other: Traced) -> Traced:
        return self + -other

    def __mul__(self, number: float) -> Traced:
        return Traced(Fraction(number) * self.term, *self.axes)

    __rmul__ = __mul__

    def __truediv__(self, number: float) -> Traced:
        return Traced(1 / Fraction(number) * self.term, *self.axes)

    def __matmul__(self, other: Traced) -> Traced:
        if len(self.axes) != 2 or len(other.axes) > 2:
            raise ArrayShapeError(f"a product of axes {self.axes} and {other.axes}")
        return _product(self, other, self.axes[:1] + other.axes[1:])

    @property
    def T(self) -> Traced:
        """The transposed matrix."""
        return Traced(op("T", self.term), *self.axes[::-1])

    def __iter__(self) -> Any:
        """Return the rows, of which one with a label stands for all."""
        if self.axes != ("p", "6"):
            raise ArrayShapeError("only the columns of joint j can be listed")
        yield Traced(_untransposed(self.term), "6")

    def __array_function__(self, function: Any, _: Any, arguments: Any, options: Any) -> Traced:
        if function is not np.stack or options != {"axis": -1} or len(arguments[0]) != 1:
            raise ArrayShapeError(f"{function.__name__} of terms")
        (x,) = arguments[0]
        return Traced(x.term, *x.axes, "p")


def _product(a: Traced, b: Traced, axes: tuple[str, ...]) -> Traced:
    return Traced(a.term * b.term, *axes)


def _untransposed(term: Term) -> Term:
    return Term.of((word[0].word, x) for word, x in term)  # type: ignore[union-attr]


class _Body:
    """A body whose quantities are atoms."""

    def __init__(self, label: str, column: str) -> None:
        self.label, self.column = label, column

    @property
    def parent(self) -> _Body:
        return _Body(PARENT + self.label, self.column)

    def __getattr__(self, name: str) -> Traced:
        if name not in KINDS:
            raise AttributeError(name)
        if name in ("S", "Sd", "psid", "psidd"):
            return Traced(Term.word(Atom(name, self.label, self.column)), "6", self.column)
        axes = "66" if KINDS[name] in ("MM", "FM") else "6"
        return Traced(Term.word(Atom(name, self.label)), *axes)


def _cross(name: str, matrix: bool) -> Callable[[Traced], Traced]:
    def cross(x: Traced) -> Traced:
        column = x.axes[1:] if matrix else x.axes[1:] and ("1",)
        if x.axes != ("6", *column) or (matrix and not column):
            raise ArrayShapeError(f"{name} of axes {x.axes}")
        return Traced(op(name, x.term), "6", "6", *(column if matrix else ()))

    return cross


def _B(I: Traced, V: Traced) -> Traced:
    return Traced(coriolis(I.term, V.term), "6", "6", *V.axes[1:])


def _inner(a: Traced, b: Traced, row: int, *axes: str) -> Traced:
    if (a.axes[1], b.axes[0]) != ("6", "6"):
        raise ArrayShapeError(f"a product of axes {a.axes} and {b.axes}")
    return _product(a, b, axes)


OPERATORS: dict[str, Callable[..., Traced]] = {
    **{name: _cross(name, False) for name in ("crm", "crf", "icrf")},
    **{f"{name}_t": _cross(name, True) for name in ("crm", "crf", "icrf")},
    "B": _B,
    "B_t": _B,
    "Tm": lambda A, b: _inner(A, b, 1, A.axes[0], b.axes[1], A.axes[2]),
    "mT": lambda b, A: _inner(b, A, 1, b.axes[0], *A.axes[1:]),
    "mTm": lambda b, A, c: OPERATORS["Tm"](OPERATORS["mT"](b, A), c),
    "rotR": lambda A: Traced(A.term, A.axes[0], A.axes[2], A.axes[1]),
    "column": lambda x: Traced(x.term, *x.axes, "1"),
    "page": lambda x: Traced(x.term, *x.axes, "1"),
    "unpage": lambda x: Traced(x.term, *x.axes[:-1]),
    "T": lambda x: x.T,
}
"""Operators of identities for terms; each page of a tensor is the term of one column."""


def _with_terms(f: Any) -> Any:
    """Return a function that calls `OPERATORS` in place of those of its module."""
    if not isinstance(f, FunctionType):
        return f
    cells = tuple(CellType(_with_terms(c.cell_contents)) for c in f.__closure__ or ())
    defaults = tuple(_with_terms(x) for x in f.__defaults__ or ())
    known = {**f.__globals__, **OPERATORS}
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
        raise ProofError("the left side is no derivative by by_q or by_qd")
    quantity = _with_terms(lhs.quantity)(i, *constants)
    right = {}
    for relation, side in identity.right_sides.items():
        right[relation] = Term({})
        if side is not None:
            found = _with_terms(side)(i, j, *constants)
            if found.axes != (*quantity.axes, "p"):
                raise ArrayShapeError(f"sides of axes {(*quantity.axes, 'p')} and {found.axes}")
            kinds = [{kind(word) for word, _ in x} for x in (quantity.term, found.term)]
            if not kinds[1] <= kinds[0]:
                raise ProofError(f"sides of kinds {' and '.join(map(', '.join, kinds))}")
            right[relation] = found.term
    right["j = i"] = renamed(right["j = i"], {"i": "j"})
    return Theorem(identity.name, op(f"D{lhs.variable}", quantity.term), right)
