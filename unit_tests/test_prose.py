"""Laws of the pages in Markdown: the files that they name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"`((?:[\w.]+/)+[\w.]*)(?:`| --)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_named_in_prose_exist(page: Path) -> None:
    """Every path in backquotes, seen from the root."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    missing = [path for path in NAMED.findall(text) if not (ROOT / path).exists()]
    assert missing == []


def test_prose_names_some_files() -> None:
    assert NAMED.findall("in `docs/theory.md`, `unit_tests/` and `3D`") == [
        "docs/theory.md",
        "unit_tests/",
    ]
