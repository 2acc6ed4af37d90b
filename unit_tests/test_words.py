"""Documentation and source text use the terms of the glossary, and none of the words not used."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
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
    r"\bfreedoms\b", r"\b(?:one|single) freedom\b",
    r"\b(?:are|is) (?:not|no) numbers?\b", r"\bready memory\b", r"\brecipes?\b",
    r"\bfree modes\b", r"\bas of(?: ?[.,;:]| the\b| those\b)",
    r"\b(?:gradients?|Hessians?|derivatives?) by (?:the (?:controls?|forces?|states?)|velocit)",
)  # fmt: skip
"""Regular expressions for the entries of the table."""
FOLDERS = (
    ".ci", "benchmarks", "derivatives", "docs", "examples", "spatial_v2", "tensor_sva",
    "unit_tests",
)  # fmt: skip
SOURCES = sorted(
    p
    for folder in FOLDERS
    for p in (ROOT / folder).rglob("*.py")
    if p != Path(__file__) and "_build" not in p.parts
)
RIDDLE = re.compile(r"(?:What|Whether|Where|How|Which|Who|When|That|Why)\b")
"""Openings of docstrings that do not say what is computed."""
NAMES = re.compile(r"""(["'])\w+\1|^ +[\w, ]+(?= : )|^ +(?:>>>|\.\.\.).*$""", re.M)
"""Strings of one word, names of parameters, and lines of examples."""


def prose(text: str) -> str:
    """The text of a page in one line, without code and without the glossary's own table."""
    text = text.partition(TABLE)[0]
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return " ".join(re.sub(r"`[^`\n]*`", "", text).split())


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
    assert re.search(r"without a word", prose("done without\n   a word"))
    assert any(re.search(p, prose("as of `Cost`.")) for p in PATTERNS)


def text_of(path: Path) -> str:
    """Comments, docstrings and messages of a Python file, without names and examples."""
    found = []
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    strings = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    for token in tokens:
        if token.type == tokenize.COMMENT or (token.type in strings and " " in token.string):
            found.append(NAMES.sub("", token.string.removeprefix("# ")))
    return "\n".join(found)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every docstring of a Python file, those below attributes too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        for i, item in enumerate(body if isinstance(body, list) else []):
            match item:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    below = i > 0 and isinstance(body[i - 1], ast.Assign | ast.AnnAssign)
                    if i == 0 or below:
                        yield item.lineno, text.strip()


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_source_text_uses_no_private_words(path: Path) -> None:
    course = "exercises" in path.parts
    patterns = [p for p in PATTERNS if not course or "door" not in p]
    text = prose(text_of(path))
    assert [m.group() for p in patterns for m in re.finditer(p, text, flags=re.I)] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_docstrings_open_with_what_is_computed(path: Path) -> None:
    assert [(line, text[:60]) for line, text in docstrings(path) if RIDDLE.match(text)] == []


DESCRIPTION = re.compile(r"^( *)\S[^\n]* : [^\n]*\n\1    (\S[^\n]*)", re.M)
"""A parameter or field with its type, and the first line of its description."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_descriptions_of_parameters_open_with_what_they_are(path: Path) -> None:
    described = [m[2] for _, text in docstrings(path) for m in DESCRIPTION.finditer(text)]
    assert [text for text in described if RIDDLE.match(text)] == []


def test_source_text_is_found(tmp_path: Path) -> None:
    """Comments, docstrings of functions and attributes, and messages; code and names are none."""
    file = tmp_path / "some.py"
    code = '''"""Where rooms are."""
X = "rooms"
"""How a room looks."""
def f(lanes):  # two lanes
    """Doors of a house."""
    raise ValueError(f"no {lanes} abreast")
'''
    file.write_text(code)
    text = text_of(file)
    assert all(
        re.search(p, text, re.I) for p in (r"\brooms\b", "lanes", "house", "abreast", "looks")
    )
    assert text.count("lanes") in (1, 2) and '"rooms"' not in text
    assert [line for line, _ in docstrings(file)] == [1, 3, 5]
    assert len([1 for _, text in docstrings(file) if RIDDLE.match(text)]) == 2
