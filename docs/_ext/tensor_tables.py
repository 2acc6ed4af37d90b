"""Directives that print identities and expressions from the code of tensor_sva.

``identity-list`` prints the arguments of every identity, ``identity-source M5`` the code of one,
``expression-table`` the published expressions. The cards of identities are in ``identity_cards``.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from textwrap import dedent

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import Markdown

PREFIXES = {
    "M": "Spatial matrices: M1 to M27",
    "K": "Derivatives along all degrees of freedom of a joint: K1 to K16",
    "J": "Derivatives along the degrees of freedom of a joint, by columns: J1 to J9",
    "P": "Spatial vectors: P1 to P7",
}
TENSORS = {
    "FIRST_ORDER": "First derivatives, equations (12) and (13)",
    "SPLIT": "First derivatives of each term, equations (25) to (29) of the paper of 2022",
    "POSITION": "With respect to q and q",
    "VELOCITY": "With respect to velocity and velocity",
    "CROSS": "With respect to velocity and q",
    "MASS_MATRIX": "Joint-space inertia matrix with respect to q",
}


def table(title: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of a Markdown section that consists of a table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return ["", f"### {title}", "", *("| " + " | ".join(cells) + " |" for cells in lines)]


class IdentityList(Markdown):
    """Directive that lists every identity of the registry with the kinds of its arguments."""

    def markdown(self) -> str:
        from tensor_sva.identities import IDENTITIES

        lines: list[str] = []
        for prefix, title in PREFIXES.items():
            family = [x for name, x in IDENTITIES.items() if name.startswith(prefix)]
            rows = (
                [x.name, ", ".join(f"{k}: {v}" for k, v in x.arguments.items()), f"${x.latex}$"]
                for x in family
            )
            lines += table(title, ["", "arguments", "statement"], rows)
            lines += ["", f"{family[0].source}."]
        return "\n".join(lines)


class IdentitySource(SphinxDirective):
    """Directive that shows the code of one identity, as it stands in its module."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        from tensor_sva.identities import IDENTITIES

        (name,) = self.arguments
        source = inspect.getsource(inspect.getmodule(IDENTITIES[name].lhs))
        (call,) = (
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Call)
            and any(isinstance(arg, ast.Constant) and arg.value == name for arg in node.args[:1])
        )
        text = dedent(" " * call.col_offset + ast.get_source_segment(source, call))
        return [nodes.literal_block(text, text, language="python")]


class ExpressionTable(Markdown):
    """Directive that lists every published expression with its condition."""

    def markdown(self) -> str:
        from tensor_sva import expressions

        signs = {"<=": r"\preceq", "<": r"\prec"}
        lines: list[str] = []
        for family, title in TENSORS.items():
            rows = [
                [
                    f"`{x.name}`",
                    f"${x.latex}$",
                    "$" + " ".join(signs.get(word, word) for word in x.condition.split()) + "$",
                ]
                for x in getattr(expressions, family)
            ]
            lines += table(title, ["function", "expression", "for"], rows)
        return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("identity-list", IdentityList)
    app.add_directive("identity-source", IdentitySource)
    app.add_directive("expression-table", ExpressionTable)
    return {"parallel_read_safe": True}
