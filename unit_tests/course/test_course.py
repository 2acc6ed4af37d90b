"""Properties of the course: the check of every exercise accepts right answers and rejects wrong
ones, and every chapter runs.
"""

import copy
import functools
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import for_each

import spatial_v2
from spatial_v2 import ID, Model, crf, crm, rotz
from spatial_v2.course import brick, check, hint, source, write_course
from spatial_v2.course.diagnosis import FACTORS
from spatial_v2.course.exercise import Exercise, difference, general, same
from spatial_v2.course.named import exercises
from spatial_v2.course.notebook import as_json, notebook, plain_markdown
from spatial_v2.course.text import Cell, cells, chapter, chapters, parts_of
from spatial_v2.exceptions import SpatialError

ROOT = Path(__file__).parents[2]
EXERCISES = exercises()
CHAPTERS = chapters()
CHECK = re.compile(r'^check\("([\d.]+)", .+\)$', re.M)
ASKED = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.M)
TAGS = {"", "picture", "assertion", "exercise", "solution"}
DIRECTIVE = re.compile(r"^(?::::|```)\{(\w[\w-]*)\}", re.M)


def parts(name: str) -> list[Cell]:
    return cells(chapter(name))


every_exercise = for_each(EXERCISES.values())


@every_exercise
def test_solution_is_right(exercise: Exercise) -> None:
    assert exercise.verdict(exercise.solution()).state == "right"


@every_exercise
def test_mistakes_are_told(exercise: Exercise) -> None:
    for text, wrong in exercise.mistakes.items():
        verdict = exercise.verdict(wrong())
        assert verdict.state == "wrong" and verdict.message == text


@pytest.mark.parametrize(("without", "told"), [
    ("gravity", "Gravity is missing"), ("velocities", "The velocity terms"),
    ("parents", "On the way inwards"), ("", "Right."),
])  # fmt: skip
def test_lines_left_out_of_inverse_dynamics_are_told(without: str, told: str) -> None:
    """The answer is inverse dynamics without one of its lines; the message says which part is
    missing.
    """

    def torques(model: Model, q: Any, qd: Any, qdd: Any) -> Any:
        S, terms = np.eye(6)[2], without != "velocities"
        X: dict[int, Any] = {}
        v, a, f = {-1: np.zeros(6)}, {-1: np.zeros(6)}, {-1: np.zeros(6)}
        if without != "gravity":
            a[-1] = np.array([0, 0, 0, 0, 0, 9.81])
        for i, p in enumerate(model.parent):
            X[i] = rotz(q[i]) @ model.Xtree[i]
            v[i] = X[i] @ v[p] + S * qd[i]
            a[i] = X[i] @ a[p] + S * qdd[i] + terms * crm(v[i]) @ S * qd[i]
            f[i] = model.I[i] @ a[i] + terms * crf(v[i]) @ model.I[i] @ v[i]
        tau = np.zeros(model.NB)
        for i in reversed(range(model.NB)):
            tau[i] = S @ f[i]
            if without != "parents":
                f[model.parent[i]] = f[model.parent[i]] + X[i].T @ f[i]
        return tau

    assert told in check("7.6", torques).message


def test_a_check_is_printed_wherever_it_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    for answer, mark in ((3 * 9.81 * 0.7, "✓"), (1, "✗"), (..., "…")):
        check("7.1", answer)
        assert capsys.readouterr().out.startswith(f"{mark} Exercise 7.1: ")


def by_library(model: Model, q: Any, qd: Any, qdd: Any) -> Any:
    return spatial_v2.ID(model, q, qd, qdd)


@pytest.mark.parametrize("answer", [
    ID, ID.reference, by_library, lambda *x: by_library(*x), functools.partial(ID), [ID][0],
    lambda model, *x: (lambda: ID(model, *x))(),
])  # fmt: skip
def test_inverse_dynamics_of_the_library_is_no_answer(answer: Any) -> None:
    verdict = check("7.6", answer)
    assert not verdict and verdict.message == "Write it yourself, without ID of the library."


def numbers_of(exercise: Exercise) -> np.ndarray | None:
    """Return the numbers of a right answer; None if it is a word."""
    right = exercise.view(exercise.solution())
    return None if isinstance(right, str | bool) else np.asarray(right, dtype=complex)


