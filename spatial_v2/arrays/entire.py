"""Entire functions of s = theta^2 that appear in exponentials of rotations and screws.

Written in s, not in theta, they have no branch at the identity: Taylor series below |s| = 4,
closed forms above. Real, complex and other arrays alike (a complex step through the identity
keeps all its digits); the series is as long as the digits of the numbers ask for. Exact symbols
have the closed form, whose limit at s = 0 is not taken unless s is the number zero.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial, inf, log10, perm

from spatial_v2.arrays.namespaces import Array, digits, namespace

__all__ = ["cosc", "cotc", "cotc_derivatives", "sinc", "sincc"]

_SMALL = 4


@cache
def _terms(digits: float) -> int:
    """Number of terms of a series in s / ((k + 1) (k + 2)) until the next term is negligible."""
    n = 1
    while _SMALL**n * 10**digits > factorial(2 * n):
        n += 1
    return n


def _series(s: Array, first: int, terms: int) -> Array:
    """sum_k (-s)^k / (2k + first)!, by Horner's rule in whole numbers."""
    total = s * 0 + 1
    for k in reversed(range(first, first + 2 * terms, 2)):
        total = 1 - s * total / ((k + 1) * (k + 2))
    return total / factorial(first)


def _split(s: Array, first: int, closed: str) -> Array:
    xp, exact = namespace(s), digits(s) == inf
    small = xp.equal(s, 0) if exact else xp.less(xp.abs(s), _SMALL)
    near, far = xp.where(small, s, 0 * s), xp.where(small, 0 * s + 1, s)
    theta = xp.sqrt(far)
    value = {
        "sinc": lambda: xp.sin(theta) / theta,
        "cosc": lambda: (1 - xp.cos(theta)) / far,
        "sincc": lambda: (theta - xp.sin(theta)) / (far * theta),
        "coscc": lambda: (1 - 2 * (1 - xp.cos(theta)) / far) / (2 * far),
    }[closed]()
    return xp.where(small, _series(near, first, 0 if exact else _terms(digits(s))), value)


def sinc(s: Array) -> Array:
    """sin(theta) / theta with s = theta^2.

    Examples
    --------
    >>> import numpy as np
    >>> float(sinc(np.array(0.0)))
    1.0
    """
    return _split(s, 1, "sinc")


def cosc(s: Array) -> Array:
    """(1 - cos(theta)) / theta^2 with s = theta^2."""
    return _split(s, 2, "cosc")


def sincc(s: Array) -> Array:
    """(theta - sin(theta)) / theta^3 with s = theta^2."""
    return _split(s, 3, "sincc")


def cotc(s: Array) -> Array:
    """(1 - (theta/2) cot(theta/2)) / theta^2 with s = theta^2, for theta below 2 pi."""
    coscc = _split(s, 4, "coscc")
    return (sincc(s) / 2 - coscc) / cosc(s)


@cache
def _cotangent(terms: int) -> tuple[Fraction, ...]:
    """Coefficients of cotc in powers of s: ``|B_2n| / (2n)!``, n = 1, 2 ..."""
    found: list[Fraction] = []
    for n in range(terms + 1):
        rest = sum((f / factorial(2 * (n - k) + 1) for k, f in enumerate(found)), Fraction())
        found.append(Fraction(1, factorial(2 * n)) - rest)
    return tuple(f / -((-4) ** n) for n, f in enumerate(found) if n)


def cotc_derivatives(s: Array) -> tuple[Array, Array, Array]:
    """`cotc` and its first two derivatives by s, for theta up to pi: a series, exact symbols not.

    Examples
    --------
    >>> import numpy as np
    >>> np.array(cotc_derivatives(np.array(0.0))).round(6)
    array([8.3333e-02, 1.3890e-03, 6.6000e-05])
    """
    if digits(s) == inf:
        return _cotc_of_symbols(s)
    exact = digits(s) > 16
    series = _cotangent(8 + int(digits(s) / log10(4)))
    one, parts = 0 * s + 1, []
    for order in range(3):
        total = 0 * s
        for n in reversed(range(order, len(series))):
            c = series[n] * perm(n, order)
            total = total * s + (one * c.numerator / c.denominator if exact else float(c))
        parts.append(total)
    return parts[0], parts[1], parts[2]


def _cotc_of_symbols(s: Array) -> tuple[Array, Array, Array]:
    """The same in closed form, by ``2 s c' = 1/4 - 3 c + s c^2``; the limits at the number 0."""
    xp = namespace(s)
    zero = xp.equal(s, 0)
    x = xp.where(zero, 0 * s + 1, s)
    c = cotc(x)
    N = (0 * s + 1) / 4 - 3 * c + x * c * c
    first = N / (2 * x)
    second = (c * c + 2 * x * c * first - 3 * first - 2 * first) / (2 * x)
    limits = [(0 * s + 1) / k for k in (12, 720, 15120)]
    found = [xp.where(zero, a, b) for a, b in zip(limits, (c, first, second), strict=True)]
    return found[0], found[1], found[2]
