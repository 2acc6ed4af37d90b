"""The pages in Markdown: the files that they name exist, and each says for whom it is."""

from __future__ import annotations

import re
from pathlib import Path

from helpers import for_each

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"`((?:[\w.]+/)+[\w.]*)(?:`| --)")
MADE = {"_build", "_static", "generated", "functions", "gallery", "course"}
"""Folders of the site whose pages the build generates, except their index pages."""
SITE = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if page.name != "changelog.md"
    and (not MADE & {*page.parts} or (page.name == "index.md" and "_build" not in page.parts))
]
INCLUDE = re.compile(r"^```\{include\} \.\./(\S+)$", re.M)


@for_each(PAGES)
def test_files_named_in_prose_exist(page: Path) -> None:
    """Every path in backquotes exists, relative to the root of the repository."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    missing = [path for path in NAMED.findall(text) if not (ROOT / path).exists()]
    assert missing == []


def test_prose_names_some_files() -> None:
    assert NAMED.findall("in `docs/theory.md`, `unit_tests/` and `3D`") == [
        "docs/theory.md",
        "unit_tests/",
    ]


@for_each(SITE)
def test_pages_say_whom_they_serve(page: Path) -> None:
    """A paragraph near the beginning of a page is in italics and begins with "For"."""
    text = page.read_text(encoding="utf-8")
    if included := INCLUDE.search(text):
        text = (ROOT / included[1]).read_text(encoding="utf-8")
    head = "\n".join(text.splitlines()[:16])
    assert re.search(r"^\*For [^*]+\.\*$", head, re.M)