@every_exercise
def test_general_mistakes_are_told_for_every_exercise(exercise: Exercise) -> None:
    """The sign, degrees, 9.8 m/s^2, units, the order of halves and a transpose are told, whatever
    the exercise; where one of them is not a mistake, nothing is.
    """
    right = numbers_of(exercise)
    if right is None or not right.any():
        return
    for factor, text in FACTORS.items():
        if not same(factor * right, right, exercise.tolerance):
            assert general(factor * right, right, exercise.tolerance) == text
    if right.shape[-1:] == (6,):
        turned = np.roll(right, 3, axis=-1)
        assert same(turned, right) or general(turned, right, exercise.tolerance)
    if right.ndim > 1:
        turned = right.T if right.ndim == 2 else np.swapaxes(right, -1, -2)
        assert same(turned, right) or general(turned, right, exercise.tolerance)
    assert general(right + 0.37 * np.abs(right).max(), right, exercise.tolerance) == ""


def test_a_vector_in_another_frame_is_told() -> None:
    right = np.array([0.3, -1, 2, 5, 0, 1])
    turned = np.kron(np.eye(2), rotz(0.3)[:3, :3]) @ right
    assert "In which frame" in general(turned, right, 1e-6)


@every_exercise
def test_numbers_off_by_more_than_the_tolerance_are_wrong(exercise: Exercise) -> None:
    """Numbers off by more than the tolerance, not finite, or of another shape or count,
    are wrong.
    """
    right = exercise.view(exercise.solution())
    if isinstance(right, str | bool):
        assert not same("another", right) and not same(1, right)
        return
    values = np.asarray(right, dtype=complex)
    size = np.abs(values).max() or 1.0
    for index in np.ndindex(values.shape):
        off = values.copy()
        off[index] += 3 * exercise.tolerance * size
        assert not same(off, right, exercise.tolerance)
        off[index] = np.nan
        assert not same(off, right, exercise.tolerance)
    assert not same(values[None], right, exercise.tolerance)


@every_exercise
def test_an_exercise_without_an_answer_waits(exercise: Exercise) -> None:
    assert [exercise.verdict(x).state for x in (..., None)] == ["open", "open"]
    if callable(exercise.solution()):
        assert exercise.verdict(lambda *_: None).state in ("open", "wrong")


@every_exercise
def test_an_answer_of_another_kind_is_told(exercise: Exercise) -> None:
    verdict = exercise.verdict(object())
    assert verdict.state == "wrong" and not verdict and verdict.message


@every_exercise
def test_solution_is_not_changed_by_looking(exercise: Exercise) -> None:
    answer = exercise.solution()
    before = copy.deepcopy(exercise.view(answer))
    exercise.verdict(answer)
    assert same(exercise.view(answer), before)


def test_unknown_exercises_are_refused() -> None:
    with pytest.raises(SpatialError, match=r"no exercise '0\.7'; there are 1\.1"):
        check("0.7", 1)


def test_chapters_are_counted() -> None:
    """Numbers have no gaps, and a second part follows the first part of its chapter."""
    numbers = sorted({int(name[:2]) for name in CHAPTERS})
    assert numbers == [*range(1, len(numbers) + 1)]
    parts = [[name[2] for name in parts_of(number)] for number in numbers]
    assert all(part in (["_"], ["_", "b"]) for part in parts) and ["_", "b"] in parts
    assert [name for number in numbers for name in parts_of(number)] == [*CHAPTERS]


