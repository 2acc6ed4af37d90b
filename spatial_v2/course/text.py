"""Reading of chapters, which are MyST Markdown with cells of code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = [
    "HANDS_ON", "Cell", "cells", "chapter", "chapters", "parts_of", "solution", "title",
]  # fmt: skip

CODE = re.compile(
    r"^```\{code-cell\}[^\n]*\n(?::tags: \[([^\]\n]*)\]\n)?(?::alt: ([^\n]*)\n)?(.*?)^```$\n?",
    re.M | re.S,
)
HANDS_ON = re.compile(r"^```\{hands-on\} (\w+)\n((?::[^\n]*\n)*)(.*?)^```$", re.M | re.S)
"""A figure that the reader moves: its name, its options and the program that makes its model."""


@dataclass(frozen=True)
class Cell:
    """A cell of a chapter: prose, or code with a tag."""

    kind: str
    """Type of the cell, ``"markdown"`` or ``"code"``."""
    text: str
    """Contents of the cell, for code without the fence."""
    tag: str = ""
    """Tag of a cell of code: ``""``, ``"picture"``, ``"assertion"``, ``"exercise"`` or
    ``"solution"``.
    """
    alt: str = ""
    """Description of the picture of the cell, for people who cannot see it."""


@cache
def chapters() -> tuple[str, ...]:
    """Return the names of the chapters, in order; a long one has a second part, as "06b_...".

    Examples
    --------
    >>> chapters()[0]
    '01_vectors'
    """
    folder = files("spatial_v2.course").joinpath("chapters")
    return tuple(
        sorted(x.name.removesuffix(".md") for x in folder.iterdir() if x.name[0].isdigit())
    )


def chapter(name: str) -> str:
    """Read the text of a chapter.

    Examples
    --------
    >>> chapter("01_vectors").splitlines()[0]
    '# 1. Vectors of motion and force'
    """
    folder = files("spatial_v2.course").joinpath("chapters")
    return folder.joinpath(f"{name}.md").read_text(encoding="utf-8")


def title(name: str) -> str:
    """Return the heading of a chapter, without its number.

    Examples
    --------
    >>> title("01_vectors")
    'Vectors of motion and force'
    """
    return re.sub(r"^# \d+b?\. ", "", chapter(name).splitlines()[0])


def solution(name: str) -> str:
    """Return the code of the solution of an exercise.

    Examples
    --------
    >>> print(solution("2.3"))
    X_CA = X_2 @ X_1
    check("2.3", X_CA)
    """
    own = parts_of(int(name.split(".")[0]))
    solutions = (cell for part in own for cell in cells(chapter(part)) if cell.tag == "solution")
    return next(cell.text for cell in solutions if f'check("{name}", ' in cell.text)


def parts_of(number: int) -> tuple[str, ...]:
    """Return the names of the parts of a chapter: one, or two for long chapters.

    Examples
    --------
    >>> parts_of(6)
    ('06_jacobians', '06b_inverse_kinematics')
    """
    return tuple(x for x in chapters() if int(x[:2]) == number)


def cells(text: str) -> list[Cell]:
    """Split the text of a chapter into cells; ``+++`` ends a cell of prose.

    Examples
    --------
    >>> [cell.kind for cell in cells("Text\\n```{code-cell}\\n1 + 1\\n```\\n")]
    ['markdown', 'code']
    """
    split, end = [], 0
    for match in CODE.finditer(text):
        split += prose(text[end : match.start()])
        split.append(Cell("code", match[3].strip("\n"), match[1] or "", match[2] or ""))
        end = match.end()
    return split + prose(text[end:])


def prose(text: str) -> list[Cell]:
    """Split prose into cells at ``+++``, without empty cells."""
    parts = re.split(r"^\+\+\+$", text, flags=re.M)
    return [Cell("markdown", part.strip()) for part in parts if part.strip()]
