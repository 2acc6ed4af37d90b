"""The problem set: statements, points and solutions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from spatial_v2.exceptions import SpatialError

__all__ = ["CODE", "CONVENTIONS", "Problem", "problems"]

CONVENTIONS = """\
Numbers are in SI units, angles in radians, unless a unit is given. Motion and force vectors have
the angular part first. Bodies and joints of a model count from 0; formulas with $q_1, q_2$ count
from 1. "The Puma" is `puma560()`. The library may be used in every problem."""

PROBLEM = re.compile(
    r"^## (?P<title>[^\n]+)\n\n\*(?P<points>\d+) points?, (?P<level>easy|medium|hard)\*\n\n"
    r"(?P<statement>.+?)\n\n### Solution\n\n(?P<solution>.+)$",
    re.S,
)
CODE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Problem:
    """A problem for paper and computer.

    Examples
    --------
    >>> from spatial_v2.course.problem import problems
    >>> problems()[0].number
    1
    """

    number: int
    """Number of the problem, counted through all groups from 1."""
    group: str
    """Heading of the group, that of a topic."""
    title: str
    """Title of the problem."""
    points: int
    """Points for a complete solution."""
    level: str
    """Difficulty: ``"easy"``, ``"medium"`` or ``"hard"``."""
    statement: str
    """Statement in Markdown."""
    solution: str
    """Derivation in Markdown, and cells of code which check its results by assertions."""

    @property
    def heading(self) -> str:
        """Number, title, points and difficulty."""
        points = f"{self.points} point{'s' * (self.points > 1)}"
        return f"**Problem {self.number}. {self.title}** *({points}, {self.level})*"

    @property
    def code(self) -> str:
        """All code of the solution."""
        return "\n".join(CODE.findall(self.solution))


@cache
def problems() -> tuple[Problem, ...]:
    """Return all problems, in the order of the course.

    Raises
    ------
    SpatialError
        If a problem does not have the form title, points, statement, solution.

    Examples
    --------
    >>> len(problems())
    40
    """
    folder = files("spatial_v2.course").joinpath("problems")
    known: list[Problem] = []
    texts = [x for x in folder.iterdir() if x.name.endswith(".md")]
    for file in sorted(texts, key=lambda x: x.name):
        head, *parts = re.split(r"^(?=## )", file.read_text(encoding="utf-8"), flags=re.M)
        for part in parts:
            match = PROBLEM.match(part.strip())
            if not match:
                raise SpatialError(
                    f"problems: {file.name}: want '## title', '*3 points, easy*', a statement, "
                    f"'### Solution'; got {part.splitlines()[0]!r}"
                )
            points, group = int(match["points"]), head.strip().removeprefix("# ")
            fields = match["title"], points, match["level"], match["statement"], match["solution"]
            known.append(Problem(len(known) + 1, group, *fields))
    return tuple(known)
