"""Roles that print numbers from the files in ``benchmarks/results``.

A query such as ``accuracy_id_so.rmsre: binary tree; 40; IDSVA-SO`` selects the entries of a column,
or of ``column / column``, in the rows that have all the given values. ``result`` prints the one
entry, ``count`` all its digits. ``ratio`` prints the entry of ``this`` divided by that of ``that``,
if the last value is ``this / that``. ``range`` prints the least to the largest of several entries,
``slope`` the exponent of their growth, and ``crossing`` the size from which the second of
``before / after`` is smaller. ``holds`` prints ✓ or ✗: whether all entries, or the ratios if the
last value is ``this / that``, are ``in low to high``; after ``slope`` or ``crossing``, whether the
exponent or the size is. Several conditions are joined by ``and``. A query without a result, or with
several where one is expected, is an error of the build.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxRole

from benchmarks.fits import crossing, crossing_size, power


class Result(SphinxRole):
    """Role that prints the result of `text` for a query on the files of results."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [nodes.Text(self.number())], []
        except (OSError, KeyError, ValueError) as error:
            message = self.inliner.reporter.error(f"{self.text}: {error}")
            return [nodes.Text("?")], [message]

    def number(self) -> str:
        """Return the number as the text of the page."""
        (value,) = self.entries(self.text)
        return short(value)

    def entries(self, query: str) -> list[float]:
        """Return the entries of a column, one for each row that has all values of the query."""
        rows, column = self.rows(query)
        return [row[column] for row in rows if row[column] is not None]

    def rows(self, query: str) -> tuple[list[dict[str, Any]], str]:
        """Return the rows that have all the values of a query, and the column that it names."""
        where, _, values = query.partition(":")
        name, _, column = where.partition(".")
        above, _, below = column.partition(" / ")
        wanted = {value.strip() for value in values.split(";") if value.strip()}
        found = [
            row for row in read(self.env, name)["rows"] if wanted <= {f"{x}" for x in row.values()}
        ]
        if below:
            both = [row for row in found if row.get(above) and row.get(below)]
            found = [row | {column: row[above] / row[below]} for row in both]
        if not any(row.get(column) is not None for row in found):
            raise ValueError(
                f"{query!r}: no row of {name} has these values and a number in column {column!r}"
            )
        return [{column: None} | row for row in found], column


class Count(Result):
    """Role that prints an entry that is a whole number, with all its digits."""

    def number(self) -> str:
        (value,) = self.entries(self.text)
        return str(int(value))


class Ratio(Result):
    """Role that prints one entry divided by another, of rows that differ in the last value."""

    def number(self) -> str:
        (above,), (below,) = map(self.entries, both(self.text)[1])
        return short(above / below)


class Holds(Result):
    """Role that checks a claim about entries or ratios: ``query in low to high and ...``."""

    def number(self) -> str:
        return "✓" if all(map(self.holds, self.text.split(" and "))) else "✗"

    def holds(self, condition: str) -> bool:
        query, _, interval = condition.rpartition(" in ")
        low, high = map(float, interval.split(" to "))
        return all(low <= value <= high for value in self.values(query))

    def values(self, query: str) -> list[float]:
        """Return the entries, ratios, exponent or size that the query asks for."""
        kind, _, rest = query.strip().partition(" ")
        if kind == "slope":
            return [power(*self.rows(rest))]
        if kind == "crossing":
            return [crossing_size(*crossed(self, rest), key="which")]
        if " / " not in query.partition(":")[2].rpartition(";")[2]:
            return self.entries(query)
        above, below = map(self.entries, both(query)[1])
        return [x / y for x, y in zip(above, below, strict=True)]


class Range(Result):
    """Role that prints the least and the largest of the entries."""

    def number(self) -> str:
        values = self.entries(self.text)
        return f"{short(min(values))} to {short(max(values))}"


class Slope(Result):
    """Role that prints the exponent A of ``log y = A log N + B`` over the rows of 10 bodies and
    more.
    """

    def number(self) -> str:
        return f"{power(*self.rows(self.text)):.2f}"


class Crossing(Result):
    """Role that prints the N from which the second method stays faster, ``before / after``."""

    def number(self) -> str:
        return crossing(*crossed(self, self.text), key="which")


def crossed(role: Result, query: str) -> tuple[list[dict[str, Any]], str, str, str]:
    """Return the rows of two methods, the column to compare, and the names of the methods."""
    names, queries = both(query)
    rows, column = [], ""
    for name, one in zip(names, queries, strict=True):
        found, column = role.rows(one)
        rows += [row | {"which": name} for row in found]
    return rows, column, names[0], names[1]


def both(query: str) -> tuple[list[str], list[str]]:
    """Return the two values of a query that ends with ``this / that``, and the query with each of
    them.
    """
    where, _, wanted = query.partition(":")
    common, _, last = wanted.rpartition(";")
    names = [name.strip() for name in last.split(" / ")]
    return names, [f"{where}: {common}; {name}" for name in names]


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
