"""Conversion of chapters to notebooks with the metadata of slides."""

from __future__ import annotations

import re
from typing import Any

from spatial_v2.course.notebook import as_json, as_notebook, plain_markdown, with_figures
from spatial_v2.course.notes import divided
from spatial_v2.course.text import Cell, cells, chapter

__all__ = ["slides"]

HEIGHT = 16.0
"""Lines of prose that fit on a slide, below its heading."""
WIDTH = 84
"""Letters of a line of prose."""
HEADING = 2.0
"""Largest height of a heading, which is never alone on a slide."""
CODE_LINE = 0.72
"""Height of a line of code, in lines of prose."""
OUTPUT = {
    "picture": 9.0,
    "showmotion(": 12.0,
    "hands_on(": 12.0,
    "source(": 12.0,
    "check(": 1.0,
    "print(": 2.0,
}
"""Estimated heights of what a cell of code displays, by its tag or by what it calls."""
WHOLE = re.compile(r"^<details>.*?^</details>", re.M | re.S)
FORMULA = re.compile(r"\$\$.*?\$\$", re.S)
ASKS = re.compile(r"\*\*\d+\.\d+\*\*")


def slides(name: str) -> str:
    """Convert a chapter to the text of a notebook whose cells say on which slide they are.

    A section begins a column of slides; whatever does not fit continues below. Of a paragraph, a
    slide shows the sentences that carry it, and the others are notes. Solutions appear on a key;
    cells of imports and assertions run but are not shown.

    Parameters
    ----------
    name : str
        Name of the chapter, that of its file without suffix.

    Returns
    -------
    str
        JSON of the notebook, without results of cells.

    Examples
    --------
    >>> import json
    >>> from spatial_v2.course.slides import slides
    >>> first = json.loads(slides("01_vectors"))["cells"][0]
    >>> first["metadata"]["slideshow"]
    {'slide_type': 'slide'}
    """
    in_notebook: list[dict[str, Any]] = []
    filled, imports = 0.0, True
    for cell in blocks(with_figures(cells(chapter(name)))):
        tall, kind = height(cell), "-"  # what continues the slide
        if cell.kind == "code" and imports:
            kind, imports, tall = "skip", False, 0.0
        elif cell.tag == "assertion":
            kind, tall = "skip", 0.0
        elif cell.tag == "notes":
            kind, tall = "notes", 0.0
        elif cell.kind == "markdown" and cell.text.startswith("#"):
            kind = "slide"
        elif filled > HEADING and (ASKS.match(cell.text) or filled + tall > HEIGHT):
            kind = "subslide"
        elif cell.tag == "solution":
            kind = "fragment"
        filled = tall if kind in ("slide", "subslide") else filled + tall
        in_notebook.append(as_json(f"{name}-{len(in_notebook)}", cell, solved=False))
        if cell.tag == "solution":
            in_notebook[-1]["source"] = f"```python\n{cell.text}\n```".splitlines(keepends=True)
        if cell.kind == "code" and "hands_on(" in cell.text:
            in_notebook[-1]["metadata"]["jupyter"] = {"source_hidden": True}
        if cell.alt:
            in_notebook[-1]["metadata"]["alt"] = cell.alt
        in_notebook[-1]["metadata"]["slideshow"] = {"slide_type": kind}
    return as_notebook(in_notebook)


def blocks(chapter: list[Cell]) -> list[Cell]:
    """Split prose into paragraphs, each with the formula or list that belongs to it and followed by
    its notes.
    """
    shown: list[Cell] = []
    for cell in chapter:
        if cell.kind == "code":
            shown += [cell] if cell.tag else [Cell("code", part) for part in pieces(cell.text)]
            continue
        paragraphs: list[str] = []
        parts = re.split(
            r"\n{2,}", WHOLE.sub(lambda m: m[0].replace("\n\n", "\0"), plain_markdown(cell.text))
        )
        for k, part in enumerate(parts):
            text = part.replace("\0", "\n\n")
            if k and (parts[k - 1].endswith(":") or part.startswith("$$")):
                text = f"{paragraphs.pop()}\n\n{text}"
            paragraphs.append(text)
        for text in paragraphs:
            kept, notes = divided(text)
            shown += [Cell("markdown", kept)] if kept else []
            shown += [Cell("markdown", notes, "notes")] if notes else []
    return shown


def pieces(code: str) -> list[str]:
    """Divide code that is too long for a slide between its functions."""
    parts: list[str] = []
    for part in re.split(r"\n{2,}(?=\w)", code):
        longer = f"{parts[-1]}\n\n{part}" if parts else part
        if parts and CODE_LINE * longer.count("\n") < HEIGHT:
            parts[-1] = longer
        else:
            parts.append(part)
    return parts


def height(cell: Cell) -> float:
    """Estimate the height of a cell on a slide, in lines of prose."""
    if cell.kind == "markdown":
        joined = re.sub(r"\n(?=\w)", " ", cell.text)
        formulas = FORMULA.findall(joined)
        rows = sum(1 + len(line) // WIDTH for line in FORMULA.sub("", joined).split("\n"))
        return rows + 0.6 + sum(1.5 + 1.2 * str(x).count(r"\\") for x in formulas)
    code = 0.0 if cell.tag == "picture" else CODE_LINE * (cell.text.count("\n") + 2)
    shown = [x for key, x in OUTPUT.items() if key == cell.tag or key in cell.text]
    return code + max(shown, default=1.0)
