"""Directives of the algorithm pages, which quote the source and stop the build where it has
changed.

``page-and-kernel`` shows bodies of functions side by side. ``paper-lines`` shows a table of lines
of a paper's algorithm, lines of a file and lines of its kernel, from ``algorithms.toml``;
``numbered-lines`` makes such a table from comments such as ``# line 12``. ``syllabus`` shows the
chapters of the course.
"""

from __future__ import annotations

import ast
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import Markdown

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(.*\S)\s+# lines? (\d+(?:-\d+)?)$")


def span(path: str, names: list[str], whole: bool) -> tuple[int, int]:
    """Return the first and the last line of consecutive functions in a file.

    The range begins after the docstring of the first function unless `whole` is true.
    """
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = {x.name: x for x in tree.body if isinstance(x, ast.FunctionDef)}
    functions = [found[name] for name in names]
    first, last = functions[0], functions[-1]
    if not whole and ast.get_docstring(first):
        start = (first.body[0].end_lineno or 0) + 1
    else:
        start = min([first.lineno, *(x.lineno for x in first.decorator_list)])
    return start, last.end_lineno or 0


class PageAndKernel(SphinxDirective):
    """Directive that shows the bodies of functions of one file, or of two files side by side.

    Its arguments are ``PAGE:function`` and ``KERNEL:function,function``, with paths from the root.
    """

    required_arguments = 1
    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        depth = self.env.docname.count("/") + 1
        text = ["::::::{grid} 1 1 1 2", ":gutter: 2", ":class-container: side-by-side", ""]
        if len(self.arguments) == 1:
            text[0] = "::::::{grid} 1"
        for k, argument in enumerate(self.arguments):
            path, names = argument.split(":")
            whole = k > 0 or "," in names
            start, end = span(path, names.split(","), whole)
            what = (
                "Kernel"
                if "/engine/" in path
                else ("Reference implementation", "With the loops of the paper")[k]
            )
            text += [
                ":::::{grid-item}",
                f"**{what}**, {{code}}`{path}`, from line {start}",
                f"```{{literalinclude}} {'../' * depth}{path}",
                ":language: python",
                f":lines: {start}-{end}",
                ":lineno-match:",
                "" if whole else ":dedent: 4",
                "```",
                ":::::",
                "",
            ]
            self.env.note_dependency(str(ROOT / path))
        return self.parse_text_to_nodes("\n".join([*text, "::::::"]))


class PaperLines(Markdown):
    """Directive that shows the table of an algorithm in ``algorithms.toml``: lines of the paper, of
    the reference implementation, and of the kernel.
    """

    required_arguments = 1

    def markdown(self) -> str:
        (name,) = self.arguments
        data = Path(self.env.srcdir, "algorithms.toml")
        self.env.note_dependency(str(data))
        algorithm = tomllib.loads(data.read_text(encoding="utf-8"))[name]
        for path in files(algorithm):
            self.env.note_dependency(str(ROOT / path))
        if missing := promised(algorithm):
            raise ValueError(f"algorithms.toml: {name} has no row for {missing}")
        return "\n".join([f"{algorithm['source']}.", "", *table(algorithm)])


def table(algorithm: dict[str, Any]) -> list[str]:
    """Return the lines of the table of an algorithm; it has columns for the kernel only if rows
    name the kernel's code.
    """
    with_kernel = any("kernel" in row for row in algorithm["rows"])
    if with_kernel:
        lines = ["| paper | | here | | kernel | |", "|--:|---|--:|---|--:|---|"]
    else:
        lines = ["| paper | | here | |", "|--:|---|--:|---|"]
    for row in algorithm["rows"]:
        path = row.get("file", algorithm["file"])
        after = row.get("after", algorithm.get("after", ""))
        cells = [row["paper"], row["is"], place(path, row["code"], algorithm["file"], after)]
        cells.append(f"`{row['code'].strip()}`")
        if with_kernel:
            cells += kernel_cells(algorithm, row)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def kernel_cells(algorithm: dict[str, Any], row: dict[str, Any]) -> list[str]:
    """Return the line number and the code of the kernel's line in a row; both empty if the row
    names none.
    """
    if "kernel" not in row:
        return ["", ""]
    usual = algorithm.get("kernel_file", "")
    path = row.get("kernel_file", usual)
    at = place(path, row["kernel"], usual, row.get("kernel_after", ""))
    return [at, f"`{row['kernel'].strip()}`"]


def files(algorithm: dict[str, Any]) -> set[str]:
    """Return the files whose lines the table of an algorithm names."""
    parts = [algorithm, *algorithm["rows"]]
    return {part[key] for part in parts for key in ("file", "kernel_file") if key in part}


def numbers(text: str | int) -> set[int]:
    """Read the numbers of lines or equations: ``1, 3-5`` and ``(44), (46)``."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", str(text)):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def promised(algorithm: dict[str, Any]) -> list[int]:
    """Return the line numbers of the paper that the entry ``promised`` announces and no row has."""
    there = set().union(*(numbers(row["paper"]) for row in algorithm["rows"]))
    return sorted(numbers(algorithm.get("promised", "")) - there)


def place(path: str, code: str, usual: str, after: str = "") -> str:
    """Return the number of the first line that contains `code`, below a line with `after` if that
    is given.

    The name of the file precedes the number unless it is the file `usual`.
    """
    text = (ROOT / path).read_text(encoding="utf-8").splitlines()
    begins = next((k for k, line in enumerate(text) if after in line), len(text))
    found = [k for k, line in enumerate(text, 1) if k > begins and code in line]
    if not found:
        start = f" after {after!r}" if after else ""
        raise ValueError(f"algorithms.toml: {path} has no line with {code!r}{start}")
    return f"{found[0]}" if path == usual else f"{os.path.basename(path)} {found[0]}"


class NumberedLines(Markdown):
    """Directive that prints a table of the lines of a file that have comments such as ``# line 12``
    (of a paper).
    """

    required_arguments = 1

    def markdown(self) -> str:
        (path,) = self.arguments
        self.env.note_dependency(str(ROOT / path))
        lines = ["| paper | here | |", "|--:|--:|---|"]
        for k, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            if found := NUMBER.match(line):
                lines.append(f"| {found[2]} | {k} | `{found[1].strip()}` |")
        return "\n".join(lines)


class Syllabus(Markdown):
    """Directive with rows ``name | title | what is learnt | pages``; names of existing chapters
    become links.
    """

    has_content = True

    def markdown(self) -> str:
        from spatial_v2.course.text import chapters

        there = set(chapters())
        lines = ["| chapter | content | see also |", "|---|---|---|"]
        for row in self.content:
            name, title, learnt, also = (cell.strip() for cell in row.split("|"))
            number = name.split("_")[0].lstrip("0")
            link = f"[{title}](course/{name}.md)" if name in there else title
            lines.append(f"| {number}. {link} | {learnt} | {also} |")
        return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("page-and-kernel", PageAndKernel)
    app.add_directive("paper-lines", PaperLines)
    app.add_directive("numbered-lines", NumberedLines)
    app.add_directive("syllabus", Syllabus)
    return {"parallel_read_safe": True}
