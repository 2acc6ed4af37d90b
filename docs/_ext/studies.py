"""Directives of the pages of studies: verdicts by paper, and where tables and figures are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sphinx.application import Sphinx
from tables import Markdown

from benchmarks.claims import claims, verdict
from benchmarks.papers import PAPERS, Item
from benchmarks.results_file import FOLDER

ROOT = Path(__file__).parents[2]


class Verdicts(Markdown):
    """Directive that shows a table with a row for each paper: how many of its claims the studies
    confirm.
    """

    def markdown(self) -> str:
        for path in (*FOLDER.glob("*.json"), *(ROOT / x.page for x in PAPERS.values())):
            self.env.note_dependency(str(path))
        found: dict[str, Counter[str]] = {key: Counter() for key in PAPERS}
        for claim in claims():
            found[claim.paper][overall("".join(map(verdict, claim.conditions)))] += 1
        rows = ["| paper | claims | hold | do not | not measured yet |", "|---|--:|--:|--:|--:|"]
        for key, paper in PAPERS.items():
            link = f"[{paper.cite}]({Path(paper.page).relative_to('docs').as_posix()})"
            counts = found[key]
            cells = (link, counts.total(), *(counts[sign] for sign in "✓✗?"))
            rows.append(f"| {' | '.join(map(str, cells))} |")
        return "\n".join(rows)


def overall(signs: str) -> str:
    """Return the verdict on a claim from the verdicts on its conditions.

    Examples
    --------
    >>> [overall(signs) for signs in ("✓✓", "✓✗?", "✓?")]
    ['✓', '✗', '?']
    """
    return next((sign for sign in "✗?" if sign in signs), "✓")


class ItemsOfPaper(Markdown):
    """Directive that shows a table with a row for each table and figure of a paper: its content,
    its page, and its studies.
    """

    required_arguments = 1

    def markdown(self) -> str:
        paper = PAPERS[self.arguments[0]]
        rows = ["| | shows | where |", "|---|---|---|"]
        for name, item in paper.items.items():
            rows.append(f"| {name} | {item.shows} | {place(item)} |")
        return "\n".join(rows)


def place(item: Item) -> str:
    """Return the page where a table or figure is, "above" or a link, followed by its studies."""
    where = "above"
    if item.page:
        path = Path(item.page).relative_to("docs").as_posix()
        where = f"{{doc}}`/{path.removesuffix('.md')}`"
    return ", ".join([where, *(f"`{study}`" for study in item.studies)])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("verdicts-of-papers", Verdicts)
    app.add_directive("items-of-paper", ItemsOfPaper)
    return {"parallel_read_safe": True}
