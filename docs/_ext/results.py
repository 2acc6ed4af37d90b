"""Roles that print numbers out of the files in ``benchmarks/results``.

With queries such as ``accuracy_id_so.rmsre: binary tree; 40; IDSVA-SO``, the entry of a column in
the rows that have all the values: ``result`` prints the one entry, ``ratio`` that of ``this`` over
that of ``that`` where the last value is ``this / that``, ``range`` the least to the largest of
several. What is not there, or not unique, is an error of the build.
"""

from __future__ import annotations

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole


class Result(SphinxRole):
    """What `text` returns, with a query on the files of results."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [nodes.Text(self.number())], []
        except (OSError, KeyError, ValueError) as error:
            message = self.inliner.reporter.error(f"{self.text}: {error}")
            return [nodes.Text("?")], [message]

    def number(self) -> str:
        """The number in the text of the page."""
        (value,) = self.entries(self.text)
        return short(value)

    def entries(self, query: str) -> list[float]:
        """The entries of a column, one for each row that has all the values of the query."""
        where, _, values = query.partition(":")
        name, column = where.split(".")
        wanted = {value.strip() for value in values.split(";")}
        path = Path(self.env.srcdir).parent / "benchmarks" / "results" / f"{name}.json"
        self.env.note_dependency(str(path))
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        found = [row[column] for row in rows if wanted <= {f"{x}" for x in row.values()}]
        found = [float(value) for value in found if value is not None]
        if not found:
            raise ValueError("no such row")
        return found


class Ratio(Result):
    """One entry over another, of rows that differ in the last value."""

    def number(self) -> str:
        common, _, last = self.text.rpartition(";")
        (above,), (below,) = (self.entries(f"{common}; {value}") for value in last.split(" / "))
        return short(above / below)


class Range(Result):
    """The least to the largest of the entries."""

    def number(self) -> str:
        values = self.entries(self.text)
        return f"{short(min(values))} to {short(max(values))}"


def short(value: float) -> str:
    """Two digits: 0.82, 19, 1200, 1.0e-13."""
    if 0 < abs(value) < 0.01:
        mantissa, exponent = f"{value:.1e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{float(f'{value:.2g}'):g}"


def setup(app: Sphinx) -> dict[str, bool]:
    for name, role in (("result", Result), ("ratio", Ratio), ("range", Range)):
        app.add_role(name, role())
    return {"parallel_read_safe": True}
