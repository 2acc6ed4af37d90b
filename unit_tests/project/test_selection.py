"""The selection of tests: each value of a parameter is tried in every run."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest
import selection
from helpers import for_each

VALUES = {"name": "abcd", "kind": "xyz", "size": "12345"}


class Item:
    """A test with parameters, with the attributes that the selection uses."""

    def __init__(
        self, *values: str, markers: tuple[str, ...] = (), indices: dict[str, int] | None = None
    ) -> None:
        self.nodeid = f"test_law.py::test_law[{'-'.join(values)}]"
        params = dict(zip(VALUES, values, strict=True))
        self.callspec = SimpleNamespace(params=params, indices=indices or params)
        self.markers = list(markers)

    def iter_markers(self) -> list[Any]:
        return [SimpleNamespace(name=x) for x in self.markers]


def asked_for(items: list[Any], expression: str = "", *names: str) -> list[Any]:
    """Return the tests that `selection` keeps for ``-m expression names``."""
    config: Any = SimpleNamespace(args=names, getoption={"markexpr": expression}.get)
    return selection.asked_for(config, items)


@pytest.fixture
def items() -> list[Any]:
    """Return one item for each combination of values."""
    return [Item(*values) for values in itertools.product(*VALUES.values())]


def test_every_value_is_tried(items: list[Any]) -> None:
    few = selection.selected(items)
    assert {x for item in few for x in item.callspec.params.values()} == set("abcdxyz12345")
    assert len(few) <= sum(map(len, VALUES.values())) < len(items)


def test_selected_tests_stay_selected(items: list[Any]) -> None:
    """A second selection, among the tests that the first has kept, keeps all of them."""
    few = selection.selected(items)
    assert selection.selected(few) == few


def take_as_models(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr(selection, "model_names", lambda: {*names})


@pytest.mark.parametrize("share", [8, 12])
def test_a_part_of_very_many_values_is_tried(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a parameter with very many values an eighth is tried, or a twelfth if they are models; a
    second selection changes nothing.
    """
    names = [f"value {k}" for k in range(32 * selection.MANY)]
    if share == 12:
        take_as_models(monkeypatch, *names)
    made = [Item(x, y, "1") for x in names for y in "xyz"]
    few = selection.selected(made)
    tried = [item.callspec.params["name"] for item in few]
    assert len(names) / share / 1.5 < len(tried) < len(names) / share * 1.5
    assert len({*tried}) > len(tried) - 3
    assert {item.callspec.params["kind"] for item in few} == {*"xyz"}
    assert selection.selected(few) == few


def test_preferred_models_are_always_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*selection.CHOSEN, *(f"model {k}" for k in range(selection.MANY_SAMPLES))]
    take_as_models(monkeypatch, *names)
    made = [Item(x, "y", "1") for x in names]
    tried = {item.callspec.params["name"] for item in selection.selected(made)}
    assert tried >= selection.CHOSEN and len(tried) < len(names)


def test_functions_with_a_preferred_model_are_a_part_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The preference of a model does not make a test run for all values of another parameter."""
    take_as_models(monkeypatch, *selection.CHOSEN)
    names = [f"value {k}" for k in range(8 * selection.MANY)]
    made = [Item(x, "mixed", "1") for x in names]
    assert 0 < len(selection.selected(made)) < len(names) / 2


def test_short_tables_are_tried_row_by_row() -> None:
    """All rows of a short table remain, of a longer one a part, and of one of costly tests; the
    same of a list.
    """
    for rows, markers, whole in (
        (selection.ROWS, (), True), (2 * selection.ROWS, (), False),
        (selection.ROWS, ("costly",), False),
    ):  # fmt: skip
        made = [
            Item(f"a {k}", f"b {k}", f"c {k}", markers=markers, indices=dict.fromkeys(VALUES, k))
            for k in range(rows)
        ]
        assert (selection.selected(made, tables=True) == made) == whole
    for count, whole in ((selection.LISTED, True), (2 * selection.LISTED, False)):
        made = [Item(f"a {k}", "b", "c", indices={"name": k}) for k in range(count)]
        for item in made:
            item.callspec.params = {"name": item.callspec.params["name"]}
        assert (selection.selected(made, tables=True) == made) == whole


def test_of_costly_tests_fewer_are_tried() -> None:
    """Half as many of very many values are tried, and a part of four; models are as before."""
    names = [f"value {k}" for k in range(32 * selection.MANY)]
    usual, costly = ([Item(x, "y", "1", markers=m) for x in names] for m in ((), ("costly",)))
    few = [Item("a", "x", x, markers=("costly",)) for x in "12345678"]
    share = len(selection.selected(costly)) / len(selection.selected(usual))
    assert 0.3 < share < 0.7
    assert 0 < len(selection.selected(few)) < len(few)


def test_one_value_is_always_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """One model is tried, even if the numbers of all are those of models that are left out."""
    names = [f"model {k}" for k in range(2 * selection.MANY_SAMPLES)]
    take_as_models(monkeypatch, *names)
    monkeypatch.setattr(selection, "order", lambda item: (True, 1))
    made = [Item(x, "y", "1") for x in names]
    assert len(selection.selected(made)) == 1


def test_names_of_axes_are_not_taken_for_models() -> None:
    item: Any = Item("a", "mixed", "1")
    assert not selection.order(item)[0]
    item.callspec.params["axes"] = item.callspec.params.pop("kind")
    assert selection.order(item)[0]


@pytest.mark.parametrize("marker", [*selection.ASKED, *selection.LONG])
def test_markers_want_to_be_asked_for(marker: str) -> None:
    item = Item("a", "x", "1", markers=(marker,))
    assert asked_for([item]) == []
    assert asked_for([item], marker) == [item]


def test_a_law_over_cases_tells_all_that_fail() -> None:
    """A test made by `for_each` runs for every case, and reports all that fail.

    It has the name and the docstring of the decorated function.
    """
    tried: list[int] = []

    def is_even(number: int) -> None:
        """The number is even."""
        tried.append(number)
        assert number % 2 == 0

    test = for_each([1, 2, 3])(is_even)
    assert (test.__name__, test.__doc__) == ("is_even", "The number is even.")
    with pytest.raises(ExceptionGroup, match="2 cases fail") as info:
        test()
    assert tried == [1, 2, 3]
    assert [e.__notes__ for e in info.value.exceptions] == [["in the case 1"], ["in the case 3"]]
    for_each([(2, 1), (4, 2)])(lambda a, b: tried.append(a // b))()
    assert tried[3:] == [2, 2]
