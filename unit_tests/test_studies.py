"""Shared code of the studies: exponents in their tables follow from the measurements."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.fits import crossing, power


def rows(values: dict[int, float], n: str = "n") -> list[dict[str, Any]]:
    return [{n: float(size), "time": y, "other": 1.0} for size, y in values.items()]


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.5, -1.0])
def test_the_fitted_power_of_a_power_law_is_exact(exponent: float) -> None:
    """Of ``y = c N^a`` it is a, whatever c is and whatever small sizes do."""
    law = {n: 3e-7 * n**exponent for n in (10, 20, 50, 200)}
    assert power(rows(law), "time") == pytest.approx(exponent, abs=1e-12)
    assert power(rows({2: 1.0, 9: 7.0} | law), "time") == pytest.approx(exponent, abs=1e-12)


def test_power_is_of_least_squares_from_the_least_size_on() -> None:
    """Logarithms 0, 2, 3 at 0, 1, 2 have the slope 3/2, without the first one 1."""
    steps = rows({10: 1.0, 20: 4.0, 40: 8.0}, "bodies")
    assert power(steps, "time", n="bodies") == pytest.approx(1.5)
    assert power(steps, "time", n="bodies", least=11) == pytest.approx(1.0)
    assert power(steps, "other", n="bodies") == pytest.approx(0.0, abs=1e-12)


def methods(old: list[float], new: list[float]) -> list[dict[str, Any]]:
    sizes = (10, 20, 40, 80)
    both = {"old": old, "new": new}
    return [
        {"method": name, "n": n, "us": us}
        for name, times in both.items()
        for n, us in zip(sizes, times, strict=True)
    ]


@pytest.mark.parametrize(
    ("new", "where"),
    [
        ([2, 2, 2, 2], "none up to 80"),
        ([0.5, 0.5, 0.5, 0.5], "below 10"),
        ([4, 2, 0.5, 0.25], "28"),
        ([0.5, 2, 0.5, 0.25], "28"),
        ([4, 2, 0.5, 2], "none up to 80"),
    ],
)
def test_the_crossing_is_where_one_time_stays_below(new: list[float], where: str) -> None:
    """Twice and half the time at 20 and 40: between them by logarithms, 20 sqrt 2."""
    assert crossing(methods([1, 1, 1, 1], new), "us", "old", "new") == where
