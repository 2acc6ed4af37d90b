"""Directives that run a program and show its last value.

``animation`` shows a robot in motion. ``chart NAME`` shows matplotlib axes as an SVG file that can
be kept for slides; its option ``alt`` describes the picture in words. The programs run when the
site is built.
"""

from __future__ import annotations

import ast
import html
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def last_value(program: str) -> Any:
    """Run a program and return the value of its last expression."""
    tree = ast.parse(program)
    last = tree.body.pop()
    if not isinstance(last, ast.Expr):
        raise ValueError("the program must end with an expression")
    names: dict[str, Any] = {}
    exec(compile(tree, "<page>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<page>", "eval"), names)


class Live(SphinxDirective):
    """Directive that shows an animation, in which the reader can turn the view and stop
    the time.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        animation = last_value("\n".join(self.content))
        return [nodes.raw("", animation._repr_html_(), format="html")]


class Chart(SphinxDirective):
    """Directive that shows matplotlib axes as a picture, saved in ``_static/slides`` under the
    given name.
    """

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        import matplotlib as mpl

        (name,) = self.arguments
        axes = last_value("\n".join(self.content))
        path = Path(self.env.app.outdir, "_static", "slides", f"{name}.svg")
        path.parent.mkdir(parents=True, exist_ok=True)
        with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
            axes.figure.savefig(path, transparent=True, metadata={"Date": None})
        address = "../" * self.env.docname.count("/") + f"_static/slides/{name}.svg"
        text = f'<img class="chart" src="{address}" alt="{html.escape(self.options["alt"])}">'
        return [nodes.raw("", text, format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("animation", Live)
    app.add_directive("chart", Chart)
    return {"parallel_read_safe": True}
