"""`hands_on`: a figure of the course that the reader moves."""

from __future__ import annotations

import ast
import html
import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from spatial_v2.course.hands_on_model import model_as_data
from spatial_v2.course.hands_on_page import TITLES, page_of
from spatial_v2.course.text import HANDS_ON, chapter, chapters
from spatial_v2.exceptions import SpatialError
from spatial_v2.show.page import frame_html

__all__ = ["HandsOn", "figure_data", "figures_of", "hands_on", "last_value"]

OPTION = re.compile(r"^:(\w+): (.*)$", re.M)


@dataclass(frozen=True)
class HandsOn:
    """A figure with its page, which notebooks display.

    Examples
    --------
    >>> from spatial_v2.course import HandsOn
    >>> HandsOn("screw", "A screw.", "<p>The page.</p>", 440)
    Figure screw: A screw.
    """

    name: str
    """Name of the figure."""
    caption: str
    """Sentences on what to move and to look at."""
    page: str
    """HTML page, which needs neither files nor network."""
    height: int
    """Height of the frame [px]."""

    def _repr_html_(self) -> str:
        frame = frame_html(self.page, TITLES[self.name], self.height)
        return f"<p>{html.escape(self.caption)}</p>{frame}"

    def __repr__(self) -> str:
        return f"Figure {self.name}: {self.caption}"


def hands_on(name: str) -> HandsOn:
    """Show a figure of the course that the reader moves with mouse, touch or keys.

    Parameters
    ----------
    name : str
        Name of the figure, as ``"screw"``.

    Returns
    -------
    HandsOn
        The figure, which notebooks display; it is computed in its page.

    Raises
    ------
    SpatialError
        If no chapter has a figure of this name.

    Examples
    --------
    >>> from spatial_v2.course import hands_on
    >>> hands_on("joint").height
    440
    """
    figures = _figures()
    if name not in figures:
        raise SpatialError(f"hands_on: no figure {name!r}; there are {', '.join(figures)}")
    options = figures[name]
    data = figure_data(json.loads(options.get("options", "{}")), options["program"])
    page = page_of(name, data, alone=True)
    return HandsOn(name, options["caption"], page, int(options.get("height", 440)))


@cache
def _figures() -> dict[str, dict[str, str]]:
    return {key: x for name in chapters() for key, x in figures_of(chapter(name)).items()}


def figures_of(text: str) -> dict[str, dict[str, str]]:
    """Return options and programs of the figures in a text of Markdown, by name.

    Examples
    --------
    >>> figures_of("```{hands-on} joint\\n:height: 300\\n\\n1 + 1\\n```")
    {'joint': {'height': '300', 'program': '\\n1 + 1\\n'}}
    """
    return {
        name: {**dict(OPTION.findall(options)), "program": program}
        for name, options, program in HANDS_ON.findall(text)
    }


def figure_data(options: dict[str, Any], program: str) -> dict[str, Any]:
    """Return the data of a figure: its options, and the model that a program makes, if any."""
    data = dict(options)
    if program.strip():
        data["model"] = model_as_data(last_value(program))
    return data


def last_value(program: str) -> Any:
    """Run a program and return the value of its last expression.

    Examples
    --------
    >>> last_value("x = 2\\nx + 1")
    3
    """
    tree = ast.parse(program)
    last = tree.body.pop() if tree.body else None
    if not isinstance(last, ast.Expr):
        raise ValueError("the program must end with an expression")
    names: dict[str, Any] = {}
    exec(compile(tree, "<page>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<page>", "eval"), names)
