"""Directives that print tables from the code: joints, parity, command line, reference."""

from __future__ import annotations

import importlib
import inspect
import re
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def resolve(dotted: str) -> Any:
    """Return the object that a dotted name ``package.name`` refers to."""
    package, name = dotted.rsplit(".", 1)
    return getattr(importlib.import_module(package), name)


def link(dotted: str) -> str:
    """Return a Markdown reference to a function on the API pages."""
    function = resolve(dotted)
    home = function.__module__.rsplit(".", 1)[0]
    return f"{{py:obj}}`{dotted.rsplit('.', 1)[1]} <{home}.{function.__name__}>`"


NAME = re.compile(r"`(\w+)`")
HOMES = "derivatives", "spatial_v2", "tensor_sva", "derivatives.reference"


def linked(name: re.Match[str]) -> str:
    """Return a reference to the function with the matched name, or the name itself if there is
    none.
    """
    homes = [h for h in HOMES if name[1] in importlib.import_module(h).__all__]
    return link(f"{homes[0]}.{name[1]}") if homes else name[0]


class Markdown(SphinxDirective):
    """Directive whose content is the Markdown that its method `markdown` returns."""

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(self.markdown(), allow_section_headings=True)

    def markdown(self) -> str:
        raise NotImplementedError


class JointTypes(Markdown):
    """Table with a row for each code of the joint table."""

    def markdown(self) -> str:
        from spatial_v2.joints import JOINT_TYPES

        rows = ["| code | nq, nv | S (transposed) | q | qd |", "|---|---|---|---|---|"]
        for row in JOINT_TYPES.values():
            cells = (f"`{row.code}`", f"{row.nq}, {row.nv}", subspace(row))
            rows.append("| " + " | ".join((*cells, row.position, row.velocity)) + " |")
        return "\n".join(rows)


def subspace(row: Any) -> str:
    """Return the motion subspace S of a row of the joint table in a few characters; h is the pitch
    of a helical joint.
    """
    if row.nv > 1:
        return f"columns 1 to {row.nv} of the identity"
    components = [f"{x:g}" for x in row.S[:, 0] + 0.0]
    if row.code.startswith("H"):
        components[-1] = "h" if row.sign > 0 else "-h"
    return "[" + " ".join(components) + "]"


class Representations(Markdown):
    """Table with a row for each representation of a rotation."""

    def markdown(self) -> str:
        from spatial_v2.orientation.representations import REPRESENTATIONS

        rows = ["| name | what | shape | argument |", "|---|---|---|---|"]
        for name, row in REPRESENTATIONS.items():
            cells = (f"`{name}`", row.meaning, f"(..., {row.shape})", f"`{row.argument}`")
            rows.append("| " + " | ".join(cells) + " |")
        return "\n".join(rows)


class ParameterOrders(Markdown):
    """Table of the orders of inertial parameters that the conversions use."""

    def markdown(self) -> str:
        import numpy as np

        from spatial_v2.inertia import INERTIAL_PARAMETERS, inertiaVecToPinocchio

        order = inertiaVecToPinocchio(np.arange(10)).astype(int)
        urdf = "mass, x, y, z, ixx, ixy, ixz, iyy, iyz, izz"
        rows = [
            ("here and in MATLAB", ", ".join(INERTIAL_PARAMETERS), ""),
            (
                "Pinocchio",
                ", ".join(INERTIAL_PARAMETERS[k] for k in order),
                "`inertiaVecToPinocchio`, `pinocchioToInertiaVec`",
            ),
            ("URDF", urdf, "`inertiaVecToURDF`, `urdfToInertiaVec`"),
        ]
        head = ["| | order | conversions |", "|---|---|---|"]
        return "\n".join([*head, *("| " + " | ".join(row) + " |" for row in rows)])


class Parity(Markdown):
    """Tables of MATLAB's functions, one for each folder in ``parity.toml``."""

    def markdown(self) -> str:
        return "\n".join(line for name, rows in self.rows().items() for line in folder(name, rows))

    def rows(self) -> dict[str, dict[str, Any]]:
        path = Path(self.env.srcdir).parent / "spatial_v2" / "matlab" / "parity.toml"
        self.env.note_dependency(str(path))
        return tomllib.loads(path.read_text(encoding="utf-8"))


class ParityFields(Parity):
    """Table of fields of MATLAB's results whose names differ here."""

    def markdown(self) -> str:
        lines = ["| MATLAB | field | here |", "|---|---|---|"]
        for rows in self.rows().values():
            for name, value in rows.items():
                if isinstance(value, dict):
                    for theirs, ours in value.get("fields", {}).items():
                        cells = (f"{{code}}`{word}`" for word in (name, theirs, ours))
                        lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)


