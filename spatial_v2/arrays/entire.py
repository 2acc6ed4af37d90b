"""Entire functions of s = theta^2 that appear in exponentials of rotations and screws.

Written in s, not in theta, they have no branch at the identity: Taylor series below |s| = 4,
closed forms above. Real, complex and other arrays alike (a complex step through the identity
keeps all its digits); the series is as long as the digits of the numbers ask for. Exact symbols
have the closed form, whose limit at s = 0 is not taken unless s is the number zero.
"""

from __future__ import annotations

from functools import cache
from math import factorial, inf

from spatial_v2.arrays.namespaces import Array, digits, namespace

__all__ = ["cosc", "cotc", "sinc", "sincc"]

_SMALL = 4


@cache
def _terms(digits: float) -> int:
    """Terms of a series in s / ((k + 1) (k + 2)) after which the next is nothing."""
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
