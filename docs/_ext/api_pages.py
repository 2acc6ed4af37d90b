"""A page for each public function, and tables of functions by task.

``docs/api/*.rst`` name the packages. When the site is built, a page for each of their functions is
written into ``docs/api/functions``; the site's search also finds it by the glossary's terms for the
function. The sidebar of such a page lists the packages and the other functions. The directive
``api-tasks`` prints a short description of each function.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from names import homes
from sphinx.application import Sphinx
from tables import Markdown

ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$", re.M)
"""Pattern of a row of the glossary: term, meaning, names in this library."""
NAME = re.compile(r"`(\w+)`")
SHORT = ("spatial_v2", "derivatives", "tensor_sva")
"""Packages that offer the names of packages within them."""
LISTS = ("changelog", "contributing", "glossary", "index", "matlab_functions", "api_names", "cite")
"""Pages that name functions without using them."""
MOST = 3
"""Largest number of pages of a kind that a function's page names."""
RELATED = 6
"""Largest number of other functions that a function's page names."""
PACKAGE = re.compile(r"^\.\. api:: (\S+)$", re.M)
SECTION = re.compile(r'(<li class="nav-item )("[^<]*<a [^<>]*reference\.html")')
"""The entry of the bar at the top to which the pages of functions belong."""


def functions(package: str) -> list[str]:
    """Return the documented public functions of a package."""
    module = importlib.import_module(package)
    return [n for n in module.__all__ if inspect.isfunction(f := getattr(module, n)) and f.__doc__]


def documented(folder: str | Path) -> list[tuple[str, str]]:
    """Return package and name of each function that has a page in a folder of sources."""
    texts = [path.read_text(encoding="utf-8") for path in Path(folder, "api").glob("*.rst")]
    packages = {package for text in texts for package in PACKAGE.findall(text)}
    return [(package, name) for package in sorted(packages) for name in functions(package)]


def glossary_terms(text: str) -> dict[str, list[str]]:
    """Return a dict from each name in the last column of the glossary to the terms of its rows."""
    found: dict[str, list[str]] = {}
    for row in ROW.findall(text):
        for name in NAME.findall(row[1]):
            found.setdefault(name, []).extend(re.split(r"[,;] ", row[0]))
    return found


def import_of(package: str, name: str) -> str:
    """Return the statement that imports a public function, from the first package that has it.

    Examples
    --------
    >>> import_of("derivatives", "ID_derivatives")
    'from spatial_v2 import ID_derivatives'
    """
    function = getattr(importlib.import_module(package), name)
    for home in (*SHORT, package):
        module = importlib.import_module(home)
        if getattr(module, name, None) is function:
            return f"from {home} import {name}"
    return f"from {package} import {name}"


def page(
    package: str, name: str, home: str, title: str, terms: Sequence[str] = (), more: str = ""
) -> str:
    """Return the text of a function's page, which the search finds by the given terms; `more`
    comes last.
    """
    index = f".. index:: {', '.join(f'! {term}' for term in terms)}\n\n" if terms else ""
    return (
        f":orphan:\n\n{index}{name}\n{'=' * len(name)}\n\n"
        f":doc:`API reference </api/index>` / :doc:`{title} </api/{home}>`\n\n"
        f".. code-block:: python\n\n   {import_of(package, name)}\n\n"
        f".. currentmodule:: {package}\n\n.. autofunction:: {name}\n{more}"
    )


def sources_of(docs: Path) -> dict[str, dict[str, str]]:
    """Return for each kind of pages their texts by document."""
    root = docs.parent
    chapters = sorted((root / "spatial_v2" / "course" / "chapters").glob("*.md"))
    examples = sorted((root / "examples").glob("*.py"))
    algorithms = sorted((docs / "algorithms").glob("*.md"))
    guides = sorted(x for x in docs.glob("*.md") if x.stem not in LISTS)
    kinds = {
        "Algorithm": {f"/algorithms/{x.stem}": x for x in algorithms if x.stem != "index"},
        "Guides": {f"/{x.stem}": x for x in guides},
        "Course": {f"/course/{x.stem}": x for x in chapters},
        "Examples": {f"/gallery/{x.stem}": x for x in examples},
    }
    return {
        kind: {document: x.read_text(encoding="utf-8") for document, x in files.items()}
        for kind, files in kinds.items()
    }


