"""Numbers that carry all derivatives up to the fourth, in several variables: Taylor polynomials."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["DEGREE", "Taylor", "tensors", "variables"]

DEGREE = 4
"""Degree of the polynomials: implicit motions of second order need four derivatives."""


@functools.cache
def monomials(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the monomials of n variables, each as the ascending numbers of its factors.

    Examples
    --------
    >>> monomials(1)
    ((), (0,), (0, 0), (0, 0, 0), (0, 0, 0, 0))
    """
    every = (itertools.combinations_with_replacement(range(n), k) for k in range(DEGREE + 1))
    return tuple(itertools.chain.from_iterable(every))


@functools.cache
def _products(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the numbers of all pairs of monomials, and those of their products."""
    place = {m: k for k, m in enumerate(monomials(n))}
    found = [
        (i, j, place[tuple(sorted(a + b))])
        for a, i in place.items()
        for b, j in place.items()
        if len(a) + len(b) <= DEGREE
    ]
    i, j, k = np.array(found).T
    return i, j, k


class Taylor:
    """A number with its derivatives by n variables: the coefficients of a polynomial.

    NumPy's functions take arrays of such numbers. Comparisons are those of the values.

    Parameters
    ----------
    c : array
        Coefficients of `monomials`.
    n : int
        Number of variables.
    """

    __slots__ = ("c", "n")

    def __init__(self, c: np.ndarray, n: int) -> None:
        self.c, self.n = c, n

    @property
    def value(self) -> Any:
        """The number without its derivatives."""
        return self.c[0]

    def _of(self, x: Any) -> Taylor:
        if isinstance(x, Taylor):
            return x
        c = np.zeros(len(self.c), dtype=np.result_type(x, float))
        c[0] = x
        return Taylor(c, self.n)

    def _by(self, derivatives: Sequence[Any]) -> Taylor:
        """Return f of the number, given the value and derivatives of f at its value."""
        h, out = Taylor(self.c.copy(), self.n), self._of(derivatives[0])
        h.c[0], power = 0.0, h
        for k, d in enumerate(derivatives[1:], 1):
            out = out + power * (d / math.factorial(k))
            power = power * h
        return out

    def __add__(self, x: Any) -> Taylor:
        return Taylor(self.c + self._of(x).c, self.n)

    __radd__ = __add__

    def __neg__(self) -> Taylor:
        return Taylor(-self.c, self.n)

    def __pos__(self) -> Taylor:
        return self

    def __sub__(self, x: Any) -> Taylor:
        return Taylor(self.c - self._of(x).c, self.n)

    def __rsub__(self, x: Any) -> Taylor:
        return Taylor(self._of(x).c - self.c, self.n)

    def __mul__(self, x: Any) -> Taylor:
        if not isinstance(x, Taylor):
            return Taylor(self.c * x, self.n)
        i, j, k = _products(self.n)
        out = np.zeros(len(self.c), dtype=np.result_type(self.c, x.c))
        np.add.at(out, k, self.c[i] * x.c[j])
        return Taylor(out, self.n)

    __rmul__ = __mul__

    def __truediv__(self, x: Any) -> Taylor:
        inverse: Taylor = self._of(x).__pow__(-1)
        return self.__mul__(inverse)

    def __rtruediv__(self, x: Any) -> Taylor:
        inverse: Taylor = self.__pow__(-1)
        return inverse.__mul__(x)

    def __pow__(self, p: Any) -> Taylor:
        if isinstance(p, Taylor):
            power: Taylor = p * self.log()
            return power.exp()
        if isinstance(p, int | np.integer) and p >= 0:
            out = self._of(1.0)
            for _ in range(p):
                out = out * self
            return out
        x, factors = self.value, [1.0]
        for k in range(DEGREE):
            factors.append(factors[-1] * (p - k))
        return self._by([a * x ** float(p - k) for k, a in enumerate(factors)])

    def __rpow__(self, a: Any) -> Taylor:
        power: Taylor = self * np.log(a)
        return power.exp()

    def __lt__(self, x: Any) -> bool:
        return bool(np.real(self.value) < np.real(self._of(x).value))

    def __le__(self, x: Any) -> bool:
        return bool(np.real(self.value) <= np.real(self._of(x).value))

    def __gt__(self, x: Any) -> bool:
        return bool(np.real(self.value) > np.real(self._of(x).value))

    def __ge__(self, x: Any) -> bool:
        return bool(np.real(self.value) >= np.real(self._of(x).value))

    def sqrt(self) -> Taylor:
        """Return the square root."""
        return self.__pow__(0.5)

    def square(self) -> Taylor:
        """Return the square."""
        return self * self

    def exp(self) -> Taylor:
        """Return the exponential."""
        return self._by([np.exp(self.value)] * (DEGREE + 1))

    def log(self) -> Taylor:
        """Return the natural logarithm."""
        r = 1 / self.value
        return self._by([np.log(self.value), r, -(r**2), 2 * r**3, -6 * r**4])

    def sin(self) -> Taylor:
        """Return the sine."""
        s, c = np.sin(self.value), np.cos(self.value)
        return self._by([s, c, -s, -c, s])

    def cos(self) -> Taylor:
        """Return the cosine."""
        s, c = np.sin(self.value), np.cos(self.value)
        return self._by([c, -s, -c, s, c])

    def tan(self) -> Taylor:
        """Return the tangent."""
        return self.sin() / self.cos()

    def sinh(self) -> Taylor:
        """Return the hyperbolic sine."""
        s, c = np.sinh(self.value), np.cosh(self.value)
        return self._by([s, c, s, c, s])

    def cosh(self) -> Taylor:
        """Return the hyperbolic cosine."""
        s, c = np.sinh(self.value), np.cosh(self.value)
        return self._by([c, s, c, s, c])

    def tanh(self) -> Taylor:
        """Return the hyperbolic tangent."""
        return self.sinh() / self.cosh()

    def arctan(self) -> Taylor:
        """Return the inverse tangent."""
        x = self.value
        d = 1 / (1 + x * x)
        own = [d, -2 * x * d**2, (6 * x * x - 2) * d**3, 24 * x * (1 - x * x) * d**4]
        return self._by([np.arctan(x), *own])

    def arcsin(self) -> Taylor:
        """Return the inverse sine."""
        x = self.value
        d = (1 - x * x) ** -0.5
        own = [d, x * d**3, (1 + 2 * x * x) * d**5, (9 * x + 6 * x**3) * d**7]
        return self._by([np.arcsin(x), *own])

    def arccos(self) -> Taylor:
        """Return the inverse cosine."""
        return np.pi / 2 - self.arcsin()

    def arctan2(self, x: Any) -> Taylor:
        """Return the angle of the point (x, self)."""
        x = self._of(x)
        angle = float(np.arctan2(np.real(self.value), np.real(x.value)))
        s, c = math.sin(angle), math.cos(angle)
        turned: Taylor = (self * c - x * s) / (x * c + self * s)
        return turned.arctan() + angle

    def hypot(self, x: Any) -> Taylor:
        """Return the length of the vector (x, self)."""
        x = self._of(x)
        square: Taylor = self * self + x * x
        return square.sqrt()


def variables(y: np.ndarray) -> np.ndarray:
    """Return numbers y (n,) as variables, in an array of objects.

    Examples
    --------
    >>> x = variables(np.array([2.0]))
    >>> np.sin(x * x)[0].c.round(3)
    array([-0.757, -2.615,  5.401,  9.999, -2.465])
    """
    n = len(y)
    out = np.empty(n, dtype=object)
    for k in range(n):
        c = np.zeros(len(monomials(n)), dtype=np.result_type(y, float))
        c[0], c[1 + k] = y[k], 1.0
        out[k] = Taylor(c, n)
    return out


def tensors(x: Sequence[Any], n: int) -> list[np.ndarray]:
    """Return the values of numbers, and their derivatives of orders 1 to 4, (len(x), n, ..., n)."""
    c = np.array([z.c if isinstance(z, Taylor) else _constant(z, n) for z in x])
    c = c.reshape(len(x), len(monomials(n)))
    out = [np.zeros((len(x), *[n] * k), dtype=c.dtype) for k in range(DEGREE + 1)]
    for k, factors in enumerate(monomials(n)):
        size: int = math.prod(math.factorial(factors.count(i)) for i in {*factors})
        for order in {*itertools.permutations(factors)}:
            place: Any = (slice(None), *order)
            out[len(factors)][place] = size * c[:, k]
    return out


def _constant(z: Any, n: int) -> np.ndarray:
    c = np.zeros(len(monomials(n)), dtype=np.result_type(z, float))
    c[0] = z
    return c
