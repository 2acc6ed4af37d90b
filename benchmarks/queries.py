"""Queries on files of results, from which the documentation prints numbers and verdicts.

A query such as ``accuracy_id_so.rmsre: binary tree; 40; IDSVA-SO`` selects the entries of a column,
or of ``column / column``, in the rows that have all the given values. If its last value is
``this / that``, it selects ratios of entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from benchmarks import results_file
from benchmarks.fits import crossing_size, power
from benchmarks.results_file import Row

__all__ = ["Queries", "both", "studies_of"]


AND = re.compile(r" and (?=(?:slope |crossing )?\w+\.)")
"""Pattern of the word "and" between conditions; values may contain the word as well."""


class Queries(NamedTuple):
    """Queries on the results of studies."""

    rows: Callable[[str], list[Row]] = results_file.rows
    """Function that returns the rows of the study with a name."""

    def chosen(self, query: str) -> tuple[list[Row], str]:
        """Return the rows that have all the values of a query, and the column that it names."""
        where, _, values = query.partition(":")
        name, _, column = where.partition(".")
        above, _, below = column.partition(" / ")
        wanted = {value.strip() for value in values.split(";") if value.strip()}
        found = [row for row in self.rows(name) if wanted <= {f"{x}" for x in row.values()}]
        if below:
            whole = [row for row in found if row.get(above) and row.get(below)]
            found = [row | {column: row[above] / row[below]} for row in whole]
        if not any(row.get(column) is not None for row in found):
            raise ValueError(
                f"the rows of {name} with {sorted(wanted)} have no value of {column!r}"
            )
        return [{column: None} | row for row in found], column

    def entries(self, query: str) -> list[float]:
        """Return the entries of a column, one for each row that has all values of the query."""
        rows, column = self.chosen(query)
        return [row[column] for row in rows if row[column] is not None]

    def crossed(self, query: str) -> tuple[list[Row], str, str, str]:
        """Return the rows of two methods, the column to compare, and the names of the methods."""
        names, queries = both(query)
        rows, column = [], ""
        for name, one in zip(names, queries, strict=True):
            found, column = self.chosen(one)
            rows += [row | {"which": name} for row in found]
        return rows, column, names[0], names[1]

    def values(self, query: str) -> list[float]:
        """Return entries or ratios, or an exponent or a size after ``slope`` or ``crossing``."""
        kind, _, rest = query.strip().partition(" ")
        if kind == "slope":
            return [power(*self.chosen(rest))]
        if kind == "crossing":
            return [crossing_size(*self.crossed(rest), key="which")]
        if " / " not in query.partition(":")[2].rpartition(";")[2]:
            return self.entries(query)
        above, below = map(self.entries, both(query)[1])
        return [x / y for x, y in zip(above, below, strict=True)]

    def holds(self, claim: str) -> bool:
        """True if all values of a claim are in their intervals:
        ``query in low to high and ...``.
        """
        return all(map(self._holds, AND.split(claim)))

    def _holds(self, condition: str) -> bool:
        query, _, interval = condition.rpartition(" in ")
        low, high = map(float, interval.split(" to "))
        return all(low <= value <= high for value in self.values(query))


def studies_of(claim: str) -> set[str]:
    """Return the names of the studies that a query or the conditions of a claim are about.

    Examples
    --------
    >>> sorted(studies_of("slope a_1.us: x in 1 to 2 and b.us / C++: y; z in 0 to 1"))
    ['a_1', 'b']
    """
    return {condition.split(".")[0].split()[-1] for condition in AND.split(claim)}


def both(query: str) -> tuple[list[str], list[str]]:
    """Return the two values of a query that ends with ``this / that``, and the query with each of
    them.
    """
    where, _, wanted = query.partition(":")
    common, _, last = wanted.rpartition(";")
    names = [name.strip() for name in last.split(" / ")]
    return names, [f"{where}: {common}; {name}" for name in names]
