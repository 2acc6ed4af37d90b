"""Choice of the cases of a default run: those that are chosen, each value once.

A list of parameters says which are chosen (`chosen`, `zoo.over`). Of a test with several lists, the
first values run together, the second ones, and so on; shorter lists begin again. All other cases
are marked ``wide`` and ``slow``, and are not even made if neither is asked for.
"""

import gc
from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest

__all__ = ["chosen", "few"]

ASKED = ("slow", "results", "mutation")
"""Markers of tests that run only if ``-m`` names the marker."""


def chosen(cases: Iterable[Any], choose: Callable[[Any], bool]) -> list[Any]:
    """Return the cases as parameters, of which those that are not chosen are marked ``wide``."""
    made = [_parameter(x) for x in cases]
    wide = pytest.mark.wide
    return few(x if choose(x.values[0]) else x._replace(marks=[*x.marks, wide]) for x in made)


def few(parameters: Iterable[Any]) -> list[Any]:
    """Return parameters, without those that are marked ``wide`` if nobody asks for them."""
    every = list(parameters)
    now = [x for x in every if not any(y.name == "wide" for y in x.marks)]
    return every if _Asked.wide else now or every


class _Asked:
    """The command line: `wide` is true if its ``-m`` names long tests."""

    wide = True


def pytest_configure(config: pytest.Config) -> None:
    """Look whether long tests are asked for, before test files are imported."""
    _Asked.wide = any(x in config.getoption("markexpr") for x in ("slow", "wide"))


def _parameter(case: Any) -> Any:
    if hasattr(case, "marks"):
        return case
    return pytest.param(*case) if isinstance(case, tuple) else pytest.param(case)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    """Mark all cases of a test but those that `along_the_diagonal` has."""
    made = yield
    if isinstance(made, list):
        cases = [x for x in made if hasattr(x, "callspec")]
        few = [x for x in cases if x.get_closest_marker("wide") is None]
        diagonal = along_the_diagonal(map(place, few))
        for case in few:
            if place(case) not in diagonal:
                case.add_marker("wide")
        for item in made:
            if isinstance(item, pytest.Item) and item.get_closest_marker("wide"):
                item.add_marker("slow")
        if not _Asked.wide:
            made = [x for x in made if x not in cases or x.get_closest_marker("wide") is None]
    return made


def along_the_diagonal(places: Iterable[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """Return the places at which each value of each parameter occurs once, or again where its list
    is shorter.

    Examples
    --------
    >>> sorted(along_the_diagonal([(x, y) for x in "abc" for y in "12"]))
    [('a', '1'), ('b', '2'), ('c', '1')]
    """
    values = [[*dict.fromkeys(column)] for column in zip(*places, strict=True)]
    longest = max(map(len, values), default=0)
    return {tuple(x[k % len(x)] for x in values) for k in range(longest)}


def place(case: Any) -> tuple[Any, ...]:
    """Return what a case has of each list of parameters: identifiers of a row of values."""
    values = case.callspec.params
    rows = [x.args[0] for x in case.iter_markers("parametrize")]
    rows = [[y.strip() for y in x.split(",")] if isinstance(x, str) else [*x] for x in rows]
    rows += [[x] for x in values if not any(x in row for row in rows)]  # of fixtures
    return tuple(tuple(id(values[name]) for name in row) for row in rows)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that run only on request, and put long tests first, so that no worker waits
    for them at the end.
    """
    expression = config.getoption("markexpr")
    unasked = {name for name in ASKED if name not in expression}
    if "wide" in expression:
        unasked -= {"slow"}
    asked = [x for x in items if unasked.isdisjoint(y.name for y in x.iter_markers())]
    for item in asked:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: give ids= that are the same in each process")
    config.hook.pytest_deselected(items=[*{*items}.difference(asked)])
    items[:] = sorted(asked, key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Exempt tests and modules, which stay to the end, from garbage collection.

    Otherwise each full collection, while tests are made and later, looks at millions of objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
