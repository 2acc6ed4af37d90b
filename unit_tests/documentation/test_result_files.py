"""Measured numbers: results are of the present engine, and pages print them from files."""

import re
from pathlib import Path

import pytest
from helpers import for_each

from benchmarks import results_file
from benchmarks.readme import BLOCK, times
from benchmarks.studies import STUDIES

ROOT = Path(__file__).parents[2]
STUDIED = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "studies").glob("*.md")]
PAGES = (
    "README.md", "docs/index.md", "docs/studies.md", *sorted(STUDIED), "docs/performance.md",
    "benchmarks/README.md",
)  # fmt: skip
FENCE = re.compile(r"```.*?```", re.S)
ROLE = re.compile(r"\{\w+\}`[^`]*`")
CLAIM = re.compile(r"^\|[^|]*\|", re.M)
"""The first cell of a row: a claim of a paper, or the name of a measured quantity."""
UNITS = "µs|us|ms|ns|s|seconds?|minutes?|times|x|×|%"
MEASURED = re.compile(rf"(?<![\w.])\d[\d.,]*(?: to \d[\d.]*)? ?(?:{UNITS})(?![\w-])")


def measured(text: str) -> list[str]:
    """Return the times and ratios that are written in a page, instead of printed by a role from a
    file.
    """
    return MEASURED.findall(CLAIM.sub("|", ROLE.sub("", FENCE.sub("", text))))


def test_every_study_has_a_file_and_every_file_a_study() -> None:
    assert {file.stem for file in results_file.FOLDER.iterdir()} == set(STUDIES)


@pytest.mark.results
@pytest.mark.parametrize("name", STUDIES)
def test_results_are_of_the_present_engine(name: str) -> None:
    """Files of results were measured with the present engine.

    ``python -m benchmarks --stale`` repeats the measurements of others.
    """
    assert results_file.is_current(name)


@for_each(PAGES)
def test_prose_states_no_time_or_ratio_of_its_own(page: str) -> None:
    """Pages contain no measured numbers of their own."""
    assert measured((ROOT / page).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    ["It takes 2.3 µs.", "at 1.5 to 3 times the cost", "12 % less", "2 ms", "0.5×", "3 s"],
)
def test_times_and_ratios_are_found(text: str) -> None:
    assert len(measured(f"{text}\n\n| claim: 15 times | {text} |\n")) == 2


def test_other_numbers_are_not() -> None:
    text = "N = 100 bodies, {result}`a.us: 5` µs, `FD_SO`, 3 sizes\n\n| 20 links: 18 µs | ✓ |\n"
    assert measured(text) == []


def test_times_in_the_readme_are_those_of_its_file() -> None:
    """Times in the README agree with the file of results that ``python -m benchmarks readme``
    writes.
    """
    found = BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found
    assert times(found[0]) == results_file.rows("readme")
