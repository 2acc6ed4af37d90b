"""Conversion of chapters to Jupyter notebooks."""

from __future__ import annotations

import json
import re
from typing import Any

from spatial_v2.course.text import HANDS_ON, Cell, cells, chapter

__all__ = ["notebook"]

ADMONITION = re.compile(r"^:::\{(note|tip|important|warning)\}\n(.*?)^:::$", re.M | re.S)
FOLDED = re.compile(r"^:::\{dropdown\} ([^\n]*)\n(.*?)^:::$", re.M | re.S)
FIGURE = 'from spatial_v2.course import hands_on\n\nhands_on("{}")'
CHAPTER = re.compile(r"\]\((\d\db?_\w+)\.md\)")
SOLUTION = "<details><summary>Solution</summary>\n\n```python\n{}\n```\n\n</details>"
PAGE = re.compile(r"\[([^\]]*)\]\(\.\./[\w/#.-]*\)")


def notebook(name: str, *, solved: bool = False) -> str:
    """Convert a chapter to the text of an ``.ipynb`` file.

    Parameters
    ----------
    name : str
        Name of the chapter, that of its file without suffix.
    solved : bool, optional
        If True, solutions are cells of code, which run. By default there are none: the third `hint`
        shows them.

    Returns
    -------
    str
        JSON of the notebook, without results of cells; the code of pictures and assertions is
        folded.

    Examples
    --------
    >>> import json
    >>> json.loads(notebook("01_vectors"))["nbformat"]
    4
    """
    numbered = enumerate(with_figures(cells(chapter(name))))
    shown = ((k, cell) for k, cell in numbered if solved or cell.tag != "solution")
    return as_notebook([as_json(f"{name}-{k}", cell, solved) for k, cell in shown])


def with_figures(chapter: list[Cell]) -> list[Cell]:
    r"""Replace figures that the reader moves, which are in prose, by cells of code that show them.

    Examples
    --------
    >>> found = with_figures([Cell("markdown", "So:\n\n```{hands-on} joint\n```\n\nAnd so.")])
    >>> [cell.kind for cell in found]
    ['markdown', 'code', 'markdown']
    """
    shown: list[Cell] = []
    for cell in chapter:
        if cell.kind == "code":
            shown.append(cell)
            continue
        begin, *figures = HANDS_ON.split(cell.text)
        shown += [Cell("markdown", begin.strip())] if begin.strip() else []
        for name, text in zip(figures[::4], figures[3::4], strict=True):
            shown.append(Cell("code", FIGURE.format(name)))
            shown += [Cell("markdown", text.strip())] if text.strip() else []
    return shown


def as_notebook(cells: list[dict[str, Any]]) -> str:
    """Return the text of a notebook with these cells."""
    content = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def as_json(name: str, cell: Cell, solved: bool) -> dict[str, Any]:
    """Convert a cell to a cell of nbformat 4.5 with the given id."""
    folded = cell.tag == "solution" and not solved
    if cell.kind == "markdown" or folded:
        text = SOLUTION.format(cell.text) if folded else plain_markdown(cell.text)
        metadata: dict[str, Any] = {"tags": [cell.tag]} if folded else {}
        lines = text.splitlines(keepends=True)
        return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": lines}
    metadata = {"tags": [cell.tag]} if cell.tag else {}
    if cell.tag in ("picture", "assertion"):
        metadata["jupyter"] = {"source_hidden": True}
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": metadata,
        "outputs": [],
        "source": cell.text.splitlines(keepends=True),
    }


def plain_markdown(text: str) -> str:
    """Convert MyST Markdown to Markdown for notebooks, without directives.

    Links to chapters become links to notebooks.

    Examples
    --------
    >>> plain_markdown("See [chapter 2](02_transforms.md) and [the table](../joint_types.md).")
    'See [chapter 2](02_transforms.ipynb) and *the table*.'
    """
    text = HANDS_ON.sub("*The page of this chapter has a figure here that you can move.*", text)
    text = FOLDED.sub(r"<details><summary>\1</summary>\n\n\2\n</details>", text)
    text = ADMONITION.sub(quoted, text)
    return PAGE.sub(r"*\1*", CHAPTER.sub(r"](\1.ipynb)", text))


def quoted(match: re.Match[str]) -> str:
    """Convert a note or tip to a quotation."""
    lines = [f"**{match[1].capitalize()}**", "", *match[2].strip().splitlines()]
    return "\n".join(f"> {line}".rstrip() for line in lines)
