"""The documentation uses the terms of the glossary, and none of the words it lists as not used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = [
    p
    for p in (ROOT / "docs").rglob("*.md")
    if "_build" not in p.parts and "generated" not in p.parts
    if p.parent.name not in ("course", "gallery") or p.name == "index.md"
]
CHAPTERS = sorted((ROOT / "spatial_v2" / "course" / "chapters").glob("*.md"))
"""In these, a door is a door."""
PAGES = [*sorted([*DOCS, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]), *CHAPTERS]
TABLE = "(words-not-used)="
PATTERNS = (
    r"without a trace", r"bodies that can be", r"\bon one way\b", r"derivatives? by (?:q|\$)",
    r"\bdoors?\b", r"\bhouse\b", r"\blanes?\b", r"\babreast\b", r"\bmade of several\b",
    r"memory that is there", r"textbook form", r"runs? (?:the|its|their) pages?\b",
    r"\bpacks? of states\b", r"goes? the way of", r"\brooms?\b", r"without a word",
    r"\bfreedoms\b", r"\b(?:are|is) (?:not|no) numbers?\b", r"\bready memory\b", r"\brecipes?\b",
)  # fmt: skip
"""What the entries of the table look like in text."""


def prose(text: str) -> str:
    """The text of a page without code and without the glossary's own table."""
    text = text.partition(TABLE)[0]
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_pages_use_no_private_words(page: Path) -> None:
    text = prose(page.read_text(encoding="utf-8"))
    patterns = [p for p in PATTERNS if page not in CHAPTERS or "door" not in p]
    found = [m.group() for pattern in patterns for m in re.finditer(pattern, text, flags=re.I)]
    assert found == []


def test_private_words_are_recognised() -> None:
    assert all(
        re.search(p, prose("Doors of the house, lanes abreast: runs its page."), re.I)
        for p in PATTERNS[4:8]
    )
    assert prose("`room` and\n```\ndoor\n```\n").strip() == "and"
