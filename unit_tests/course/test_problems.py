"""The problem set: solutions are right, and statements do not contain them."""

import ast
import importlib.util
import json
from pathlib import Path

import pytest
from command_line import refused, run
from helpers import for_each

from spatial_v2.course import write_problems
from spatial_v2.course.problem import Problem, problems
from spatial_v2.course.write_files import write_files
from spatial_v2.exceptions import SpatialError

ROOT = Path(__file__).parents[2]


@for_each(problems())
def test_solution_holds(problem: Problem) -> None:
    """The code of a solution runs by itself, and its assertions are true."""
    exec(compile(problem.code, problem.title, "exec"), {"__name__": "solution"})


@for_each(problems())
def test_solution_derives_and_asserts(problem: Problem) -> None:
    """A solution has text and at least two assertions; a statement has no code."""
    tests = [node for node in ast.walk(ast.parse(problem.code)) if isinstance(node, ast.Assert)]
    conditions = [
        value
        for node in tests
        for value in (node.test.values if isinstance(node.test, ast.BoolOp) else [node.test])
    ]
    assert len(conditions) >= 2
    assert len(problem.solution.split("```")[0].split()) > 30
    assert "```" not in problem.statement and len(problem.statement.split()) > 20
    assert max(len(line) for line in problem.code.splitlines()) <= 110


@for_each(problems())
def test_points_follow_difficulty(problem: Problem) -> None:
    wanted = {"easy": {2}, "medium": {2, 3}, "hard": {4}}
    assert problem.points in wanted[problem.level]


def test_there_are_forty_problems_with_titles_of_their_own() -> None:
    assert [x.number for x in problems()] == list(range(1, 41))
    assert len({x.title for x in problems()}) == 40


def test_problems_and_solutions_are_kept_apart(tmp_path: Path) -> None:
    """The notebook of problems has an empty cell for each answer and nothing of the solutions."""
    (asked,) = write_problems(tmp_path)
    (solved,) = write_problems(tmp_path, solutions=True)
    cells = json.loads(asked.read_text(encoding="utf-8"))["cells"]
    assert [cell["source"] for cell in cells if cell["cell_type"] == "code"] == [[]] * 40
    text = "\n".join("".join(cell["source"]) for cell in cells)
    full = json.loads(solved.read_text(encoding="utf-8"))["cells"]
    whole = "\n".join("".join(cell["source"]) for cell in full)
    for problem in problems():
        assert problem.statement in text and problem.statement in whole
        derivation = problem.solution.split("```")[0].strip()
        assert derivation not in text and derivation in whole
        assert problem.code.strip() not in text and problem.code.strip() in whole


def test_notebooks_are_valid(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    for solutions in (False, True):
        (path,) = write_problems(tmp_path, solutions=solutions)
        nbformat.validate(nbformat.read(path, as_version=4))


def test_answers_are_not_overwritten(tmp_path: Path) -> None:
    (path,) = write_problems(tmp_path)
    path.write_text("mine")
    with pytest.raises(SpatialError, match=r"problems\.ipynb in .* has been changed.*--force"):
        write_problems(tmp_path)
    assert path.read_text() == "mine"
    assert write_problems(tmp_path, force=True) == [path] and path.read_text() != "mine"


@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_where_a_file_would_be_a_folder(tmp_path: Path, force: bool) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "c").write_text("mine")
    for name in ("b", "c/d"):
        with pytest.raises(SpatialError, match="me: folder: "):
            write_files("me", tmp_path, {"a": "1", name: "2"}, force)
    assert {x.name for x in tmp_path.iterdir()} == {"b", "c"}


def test_the_page_of_problems_has_no_solutions() -> None:
    path = ROOT / "docs" / "_ext" / "course.py"
    spec = importlib.util.spec_from_file_location("course_pages", path)
    assert spec and spec.loader
    pages = importlib.util.module_from_spec(spec)
    pytest.importorskip("sphinx")
    spec.loader.exec_module(pages)
    text = pages.problem_page()
    assert all(problem.statement in text for problem in problems())
    assert "assert" not in text and "### Solution" not in text
    assert not any(problem.solution.split("```")[0].strip() in text for problem in problems())


def test_the_command_writes_problems_and_solutions(tmp_path: Path) -> None:
    assert "problems.ipynb" in run("course", tmp_path, "--problems")
    assert "solutions.ipynb" in run("course", tmp_path, "--solutions")
    assert {x.name for x in tmp_path.iterdir()} == {"problems.ipynb", "solutions.ipynb"}
    assert "choose one" in refused("course", tmp_path, "--problems", "--solutions")
