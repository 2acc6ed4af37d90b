"""Selection of tests: ``pytest -m slow``, ``pytest --all``.

Of a test with many parameters, pytest without options runs a part of the combinations: each value
of a parameter at least once, in combinations that differ from test to test. Of a parameter with
very many values, such as public functions, each test runs an eighth, of models and robots' files
a twelfth; tests differ in which part. With ``--all``, or of a test that is named, all run.
"""

from __future__ import annotations

import functools
import gc
import zlib
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

ASKED, LONG = ("mutation", "results"), ("slow",)
"""Markers of tests that run only if an option names the marker.

Tests with one of the second group also run if the command line names the test.
"""
FEW, TIMES = 3, 1
"""Number of combinations up to which all are run; number of runs for each value of a parameter if
there are more.
"""
MANY, MANY_SAMPLES = 10, 8
"""Number of values of a parameter above which only an eighth of them is tried, or, of models and
robots, a twelfth.
"""
ROWS, LISTED = 60, 20
"""Number of rows of a table, as of bad values and their messages, up to which all are tried with
``--tables``; the same of a list of single values.
"""
CHOSEN = {"mixed", "planar_tree", "floating_rotors"}
"""Models of the zoo that are preferred: a joint of every kind, branches, a moving base, rotors."""
ROBOTS = {".sdf", ".urdf", ".xacro", ".xml"}
"""Suffixes of files of robots."""
NO_MODELS = {"axes", "velocity"}
"""Parameters whose values have names that models have, too."""


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


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: Any) -> Generator[None, Any, Any]:
    """Leave out combinations of a function's parameters, unless all are asked for."""
    made = yield
    config = collector.config
    if not isinstance(made, list) or len(made) <= FEW or config.getoption("all") or named(config):
        return made
    return selected(made, config.getoption("tables"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that run only on request; put slow tests first, so that no worker waits for
    them at the end.
    """
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: give ids= that are the same in each process")
    items[:] = asked_for(config, items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def named(config: pytest.Config) -> bool:
    """True if the command line names a test."""
    return any("::" in arg for arg in config.args)


def asked_for(config: pytest.Config, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests without those that run only on request."""
    asked = ASKED if named(config) else ASKED + LONG
    unasked = {name for name in asked if name not in config.getoption("markexpr")}
    return [item for item in items if unasked.isdisjoint(x.name for x in item.iter_markers())]


def selected(items: list[Any], tables: bool = False) -> list[Any]:
    """Return the tests that try values of parameters which no test before them tries.

    Of tests that only differ in a parameter with many values, a part remains, but never none. Of
    costly ones, half as many remain as of others, also if a parameter has more than `FEW` values.
    With `tables`, short tables remain as they are.
    """
    varied = sorted((x for x in items if hasattr(x, "callspec")), key=order)
    if tables and is_table(varied):
        return items
    values = {x: [(name, value(x, name)) for name in x.callspec.params] for x in varied}
    sizes = Counter(name for name, _ in {y for pairs in values.values() for y in pairs})
    tried, left_out = Counter[Any](), set()
    for item in varied:
        untried = [x for x in values[item] if tried[x] < TIMES]
        costly = any(x.name == "costly" for x in item.iter_markers())
        parts = [one_in(item.callspec.params[name]) for name, _ in untried]
        limits = [MANY_SAMPLES if part == 12 else FEW if costly else MANY for part in parts]
        many = all(sizes[name] > n for (name, _), n in zip(untried, limits, strict=True))
        chosen = prefers(item, {name for name, _ in untried})
        share = min(parts, default=1) * (2 if costly else 1)
        if not untried or (tried and many and not chosen and order(item)[1] % share):
            left_out.add(item)
        tried.update(untried)
    return [item for item in items if item not in left_out]


def is_table(items: list[Any]) -> bool:
    """True if the parameters are the rows of a short table, or a shorter list, without models, and
    if the tests are not costly.
    """
    marks = {x.name for item in items for x in item.iter_markers()}
    given = [x for item in items for x in item.callspec.params.values()]
    rows = {tuple(item.callspec.indices.values()) for item in items}
    single = len(rows) == len(items) and all(len({*row}) == 1 for row in rows)
    most = ROWS if len(given) > len(items) else LISTED
    return single and len(items) <= most and "costly" not in marks and max(map(one_in, given)) < 12


def one_in(given: Any) -> int:
    """Return of how many values one is tried: of models and robots' files 12, of others eight."""
    if isinstance(given, tuple) and given:
        return one_in(given[0])
    if isinstance(given, Path) and given.suffix in ROBOTS:
        return 12
    return 12 if isinstance(given, str) and given in model_names() else 8


@functools.cache
def model_names() -> frozenset[str]:
    import zoo

    return frozenset(zoo.NAMES)


def order(item: Any) -> tuple[bool, int]:
    """Return a key for sorting: False for preferred models, and a number that is the same in every
    process.
    """
    return not prefers(item, item.callspec.params), zlib.crc32(item.nodeid.encode())


def prefers(item: Any, names: Iterable[str]) -> bool:
    """True if one of these parameters is a preferred model."""
    given = (item.callspec.params[name] for name in names if name not in NO_MODELS)
    return not CHOSEN.isdisjoint(x for x in given if isinstance(x, str))


def value(item: Any, name: str) -> Any:
    """Return an identifier of the value of a parameter; for a `calls.Call` the name of the
    function.
    """
    given = item.callspec.params[name]
    named = hasattr(given, "_fields") and hasattr(given, "name")
    return given.name if named else id(given)