def test_no_part_is_longer_than_the_others_by_half() -> None:
    words = {name: len(chapter(name).split()) for name in CHAPTERS}
    assert {name: n for name, n in words.items() if n > 2700} == {}


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_has_its_exercises(name: str) -> None:
    """A chapter has three to six exercises in order, each with a question and then a solution; a
    part of a chapter has at least two of them.
    """
    number = int(name[:2])
    assert chapter(name).startswith(f"# {name.split('_')[0].lstrip('0')}. ")
    found: dict[str, list[str]] = {tag: [] for tag in TAGS}
    for cell in parts(name):
        assert cell.tag in TAGS
        found[cell.tag] += CHECK.findall(cell.text) if cell.kind == "code" else []
    asked = ASKED.findall(chapter(name))
    assert found["exercise"] == found["solution"] == asked and len(asked) >= 2
    own = [key for key in EXERCISES if key.split(".")[0] == str(number)]
    assert own == [f"{number}.{k + 1}" for k in range(len(own))] and 3 <= len(own) <= 6
    assert [key for part in parts_of(number) for key in ASKED.findall(chapter(part))] == own


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_reads_well_as_a_notebook(name: str) -> None:
    """Notebooks have no directives; answer cells contain a placeholder; links lead to chapters;
    pictures have a description.
    """
    content = json.loads(notebook(name))
    for cell in content["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            assert not DIRECTIVE.search(text) and ":::" not in text
            assert set(re.findall(r"\]\((\d\db?_\w+)\.ipynb\)", text)) <= set(CHAPTERS)
        elif cell["metadata"].get("tags") == ["exercise"]:
            assert "..." in text
    pictures = [cell for cell in parts(name) if cell.tag == "picture"]
    assert all(len(cell.alt.split()) > 6 for cell in pictures)
    assert not any(cell.alt for cell in parts(name) if cell.tag != "picture")
    seen = [cell.text for cell in parts(name) if cell.kind == "code" and cell.tag != "picture"]
    assert max(len(line) for text in seen for line in text.splitlines()) <= 88


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_begins_with_goals_and_ends_with_a_summary(name: str) -> None:
    """Goals, prerequisites and time come first; statements and literature come last."""
    text = chapter(name)
    first = text.split("```", 1)[0]
    assert first.count("\n- ") >= 3
    assert all(x in first for x in ("After this chapter", "You need", "Time:"))
    last = text.split("\n## ")[-1]
    assert last.startswith("Summary\n") and last.count("\n- ") >= 3
    assert "Further reading:" in " ".join(last.split())


@pytest.mark.parametrize("name", CHAPTERS)
def test_solutions_are_in_a_second_notebook_only(name: str) -> None:
    """Cells that check an answer have a placeholder instead of it; the notebook of solutions has
    the code of all of them.
    """
    solutions = [cell.text for cell in parts(name) if cell.tag == "solution"]
    for solved in (False, True):
        content = json.loads(notebook(name, solved=solved))["cells"]
        found = [x for x in content if x["metadata"].get("tags") == ["solution"]]
        assert ["".join(x["source"]) for x in found] == (solutions if solved else [])
    for cell in json.loads(notebook(name))["cells"]:
        text = "".join(cell["source"])
        assert cell["cell_type"] == "markdown" or not CHECK.search(text) or "..." in text
        assert "Solution" not in text


@for_each((exercise, digits) for exercise in EXERCISES.values() for digits in (4, 5))
def test_answers_as_the_text_prints_them_are_right(exercise: Exercise, digits: int) -> None:
    """Answers rounded to four or five significant digits are accepted."""
    right = exercise.view(exercise.solution())
    if isinstance(right, str | bool) or np.iscomplexobj(right):
        return
    typed = [float(f"{x:.{digits}g}") for x in np.asarray(right, dtype=float).ravel()]
    assert same(np.reshape(typed, np.shape(right)), right, exercise.tolerance)


@pytest.mark.parametrize(
    ("answer", "said"),
    [(12.566, ""), (12.57, ""), (12.6, "2 digits agree"), (12.5664, ""), (12.56, "3 digits agree"),
     (12.566370, ""), (12.567, "4 digits agree"), (13.0, "1 digit agree"), (14.0, "Not yet")],
)  # fmt: skip
def test_digits_that_differ_are_counted(answer: float, said: str) -> None:
    found = difference(answer, 4 * np.pi, 1e-6)
    assert said in found and bool(found) == bool(said)


def test_a_small_number_is_not_taken_for_zero() -> None:
    assert same([100.0, 0.0], [100.0, 1e-3]) and not same([100.0, 0.0], [100.0, 0.04])


def test_extra_of_the_course_brings_what_chapters_import() -> None:
    """The extra contains all packages that chapters import besides the library and its
    requirements.
    """
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extra = whole["project"]["optional-dependencies"]["course"]
    needed = whole["tool"]["hatch"]["metadata"]["hooks"]["custom"]["dependencies"]
    brought = {re.split(r"\W", x)[0] for x in (*needed, *extra)}
    imported = {
        package
        for name in CHAPTERS
        for cell in parts(name)
        if cell.kind == "code"
        for package in re.findall(r"^(?:from|import) (\w+)", cell.text, re.M)
    }
    own = {"spatial_v2", "derivatives", "tensor_sva", *sys.stdlib_module_names}
    assert {"numpy", "sympy", "mpmath"} <= imported - own <= brought


def test_directives_become_markdown() -> None:
    text = ":::{tip}\nSo.\n\nAnd so.\n:::\n\n:::{dropdown} More\n*this*\n:::"
    assert plain_markdown(text) == (
        "> **Tip**\n>\n> So.\n>\n> And so.\n\n"
        "<details><summary>More</summary>\n\n*this*\n\n</details>"
    )


def test_changed_notebooks_are_kept(tmp_path: Path) -> None:
    """Unchanged notebooks are left alone; a changed one stops the command, except with `force`."""
    paths = write_course(tmp_path)
    assert write_course(tmp_path) == paths
    paths[0].write_text("my answers")
    paths[-1].unlink()
    with pytest.raises(SpatialError, match=rf"{paths[0].name} in .* has been changed.*--force"):
        write_course(tmp_path)
    assert paths[0].read_text() == "my answers" and not paths[-1].exists()
    write_course(tmp_path, force=True)
    assert paths[0].read_text(encoding="utf-8") == notebook(CHAPTERS[0]) and paths[-1].exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(SpatialError, match="is a file"):
        write_course(tmp_path / "x")


def test_source_is_what_the_file_says() -> None:
    from spatial_v2 import ID, crm

    root = Path(__file__).parents[2]
    for function in (ID, crm):
        shown = source(function)
        assert '"""' not in shown.text and shown.text.startswith("def ")
        lines = (root / shown.path).read_text(encoding="utf-8").splitlines()
        assert all(line in lines for line in shown.text.splitlines())


def test_the_command_writes_notebooks(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from spatial_v2.cli import app

    folder = str(tmp_path / "mine")
    result = CliRunner().invoke(app, ["course", folder])
    assert result.exit_code == 0 and "jupyter lab" in result.output
    (tmp_path / "mine" / f"{CHAPTERS[0]}.ipynb").write_text("mine")
    result = CliRunner().invoke(app, ["course", folder])
    assert result.exit_code == 2
    assert CliRunner().invoke(app, ["course", folder, "--force"]).exit_code == 0


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Start a client that runs notebooks, in a kernel that all chapters share."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    client = nbclient.NotebookClient(nbformat.v4.new_notebook(), timeout=600, kernel_name="python3")
    yield client
    client._cleanup_kernel()


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_runs(name: str, client: Any, tmp_path: Path) -> None:
    """A chapter runs without an error: solutions are right, exercises wait for answers, pictures
    are sharp.

    Chapters share a kernel to save time; each clears the namespace first.
    """
    import nbformat

    content = nbformat.reads(notebook(name, solved=True), as_version=4)
    nbformat.validate(content)
    content.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
    client.nb = content
    paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    env = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "IPYTHONDIR": str(tmp_path)}
    client.execute(cleanup_kc=False, env=os.environ | env, stderr=subprocess.DEVNULL)
    for cell in content.cells:
        tag = [*cell.metadata.get("tags", []), ""][0]
        if tag in ("solution", "exercise"):
            key = CHECK.findall(cell.source)[-1]
            assert tag == "exercise" or hint(key, 3).text == cell.source
            printed = "".join(x["text"] for x in cell.outputs if x.get("name") == "stdout")
            said = printed.splitlines()[-1]
            state = "✓" if tag == "solution" else "…"
            assert said.startswith(f"{state} Exercise {key}: ")
        if tag == "picture":
            assert "image/svg+xml" in cell.outputs[-1]["data"]


@pytest.mark.parametrize("solved", [False, True])
@pytest.mark.parametrize("tag", ["", "picture", "assertion", "exercise", "solution"])
def test_solutions_are_code_where_they_are_asked_for(tag: str, solved: bool) -> None:
    """Solutions are cells of code if requested, otherwise folded text; other code stays code.

    The code of pictures and assertions is hidden.
    """
    found = as_json("a", Cell("code", "x = 1\n", tag), solved)
    assert (found["cell_type"] == "code") == (solved or tag != "solution")
    assert tag == "" or found["metadata"]["tags"] == [tag]
    assert ("jupyter" in found["metadata"]) == (tag in ("picture", "assertion"))


@pytest.mark.parametrize("answer", ["x", "", "ye", "yes yes", 1, None, ["yes"]])
def test_another_word_is_no_answer(answer: Any) -> None:
    assert not same(answer, "yes")


def test_a_brick_is_a_uniform_box_about_its_centre() -> None:
    I = brick((0.3, 0.4, 0.5), 6.0).I[0]
    moments = [(0.4**2 + 0.5**2) / 2, (0.3**2 + 0.5**2) / 2, (0.3**2 + 0.4**2) / 2]
    np.testing.assert_allclose(I, np.diag([*moments, 6, 6, 6]), atol=1e-15)
