"""Roles that print numbers from the files in ``benchmarks/results``.

Queries are those of `benchmarks.queries`, as ``accuracy_id_so.rmsre: binary tree; 40; IDSVA-SO``.
``result`` prints the one entry with two digits, ``count`` with all its digits. If the last value of
a query is ``this / that``, ``ratio`` prints the entry of ``this`` divided by that of ``that``.
``range`` prints the smallest and the largest of several entries, ``slope`` the exponent of their
growth, and ``crossing`` the size from which the second of ``before / after`` is smaller.

``holds`` takes ``query in low to high`` and prints ✓ or ✗: whether all entries are in this range.
It checks the ratios if the last value is ``this / that``, and the exponent or the size if the query
follows ``slope`` or ``crossing``. Several conditions are joined by ``and``.

A query that finds no entry, or several where one is expected, is an error of the build. If the
study is out of date and has to be measured again, the page says instead that there is no result
yet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxRole

from benchmarks.fits import crossing, power
from benchmarks.queries import Queries, both, studies_of
from benchmarks.results_file import is_current

WAITING = "(not measured yet)"


class Result(SphinxRole):
    """Role that prints the one entry that a query finds in the files of results, with
    two digits.
    """

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [nodes.Text(self.number())], []
        except (OSError, KeyError, ValueError) as error:
            if not all(map(is_current, studies_of(self.text))):
                return [nodes.Text(WAITING)], []
            message = self.inliner.reporter.error(f"{self.text}: {error}")
            return [nodes.Text("?")], [message]

    def number(self) -> str:
        """Return the text of the role: the one entry that the query finds, with two digits."""
        (value,) = self.queries().entries(self.text)
        return short(value)

    def queries(self) -> Queries:
        """Return queries on the files of results; the page depends on those that are read."""
        return Queries(lambda name: read(self.env, name)["rows"])


class Count(Result):
    """Role that prints an entry that is a whole number, with all its digits."""

    def number(self) -> str:
        (value,) = self.queries().entries(self.text)
        return str(int(value))


class Ratio(Result):
    """Role that prints the ratio of two entries, whose rows differ in the last value only."""

    def number(self) -> str:
        (above,), (below,) = map(self.queries().entries, both(self.text)[1])
        return short(above / below)


class Holds(Result):
    """Role that checks a claim about entries or ratios: ``query in low to high and ...``."""

    def number(self) -> str:
        return "✓" if self.queries().holds(self.text) else "✗"


class Range(Result):
    """Role that prints the least and the largest of the entries."""

    def number(self) -> str:
        values = self.queries().entries(self.text)
        return f"{short(min(values))} to {short(max(values))}"


class Slope(Result):
    """Role that prints the exponent A of ``log y = A log N + B`` over the rows of 10 bodies and
    more.
    """

    def number(self) -> str:
        return f"{power(*self.queries().chosen(self.text)):.2f}"


class Crossing(Result):
    """Role that prints the size N from which the second method of ``before / after``
    stays faster.
    """

    def number(self) -> str:
        return crossing(*self.queries().crossed(self.text), key="which")


def read(env: BuildEnvironment, name: str) -> dict[str, Any]:
    """Read a file of results, and record that the page depends on it."""
    path = Path(env.srcdir).parent / "benchmarks" / "results" / f"{name}.json"
    env.note_dependency(str(path))
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def short(value: float) -> str:
    """Format a number with two digits: 0.82, 19, 1200, 1.0e-13."""
    if 0 < abs(value) < 0.01:
        mantissa, exponent = f"{value:.1e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{float(f'{value:.2g}'):g}"


def setup(app: Sphinx) -> dict[str, bool]:
    for role in (Result, Count, Ratio, Holds, Range, Slope, Crossing):
        app.add_role(role.__name__.lower(), role())
    return {"parallel_read_safe": True}
