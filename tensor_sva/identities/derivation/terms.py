"""Terms: sums of products of spatial vectors and matrices of bodies, with rational coefficients.

A product of factors is called a `Word`. A factor is an `Atom`, such as the velocity of body i, or
an `Op`, which is linear in its argument, such as crm(v) or a derivative. A `Term` is a sum of
words with coefficients. Distributive law and linearity of the operators need no rules, because
terms are stored expanded. In rules, a factor may also be a letter, `Var`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from spatial_v2.exceptions import SpatialError

__all__ = ["PARENT", "Atom", "Factor", "Op", "ProofError", "Term", "Var", "Word", "kind", "op"]

PARENT = "λ"
"""Prefix of a body's label that stands for its parent: λi is the parent of body i."""

DUAL = {"M": "F", "F": "M", "n": "n", "1": "1"}
"""Dual spaces: motions and forces, coordinates of a joint, scalars."""

KINDS = {
    **dict.fromkeys(("S", "Sd", "psid", "psidd", "v", "a", "xi", "gamma", "vJ", "aJ", "m"), "M1"),
    **dict.fromkeys(("f", "fC", "force"), "F1"),
    **dict.fromkeys(("I", "I0", "IC", "B", "BC"), "FM"),
    **dict.fromkeys(("X", "Xinv", "A", "Ainv"), "MM"),
    **dict.fromkeys(("e", "qd", "qdd"), "n1"),
    "Xstar": "FF",
    "S0": "Mn",
}
"""Spaces of rows and columns of the atoms: motions M, forces F, coordinates n, one column 1."""


class ProofError(SpatialError):
    """Error for a step of a derivation that does not follow from its rule."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A quantity of a body: a vector, a matrix, or one column of a joint's matrix such as S."""

    name: str
    """Name of the quantity, as in `tensor_sva.identities.Body`."""
    body: str = ""
    """Label of the body; empty for constants."""
    column: str = ""
    """Label of the column of a joint's matrix: p for the direction of the derivative, c for any
    other column; empty for other quantities.
    """


@dataclass(frozen=True, slots=True)
class Var:
    """A letter in a rule, which stands for any product of factors (a `Word`)."""

    name: str
    """The letter."""
    kind: str = ""
    """Spaces of rows and columns that the product must have, as `kind` returns them; empty if it
    may have any.
    """
    single: bool = False
    """True if the letter stands for one factor, False if for all factors up to the end."""


@dataclass(frozen=True, slots=True)
class Op:
    """An operator that is linear in its argument: crm, crf, icrf, T, Dq, Dqd or sum."""

    name: str
    """Name of the operator."""
    word: tuple[Factor, ...]
    """The product of factors to which it is applied."""
    body: str = ""
    """For a sum over a subtree, the label of the body at the root of that subtree."""


Factor = Atom | Op | Var
Word = tuple[Factor, ...]


@dataclass(frozen=True)
class Term:
    """A sum of products of factors (`Word`), with rational coefficients other than zero."""

    words: Mapping[Word, Fraction]
    """Products of factors and their coefficients."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[Word, Fraction]]) -> Term:
        """Create a term from products and coefficients; those of equal products are added."""
        total: dict[Word, Fraction] = {}
        for word, number in pairs:
            total[word] = total.get(word, Fraction(0)) + number
        return cls({word: number for word, number in total.items() if number})

    @classmethod
    def word(cls, *factors: Factor) -> Term:
        """Create a term of one product of factors, with coefficient one."""
        return cls({factors: Fraction(1)})

    def __iter__(self) -> Iterator[tuple[Word, Fraction]]:
        return iter(self.words.items())

    def __bool__(self) -> bool:
        return bool(self.words)

    def __add__(self, other: Term) -> Term:
        return Term.of([*self, *other])

    def __neg__(self) -> Term:
        return -1 * self

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def __mul__(self, other: Term) -> Term:
        return Term.of((a + b, x * y) for a, x in self for b, y in other)

    def __rmul__(self, number: float | Fraction) -> Term:
        return Term.of((word, Fraction(number) * x) for word, x in self)


def op(name: str, argument: Term, body: str = "") -> Term:
    """Apply a linear operator to every product of a term.

    Examples
    --------
    >>> v, w = Term.word(Atom("v", "i")), Term.word(Atom("v", "j"))
    >>> op("crm", v - w) == op("crm", v) - op("crm", w)
    True
    """
    return Term.of(((Op(name, word, body),), x) for word, x in argument)


def kind(word: Word) -> str:
    """Return the spaces of rows and columns of a product, such as "M1" for a motion vector.

    Examples
    --------
    >>> kind((Atom("I", "i"), Atom("v", "i")))
    'F1'
    """
    if not word:
        raise ProofError("kind: want a product of at least one factor, got none")
    rows, columns = zip(*(_kind(factor) for factor in word), strict=True)
    if rows[1:] != columns[:-1]:
        raise ProofError(
            f"kind: want factors whose columns are of the kind of the next one's rows; got {word}"
        )
    return str(rows[0] + columns[-1])


def _kind(factor: Factor) -> str:
    if not isinstance(factor, Op):
        return factor.kind if isinstance(factor, Var) else KINDS[factor.name]
    inner = kind(factor.word)
    if factor.name == "T":
        return DUAL[inner[1]] + DUAL[inner[0]]
    wanted, made = {"crm": ("M1", "MM"), "crf": ("M1", "FF"), "icrf": ("F1", "FM")}.get(
        factor.name, (inner, inner)
    )
    if inner != wanted:
        raise ProofError(
            f"kind: {factor.name} applies to kind {wanted}, got an argument of {inner}"
        )
    return made
