"""The ten tasks of the first week: their lines, and their results beside other libraries."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks import results_file
from benchmarks.peers import ten_tasks as peers
from benchmarks.ten_tasks import TASKS, lines, robot_files
from spatial_v2.io import example_robots

PAGE = Path(__file__).parents[2] / "docs" / "ten_tasks.md"


def test_each_task_takes_at_most_twice_the_lines_of_the_library_that_has_it() -> None:
    assert len(TASKS) == 10 and [*TASKS] == [*peers.LIBRARIES]
    for name, (ours, _) in TASKS.items():
        assert lines(ours) <= 2 * lines(getattr(peers, name)), name


def test_the_table_has_the_lines_of_the_programs() -> None:
    for row in results_file.rows("ten_tasks"):
        name = str(row["task"])
        counted = lines(TASKS[name][0]), lines(getattr(peers, name))
        assert (row["lines"], row["theirs"]) == counted, name
        assert row["library"] == peers.LIBRARIES[name]
        assert row["difference"] is not None
        assert row["difference"] <= TASKS[name][1]


def test_the_page_shows_every_task() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r":pyobject: (\w+)", text) == [*TASKS]
    beside = re.findall(r"`ten_tasks.lines: (\w+)` \| ([\w ]+) \|", text)
    assert beside == [*peers.LIBRARIES.items()]


def test_lines_are_counted_without_imports_and_docstring() -> None:
    def function() -> int:
        """Return one."""
        import math

        # a comment
        x = math.floor(
            1.5
        )  # fmt: skip

        return x

    assert lines(function) == 4


@pytest.mark.parametrize("name", TASKS)
def test_tasks_have_the_results_of_the_other_library(name: str, tmp_path: Path) -> None:
    """They are compared where the other library is installed."""
    if not example_robots():
        pytest.skip("needs example-robot-data")
    if name == "balance":
        pytest.importorskip("osqp")
    ours, most = TASKS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        urdf = robot_files(tmp_path)[name]
        found = ours(urdf)
        assert np.isfinite(found).all()
        try:
            wanted = getattr(peers, name)(urdf)
        except ImportError as error:
            pytest.skip(f"needs {peers.LIBRARIES[name]}: {error}")
    assert_allclose(np.ravel(found), np.ravel(wanted), rtol=0, atol=most)
