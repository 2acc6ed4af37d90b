"""Shared code of the studies: the exponents in their tables follow from the measurements."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.claims import ROOT, in_brief
from benchmarks.fits import crossing, power
from benchmarks.papers import PAPERS

DOCS = Path(__file__).parents[2] / "docs"


def rows(values: dict[int, float], n: str = "n") -> list[dict[str, Any]]:
    return [{n: float(size), "time": y, "other": 1.0} for size, y in values.items()]


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.5, -1.0])
def test_the_fitted_power_of_a_power_law_is_exact(exponent: float) -> None:
    """The exponent of ``y = c N^a`` is a for any c; small sizes are ignored."""
    law = {n: 3e-7 * n**exponent for n in (10, 20, 50, 200)}
    assert power(rows(law), "time") == pytest.approx(exponent, abs=1e-12)
    assert power(rows({2: 1.0, 9: 7.0} | law), "time") == pytest.approx(exponent, abs=1e-12)


def test_power_is_of_least_squares_from_the_least_size_on() -> None:
    """The exponent is the least-squares slope of logarithms, from the given least size on.

    Logarithms 0, 2, 3 at 0, 1, 2 have the slope 3/2, and without the first one the slope 1.
    """
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
    """The crossing is interpolated, by logarithms, before the size from which the new method stays
    faster.

    Ratios 2 and 1/2 of two times at sizes 20 and 40 give 20 sqrt 2.
    """
    assert crossing(methods([1, 1, 1, 1], new), "us", "old", "new") == where


def test_every_claim_has_a_verdict_that_is_computed() -> None:
    rows = [row for paper in PAPERS.values() for row in in_brief(ROOT / paper.page)]
    assert len(rows) > 40
    without = [row for row in rows if "{holds}`" not in row.rpartition(" | ")[2]]
    assert not without
    assert not [row for row in rows if set(row) & set("✓✗")]


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("made.us: a in 1 to 16", "✓"),
        ("made.us: a in 1 to 15", "✗"),
        ("made.us: a / b in 0.2 to 3", "✓"),
        ("made.us: a / b in 0.2 to 1", "✗"),
        ("made.us: 20; a / b in 1 to 1", "✓"),
        ("made.us / other: a in 0.1 to 1.6", "✓"),
        ("slope made.us: a in 1.9 to 2.1", "✓"),
        ("slope made.us: b in 1.9 to 2.1", "✗"),
        ("crossing made.us: a / b in 15 to 25", "✓"),
        ("crossing made.us: b / a in 1 to 1e9", "✗"),
        ("made.us: 20; a in 4 to 4 and made.us: 20; b in 4 to 4", "✓"),
        ("made.us: 20; a in 4 to 4 and made.us: 20; b in 5 to 5", "✗"),
    ],
)
def test_a_verdict_covers_all_rows_of_its_query(
    condition: str, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verdict covers all rows that its query selects.

    The times are a = (1, 4, 16) and b = (3, 4, 6) at sizes 10, 20 and 40; b is smaller after 20.
    """
    pytest.importorskip("sphinx", reason="needs the extra docs")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    monkeypatch.delitem(sys.modules, "results", raising=False)
    import results

    times = {"a": (1.0, 4.0, 16.0), "b": (3.0, 4.0, 6.0)}
    made = [
        {"method": name, "n": n, "us": us, "other": 10.0}
        for name, row in times.items()
        for n, us in zip((10, 20, 40), row, strict=True)
    ]
    folder = tmp_path / "benchmarks" / "results"
    folder.mkdir(parents=True)
    (folder / "made.json").write_text(json.dumps({"rows": made}))
    role: Any = results.Holds()
    environment = SimpleNamespace(srcdir=tmp_path / "docs", note_dependency=lambda path: None)
    role.text = condition
    monkeypatch.setattr(results.Holds, "env", environment)
    assert role.number() == verdict


@pytest.mark.parametrize(
    ("current", "text", "errors"), [(False, "not measured", 0), (True, "?", 1)]
)
def test_a_query_without_a_result_is_an_error_unless_the_study_is_stale(
    current: bool, text: str, errors: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    monkeypatch.delitem(sys.modules, "results", raising=False)
    import results

    role: Any = results.Result()
    role.text = "made.us: a"
    reporter = SimpleNamespace(error=lambda message: message)
    monkeypatch.setattr(results, "is_current", lambda name: current)
    environment = SimpleNamespace(srcdir=tmp_path / "docs", note_dependency=lambda path: None)
    monkeypatch.setattr(results.Result, "env", environment)
    role.inliner = SimpleNamespace(reporter=reporter)
    (node,), messages = role.run()
    assert text in node.astext()
    assert len(messages) == errors
