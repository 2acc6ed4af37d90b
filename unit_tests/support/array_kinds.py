"""Two kinds of arrays with which tests run reference implementations: arrays of the strict array
API, and arrays of dual numbers.
"""

from __future__ import annotations

import math
from typing import Any

import array_api_strict
import numpy as np


class Dual:
    """Dual number a + b eps with eps^2 = 0, for forward differentiation with object arrays."""

    def __init__(self, a: float, b: float = 0.0) -> None:
        self.a, self.b = a, b

    def __add__(self, other: Any) -> Dual:
        other = _dual(other)
        return Dual(self.a + other.a, self.b + other.b)

    def __mul__(self, other: Any) -> Dual:
        other = _dual(other)
        return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

    def __truediv__(self, other: Any) -> Dual:
        other = _dual(other)
        return Dual(self.a / other.a, (self.b * other.a - self.a * other.b) / other.a**2)

    def __neg__(self) -> Dual:
        return Dual(-self.a, -self.b)

    def __sub__(self, other: Any) -> Dual:
        return self + -_dual(other)

    def __rsub__(self, other: Any) -> Dual:
        return _dual(other) - self

    def __rtruediv__(self, other: Any) -> Dual:
        return _dual(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Any) -> bool:
        return bool(self.a < _dual(other).a)

    def __le__(self, other: Any) -> bool:
        return bool(self.a <= _dual(other).a)

    def __gt__(self, other: Any) -> bool:
        return bool(self.a > _dual(other).a)

    def __ge__(self, other: Any) -> bool:
        return bool(self.a >= _dual(other).a)

    def __eq__(self, other: object) -> bool:
        return bool(self.a == _dual(other).a)

    __hash__ = None  # type: ignore[assignment]

    def __abs__(self) -> Dual:
        return self if self.a >= 0 else -self

    def sin(self) -> Dual:
        return Dual(math.sin(self.a), self.b * math.cos(self.a))

    def cos(self) -> Dual:
        return Dual(math.cos(self.a), -self.b * math.sin(self.a))

    def sqrt(self) -> Dual:
        root = math.sqrt(self.a)
        return Dual(root, self.b / (2 * root))

    def arctan(self) -> Dual:
        return Dual(math.atan(self.a), self.b / (1 + self.a**2))


def _dual(x: Any) -> Dual:
    return x if isinstance(x, Dual) else Dual(float(x))


def dual(x: np.ndarray, dx: np.ndarray) -> np.ndarray:
    """Return the object array of the dual numbers x + dx eps."""
    return np.vectorize(Dual, otypes=[object])(x, dx)


def value(x: Any) -> np.ndarray:
    """Return the real parts of an array of dual numbers."""
    return np.vectorize(lambda d: _dual(d).a, otypes=[float])(x)


def slope(x: Any) -> np.ndarray:
    """Return the coefficients of eps of an array of dual numbers."""
    return np.vectorize(lambda d: _dual(d).b, otypes=[float])(x)


def strict(x: np.ndarray) -> Any:
    """Convert `x` to an array that has only the methods of the array API standard."""
    return array_api_strict.asarray(x)


def from_strict(x: Any) -> np.ndarray:
    """Convert a strict array to a NumPy array; raise an error for anything else."""
    assert isinstance(x, type(array_api_strict.asarray(0.0))), type(x)
    return np.asarray(x)
