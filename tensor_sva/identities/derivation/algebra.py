"""Rules of spatial algebra, each proved by SymPy as an identity of polynomials."""

from __future__ import annotations

from functools import cache
from typing import Any

from tensor_sva.identities.derivation.checker import Rule
from tensor_sva.identities.derivation.terms import Factor, Op, Term, Var, Word, op

__all__ = ["ALGEBRA", "expands"]

_v, _m, _f = Var("v", "M1"), Var("m", "M1"), Var("f", "F1")
_V, _F = Term.word(_v), Term.word(_f)
_X = Var("X", "MM", single=True)
_A, _Rest = Var("A", single=True), Var("B")


def _cross(name: str, argument: Term) -> Term:
    return op(name, argument)


def _word(name: str, *argument: Factor) -> tuple[Op]:
    return (Op(name, argument),)


_crm_v, _crf_v, _crm_m, _crf_m = (
    Term.word(Op(name, (x,))) for x in (_v, _m) for name in ("crm", "crf")
)
_icrf_f = Term.word(Op("icrf", (_f,)))

ALGEBRA = {
    "P1": Rule(
        _word("crm", Op("crm", (_v,)), _m),
        _crm_v * _crm_m - _crm_m * _crm_v,
    ),
    "P2": Rule(
        _word("crf", Op("crm", (_v,)), _m),
        _crf_v * _crf_m - _crf_m * _crf_v,
    ),
    "P3": Rule(
        _word("icrf", Op("crf", (_v,)), _f),
        _crf_v * _icrf_f - _icrf_f * _crm_v,
    ),
    "M1": Rule(_word("T", Op("crm", (_v,))), -_crf_v),
    "M8": Rule((Op("crm", (_v,)), _m), -_crm_m * _V),
    "M8, v = m": Rule((Op("crm", (_v,)), _v), Term({})),
    "M14": Rule((Op("icrf", (_f,)), _v), _crf_v * _F),
}
"""Rules by name, those of identities of tensor_sva stated for one column; "M8, v = m" is
``v x v = 0``.
"""


@cache
def expands(name: str) -> bool:
    """Return True if both sides of a rule of `ALGEBRA` expand to the same polynomials.

    Examples
    --------
    >>> expands("P1")
    True
    """
    import numpy as np
    import sympy

    rule = ALGEBRA[name]
    gap = np.ravel(_value(Term.word(*rule.left) - rule.right))
    return all(sympy.expand(x) == 0 for x in gap)


def _value(term: Term) -> Any:
    return sum(int(x) * _product(word) for word, x in term)


def _product(word: Word) -> Any:
    from functools import reduce
    from operator import matmul

    return reduce(matmul, [_factor(factor) for factor in word])


def _factor(factor: Factor) -> Any:
    from spatial_v2.spatial import crf, crm, icrf
    from tensor_sva.identities.general import general

    if isinstance(factor, Var):
        return general(factor.name)
    assert isinstance(factor, Op)
    inner = _product(factor.word)
    if factor.name == "T":
        return inner.T
    return {"crm": crm, "crf": crf, "icrf": icrf}[factor.name](inner)
