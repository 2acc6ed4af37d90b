"""Documentation and source text use the terms of the glossary, and none of the words not used."""

import ast
import functools
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import for_each

ROOT = Path(__file__).parents[2]
DOCS = [
    p
    for p in (ROOT / "docs").rglob("*.md")
    if "_build" not in p.parts and "generated" not in p.parts
    if p.parent.name not in ("course", "gallery") or p.name == "index.md"
]
CHAPTERS = sorted((ROOT / "spatial_v2" / "course" / "chapters").glob("*.md"))
"""Chapters of the course, in which the word "door" may mean a door."""
PAGES = [*sorted([*DOCS, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]), *CHAPTERS]
PATTERNS = (
    r"without a trace", r"bodies that can be", r"\bon one way\b", r"derivatives? by (?:q|\$)",
    r"\bdoors?\b", r"\bhouse\b", r"\blanes?\b", r"\babreast\b", r"\bmade of several\b",
    r"memory that is there", r"textbook form", r"runs? (?:the|its|their) pages?\b",
    r"\bpacks? of states\b", r"goes? the way of", r"\brooms?\b", r"without a word",
    r"\bfreedoms\b", r"\b(?:one|single) freedom\b",
    r"\b(?:are|is) (?:not|no) numbers?\b", r"\bready memory\b", r"\brecipes?\b",
    r"\bfree modes\b", r"\bas of(?: ?[.,;:]| the\b| those\b)",
    r"\b(?:gradients?|Hessians?|derivatives?) by (?:the (?:controls?|forces?|states?)|velocit)",
    r"\bprogrammes?\b(?<!: programme)",
)  # fmt: skip
"""Regular expressions for the words in the table of ``unit_tests/README.md``."""
FOLDERS = (
    ".ci", "benchmarks", "derivatives", "docs", "examples", "spatial_v2", "tensor_sva",
    "unit_tests",
)  # fmt: skip
SOURCES = {
    folder: [
        p
        for p in sorted((ROOT / folder).rglob("*.py"))
        if p != Path(__file__) and "_build" not in p.parts
    ]
    for folder in FOLDERS
}
over_folders = pytest.mark.parametrize("folder", FOLDERS)
RIDDLE = re.compile(r"(?:What|Whether|Where|How|Which|Who|When|That|Why)\b")
"""Openings of docstrings that do not say what is computed."""
NAMES = re.compile(r"""(["'])\w+\1|^ +[\w, ]+(?= : )|^ +(?:>>>|\.\.\.).*$""", re.M)
"""Strings of one word, names of parameters, and lines of examples."""


def prose(text: str) -> str:
    """Return the text of a page in one line, without code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return " ".join(re.sub(r"`[^`\n]*`", "", text).split())


@for_each(PAGES)
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
    """Return comments, docstrings and messages of a Python file, without names and examples."""
    found = []
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    strings = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    for token in tokens:
        if token.type == tokenize.COMMENT or (token.type in strings and " " in token.string):
            found.append(NAMES.sub("", token.string.removeprefix("# ")))
    return "\n".join(found)


@functools.cache
def docstrings(path: Path) -> list[tuple[int, str]]:
    """Return line and text of every docstring of a Python file, also of those below attributes."""
    return list(_docstrings(ast.parse(path.read_text(encoding="utf-8"))))


def _docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    body = getattr(node, "body", None)
    for i, item in enumerate(body if isinstance(body, list) else []):
        match item:
            case ast.Expr(value=ast.Constant(value=str(text))):
                if i == 0 or isinstance(body[i - 1], ast.Assign | ast.AnnAssign):
                    yield item.lineno, text.strip()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _docstrings(child)


@over_folders
@pytest.mark.slow
def test_source_text_uses_no_private_words(folder: str) -> None:
    found = []
    for path in SOURCES[folder]:
        course = "exercises" in path.parts
        text = prose(text_of(path))
        for pattern in (p for p in PATTERNS if not course or "door" not in p):
            found += [(path, m.group()) for m in re.finditer(pattern, text, flags=re.I)]
    assert found == []


@over_folders
def test_docstrings_open_with_what_is_computed(folder: str) -> None:
    found = [(path, *x) for path in SOURCES[folder] for x in docstrings(path)]
    assert [(path, line, x[:60]) for path, line, x in found if RIDDLE.match(x)] == []


DESCRIPTION = re.compile(r"^( *)\S[^\n]* : [^\n]*\n\1    (\S[^\n]*)", re.M)
"""A parameter or field with its type, and the first line of its description."""


@over_folders
def test_descriptions_of_parameters_open_with_what_they_are(folder: str) -> None:
    found = [(path, text) for path in SOURCES[folder] for _, text in docstrings(path)]
    described = [(path, m[2]) for path, text in found for m in DESCRIPTION.finditer(text)]
    assert [(path, text) for path, text in described if RIDDLE.match(text)] == []


@over_folders
def test_every_folder_has_sources(folder: str) -> None:
    assert SOURCES[folder]


def test_source_text_is_found(tmp_path: Path) -> None:
    """Comments, docstrings and messages are found; code and names are not."""
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


FOR_USERS = (
    r"^\*[^*\n]*(?:for readers|tutorial for)[^*\n]*\*$", r"\bWhoever\b", r"\bQEMU\b", r"foretold",
    r"\bunit_tests\b", r"\b[Tt]he tests (?:evaluate|compare|show)", r"\blines of code\b",
    r"\bredesign", r"If it is so later", r"^#+ (?:What becomes|How much of)",
)  # fmt: skip
"""Words about the project itself or of a style that pages for users do not have."""
OF_THE_PROJECT = (
    "README",
    "CONTRIBUTING",
    "changelog",
    "contributing",
    "prove_it",
    "releases",
    "stability",
)
"""Pages about the project."""


@for_each([p for p in PAGES if p.stem not in OF_THE_PROJECT and "maintain" not in p.stem])
def test_pages_speak_to_users_of_what_they_need(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    assert [m.group() for p in FOR_USERS for m in re.finditer(p, text, flags=re.M)] == []
