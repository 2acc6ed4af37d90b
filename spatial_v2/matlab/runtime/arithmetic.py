"""MATLAB's operators on NumPy's arrays and numbers of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = [
    "add",
    "both",
    "divide",
    "either",
    "equal",
    "greater",
    "greater_equal",
    "left_divide",
    "less",
    "less_equal",
    "number",
    "power",
    "product",
    "right_divide",
    "subtract",
    "times",
    "truth",
    "unequal",
]


def number(a: Any) -> Any:
    """Return logical values as numbers; other arrays as they are."""
    if isinstance(a, np.ndarray):
        return a.astype(float) if a.dtype.kind == "b" else a
    return float(a) if isinstance(a, (bool, int)) else a


def truth(a: Any) -> Any:
    """Return numbers as logical values."""
    if isinstance(a, np.ndarray):
        if a.dtype.kind == "b":
            return a
        if a.dtype.kind in "fc" and np.isnan(a).any():
            raise ValueError("NaN has no truth value")
        return a != 0
    return bool(a)


def _aligned(a: Any, b: Any) -> tuple[Any, Any]:
    """Give two arrays the same number of axes; further axes have length 1."""
    n = getattr(a, "ndim", 0) - getattr(b, "ndim", 0)
    if n and isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if n > 0:
            b = b.reshape(b.shape + (1,) * n)
        else:
            a = a.reshape(a.shape + (1,) * -n)
    return a, b


def _entrywise(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], np.ndarray]:
    def operator(a: Any, b: Any) -> np.ndarray:
        a, b = _aligned(number(a), number(b))
        kinds = [x.dtype for x in (a, b) if isinstance(x, np.ndarray) and x.dtype.kind in "iu"]
        if kinds:
            return _whole(f, a, b, kinds[0])
        with np.errstate(all="ignore"):
            found = np.asarray(f(a, b))
        small = np.dtype(np.float32)
        if any(getattr(x, "dtype", None) == small for x in (a, b)) and found.dtype.kind == "f":
            return found.astype(small)
        return found

    return operator


def _whole(f: Callable[[Any, Any], Any], a: Any, b: Any, kind: np.dtype) -> np.ndarray:
    """Compute with integers of limited size, which are rounded and do not overflow."""
    given = [x.astype(float) if isinstance(x, np.ndarray) else x for x in (a, b)]
    with np.errstate(all="ignore"):
        return limited(np.asarray(f(*given)), kind)


def limited(a: np.ndarray, kind: Any) -> np.ndarray:
    """Round to integers, halves away from zero, inside the limits of their type."""
    info = np.iinfo(kind)
    rounded = np.trunc(a + np.copysign(0.5, a))
    return np.clip(np.where(np.isnan(rounded), 0, rounded), info.min, info.max).astype(kind)


def _power(a: Any, b: Any) -> Any:
    if np.asarray(a).dtype.kind == "f" and np.asarray(b).dtype.kind == "f":
        some = (np.asarray(a) < 0) & (np.asarray(b) != np.trunc(b))
        if np.any(some):
            return np.power(np.asarray(a, complex), b)
    return np.power(a, b)


def _compared(f: Callable[[Any, Any], Any], ordered: bool = True) -> Callable[[Any, Any], Any]:
    def operator(a: Any, b: Any) -> np.ndarray:
        a, b = _aligned(a, b)
        if ordered:
            a, b = (np.real(x) if np.iscomplexobj(x) else x for x in (a, b))
        found = np.asarray(f(a, b))
        return found if found.dtype == object else found.astype(bool)

    return operator


add = _entrywise(np.add)
subtract = _entrywise(np.subtract)
times = _entrywise(np.multiply)
divide = _entrywise(np.true_divide)
power = _entrywise(_power)
equal = _compared(np.equal, ordered=False)
unequal = _compared(np.not_equal, ordered=False)
less = _compared(np.less)
less_equal = _compared(np.less_equal)
greater = _compared(np.greater)
greater_equal = _compared(np.greater_equal)


def both(a: Any, b: Any) -> np.ndarray:
    """Compute ``a & b``."""
    return np.asarray(np.logical_and(*_aligned(truth(a), truth(b))))


def either(a: Any, b: Any) -> np.ndarray:
    """Compute ``a | b``."""
    return np.asarray(np.logical_or(*_aligned(truth(a), truth(b))))


def product(a: Any, b: Any) -> np.ndarray:
    """Compute ``a * b``."""
    if np.size(a) == 1 or np.size(b) == 1:
        return times(a, b)
    a, b = number(a), number(b)
    if a.ndim > 2 or b.ndim > 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"operator *: nonconformant arguments ({a.shape}, {b.shape})")
    if 0 in (*a.shape, *b.shape):
        return np.zeros((a.shape[0], b.shape[1]))
    return np.asarray(a @ b)


def left_divide(a: Any, b: Any) -> np.ndarray:
    """Compute ``a \\ b``."""
    if np.size(a) == 1:
        return divide(b, a)
    a, b = number(a), number(b)
    if np.ndim(b) != 2 or a.shape[0] != b.shape[0]:
        raise ValueError(f"operator \\: nonconformant arguments ({a.shape}, {np.shape(b)})")
    if a.shape[0] == a.shape[1]:
        try:
            return np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            pass
    return np.asarray(np.linalg.lstsq(a, b, rcond=None)[0])


def right_divide(a: Any, b: Any) -> np.ndarray:
    """Compute ``a / b``."""
    if np.size(b) == 1:
        return divide(a, b)
    return left_divide(np.asarray(b).T, np.asarray(a).T).T
