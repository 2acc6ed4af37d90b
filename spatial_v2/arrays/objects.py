"""The array namespace of object arrays: NumPy arrays of numbers that belong to other libraries.

These are symbols of SymPy and CasADi, numbers of mpmath with any precision, or dual numbers. Sums
and products are Python's. A function such as `cos` is that of the number's own library, or a method
of the number. Functions that only rearrange elements are NumPy's. Plain numbers among such objects
are converted to objects of the same library, integers exactly, so that no precision is lost.
"""

from __future__ import annotations

import math
import numbers
import operator
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

PLAIN = int, float, complex, np.generic
"""Numbers that belong to no other library."""

_METHODS = {"atan": "arctan", "atan2": "arctan2"}
"""Names of methods that NumPy calls, for functions with another name in the array API standard."""


def __getattr__(name: str) -> Any:
    return getattr(np, name)


def elements(x: Any) -> Any:
    """Convert a matrix of CasADi or SymPy to an array of its elements, a column to a vector; return
    anything else unchanged.
    """
    library = (type(x).__module__ or "").partition(".")[0]
    if library not in ("casadi", "sympy") or len(getattr(x, "shape", ())) != 2:
        return x
    n, m = map(int, x.shape)
    out = np.empty((n, m), dtype=object)
    for i, j in np.ndindex(n, m):
        out[i, j] = float(x[i, j]) if type(x).__name__ == "DM" else x[i, j]
    return out.reshape(() if n == m == 1 else (n,) if m == 1 else (n, m))


def uniform(x: np.ndarray) -> np.ndarray:
    """Convert the elements of an object array to one library, or to float if all are plain numbers.

    Examples
    --------
    >>> from fractions import Fraction
    >>> uniform(np.array([Fraction(1, 3), 2.0], dtype=object))
    array([Fraction(1, 3), Fraction(2, 1)], dtype=object)
    """
    entries = x.ravel().tolist()
    plain = [isinstance(e, PLAIN) for e in entries]
    for e in entries:
        if e is None or isinstance(e, (str, bytes, list, tuple, dict, set)):
            raise ValueError(f"its entries must be numbers, got {e!r}")
    if all(plain):
        kind = (
            complex if any(isinstance(e, (complex, np.complexfloating)) for e in entries) else float
        )
        return x.astype(kind)
    return lifted(x, x) if any(plain) else x


