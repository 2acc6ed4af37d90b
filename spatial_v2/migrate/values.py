"""Functions with MATLAB's values where NumPy's differ, imported by translations."""

from __future__ import annotations

import keyword
import math
from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["acos", "as_dict", "as_integer", "as_text", "asin", "mod", "rem"]


def asin(x: Any) -> Any:
    """Compute the arc sine as MATLAB does: complex if |x| > 1, conjugate to NumPy's if x > 1."""
    y = np.emath.arcsin(x)
    return np.where(np.real(x) > 1, np.conj(y), y)[()] if np.isrealobj(x) else y


def acos(x: Any) -> Any:
    """Compute the arc cosine as MATLAB does: complex if |x| > 1, conjugate to NumPy's if x > 1."""
    y = np.emath.arccos(x)
    return np.where(np.real(x) > 1, np.conj(y), y)[()] if np.isrealobj(x) else y


def as_integer(x: float) -> str:
    """Format a number as MATLAB's ``%d`` does, which differs for numbers that are not integers."""
    if np.isfinite(x):
        return str(int(x)) if x == int(x) else f"{x:e}"
    return as_text(x)


def as_text(x: float) -> str:
    """Format a number as MATLAB's ``num2str`` does."""
    if not np.isfinite(x):
        return "NaN" if np.isnan(x) else "Inf" if x > 0 else "-Inf"
    digits = max(math.floor(math.log10(abs(x) or 1)), 0) + 5
    return f"{x:.{digits}g}"


def as_dict(x: Any) -> Any:
    """Convert a struct, and the structs in it, to dicts."""
    if isinstance(x, SimpleNamespace):
        pairs = ((n[:-1] if keyword.iskeyword(n[:-1]) else n, y) for n, y in vars(x).items())
        return {name: as_dict(y) for name, y in pairs}
    return [as_dict(y) for y in x] if isinstance(x, list) else x


def mod(x: Any, y: Any) -> Any:
    """Return the remainder of x / y with the sign of y; 0 if the quotient is whole up to rounding,
    x if y is 0.
    """
    return _remainder(np.floor, x, y)


def rem(x: Any, y: Any) -> Any:
    """Return the remainder of x / y with the sign of x; 0 if the quotient is whole up to
    rounding.
    """
    found = _remainder(np.trunc, x, y)
    return np.where(np.asarray(y) == 0, np.nan, found)[()]


def _remainder(rounded: Any, x: Any, y: Any) -> Any:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = x / y
        near = np.rint(q)
        whole = (np.rint(y) != y) & (np.abs((q - near) / near) < np.finfo(float).eps)
        found = np.where(whole, 0.0, x - y * rounded(q))
    return np.where(y == 0, x, found)[()]
