"""Tables that compare lines of papers with lines of the library are complete and current."""

import copy
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ALGORITHMS: dict[str, Any] = tomllib.loads((ROOT / "docs" / "algorithms.toml").read_text())
PROMISED = {
    "ID": range(1, 12),
    "IDSVA": (1, *range(3, 11), *range(13, 21), 22, 23),
    "Coriolis": (1, *range(3, 7), *range(9, 15), *range(19, 23), 24, 25),
    "CRBAderivative": range(1, 30),
    "FDSVA": (5, 33, 34),
    "FDSVASO": range(44, 53),
    "KKTderivative": range(1, 7),
    "EIDAmb": range(1, 41),
    "EIDAmbD1": range(1, 18),
    "EIDAmbD2": range(1, 50),
    "EIDAmbD3": range(1, 17),
    "EIDAmbD4": range(1, 17),
    "IMMAmb": range(1, 27),
}
"""Numbers of the lines and equations that each table must have, as the papers print them."""


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    import papers

    return papers


@pytest.mark.parametrize("name", PROMISED)
def test_every_number_of_the_paper_has_a_row(name: str, papers: ModuleType) -> None:
    algorithm = ALGORITHMS[name]
    assert papers.numbers(algorithm["promised"]) == set(PROMISED[name])
    there = [papers.numbers(row["paper"]) for row in algorithm["rows"]]
    assert set().union(*there) == set(PROMISED[name])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_lines_of_files_are_there_as_they_are_quoted(name: str) -> None:
    algorithm = ALGORITHMS[name]
    for row in algorithm["rows"]:
        for line, file in (("code", "file"), ("kernel", "kernel_file")):
            path = row.get(file, algorithm.get(file))
            if line in row and path:
                assert row[line] in (ROOT / path).read_text(encoding="utf-8"), (path, row[line])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_line_is_found_beside_its_kernel(name: str, papers: ModuleType) -> None:
    algorithm = ALGORITHMS[name]
    lines = papers.table(algorithm)
    assert len(lines) == len(algorithm["rows"]) + 2
    assert len({line.count("|") for line in lines[2:]}) == 1
    assert not papers.promised(algorithm)
    assert all(re.search(r"\d", papers.place(row.get("file", algorithm["file"]), row["code"], ""))
               for row in algorithm["rows"])  # fmt: skip


@pytest.mark.parametrize("name", PROMISED)
def test_a_missing_number_or_line_stops_the_build(name: str, papers: ModuleType) -> None:
    algorithm = copy.deepcopy(ALGORITHMS[name])
    row = algorithm["rows"].pop()
    others = [papers.numbers(other["paper"]) for other in algorithm["rows"]]
    assert papers.promised(algorithm) == sorted(papers.numbers(row["paper"]) - set().union(*others))
    for key in ("code", "kernel"):
        if key in row:
            algorithm["rows"] = [{**row, key: "no such line"}]
            with pytest.raises(ValueError, match="has no line with 'no such line'"):
                papers.table(algorithm)


def test_tables_are_shown(papers: ModuleType) -> None:
    """Every table in ``algorithms.toml`` is on exactly one page of an algorithm."""
    pages = [path.read_text() for path in sorted((ROOT / "docs" / "algorithms").glob("*.md"))]
    shown = re.findall(r"\{paper-lines\} (\w+)", "\n".join(pages))
    assert sorted(shown) == sorted(ALGORITHMS)


def test_functions_that_pages_quote_are_in_their_files(papers: ModuleType) -> None:
    quoted = [
        argument
        for page in (ROOT / "docs").rglob("*.md")
        for line in re.findall(r"\{page-and-kernel\} (.*)", page.read_text("utf-8"))
        for argument in line.split()
    ]
    assert len(quoted) > 10
    for argument in quoted:
        path, names = argument.split(":")
        first, last = papers.span(path, names.split(","), whole=True)
        assert first < last, argument
