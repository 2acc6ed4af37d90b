"""Entire functions of s = theta^2 that appear in exponentials of rotations and screws.

As functions of s, not theta, they are smooth at the identity. They are computed by Taylor series
for |s| < 4 and by closed forms otherwise, for real, complex and other arrays, so that complex steps
through the identity keep all digits. The length of the series follows from the precision of the
numbers. For exact symbols the closed form is used, with its limit only if s is the number zero.
"""

from __future__ import annotations

from functools import cache
from math import factorial, inf, log10, perm
from typing import TYPE_CHECKING, Any

from spatial_v2.arrays.namespaces import Array, digits, namespace

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["cosc", "cotc", "cotc_derivatives", "sinc", "sincc"]

_SMALL = 4


@cache
def _terms(digits: float) -> int:
    """Return the number of terms of the Taylor series that gives this number of decimal digits."""
    n = 1
    while _SMALL**n * 10**digits > factorial(2 * n):
        n += 1
    return n


def _series(s: Array, first: int, terms: int) -> Array:
    """Return sum_k (-s)^k / (2k + first)! for k = 0 to `terms`, in a nested form that divides by
    integers only.
    """
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
    """Return sin(theta) / theta with s = theta^2.

    Examples
    --------
    >>> import numpy as np
    >>> float(sinc(np.array(0.0)))
    1.0
    """
    return _split(s, 1, "sinc")


def cosc(s: Array) -> Array:
    """Return (1 - cos(theta)) / theta^2 with s = theta^2."""
    return _split(s, 2, "cosc")


def sincc(s: Array) -> Array:
    """Return (theta - sin(theta)) / theta^3 with s = theta^2."""
    return _split(s, 3, "sincc")


def cotc(s: Array) -> Array:
    """Return (1 - (theta/2) cot(theta/2)) / theta^2 with s = theta^2, for theta below 2 pi."""
    coscc = _split(s, 4, "coscc")
    return (sincc(s) / 2 - coscc) / cosc(s)


@cache
def _cotangent(terms: int) -> tuple[Fraction, ...]:
    """Return coefficients of `cotc` in powers of s: ``|B_2n| / (2n)!``, with B the Bernoulli
    numbers.
    """
    from fractions import Fraction

    coefficients: list[Fraction] = []
    for n in range(terms + 1):
        rest = sum((f / factorial(2 * (n - k) + 1) for k, f in enumerate(coefficients)), Fraction())
        coefficients.append(Fraction(1, factorial(2 * n)) - rest)
    return tuple(f / -((-4) ** n) for n, f in enumerate(coefficients) if n)


@cache
def _derivatives(terms: int, exact: bool) -> tuple[tuple[Any, ...], ...]:
    """Return coefficients of `cotc` and its first two derivatives, from the highest power on."""
    series = _cotangent(terms)
    powers = (range(order, len(series))[::-1] for order in range(3))
    found = ([series[n] * perm(n, order) for n in x] for order, x in enumerate(powers))
    return tuple(tuple(x if exact else map(float, x)) for x in found)


def cotc_derivatives(s: Array) -> tuple[Array, Array, Array]:
    """Return `cotc` and its first two derivatives with respect to s, for theta up to pi.

    They are power series, except for exact symbols, which have closed forms.

    Examples
    --------
    >>> import numpy as np
    >>> np.array(cotc_derivatives(np.array(0.0))).round(6)
    array([8.3333e-02, 1.3890e-03, 6.6000e-05])
    """
    if digits(s) == inf:
        return _cotc_of_symbols(s)
    exact = digits(s) > 16
    one, parts = 0 * s + 1, []
    for coefficients in _derivatives(8 + int(digits(s) / log10(4)), exact):
        total = 0 * s
        for c in coefficients:
            total = total * s + (one * c.numerator / c.denominator if exact else c)
        parts.append(total)
    return parts[0], parts[1], parts[2]


def _cotc_of_symbols(s: Array) -> tuple[Array, Array, Array]:
    """Return c, the value of `cotc`, and its two derivatives in closed form, from
    ``2 s c' = 1/4 - 3 c + s c^2``.
    """
    xp = namespace(s)
    zero = xp.equal(s, 0)
    x = xp.where(zero, 0 * s + 1, s)
    c = cotc(x)
    N = (0 * s + 1) / 4 - 3 * c + x * c * c
    first = N / (2 * x)
    second = (c * c + 2 * x * c * first - 3 * first - 2 * first) / (2 * x)
    limits = [(0 * s + 1) / k for k in (12, 720, 15120)]
    results = [xp.where(zero, a, b) for a, b in zip(limits, (c, first, second), strict=True)]
    return results[0], results[1], results[2]
