"""Derivatives of the entire functions of exponentials of rotations and screws."""

from __future__ import annotations

from math import factorial, inf

from spatial_v2.arrays.entire import _SMALL, _series, _terms
from spatial_v2.arrays.namespaces import Array, digits, namespace

__all__ = ["entire_derivatives", "quotient_derivatives"]

Triple = tuple[Array, Array, Array]
"""Value, first and second derivative of a function."""


def _family(s: Array, last: int) -> list[Array]:
    """Return the functions ``f_n(s) = sum_k (-s)^k / (2k + n)!`` for n = 0 .. last: cos, `sinc`,
    `cosc`, `sincc` ...

    The recursion is ``f_n = 1/n! - s f_(n+2)``: downwards from two series if s is small, otherwise
    upwards from cosine and sine.
    """
    xp, exact = namespace(s), digits(s) == inf
    small = xp.equal(s, 0) if exact else xp.less(xp.abs(s), _SMALL)
    near, far = xp.where(small, s, 0 * s), xp.where(small, 0 * s + 1, s)
    one, terms = 0 * s + 1, 0 if exact else _terms(digits(s))
    theta = xp.sqrt(far)
    low = {n: _series(near, n, terms) for n in (last - 1, last)}
    for n in reversed(range(last - 1)):
        low[n] = one / factorial(n) - near * low[n + 2]
    high = [xp.cos(theta), xp.sin(theta) / theta]
    for n in range(last - 1):
        high.append((one / factorial(n) - high[n]) / far)
    return [xp.where(small, low[n], high[n]) for n in range(last + 1)]


def entire_derivatives(s: Array) -> dict[str, Triple]:
    """Return `sinc`, `cosc` and `sincc` with two derivatives with respect to s.

    Parameters
    ----------
    s : array
        Squares of angles.

    Returns
    -------
    dict of str to tuple of three arrays
        Value, first and second derivative under the name of each function.

    Notes
    -----
    For ``f_n(s) = sum_k (-s)^k / (2k + n)!`` the derivative is
    ``f_n' = (n f_(n+2) - f_(n+1)) / 2``, without a division by s.

    Examples
    --------
    >>> import numpy as np
    >>> np.array(entire_derivatives(np.array(0.0))["cosc"]).round(4)
    array([ 0.5   , -0.0417,  0.0028])
    """
    f = _family(s, 8)
    return {name: _with_derivatives(f, n) for n, name in enumerate(("sinc", "cosc", "sincc"), 1)}


def quotient_derivatives(s: Array) -> Triple:
    """Return `cotc` with two derivatives with respect to s, the squares of angles below 2 pi.

    They follow from ``cosc cotc = sincc / 2 - f_4``, with f_4 as in `entire_derivatives`.

    Examples
    --------
    >>> import numpy as np
    >>> np.array(quotient_derivatives(np.array(0.0))).round(4)
    array([0.0833, 0.0014, 0.0001])
    """
    f = _family(s, 8)
    cosc, sincc, coscc = (_with_derivatives(f, n) for n in (2, 3, 4))
    top = [x / 2 - y for x, y in zip(sincc, coscc, strict=True)]
    c = top[0] / cosc[0]
    c1 = (top[1] - c * cosc[1]) / cosc[0]
    c2 = (top[2] - 2 * c1 * cosc[1] - c * cosc[2]) / cosc[0]
    return c, c1, c2


def _with_derivatives(f: list[Array], n: int) -> Triple:
    first = (n * f[n + 2] - f[n + 1]) / 2
    return f[n], first, (n * (n + 2) * f[n + 4] - (2 * n + 1) * f[n + 3] + f[n + 2]) / 4
