"""Entire functions of s = theta^2: the series and the closed forms are one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from spatial_v2.arrays.entire import cosc, cotc, sinc, sincc

CLOSED: dict[Callable[..., Any], Callable[[Any], Any]] = {
    sinc: lambda t: mpmath.sin(t) / t,
    cosc: lambda t: (1 - mpmath.cos(t)) / t**2,
    sincc: lambda t: (t - mpmath.sin(t)) / t**3,
    cotc: lambda t: (1 - t / 2 * mpmath.cot(t / 2)) / t**2,
}


@pytest.mark.parametrize("function", CLOSED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("s", [1e-12, 0.3, 2.0, 3.99, 4.0, 4.01, 9.0])
def test_digits_are_those_of_the_numbers(function: Callable[..., Any], s: float) -> None:
    """The results have sixteen digits for doubles, and fifty for mpmath's floats if it works with
    fifty.
    """
    with mpmath.workdps(90):
        exact = CLOSED[function](mpmath.sqrt(mpmath.mpf(s)))
    assert abs(float(function(np.array(s))) / float(exact) - 1) < 4e-15
    with mpmath.workdps(50):
        found = function(np.array([mpmath.mpf(s)], dtype=object))[0]
        assert abs(found / exact - 1) < mpmath.mpf(10) ** -47
