"""Conversion of chapters to assignments for nbgrader."""

from __future__ import annotations

import re
from typing import Any

from spatial_v2.course.notebook import as_json, as_notebook, with_figures
from spatial_v2.course.text import Cell, cells, chapter

__all__ = ["CONFIG", "assignment"]

CHECK = re.compile(r'\n*^(check\("([\d.]+)", .+\))$', re.M)
ANSWER = """\
{asked}

### BEGIN SOLUTION
{solution}
### END SOLUTION

{check}"""
TEST = """\
from spatial_v2.course import check

verdict = {check}
assert verdict, verdict"""
CONFIG = '''\
"""Settings of nbgrader: the chapters in source/ are assignments."""

import os
import sys

# nbgrader looks for programs of its environment, such as alembic, on the path
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "spatial_v2"
c.ClearSolutions.code_stub = {"python": "# Your answer: here, or in place of the dots."}
'''
"""Contents of ``nbgrader_config.py``."""


def assignment(name: str) -> str:
    """Convert a chapter to the text of a source notebook of nbgrader.

    Each exercise has a cell for the answer, which contains the solution until nbgrader removes it,
    and a locked cell that checks the answer: 2 points for a function, 1 for any other answer.

    Parameters
    ----------
    name : str
        Name of the chapter, that of its file without suffix.

    Returns
    -------
    str
        JSON of the notebook, with nbgrader's metadata in version 3.

    Examples
    --------
    >>> import json
    >>> from spatial_v2.course.assignment import assignment
    >>> found = json.loads(assignment("01_vectors"))["cells"]
    >>> sum(x["metadata"].get("nbgrader", {}).get("points", 0) for x in found)
    7
    """
    in_notebook: list[dict[str, Any]] = []
    asked = ""
    for k, cell in enumerate(with_figures(cells(chapter(name)))):
        if cell.tag == "exercise":
            asked = CHECK.sub("", cell.text)
        elif cell.tag == "solution":
            checks = list(CHECK.finditer(cell.text))
            check, number = checks[-1][1], checks[-1][2].replace(".", "-")
            points = 2 if "def " in asked else 1
            solution = without_given(asked, CHECK.sub("", cell.text))
            answer = Cell("code", ANSWER.format(asked=asked, solution=solution, check=check))
            in_notebook.append(graded(answer, f"answer-{number}", solution=True))
            test = Cell("code", TEST.format(check=check))
            in_notebook.append(
                graded(test, f"test-{number}", grade=True, locked=True, points=points)
            )
        else:
            in_notebook.append(as_json(f"{name}-{k}", cell, solved=True))
    return as_notebook(in_notebook)


def without_given(asked: str, solution: str) -> str:
    """Return a solution without the lines at its beginning that the question gives."""
    asked_lines, lines = asked.splitlines(), solution.splitlines()
    while "def " not in asked and asked_lines and lines[0] == asked_lines[0]:
        asked_lines, lines = asked_lines[1:], lines[1:]
    return "\n".join(lines).strip("\n")


def graded(cell: Cell, name: str, **what: Any) -> dict[str, Any]:
    """Convert a cell to one that nbgrader knows, with the given id and entries of its metadata."""
    as_dict = as_json(name, cell, solved=True)
    flags = {"grade": False, "locked": False, "solution": False, "task": False}
    as_dict["metadata"]["nbgrader"] = flags | {"grade_id": name, "schema_version": 3} | what
    return as_dict
