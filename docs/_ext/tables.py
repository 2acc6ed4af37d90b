"""Directives that print the project's data: `joint-types`, `parity`, and `api` for a package."""

from __future__ import annotations

import importlib
import inspect
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def resolve(dotted: str) -> Any:
    """The object of a dotted name ``package.name``."""
    package, name = dotted.rsplit(".", 1)
    return getattr(importlib.import_module(package), name)


def link(dotted: str) -> str:
    """A Markdown reference to a function where the API pages document it."""
    home = resolve(dotted).__module__.rsplit(".", 1)[0]
    name = dotted.rsplit(".", 1)[1]
    return f"{{py:obj}}`{name} <{home}.{name}>`"


class MarkdownTable(SphinxDirective):
    """A table written by `markdown`."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(self.markdown(), allow_section_headings=True)

    def markdown(self) -> str:
        raise NotImplementedError


class JointTypes(MarkdownTable):
    """One row for each code of the joint table."""

    def markdown(self) -> str:
        from spatial_v2.joints import JOINT_TYPES

        rows = ["| code | nq, nv | S (columns, transposed) | q | qd |", "|---|---|---|---|---|"]
        for row in JOINT_TYPES.values():
            columns = [" ".join(f"{x:g}" for x in column) for column in row.S.T + 0.0]
            S = " ; ".join(columns) if row.nv == 1 else f"identity, columns 1 to {row.nv}"
            if row.code.startswith("H"):
                S += " + pitch"
            cells = (f"`{row.code}`", f"{row.nq}, {row.nv}", S, row.position, row.velocity)
            rows.append("| " + " | ".join(cells) + " |")
        return "\n".join(rows)


class Parity(MarkdownTable):
    """One table for each MATLAB folder of ``parity.toml``."""

    def markdown(self) -> str:
        path = Path(self.env.srcdir) / "parity.toml"
        self.env.note_dependency(str(path))
        lines = []
        for folder, functions in tomllib.loads(path.read_text(encoding="utf-8")).items():
            lines += ["", f"**{folder}**", "", "| MATLAB | Python |", "|---|---|"]
            lines += [f"| `{name}` | {self.status(value)} |" for name, value in functions.items()]
        return "\n".join(lines)

    @staticmethod
    def status(value: str | list[str]) -> str:
        if isinstance(value, str) and ("planned" in value or "not ported" in value):
            return value
        return ", ".join(link(name) for name in ([value] if isinstance(value, str) else value))


class Api(SphinxDirective):
    """A package: its docstring, a table of its public names, and every one of them in full."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        package = self.arguments[0]
        module = importlib.import_module(package)
        names = [n for n in module.__all__ if callable(getattr(module, n))]
        documented = [n for n in names if inspect.getdoc(getattr(module, n))]
        lines = [f".. automodule:: {package}", "   :no-members:", ""]
        lines += [f".. currentmodule:: {package}", "", ".. autosummary::", ""]
        lines += [f"   {name}" for name in documented]
        for name in documented:
            kind = "autoclass" if inspect.isclass(getattr(module, name)) else "autofunction"
            lines += ["", f".. {kind}:: {name}"]
            lines += ["   :members:"] if kind == "autoclass" else []
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("joint-types", JointTypes)
    app.add_directive("parity", Parity)
    app.add_directive("api", Api)
    return {"parallel_read_safe": True}
