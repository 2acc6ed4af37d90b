"""Entire functions of s = theta^2: their series and their closed forms agree."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from spatial_v2.arrays.entire import cosc, cotc, cotc_derivatives, sinc, sincc
from spatial_v2.arrays.entire_derivatives import entire_derivatives, quotient_derivatives

CLOSED: dict[Callable[..., Any], Callable[[Any], Any]] = {
    sinc: lambda t: mpmath.sin(t) / t,
    cosc: lambda t: (1 - mpmath.cos(t)) / t**2,
    sincc: lambda t: (t - mpmath.sin(t)) / t**3,
    cotc: lambda t: (1 - t / 2 * mpmath.cot(t / 2)) / t**2,
}


@pytest.mark.parametrize("function", CLOSED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("s", [1e-12, 0.3, 2.0, 3.99, 4.0, 4.01, 9.0])
def test_digits_are_those_of_the_numbers(function: Callable[..., Any], s: float) -> None:
    """Results have sixteen digits for doubles, and fifty for mpmath numbers at a precision of
    fifty.
    """
    with mpmath.workdps(90):
        exact = CLOSED[function](mpmath.sqrt(mpmath.mpf(s)))
    assert abs(float(function(np.array(s))) / float(exact) - 1) < 4e-15
    with mpmath.workdps(50):
        found = function(np.array([mpmath.mpf(s)], dtype=object))[0]
        assert abs(found / exact - 1) < mpmath.mpf(10) ** -47


@pytest.mark.parametrize("s", [1e-6, 0.3, 2.0, 9.0])
def test_derivatives_are_those_of_the_closed_forms(s: float) -> None:
    """Derivatives agree for numbers, and for symbols into which a number is substituted."""
    x = sympy.Symbol("x", positive=True)
    symbols = cotc_derivatives(np.array(x, dtype=object))
    for function, closed in CLOSED.items():
        with mpmath.workdps(60):
            parts = mpmath.taylor(lambda y, f=closed: f(mpmath.sqrt(y)), mpmath.mpf(s), 2)
            wanted = np.array([float(a * mpmath.factorial(k)) for k, a in enumerate(parts)])
        one = np.array(s)
        cot = function is cotc
        found = quotient_derivatives(one) if cot else entire_derivatives(one)[function.__name__]
        np.testing.assert_allclose(found, wanted, rtol=1e-11)
        if function is cotc:
            np.testing.assert_allclose(cotc_derivatives(np.array(s)), wanted, rtol=1e-11)
            put_in = [sympy.sympify(y.item()).subs(x, sympy.Rational(s)).evalf(40) for y in symbols]
            np.testing.assert_allclose(np.array(put_in, dtype=float), wanted, rtol=1e-9)
