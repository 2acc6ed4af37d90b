"""Pages for readers that are programs: ``llms.txt``, and every page in Markdown beside its HTML.

A page ``x.html`` has its text in ``x.md``. That of a function is its signature and docstring.
``llms.txt`` lists the pages in the order of the contents.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

INCLUDE = re.compile(r"^```\{include\} (\S+)\n(?::.*\n)*```$", re.M)
FUNCTIONS = "api/functions/"
SUMMARY = (
    "Rigid-body dynamics by spatial vector algebra in Python: the functions of Featherstone's "
    "MATLAB library, with exact first and second derivatives, compiled kernels, constraints, "
    "optimal control, identification and animation. Arrays have any leading axes; bodies count "
    "from 0; spatial vectors are angular first; quaternions are [w, x, y, z]."
)


def markdown(env: BuildEnvironment, name: str) -> str:
    """Return the text of a page in Markdown."""
    source = Path(env.doc2path(name))
    if name.startswith(FUNCTIONS):
        return of_function(name.removeprefix(FUNCTIONS))
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".rst":
        title, _, *rest = text.splitlines()
        return "\n".join([f"# {title}", *rest, ""])
    return INCLUDE.sub(lambda m: (source.parent / m[1]).read_text(encoding="utf-8"), text)


def of_function(name: str) -> str:
    """Return signature and docstring of a public function, given by its dotted name."""
    package, _, short = name.rpartition(".")
    function = getattr(importlib.import_module(package), short)
    call = f"{package}.{short}{inspect.signature(function)}"
    return f"# {short}\n\n```python\n{call}\n```\n\n{inspect.getdoc(function)}\n"


def ordered(env: BuildEnvironment, name: str, seen: set[str]) -> Iterator[tuple[str, int]]:
    """Iterate over a page and those below it in the contents, with their depth."""
    if name in seen:
        return
    seen.add(name)
    todo = [(name, 0)]
    yield from todo
    for below in env.toctree_includes.get(name, []):
        yield from ((x, depth + 1) for x, depth in ordered(env, below, seen))


def contents(env: BuildEnvironment) -> str:
    """Return the text of ``llms.txt``: the pages by chapters, then the functions."""
    pages = list(ordered(env, env.config.root_doc, set()))
    others = sorted(env.found_docs - {name for name, _ in pages})
    lines = [f"# {env.config.project}", "", f"> {SUMMARY}"]
    for name, depth in pages[1:]:
        lines += ["", f"## {env.titles[name].astext()}", ""] if depth == 1 else []
        lines.append(f"- [{env.titles[name].astext()}]({name}.md)")
    for title, chosen in (
        ("Functions", [x for x in others if x.startswith(FUNCTIONS)]),
        ("Other pages", [x for x in others if not x.startswith(FUNCTIONS)]),
    ):
        lines += ["", f"## {title}", "", *(f"- [{x.rpartition('/')[2]}]({x}.md)" for x in chosen)]
    return "\n".join(lines) + "\n"


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the files beside the pages of a build without errors."""
    if error or app.builder.format != "html":
        return
    for name in sorted(app.env.found_docs):
        path = Path(app.outdir, f"{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(markdown(app.env, name), encoding="utf-8")
    Path(app.outdir, "llms.txt").write_text(contents(app.env), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
