"""`write_problems`: the problem set, or its solutions."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from spatial_v2.course.notebook import as_json, as_notebook
from spatial_v2.course.problem import CODE, CONVENTIONS, Problem, problems
from spatial_v2.course.text import Cell
from spatial_v2.course.write_files import write_files

__all__ = ["write_problems"]

HEADS = {False: "# Problems", True: "# Solutions of the problems"}


def write_problems(
    folder: str | os.PathLike[str] = "course", *, solutions: bool = False, force: bool = False
) -> list[Path]:
    """Write the problem set as a notebook with space for answers, or with the solutions.

    Parameters
    ----------
    folder : path, optional
        Folder of the notebook, created if it does not exist.
    solutions : bool, optional
        If True, write ``solutions.ipynb`` instead of ``problems.ipynb``.
    force : bool, optional
        If True, replace an existing notebook with other contents; answers in it are lost.

    Returns
    -------
    list of Path
        Path of the notebook.

    Raises
    ------
    SpatialError
        If a notebook with other contents exists and `force` is False; nothing is then written.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2.course import write_problems
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write_problems(folder)[0].name)
    problems.ipynb
    """
    name = "solutions" if solutions else "problems"
    points = sum(problem.points for problem in problems())
    note = f"{len(problems())} problems, {points} points. {CONVENTIONS}"
    sheet = [Cell("markdown", f"{HEADS[solutions]}\n\n{note}")]
    for problem in problems():
        if problem.group not in {x.text.removeprefix("## ") for x in sheet}:
            sheet.append(Cell("markdown", f"## {problem.group}"))
        sheet += parts(problem, solutions)
    cells: list[dict[str, Any]] = [
        as_json(f"{name}-{k}", cell, solved=True) for k, cell in enumerate(sheet)
    ]
    return write_files("write_problems", Path(folder), {f"{name}.ipynb": as_notebook(cells)}, force)


def parts(problem: Problem, solutions: bool) -> list[Cell]:
    """Return the cells of a problem: its statement, then a cell for the answer, or the solution."""
    asked = Cell("markdown", f"{problem.heading}\n\n{problem.statement}")
    if not solutions:
        return [asked, Cell("code", "")]
    texts = [x.strip() for x in re.split(CODE, problem.solution)]
    kinds = ["markdown", "code"] * len(texts)
    return [asked, *(Cell(kind, x) for kind, x in zip(kinds, texts, strict=False) if x)]
