"""Tables and figures of the papers: the list is complete, each has a page, and each measured one a
verdict.
"""

import doctest
import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import for_each

import derivatives
import spatial_v2
from benchmarks import __main__ as command
from benchmarks.claims import claims, named, verdict, verdicts
from benchmarks.papers import PAPERS
from benchmarks.queries import Queries, studies_of
from benchmarks.results_file import is_current
from benchmarks.studies import STUDIES

ROOT = Path(__file__).parents[2]
PRINTED = {
    "000": ("Table I", "Table II", "Table III", *(f"Fig. {k}" for k in range(1, 24))),
    "001": ("Table 1", "Table 2", "Fig. 1a", "Fig. 1b", "Fig. 2", "Fig. 3"),
    "002": ("Table I", "Table II", "Table III", *(f"Fig. {k}" for k in range(1, 8))),
    "003": (*(f"Table {k}" for k in range(1, 10)), *(f"Fig. {k}" for k in range(1, 6))),
    "004": ("Table 1", "Table 2", *(f"Fig. {k}" for k in range(1, 5))),
}
"""Numbers of all tables and figures that are printed in the five papers."""
ITEMS = [(key, name) for key, names in PRINTED.items() for name in names]
NOTATION = ROOT / "docs" / "notation_moving_base.md"


def test_every_table_and_figure_of_the_papers_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert {key: tuple(paper.items) for key, paper in PAPERS.items()} == PRINTED
    command.show_papers()
    printed = capsys.readouterr().out
    for key, name in ITEMS:
        assert re.search(rf"^{key} {re.escape(name)} ", printed, re.M), (key, name)


@pytest.mark.slow
@for_each(ITEMS)
def test_every_item_has_a_page_and_every_measured_one_a_verdict(key: str, name: str) -> None:
    item = PAPERS[key].items[name]
    assert (ROOT / PAPERS[key].page_of(name)).is_file()
    assert set(item.studies) <= set(STUDIES)
    assert bool(item.studies) == ((key, name) in verdicts())


def test_claims_are_about_printed_items_and_known_results() -> None:
    """Claims are about printed items, and every condition has a verdict unless its study is out of
    date.
    """
    for claim in claims():
        assert set(claim.items) <= set(PRINTED[claim.paper]), claim.text
        assert claim.conditions, claim.text
        for condition in claim.conditions:
            assert studies_of(condition) <= set(STUDIES), condition
            if all(map(is_current, studies_of(condition))):
                assert verdict(condition) in ("✓", "✗"), condition


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("faster (Fig. 9, to N = 50)", ["Fig. 9"]),
        ("Figs. 16, 17 and 20", ["Fig. 16", "Fig. 17", "Fig. 20"]),
        ("(Figs. 2 to 4, Table III)", ["Fig. 2", "Fig. 3", "Fig. 4", "Table III"]),
        ("(Figs. 1a and 1b)", ["Fig. 1a", "Fig. 1b"]),
        ("figures of speech", []),
    ],
)
def test_names_of_figures_are_read(text: str, names: list[str]) -> None:
    assert list(named(text)) == names


def test_a_condition_without_a_result_is_neither_true_nor_false() -> None:
    def rows(name: str) -> list[dict[str, Any]]:
        return [{"method": "a", "n": 10, "us": 2.0}]

    found = [verdict(f"made.us: {x} in 1 to 3", Queries(rows)) for x in ("a", "b")]
    assert [*found, verdict("made.us: a in 3 to 4", Queries(rows))] == ["✓", "?", "✗"]


def notation() -> list[tuple[str, str]]:
    """Return expression and shape in each row of the tables of notation."""
    rows = re.findall(r"^\| \$.*\$ \| (`.*) \| (\S+) \| .* \|$", NOTATION.read_text(), re.M)
    assert len(rows) > 35
    return rows


def test_expressions_of_the_notation_have_the_shapes_of_the_paper() -> None:
    """Expressions, evaluated after the examples of the page, have the shapes of the paper.

    Variables that the page names are assigned in the source.
    """
    names: dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(NOTATION.read_text(), names, "page", None, 0)
    assert not doctest.DocTestRunner().run(test, clear_globs=False).failed
    n_J = test.globs["model"].NV - 6
    for cell, shape in notation():
        if found := re.fullmatch(r"`(\w+)` in `(\w+)`", cell):
            name, function = found.groups()
            where = getattr(spatial_v2, function, None) or getattr(derivatives, function)
            source = inspect.getsource(inspect.getmodule(inspect.unwrap(where)) or where)
            assert re.search(rf"\b{name}\b.* = ", source), cell
        else:
            value = np.asarray(eval(cell.strip("`"), test.globs))
            wanted = tuple(n_J if x == "n_J" else int(x) for x in shape.split("×"))
            assert value.shape == wanted, cell