def used_in(name: str, sources: dict[str, dict[str, str]]) -> str:
    """Return a list of the pages that use a function most, up to three of a kind, those first that
    have it in their title.
    """
    word, lines = re.compile(rf"(?<![\w.]){name}\(|`{name}`"), []
    for kind, texts in sources.items():
        times = {document: len(word.findall(text)) for document, text in texts.items()}
        about = {x for x, text in texts.items() if re.search(rf"^# .*\b{name}\b", text, re.M)}
        found = [x for x in times if times[x] > (x not in about)]
        most = sorted(found, key=lambda x: (x not in about, -times[x]))[:MOST]
        if most:
            lines.append(f"- {kind}: {', '.join(f':doc:`{x}`' for x in most)}")
    return "\n.. rubric:: Where it is used\n\n" + "\n".join(lines) + "\n" if lines else ""


def see_also(name: str, docstrings: dict[str, str], documents: dict[str, str]) -> str:
    """Return a line with related functions: those that the docstring of this one names, those that
    begin with its name, such as its derivatives, and those whose docstrings name it; where there
    are fewer than two, the neighbours in the list of all functions as well.

    Examples
    --------
    >>> docstrings = {"ID": "Compute forces; see `FDab`.", "ID_derivatives": "", "HD": "Like `ID`."}
    >>> docstrings["FDab"] = ""
    >>> print(see_also("ID", docstrings, {x: x for x in docstrings}).strip())
    See also :doc:`FDab </FDab>`, :doc:`ID_derivatives </ID_derivatives>`, :doc:`HD </HD>`.
    """
    named, everyone = NAME.findall(docstrings[name]), [*docstrings]
    longer = [x for x in everyone if re.match(rf"{name}_[A-Za-z]", x)]
    naming = [x for x in everyone if name in NAME.findall(docstrings[x])]
    found = dict.fromkeys(x for x in (*named, *longer, *naming) if x in docstrings and x != name)
    if len(found) < 2:
        here = everyone.index(name)
        near = [*everyone[max(here - 1, 0) : here], *everyone[here + 1 : here + 2]]
        found |= dict.fromkeys(near)
    links = [f":doc:`{x} </{documents[x]}>`" for x in [*found][:RELATED]]
    return f"\nSee also {', '.join(links)}.\n" if links else ""


def write_pages(app: Sphinx) -> None:
    """Write the pages of functions that have changed, and remove pages of functions that no longer
    exist.
    """
    folder = Path(app.srcdir, "api", "functions")
    folder.mkdir(exist_ok=True)
    wanted = {}
    terms = glossary_terms(Path(app.srcdir, "glossary.md").read_text(encoding="utf-8"))
    sources = sources_of(Path(app.srcdir))
    packages: list[dict[str, Any]] = []
    documents: dict[str, str] = {}
    docstrings: dict[str, str] = {}
    for package, name in documented(app.srcdir):
        documents.setdefault(name, f"api/functions/{package}.{name}")
        function = getattr(importlib.import_module(package), name)
        docstrings.setdefault(name, inspect.getdoc(function) or "")
    for path in Path(app.srcdir, "api").glob("*.rst"):
        text = path.read_text(encoding="utf-8")
        title, listed = text.splitlines()[0], []
        for package in PACKAGE.findall(text):
            for name in functions(package):
                document = f"{package}.{name}"
                more = see_also(name, docstrings, documents) + used_in(name, sources)
                wanted[folder / f"{document}.rst"] = page(
                    package, name, path.stem, title, terms.get(name, ()), more
                )
                listed.append((name, f"api/functions/{document}"))
        if listed:
            packages.append({"home": path.stem, "title": title, "functions": listed})
    app.function_packages = sorted(packages, key=lambda x: x["title"].lower())  # type: ignore[attr-defined]
    for path in folder.glob("*.rst"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def add_sidebar(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], *_: Any
) -> None:
    """Add to a function's page the packages and functions that its sidebar lists."""
    if pagename.startswith("api/functions/"):
        packages = app.function_packages  # type: ignore[attr-defined]
        context["function_packages"] = packages
        context["function_home"] = next(
            x["home"] for x in packages if pagename in (document for _, document in x["functions"])
        )


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


def light_menu(app: Sphinx, pagename: str, template: str, context: dict[str, Any], *_: Any) -> None:
    """Mark the section of a function's page, which is in no table of contents, as the current one
    in the bar at the top.
    """
    if pagename.startswith("api/functions/") and "generate_header_nav_html" in context:
        make = context["generate_header_nav_html"]
        context["generate_header_nav_html"] = lambda *args, **kw: SECTION.sub(
            r"\1current active\2", make(*args, **kw)
        )


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("api-tasks", ApiTasks)
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", add_sidebar)
    app.connect("html-page-context", light_menu, priority=900)  # after the theme
    return {"parallel_read_safe": True}
