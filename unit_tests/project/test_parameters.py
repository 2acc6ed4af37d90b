"""Chosen parameters run by default, each once, whatever the command line names."""

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import parameters
import pytest
import zoo
from default_kernels import CLOSED, SIMD
from helpers import for_each
from parameters import along_the_diagonal, chosen

from spatial_v2.export import kernel_names

LAW = """
import pytest, zoo

@pytest.mark.parametrize("shape", [(), (3,)])
@pytest.mark.parametrize("name", zoo.MODELS)
@pytest.mark.parametrize(("a", "b"), [(1, True), (2, True), (3, False)])
def test_law(name, shape, a, b): ...

@pytest.mark.slow
def test_long(): ...

@pytest.mark.mutation
def test_fault(): ...

@pytest.mark.wide
def test_very_long(): ...
"""
CASES = [
    f"test_law[{('1-True', '2-True', '3-False')[k % 3]}-{name}-shape{k % 2}]"
    for k, name in enumerate(x for x in zoo.NAMES if x in zoo.CHOSEN)
]


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a function that collects the tests of a small file as the command line says."""
    folder = tmp_path_factory.mktemp("law")
    tests = Path(__file__).parents[1]
    (folder / "conftest.py").write_text((tests / "conftest.py").read_text())
    (folder / "test_small.py").write_text(LAW)
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = {tests.parent} {tests}/support\n")

    def collect(*words: str) -> list[str]:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return [x.split("::")[1] for x in done.stdout.splitlines() if "::" in x]

    return collect


def test_what_one_runs_is_what_one_sees(collected: Any) -> None:
    """A folder, a file and a test of it run the same cases."""
    for words in ([], ["test_small.py::test_law"]):
        assert sorted(collected(*words)) == sorted(CASES), words


@pytest.mark.slow
def test_markers_want_to_be_asked_for(collected: Any) -> None:
    """Long tests run if ``-m`` names them, and all models with them."""
    assert collected("test_small.py::test_long") == []
    assert collected("-m", "slow and not wide") == ["test_long"]
    every = 6 * len(zoo.NAMES)
    assert len(collected("-m", "wide")) == every - len(CASES) + 1
    assert len(collected("-m", "slow or not slow")) == every + 2


def test_every_value_is_tried_once() -> None:
    """Shorter lists begin again as the longest goes on."""
    cases = itertools.product(range(4), range(3), range(1))
    assert along_the_diagonal(cases) == {(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 0, 0)}
    assert along_the_diagonal([]) == set()


def test_lists_say_what_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other cases are made only where long tests are asked for, or if none is chosen."""
    monkeypatch.setattr(parameters._Asked, "wide", False)
    assert [x.values for x in chosen(["a", "b"], "b".__eq__)] == [("b",)]
    assert len(chosen(["a", "b"], "c".__eq__)) == 2
    monkeypatch.setattr(parameters._Asked, "wide", True)
    made = chosen(["a", ("b", 2), pytest.param("c", id="x", marks=pytest.mark.slow)], "b".__eq__)
    assert [x.values for x in made] == [("a",), ("b", 2), ("c",)] and made[2].id == "x"
    assert [[y.name for y in x.marks] for x in made] == [["wide"], [], ["slow", "wide"]]


def test_models_of_a_default_run_have_every_kind_of_joint() -> None:
    """They have joints of every size and of the plane, a fixed and a moving base, and rotors; where
    none of them is among the cases, three others are tried.
    """
    kinds = {
        str(x["code"] if isinstance(x, dict) else x)[0:2]
        for name in zoo.CHOSEN
        for x in zoo.TREES[name][1]
    }
    assert {x.strip("xyz-") for x in kinds} >= {"R", "P", "H", "S", "SO", "SE", "Fb", "r", "p"}
    tried = [x for x in zoo.over(zoo.NAMES) if not x.marks]
    assert {x.values[0] for x in tried} == zoo.CHOSEN
    names = [x.values[0] for x in zoo.over(["chain", "rotors", "one_R", "one_P"]) if not x.marks]
    assert names == ["chain", "rotors", "one_R"]


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


def test_kernels_of_a_default_run_exist() -> None:
    assert {*kernel_names()} > SIMD | CLOSED
