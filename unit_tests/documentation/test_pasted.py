"""Blocks of the first pages run as they stand, and print what the pages show."""

import re
from pathlib import Path

import pytest
from pasted import Block, blocks, outputs

from spatial_v2.io import example_robots

ROOT = Path(__file__).parents[2]
FIRST_PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", ROOT / "docs" / "first_robot.md"]


@pytest.mark.parametrize("page", FIRST_PAGES, ids=lambda page: page.stem)
def test_pasted_blocks_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """Each block runs in one process after those above it, and prints the text below it."""
    given = blocks(page)
    assert given
    if page.stem == "first_robot" and not example_robots():
        pytest.skip("needs example-robot-data")
    assert outputs(given, tmp_path) == [block.output for block in given]


def test_a_wrong_output_is_found(tmp_path: Path) -> None:
    """A name that no block defines ends the run; outputs belong to their blocks."""
    good = [Block("x = 2", ""), Block("print(x)", "2\n")]
    assert outputs(good, tmp_path) == ["", "2\n"]
    with pytest.raises(AssertionError, match="NameError"):
        outputs(good[1:], tmp_path)


EXTRA = re.compile(r"pip install[^\n]*?(?:spatial-v2|\.)\[[\w,]+\]")
SPELLING = re.compile(r"pip install (?:--no-compile |-e )?'\.\[[a-z0-9]+(?:,[a-z0-9]+)*\]'")


def test_extras_have_one_spelling_and_exist() -> None:
    """Pages and messages install an extra as ``pip install '.[name]'``, and the extra exists."""
    extras = set(re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.M))
    folders = ("docs", "spatial_v2", "derivatives", "tensor_sva", "examples", "benchmarks")
    paths = [p for f in folders for s in ("md", "py", "rst") for p in (ROOT / f).rglob(f"*.{s}")]
    found = {}
    for path in [*paths, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        if "_build" in path.parts:
            continue
        for text in EXTRA.findall(path.read_text(encoding="utf-8")):
            names = text.rpartition("[")[2].rstrip("]").split(",")
            if not SPELLING.match(text[text.index("pip") :] + "'") or not extras.issuperset(names):
                found[f"{path.relative_to(ROOT)}"] = text
    assert found == {}