def lifted(x: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Convert the plain numbers in `x` to numbers of the library of the elements of `like`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> lifted(np.eye(1), np.array([Fraction(1, 2)]))
    array([[Fraction(1, 1)]], dtype=object)
    """
    sample = next((e for e in like.ravel().tolist() if not isinstance(e, PLAIN)), 0)
    zero, known = sample * 0, {}

    def number(e: Any) -> Any:
        if not isinstance(e, PLAIN):
            return e
        if e not in known:
            known[e] = zero + _exact(e)
        return known[e]

    return array(np.frompyfunc(number, 1, 1)(x))


def _exact(e: Any) -> Any:
    """Convert a plain number to an integer if it is a whole number below 2^53."""
    e = complex(e)
    if e.imag:
        return e
    return int(e.real) if e.real.is_integer() and -(2**53) < e.real < 2**53 else e.real


def combination(v: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Return ``v @ basis`` for a sparse `basis` of integers, without products with 0 and 1."""
    zero, columns = zeros_like(v[..., :1]), []
    for weights in basis.T.tolist():
        total = zero
        for k, weight in enumerate(weights):
            if weight:
                part = v[..., k : k + 1]
                total = total + (part if weight == 1 else weight * part)
        columns.append(total)
    return np.concatenate(columns, axis=-1)


def array(x: Any) -> np.ndarray:
    """Return the result of a NumPy function on object arrays as an array; a single object becomes
    an array without axes.
    """
    if isinstance(x, np.ndarray):
        return x
    out = np.empty((), dtype=object)
    out[()] = x
    return out


def digits(x: np.ndarray) -> float:
    """Return the decimal digits of the numbers in `x`: infinity for SymPy, 16 if unknown."""
    kind = type(next(iter(x.ravel().tolist()), 0.0))
    return math.inf if _find(kind, "Piecewise") else float(getattr(_context(kind), "dps", 16))


def is_complex(x: np.ndarray) -> bool:
    """Return whether some number is of a complex type; symbols count as real."""
    return any(
        isinstance(e, numbers.Complex) and not isinstance(e, numbers.Real)
        for e in x.ravel().tolist()
    )


def _context(kind: type) -> Any:
    """Return the mpmath context of a type of numbers, which has their precision and functions."""
    return getattr(kind, "context", None) or getattr(kind, "ctx", None)


def _search(kind: type, name: str) -> Callable[..., Any] | None:
    """Find a function by name: a method of a type of numbers, or a function of its library."""
    method: Callable[..., Any] | None = getattr(kind, _METHODS.get(name, name), None)
    if callable(method):
        return method
    modules = [(base.__module__ or "").partition(".")[0] for base in reversed(kind.__mro__)]
    owners = [_context(kind), *map(sys.modules.get, modules)]
    return next((getattr(owner, name) for owner in owners if hasattr(owner, name)), None)


_find: Callable[[type, str], Callable[..., Any] | None] = cache(_search)
"""Cached `_search`."""


def _value(name: str, *xs: Any) -> Any:
    own = next((x for x in xs if not isinstance(x, PLAIN)), None)
    function = getattr(np, name) if own is None else _find(type(own), name)
    if function is None:
        raise TypeError(
            f"{name}: numbers of type {type(own).__name__} have no function of this name; use "
            "SymPy, mpmath or CasADi"
        )
    return function(*xs)


def _each(function: Callable[..., Any], *xs: Any) -> np.ndarray:
    return array(np.frompyfunc(function, len(xs), 1)(*xs))


def cos(x: Any, /) -> np.ndarray:
    """Cosine."""
    return _each(lambda e: _value("cos", e), x)


def sin(x: Any, /) -> np.ndarray:
    """Sine."""
    return _each(lambda e: _value("sin", e), x)


def log(x: Any, /) -> np.ndarray:
    """Natural logarithm."""
    return _each(lambda e: _value("log", e), x)


def sqrt(x: Any, /) -> np.ndarray:
    """Square root."""
    return _each(lambda e: _value("sqrt", e), x)


def atan(x: Any, /) -> np.ndarray:
    """Inverse tangent."""
    return _each(lambda e: _value("atan", e), x)


def atan2(x1: Any, x2: Any, /) -> np.ndarray:
    """Angle of the point (x2, x1)."""
    return _each(lambda e1, e2: _value("atan2", e1, e2), x1, x2)


def abs(x: Any, /) -> np.ndarray:
    """Absolute value."""
    return _each(operator.abs, x)


def real(x: Any, /) -> np.ndarray:
    """Real part; the number itself if it has no attribute ``real``."""
    return _each(lambda e: getattr(e, "real", e), x)


def sign(x: Any, /) -> np.ndarray:
    """Sign of each number: -1, 0 or 1, or a symbolic expression."""
    return _each(_sign, x)


def _sign(e: Any) -> Any:
    if not isinstance(e, PLAIN) and (own := _find(type(e), "sign")):
        return own(e)
    return np.sign(float(e))


def stack(arrays: Any, /, *, axis: int = 0) -> np.ndarray:
    """Arrays side by side along a new axis."""
    return np.stack([array(x) for x in arrays], axis=axis)


def sum(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> np.ndarray:
    """Sum along axes."""
    return array(np.sum(x, axis=axis, keepdims=keepdims))


def zeros_like(x: Any, /) -> np.ndarray:
    """Array of zeros of the same kind."""
    return lifted(np.zeros(np.shape(x)), x)


def _relation(compare: Callable[[Any, Any], Any], x1: Any, x2: Any) -> np.ndarray:
    """Compare elements: an array of bool, or of symbolic relations if one is undecided."""
    truth = _each(lambda e1, e2: _known(compare(e1, e2)), x1, x2)
    known = all(isinstance(e, bool) for e in truth.ravel().tolist())
    return truth.astype(bool) if known else truth


def _known(truth: Any) -> Any:
    """Convert a decided truth value to bool; return a symbolic relation unchanged."""
    settled = getattr(truth, "is_Boolean", False) and truth in (True, False)
    return bool(truth) if settled or isinstance(truth, np.bool_) else truth


def settled(truth: np.ndarray, generic: bool) -> np.ndarray:
    """Replace undecided relations of SymPy by `generic` in an array of truth values."""
    if truth.dtype == bool:
        return truth
    value = _each(lambda e: generic if _find(type(e), "Piecewise") else e, truth)
    known = all(isinstance(e, bool) for e in value.ravel().tolist())
    return value.astype(bool) if known else value


def less(x1: Any, x2: Any, /) -> np.ndarray:
    """x1 < x2."""
    return _relation(operator.lt, x1, x2)


def less_equal(x1: Any, x2: Any, /) -> np.ndarray:
    """x1 <= x2."""
    return _relation(operator.le, x1, x2)


def equal(x1: Any, x2: Any, /) -> np.ndarray:
    """x1 == x2; SymPy's expressions are equal if they are written alike."""
    return _relation(operator.eq, x1, x2)


def where(condition: Any, x1: Any, x2: Any, /) -> np.ndarray:
    """`x1` where the condition holds, `x2` elsewhere; for CasADi an ``if_else`` expression."""
    if np.asarray(condition).dtype == bool:
        return np.asarray(np.where(condition, x1, x2))
    return _each(_choice, condition, x1, x2)


def _choice(condition: Any, x1: Any, x2: Any) -> Any:
    if isinstance(condition, bool):
        return x1 if condition else x2
    if function := _find(type(condition), "if_else"):
        return function(condition, x1, x2)
    raise TypeError(
        f"where: want truth values or relations as condition, got {type(condition).__name__}"
    )
