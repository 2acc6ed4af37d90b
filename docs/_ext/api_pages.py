"""A page for each public function, and tables of functions by task.

``docs/api/*.rst`` name the packages; pages of their functions are written into
``docs/api/functions`` when the site is built. ``api-tasks`` prints what functions do.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

from names import homes
from sphinx.application import Sphinx
from tables import Markdown

PACKAGE = re.compile(r"^\.\. api:: (\S+)$", re.M)


def functions(package: str) -> list[str]:
    """Return the documented public functions of a package."""
    module = importlib.import_module(package)
    return [n for n in module.__all__ if inspect.isfunction(f := getattr(module, n)) and f.__doc__]


def page(package: str, name: str, home: str, title: str) -> str:
    """Return the text of a function's page."""
    return (
        f":orphan:\n\n{name}\n{'=' * len(name)}\n\n"
        f":doc:`API reference </api/index>` / :doc:`{title} </api/{home}>`\n\n"
        f".. currentmodule:: {package}\n\n.. autofunction:: {name}\n"
    )


def write_pages(app: Sphinx) -> None:
    """Write new pages, and remove pages of functions that no longer exist."""
    folder = Path(app.srcdir, "api", "functions")
    folder.mkdir(exist_ok=True)
    wanted = {}
    for path in Path(app.srcdir, "api").glob("*.rst"):
        text = path.read_text(encoding="utf-8")
        for package in PACKAGE.findall(text):
            for name in functions(package):
                title = text.splitlines()[0]
                wanted[folder / f"{package}.{name}.rst"] = page(package, name, path.stem, title)
    for path in folder.glob("*.rst"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


class ApiTasks(Markdown):
    """Directive with lines ``task: name, name``; shows a table for each task, with the first line
    of every function's docstring.
    """

    has_content = True

    def markdown(self) -> str:
        known, lines = homes(), []
        for row in filter(None, self.content):
            task, names = row.split(": ", 1)
            lines += ["", f"### {task}", "", "| | |", "|---|---|"]
            for name in names.split(", "):
                package, home = known[name].rsplit(".", 1)
                text = inspect.getdoc(getattr(importlib.import_module(package), home)) or ""
                lines.append(f"| `{name}` | {' '.join(text.split(chr(10) * 2)[0].split())} |")
        return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("api-tasks", ApiTasks)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
