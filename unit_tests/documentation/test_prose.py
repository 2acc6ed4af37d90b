"""The pages in Markdown: the files that they name exist, and they speak to users."""

import re
from pathlib import Path

from helpers import for_each

ROOT = Path(__file__).parents[2]
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
def test_pages_begin_with_their_subject(page: Path) -> None:
    """No page opens with a line in italics about its readers; titles and links tell them."""
    text = page.read_text(encoding="utf-8")
    if included := INCLUDE.search(text):
        text = (ROOT / included[1]).read_text(encoding="utf-8")
    assert not re.search(r"^\*For [^*]+\*$", text, re.M)


NOT_FOR_USERS = re.compile(
    r"\b(?:test suite|the tests (?:run|compare|check)|tests (?:run|build)|lines of code|redesign|"
    r"Whoever|again and again|What becomes of|other people's)\b",
    re.I,
)
"""Statements about tests, goals and history of the project, and phrases that nobody says."""
OF_CONTRIBUTORS = ("contributing.md", "changelog.md", "releases.md")


@for_each([p for p in SITE if p.name not in OF_CONTRIBUTORS and "studies" not in p.parts])
def test_pages_speak_to_users(page: Path) -> None:
    text = re.sub(r"```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    assert [m.group() for m in NOT_FOR_USERS.finditer(" ".join(text.split()))] == []


REMOVED = (
    "Whoever does not want to wait lets a second process compile.",
    "What becomes of what",
    "How much of other people's code",
    "makes a function of JAX or of PyTorch of it",
    "If it is so later, the Gauss-Newton Hessian replaces it",
    "also in the next iteration if that converges fast",
    "and the authority for all text of this library",
    "Again and again.",
    "foretold",
    "All else refuses by its name",
    "How much comes over",
    "into memory of yours",
    "never a crash: damaged files",
    "inertias that no body has, joints that move no mass, limits that leave no interval",
    "A closed loop makes the same of a tree",
    "what moves it are forces on its contact points",
    "A function makes the problem of the parameters",
    "derivatives go through the factors",
    "fork by others",
    "Any solver does:",
)
"""Sentences over which readers stumbled; pages, docstrings and examples do not have them."""
FOLDERS = ("docs", "spatial_v2", "derivatives", "tensor_sva", "examples")
TEXTS = [
    path
    for folder in FOLDERS
    for suffix in ("md", "py", "rst")
    for path in sorted((ROOT / folder).rglob(f"*.{suffix}"))
    if not {"_build", "gallery", "notebooks"} & {*path.relative_to(ROOT).parts[1:-1]}
]


def removed(text: str) -> list[str]:
    """Return the sentences of the list that a text has, wherever its lines break."""
    line = " ".join(text.split())
    return [sentence for sentence in REMOVED if sentence in line]


def test_removed_sentences_do_not_come_back() -> None:
    texts = [*sorted(ROOT.glob("*.md")), *TEXTS]
    found = {f"{x.relative_to(ROOT)}": removed(x.read_text(encoding="utf-8")) for x in texts}
    assert len(found) > 500
    assert {path: sentences for path, sentences in found.items() if sentences} == {}


def test_removed_sentences_are_found() -> None:
    assert removed("Distances are as foretold.\n\nWhat becomes\nof what") == [
        "What becomes of what",
        "foretold",
    ]
