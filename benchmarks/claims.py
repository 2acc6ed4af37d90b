"""The claims of the papers, as the pages in ``docs/studies`` state them, and their verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.papers import PAPERS
from benchmarks.queries import Queries

__all__ = ["ROOT", "Claim", "claims", "in_brief", "named", "verdict", "verdicts"]

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"(Fig|Table)s?\.? ([\dIVX]+[ab]?(?:(?:, | and | to )[\dIVX]+[ab]?)*)")
"""Pattern of a figure or table, or of several: ``Figs. 16, 17``, ``Figs. 2 to 4``,
``Table III``.
"""
HOLDS = re.compile(r"\{holds\}`([^`]*)`")


class Claim(NamedTuple):
    """A row of a table: a paper, its statement, and conditions on results."""

    paper: str
    text: str
    items: tuple[str, ...]
    conditions: tuple[str, ...]


def claims() -> Iterator[Claim]:
    """Yield the claims in the sections "In brief" of the pages of the papers."""
    for key, paper in PAPERS.items():
        for line in in_brief(ROOT / paper.page):
            first, last = line.split(" | ")[0][2:], line.rpartition(" | ")[2]
            yield Claim(key, first, named(first), tuple(HOLDS.findall(last)))


def in_brief(page: Path) -> list[str]:
    """Return the rows of the table in the section "In brief" of a page, without its head."""
    text = page.read_text(encoding="utf-8").split("## In brief")[1].split("\n## ")[0]
    return [line for line in text.splitlines() if line.startswith("| ")][1:]


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
    """Return ``✓`` or ``✗`` for a condition, or ``?`` if it has no result."""
    try:
        return "✓" if (queries or Queries()).holds(condition) else "✗"
    except (OSError, KeyError, ValueError):
        return "?"


def verdicts() -> dict[tuple[str, str], str]:
    """Return, by paper and item, the verdicts of all claims about the item, one sign for each
    condition.
    """
    found: dict[tuple[str, str], str] = {}
    for claim in claims():
        signs = "".join(map(verdict, claim.conditions))
        for item in claim.items:
            found[claim.paper, item] = found.get((claim.paper, item), "") + signs
    return found
