"""Terms in place of arrays: products, sums and the operators of tensor_sva, with labelled axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from spatial_v2.arrays import column
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.spatial import crf, crm, icrf
from tensor_sva.B import B
from tensor_sva.B_t import B_t
from tensor_sva.crf_t import crf_t
from tensor_sva.crm_t import crm_t
from tensor_sva.icrf_t import icrf_t
from tensor_sva.identities.derivation.definitions import coriolis
from tensor_sva.identities.derivation.terms import Op, Term, Word, op
from tensor_sva.mT import mT
from tensor_sva.mTm import mTm
from tensor_sva.page import page, unpage
from tensor_sva.permuted import T
from tensor_sva.rotR import rotR
from tensor_sva.Tm import Tm

__all__ = ["OPERATORS", "Traced"]


class Traced:
    """A term in place of an array; its axes have labels instead of lengths.

    The label of an axis is "6" for the six components of spatial vectors, "1" for a single column,
    "c" for the columns of joint i, and "p" for those of joint j.
    """

    __array_ufunc__ = None

    def __init__(self, term: Term, *axes: str) -> None:
        self.term, self.axes = term, axes

    def __add__(self, other: Traced) -> Traced:
        return Traced(self.term + other.term, *_wanted(other, self.axes))

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
            raise ArrayShapeError(f"@: want a matrix times one, got {self.axes} and {other.axes}")
        return _product(self, other, *self.axes[:1], *other.axes[1:])

    @property
    def T(self) -> Traced:
        """The transposed matrix."""
        if len(self.axes) != 2:
            raise ArrayShapeError(f"transpose: want a matrix, got axes {self.axes}")
        return Traced(op("T", self.term), *self.axes[::-1])

    def __iter__(self) -> Iterator[Traced]:
        """Yield one labelled row, which stands for all rows."""
        _wanted(self, ("p", "6"))
        yield Traced(Term.of((_argument(word), x) for word, x in self.term), "6")

    def __array_function__(self, function: Any, _: Any, arguments: Any, options: Any) -> Traced:
        if function is not np.stack or options != {"axis": -1} or len(arguments[0]) != 1:
            raise ArrayShapeError(
                "terms: want np.stack([x], axis=-1) of one term x as the only NumPy function; got "
                f"{function.__name__}"
            )
        (x,) = arguments[0]
        return Traced(x.term, *x.axes, "p")


def _argument(word: Word) -> Word:
    """Return the argument of a transpose, whose columns are the rows of the transposed matrix."""
    (first,) = word
    if not (isinstance(first, Op) and first.name == "T"):
        raise ArrayShapeError(f"rows: want a transposed matrix, got {first}")
    return first.word


def _wanted(x: Traced, axes: tuple[str, ...]) -> tuple[str, ...]:
    if x.axes != axes:
        raise ArrayShapeError(f"term: want axes {axes}, got {x.axes}")
    return axes


def _product(a: Traced, b: Traced, *axes: str) -> Traced:
    if (a.axes[1], b.axes[0]) != ("6", "6"):
        raise ArrayShapeError(f"product: want inner axes '6', got axes {a.axes} and {b.axes}")
    return Traced(a.term * b.term, *axes)


def _vector(x: Traced) -> Term:
    _wanted(x, ("6", "1")[: len(x.axes)])
    return x.term


def _columns(x: Traced) -> str:
    (column,) = x.axes[1:] or ("",)
    _wanted(x, ("6", column))
    return column


def _cross(name: str) -> Callable[[Traced], Traced]:
    return lambda x: Traced(op(name, _vector(x)), "6", "6")


def _cross_t(name: str) -> Callable[[Traced], Traced]:
    return lambda x: Traced(op(name, x.term), "6", "6", _columns(x))


def _tensor(A: Traced) -> Traced:
    if len(A.axes) != 3:
        raise ArrayShapeError(f"term: want a tensor of three axes, got axes {A.axes}")
    return A


def _Tm(A: Traced, b: Traced) -> Traced:
    return _product(_tensor(A), b, A.axes[0], b.axes[1], A.axes[2])


def _mT(b: Traced, A: Traced) -> Traced:
    return _product(b, _tensor(A), b.axes[0], *A.axes[1:])


def _unpage(A: Traced) -> Traced:
    return Traced(A.term, *_wanted(A, (*A.axes[:2], "1"))[:2])


OPERATORS: dict[Any, Callable[..., Traced]] = {
    **{f: _cross(f.__name__) for f in (crm, crf, icrf)},
    **{f: _cross_t(f.__name__.removesuffix("_t")) for f in (crm_t, crf_t, icrf_t)},
    B: lambda I, v: Traced(coriolis(I.term, _vector(v)), "6", "6"),
    B_t: lambda I, V: Traced(coriolis(I.term, V.term), "6", "6", _columns(V)),
    Tm: _Tm,
    mT: _mT,
    mTm: lambda b, A, c: _Tm(_mT(b, A), c),
    rotR: lambda A: Traced(_tensor(A).term, A.axes[0], A.axes[2], A.axes[1]),
    column: lambda x: Traced(x.term, *_wanted(x, ("6",)), "1"),
    page: lambda x: Traced(x.term, *x.axes, "1"),
    unpage: _unpage,
    T: lambda x: x.T,
}
"""For each function of this library for arrays, the function that replaces it for terms. The term
of a tensor is that of one of its slices ``[:, :, k]``.
"""
