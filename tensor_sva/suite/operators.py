"""The operators in which identities are written, and their replacement by those of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any, cast

from spatial_v2.exceptions import SpatialError
from tensor_sva.identities.identity import Identity, Side

__all__ = ["OPERATORS", "needs", "operators_of", "rewritten"]

OPERATORS = {
    "crm": "motion vector (6, 1) -> (6, 6): v x on motions",
    "crf": "motion vector (6, 1) -> (6, 6): v x* on forces",
    "icrf": "force vector (6, 1) -> (6, 6): f x-bar*, with icrf(f) v = crf(v) f",
    "crm_t": "motion matrix (6, n) -> (6, 6, n): page k is crm of column k",
    "crf_t": "motion matrix (6, n) -> (6, 6, n): page k is crf of column k",
    "icrf_t": "force matrix (6, n) -> (6, 6, n): page k is icrf of column k",
    "mT": "matrix (a, l), tensor (l, b, c) -> (a, b, c): the matrix times every page",
    "Tm": "tensor (a, m, c), matrix (m, b) -> (a, b, c): every page times the matrix",
    "mTm": "matrix, tensor, matrix: every page between the two",
    "rotT": "tensor (a, b, c) -> (b, a, c): rows and columns change places",
    "rotR": "tensor (a, b, c) -> (a, c, b): columns and pages change places",
    "rotRT": "tensor (a, b, c) -> (c, a, b): rotR, then rotT",
    "B": "inertia (6, 6), motion vector (6, 1) -> (6, 6): the body-Coriolis matrix",
    "B_t": "inertia (6, 6), motion matrix (6, n) -> (6, 6, n): page k is B of column k",
}
"""Operators that an implementation may provide, with shapes. Arrays need ``@``, ``+, -, *``."""

_SHAPES = ("T", "page", "unpage")
"""Transposition, `page` and `unpage`, for which this library's are used by default."""


def operators_of(source: object) -> dict[str, Any]:
    """Return the operators that a module, an object or a mapping provides.

    Parameters
    ----------
    source : module, object or mapping
        Provides some of the names in `OPERATORS`, and perhaps ``T``, ``page``, ``unpage``.

    Returns
    -------
    dict
        Callables by name.

    Raises
    ------
    SpatialError
        If it provides none of them, or one that cannot be called.

    Examples
    --------
    >>> import tensor_sva
    >>> sorted(set(OPERATORS) - set(operators_of(tensor_sva)))
    ['crf', 'crm', 'icrf']
    """
    names = (*OPERATORS, *_SHAPES)
    if isinstance(source, Mapping):
        operators = {name: source[name] for name in names if name in source}
    else:
        operators = {name: getattr(source, name) for name in names if hasattr(source, name)}
    if not operators.keys() & OPERATORS.keys():
        raise SpatialError(
            f"operators: want a module, an object or a dict with operators; {source!r} names "
            f"none of {', '.join(OPERATORS)}"
        )
    for name, x in operators.items():
        if not callable(x):
            raise SpatialError(f"operators: {name} is not a function but {x!r}")
    return operators


def needs(identity: Identity) -> list[str]:
    """Return the operators in an identity; for identities about joints, in the right sides only.

    Examples
    --------
    >>> from tensor_sva.identities import IDENTITIES
    >>> needs(IDENTITIES["M2"])
    ['crm_t', 'crf_t', 'mT', 'Tm', 'rotT']
    """
    sides = [side for side in identity.right_sides.values() if side is not None]
    sides += [] if identity.about_joints else [identity.lhs]
    names = set().union(*(_names(cast("FunctionType", side).__code__) for side in sides))
    return [name for name in OPERATORS if name in names]


def rewritten(identity: Identity, operators: Mapping[str, Any]) -> Identity:
    """Replace the operators of an identity, for identities about joints in the right sides only.

    Examples
    --------
    >>> from tensor_sva.identities import IDENTITIES
    >>> wrong = rewritten(IDENTITIES["P6"], {"crm": lambda v: 2 * crm(v)})
    >>> from spatial_v2.spatial import crm
    >>> from tensor_sva.identities import check
    >>> check(IDENTITIES["P6"]) < 1e-12 < check(wrong)
    True
    """

    def put(side: Side) -> Side:
        f = cast("FunctionType", side)
        known = {**f.__globals__, **operators}
        return FunctionType(f.__code__, known, f.__name__, f.__defaults__, f.__closure__)

    cases = {case: side and put(side) for case, side in identity.cases.items()}
    lhs = identity.lhs if identity.about_joints else put(identity.lhs)
    return replace(identity, lhs=lhs, rhs=put(identity.rhs), cases=cases)


def _names(code: CodeType) -> set[str]:
    inner = [_names(x) for x in code.co_consts if isinstance(x, CodeType)]
    return set(code.co_names).union(*inner)