class ParityBetter(Parity):
    """Table of improvements over MATLAB."""

    def markdown(self) -> str:
        told: dict[str, list[str]] = {}
        for rows in self.rows().values():
            for name, value in rows.items():
                if isinstance(value, dict) and "better" in value:
                    told.setdefault(value["better"], []).append(f"{{code}}`{name}`")
        lines = [f"| {', '.join(names)} | {text} |" for text, names in told.items()]
        return "\n".join(["| MATLAB | here |", "|---|---|", *lines])


def folder(name: str, functions: dict[str, Any]) -> list[str]:
    """Return a section with a table of MATLAB's functions; consecutive ones of the same status
    share a row.
    """
    table = ["| MATLAB | status | order, outputs, conventions | Python |", "|---|---|---|---|"]
    for text, group in groupby(functions.items(), lambda row: status(row[1])):
        table.append(f"| {', '.join(f'{{code}}`{f}`' for f, _ in group)} | {text} |")
    return ["", f"## {name}", "", *table]


def status(value: str | list[str] | dict[str, Any]) -> str:
    """Return the cells of a row of the parity table after MATLAB's name."""
    if isinstance(value, str) and ": " in value:
        kind, text = value.split(": ", 1)
        return f"{kind} | | {re.sub(NAME, linked, text)}"
    part = value if isinstance(value, dict) else {"python": value}
    names = part["python"] if isinstance(part["python"], list) else [part["python"]]
    missing, better, differs = part.get("missing", ()), part.get("better", ""), part.get("differs")
    instead = part.get("instead")
    inside = [name for name in names if name.startswith("spatial_v2.matlab.")]
    links = ", ".join(f"{{code}}`{name}`" if name in inside else link(name) for name in names)
    text = f"; missing: {', '.join(missing)}" if missing else ""
    text += f"; {better}" if better else ""
    text += f"; else {re.sub(NAME, linked, instead)}" if instead else ""
    kind = "partial" if missing else "better" if better else "same"
    return f"{'only there' if inside else kind} | {differs or 'as in MATLAB'} | {links}{text}"


class CommandHelp(SphinxDirective):
    """Directive that shows the output of ``spatial-v2 COMMAND --help``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        from typer.testing import CliRunner

        from spatial_v2.cli import app

        terminal = {"COLUMNS": "96", "NO_COLOR": "1", "TERM": "dumb"}
        result = CliRunner(env=terminal).invoke(app, [*self.arguments, "--help"])
        if result.exit_code:
            raise self.error(result.output)
        text = "\n".join(line.rstrip() for line in result.output.strip().splitlines())
        return [nodes.literal_block(text, text, language="text")]


class Api(SphinxDirective):
    """Directive for a package: its docstring, tables of its functions and classes, and each class
    in full.

    Functions have pages of their own, see ``api_pages``.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        package = self.arguments[0]
        module = importlib.import_module(package)
        names = [n for n in module.__all__ if callable(getattr(module, n))]
        documented = {n: text for n in names if (text := inspect.getdoc(getattr(module, n)))}
        classes = [n for n in documented if inspect.isclass(getattr(module, n))]
        functions = [n for n in documented if n not in classes]
        lines = [f".. automodule:: {package}", "   :no-members:", ""]
        for group in filter(None, (functions, classes)):
            lines += [".. list-table::", "   :widths: auto", ""]
            for name in group:
                summary = " ".join(documented[name].split("\n\n")[0].split())
                lines += [f"   * - :py:obj:`{name} <{package}.{name}>`", f"     - {summary}"]
            lines += [""]
        lines += [f".. currentmodule:: {package}"]
        for name in classes:
            lines += ["", f".. autoclass:: {name}", "   :members:"]
        return self.parse_text_to_nodes("\n".join(lines))


def escape_shapes(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, doc: list[str]
) -> None:
    """Escape the star in shapes such as (..., *out), so that it does not start emphasis."""
    doc[:] = [STAR.sub(r"\*", line) for line in doc]


def trim_examples(app: Sphinx, doctree: nodes.document) -> None:
    """Remove the empty line at the end of examples, which only doctest needs."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext().rstrip()
        block.rawsource = text
        block.children = [nodes.Text(text)]


STAR = re.compile(r"(?:(?<=\(\.\.\., )|(?<=shape \())\*(?=\w)")
BEFORE_NUMPYDOC = 400


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("joint-types", JointTypes)
    app.add_directive("parameter-orders", ParameterOrders)
    app.add_directive("parity", Parity)
    app.add_directive("parity-better", ParityBetter)
    app.add_directive("parity-fields", ParityFields)
    app.add_directive("representations", Representations)
    app.add_directive("command-help", CommandHelp)
    app.add_directive("api", Api)
    app.connect("doctree-read", trim_examples)
    app.connect("autodoc-process-docstring", escape_shapes, priority=BEFORE_NUMPYDOC)
    return {"parallel_read_safe": True}
