"""Remarks that commands print below their tables, and the units of times."""

import numpy as np
import pytest

from spatial_v2.cli.derivatives import _report
from spatial_v2.cli.evaluate import Evaluation
from spatial_v2.cli.tables import duration


@pytest.mark.parametrize("seconds", [0.5, 2.5])
def test_time_of_compilation_is_told_where_it_is_long(
    seconds: float, capsys: pytest.CaptureFixture[str]
) -> None:
    _report(Evaluation(states=1, checked=0, compilation=seconds), "title")
    assert ("Compiling took 2.50 s" in capsys.readouterr().out) == (seconds > 1)


@pytest.mark.parametrize("exponent", range(-9, 4))
def test_times_have_the_largest_unit_that_is_not_above_them(exponent: int) -> None:
    size = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}
    for digits in (1.01, 1.2, 4.9, 9.5):
        seconds = digits * 10.0**exponent
        number, unit = duration(seconds).split()
        assert float(number) * size[unit] == pytest.approx(seconds, rel=5e-3)
        assert float(number) >= 1 or unit == "µs"
        assert float(number) < 1000 or unit == "s"
        assert np.isfinite(float(number))
