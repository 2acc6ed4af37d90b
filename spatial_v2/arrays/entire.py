"""Entire functions of s = theta^2 that appear in exponentials of rotations and screws.

Written in s, not in theta, they have no branch at the identity: Taylor series below |s| = 4,
closed forms above. Real, complex and other arrays alike (a complex step through the identity
keeps all its digits).
"""

from __future__ import annotations

from math import factorial

from spatial_v2.arrays.namespaces import Array, namespace

__all__ = ["cosc", "cotc", "sinc", "sincc"]

_SMALL = 4.0
_TERMS = 10


def _series(s: Array, first: int) -> Array:
    """sum_k (-s)^k / (2k + first)!, by Horner's rule."""
    total = s * 0 + 1.0 / factorial(2 * _TERMS + first)
    for k in reversed(range(_TERMS)):
        total = 1.0 / factorial(2 * k + first) - s * total
    return total


def _split(s: Array, first: int, closed: str) -> Array:
    xp = namespace(s)
    small = xp.abs(s) < _SMALL
    safe = xp.where(small, s * 0 + 1.0, s)
    theta = xp.sqrt(safe)
    value = {
        "sinc": lambda: xp.sin(theta) / theta,
        "cosc": lambda: (1.0 - xp.cos(theta)) / safe,
        "sincc": lambda: (theta - xp.sin(theta)) / (safe * theta),
        "coscc": lambda: (0.5 - (1.0 - xp.cos(theta)) / safe) / safe,
    }[closed]()
    return xp.where(small, _series(s, first), value)


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
    return (0.5 * sincc(s) - coscc) / cosc(s)
