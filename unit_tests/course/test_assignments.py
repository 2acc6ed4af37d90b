"""Properties of the assignments for nbgrader: their metadata, and that nbgrader grades them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from spatial_v2.course import write_assignments
from spatial_v2.course.assignment import assignment
from spatial_v2.course.named import exercises
from spatial_v2.course.text import chapter, chapters

ROOT = Path(__file__).parents[2]
FLAGS = {"grade", "locked", "solution", "task"}
SOLUTION = re.compile(r"\n### BEGIN SOLUTION\n(.*?)### END SOLUTION\n", re.S)


def graded(name: str) -> list[dict[str, Any]]:
    """Return the cells of an assignment that nbgrader knows."""
    cells = json.loads(assignment(name))["cells"]
    return [cell for cell in cells if "nbgrader" in cell["metadata"]]


@pytest.mark.parametrize("name", chapters())
def test_each_exercise_has_an_answer_and_a_locked_test(name: str) -> None:
    own = re.findall(r"^\*\*(\d+\.\d+)\*\*", chapter(name), re.M)
    assert exercises().keys() > {*own} and len(own) >= 2
    cells = graded(name)
    for key, answer, test in zip(own, cells[::2], cells[1::2], strict=True):
        number, checked = key.replace(".", "-"), f'check("{key}", '
        meta, locked = answer["metadata"]["nbgrader"], test["metadata"]["nbgrader"]
        assert (meta["grade_id"], locked["grade_id"]) == (f"answer-{number}", f"test-{number}")
        assert {k for k in FLAGS if meta[k]} == {"solution"} and "points" not in meta
        assert {k for k in FLAGS if locked[k]} == {"grade", "locked"}
        assert meta["schema_version"] == locked["schema_version"] == 3
        text, said = "".join(answer["source"]), "".join(test["source"])
        assert len(SOLUTION.findall(text)) == 1 and "..." in SOLUTION.sub("", text)
        assert locked["points"] == 1 + ("def " in SOLUTION.sub("", text))
        assert checked in text and checked in said and "SOLUTION" not in said


@pytest.mark.parametrize("name", chapters())
def test_assignments_are_valid_notebooks(name: str) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(assignment(name), as_version=4))


def test_no_solution_remains_in_an_assignment_without_its_marked_lines() -> None:
    """No folded text of a chapter's solution remains in an assignment, and marked lines are in
    pairs.
    """
    for name in chapters():
        for cell in json.loads(assignment(name))["cells"]:
            text = "".join(cell["source"])
            assert "<summary>Solution</summary>" not in text
            assert ("### BEGIN SOLUTION" in text) == text.count("### END SOLUTION")


def test_nbgrader_accepts_the_metadata() -> None:
    pytest.importorskip("nbgrader")
    import nbformat
    from nbgrader.nbgraderformat import MetadataValidator

    for name in chapters():
        MetadataValidator().validate_nb(nbformat.reads(assignment(name), as_version=4))


def test_the_command_writes_a_course_of_nbgrader(tmp_path: Path) -> None:
    assert f"{len(chapters())} assignments" in run("course", tmp_path, "--assignment")
    found = {x.relative_to(tmp_path).as_posix() for x in tmp_path.rglob("*.*")}
    assert found == {"nbgrader_config.py", *(f"source/{x}/{x}.ipynb" for x in chapters())}
    compile((tmp_path / "nbgrader_config.py").read_text(), "nbgrader_config.py", "exec")


@pytest.mark.slow
def test_nbgrader_grades_right_and_wrong_answers(tmp_path: Path) -> None:
    """Right answers get all points; missing answers, and changed checks, get none."""
    pytest.importorskip("nbgrader")
    import nbformat
    from nbgrader.api import Gradebook

    name = "01_vectors"
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "HOME": str(tmp_path)}
    env["PATH"] = os.defpath  # without the programs of the environment, which is not activated

    def nbgrader(*words: str) -> None:
        run = [sys.executable, "-m", "nbgrader", *words]
        subprocess.run(run, cwd=tmp_path, env=env, check=True, capture_output=True, timeout=900)

    source = next(path for path in write_assignments(tmp_path) if path.stem == name)
    nbgrader("generate_assignment", name)
    released = (tmp_path / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    assert "SOLUTION" not in released and "Your answer" in released

    def submit(student: str, cells: dict[str, str]) -> None:
        book = nbformat.reads(released, as_version=4)
        for cell in book.cells:
            key = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            cell.source = cells.get(key, cell.source)
        path = tmp_path / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(book, path)

    solved = {
        cell.metadata.nbgrader.grade_id: SOLUTION.search(cell.source)[1]  # type: ignore[index]
        for cell in nbformat.read(source, as_version=4).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    submit("anna", solved)
    wrong = {"answer-1-1": "velocity = [0, 0, 1, 0, 0, 1]", "answer-1-5": solved["answer-1-5"]}
    forged = {"answer-1-3": "check = lambda *x: True\npoint = 1", "test-1-2": "assert True"}
    submit("bob", wrong | forged)
    nbgrader("autograde", name)
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        found = {x: book.find_submission(name, x) for x in ("anna", "bob")}
        assert found["anna"].score == found["anna"].max_score == 7
        notebook = found["bob"].notebooks[0]
        points = {grade.name: grade.score for grade in notebook.grades}
    assert points.pop("test-1-5") == 1 and set(points.values()) == {0} and len(points) == 5
