"""The chapters of the course, as pages that myst-nb runs and as notebooks to download, and the page
of problems.

The sources are in ``spatial_v2/course``; this extension writes the pages into ``docs``.
"""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

HEAD = """\
---
file_format: mystnb
kernelspec:
  name: python3
  display_name: Python 3
---

"""
FOLDS = {
    "picture": ("hide-input", "The code of this picture", "Fold"),
    "assertion": ("hide-input", "The sentences above as assertions", "Fold"),
    "solution": ("hide-cell", "Solution", "Fold"),
}
DOWNLOAD = """\

```{{only}} html
{{download}}`This chapter as a notebook <notebooks/{name}.ipynb>`
```
"""


def page(name: str) -> str:
    """Return the text of a chapter in the form that myst-nb reads."""
    from spatial_v2.course.text import cells, chapter

    parts = []
    for cell in cells(chapter(name)):
        if cell.kind == "markdown":
            parts.append(cell.text)
            continue
        fold = FOLDS.get(cell.tag)
        options = ""
        if fold:
            tag, show, hide = fold
            alt = f"  image:\n    alt: {json.dumps(cell.alt)}\n" if cell.alt else ""
            options = (
                f"---\ntags: [{tag}]\nmystnb:\n  code_prompt_show: {show}\n"
                f"  code_prompt_hide: {hide}\n{alt}---\n"
            )
        parts.append(f"```{{code-cell}} ipython3\n{options}{cell.text}\n```")
    heading, rest = "\n\n".join(parts).split("\n", 1)
    return f"{HEAD}{heading}\n{DOWNLOAD.format(name=name)}{rest}\n"


PROBLEMS = """\
# Problems

{count} problems for paper and computer, {points} points together.

`spatial-v2 course FOLDER --problems` writes them as a notebook with space for answers.
[For lecturers](../lecturers.md) says where the solutions are.
{conventions}
"""


def problem_page() -> str:
    """Return the text of the page of problems, without solutions."""
    from spatial_v2.course.problem import CONVENTIONS, problems

    count, points = len(problems()), sum(x.points for x in problems())
    parts, group = [PROBLEMS.format(count=count, points=points, conventions=CONVENTIONS)], ""
    for x in problems():
        if x.group != group:
            group = x.group
            parts.append(f"## {group}\n")
        parts.append(f"{x.heading}\n\n{x.statement}\n")
    return "\n".join(parts)


def write(path: Path, text: str) -> None:
    """Write a file if its contents differ."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def put_chapters(app: Sphinx) -> None:
    """Write pages and notebooks of all chapters; remove those of chapters that no longer exist."""
    from spatial_v2.course.notebook import notebook
    from spatial_v2.course.text import chapters

    folder = Path(app.srcdir, "course")
    wanted = {folder / "problems.md": problem_page()}
    for name in chapters():
        wanted[folder / f"{name}.md"] = page(name)
        wanted[folder / "notebooks" / f"{name}.ipynb"] = notebook(name)
    for path in [*folder.glob("[0-9]*.md"), *folder.glob("notebooks/*.ipynb")]:
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        write(path, text)


def spread(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Put pages that run notebooks at equal distances into the list of pages to read.

    Two processes read it in pieces of neighbours; all chapters would be one piece.
    """
    slow = [name for name in names if name.startswith("course/")]
    rest = [name for name in names if not name.startswith("course/")]
    step = len(rest) // max(len(slow), 1)
    names.clear()
    for k, name in enumerate(slow):
        names += [name, *rest[k * step : (k + 1) * step]]
    names += rest[len(slow) * step :]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", put_chapters)
    app.connect("env-before-read-docs", spread)
    return {"parallel_read_safe": True}
