"""The claims of the papers, as the table in ``docs/studies.md`` states them, and their verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.papers import PAPERS
from benchmarks.queries import Queries

__all__ = ["PAGE", "Claim", "claims", "named", "verdict", "verdicts"]

PAGE = Path(__file__).parents[1] / "docs" / "studies.md"
NAMED = re.compile(r"(Fig|Table)s?\.? ([\dIVX]+[ab]?(?:(?:, | and | to )[\dIVX]+[ab]?)*)")
"""A figure or table, or several: ``Figs. 16, 17``, ``Figs. 2 to 4``, ``Table III``."""
HOLDS = re.compile(r"\{holds\}`([^`]*)`")


class Claim(NamedTuple):
    """A row of the table: a paper, its statement, and conditions on results."""

    paper: str
    text: str
    items: tuple[str, ...]
    conditions: tuple[str, ...]


def claims(page: Path = PAGE) -> Iterator[Claim]:
    """Yield the claims in the section "In brief" of a page."""
    text = page.read_text(encoding="utf-8").split("## In brief")[1].split("\n## ")[0]
    by_cite = {paper.cite: key for key, paper in PAPERS.items()}
    paper = ""
    for line in text.splitlines():
        if line.startswith("| **"):
            paper = by_cite[line[line.index("(") + 1 : line.index(")")]]
        elif line.startswith("| ") and paper:
            first, last = line.split(" | ")[0][2:], line.rpartition(" | ")[2]
            yield Claim(paper, first, named(first), tuple(HOLDS.findall(last)))


def named(text: str) -> tuple[str, ...]:
    """Return the names of the figures and tables that a text mentions.

    Examples
    --------
    >>> named("times (Figs. 2 to 4, Table III), and Figs. 1a and 7")
    ('Fig. 2', 'Fig. 3', 'Fig. 4', 'Table III', 'Fig. 1a', 'Fig. 7')
    """
    found: list[str] = []
    for kind, numbers in NAMED.findall(text):
        for part in re.split(", | and ", numbers):
            first, _, last = part.partition(" to ")
            every = [str(k) for k in range(int(first), int(last) + 1)] if last else [first]
            found += [f"Fig. {k}" if kind == "Fig" else f"Table {k}" for k in every]
    return tuple(found)


def verdict(condition: str, queries: Queries | None = None) -> str:
    """Return ``✓`` or ``✗``, or ``?`` where a condition has no result."""
    try:
        return "✓" if (queries or Queries()).holds(condition) else "✗"
    except (OSError, KeyError, ValueError):
        return "?"


def verdicts() -> dict[tuple[str, str], str]:
    """Return the verdicts of all claims about each item, by paper and item, one sign for each."""
    found: dict[tuple[str, str], str] = {}
    for claim in claims():
        signs = "".join(map(verdict, claim.conditions))
        for item in claim.items:
            found[claim.paper, item] = found.get((claim.paper, item), "") + signs
    return found
