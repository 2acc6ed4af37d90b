"""Translation of handles, and parts of anonymous functions."""

from __future__ import annotations

import ast

from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import Typed, called, constant, steps
from spatial_v2.migrate.parse import Node, text

__all__ = ["counts", "handle", "parameters", "words"]


def words(node: Node) -> list[str]:
    """Return the identifiers of an expression, without names of fields."""
    found: list[str] = []
    if node.type == "identifier":
        return [text(node)]
    if node.type == "field_expression":
        found += words(node.child_by_field_name("object"))
        for f in node.children_by_field_name("field"):
            found += [
                x
                for c in f.children
                for x in words(c)
                if f.type != "identifier" and c.type in ("arguments", "indirect_access")
            ]
            if f.type == "indirect_access":
                found += [x for c in f.children for x in words(c)]
        return found
    for c in node.children:
        found += words(c)
    return found


def counts(w: Lines, body: Node) -> bool:
    """Test if the body of a handle is a call of a function, which may have several results."""
    base, path = steps(body)
    if base is None or base.type != "identifier" or w.is_variable(text(base)):
        return False
    if len(path) != 1 or path[0].sign != "(":
        return False
    return w.program.has_function(text(base)) and text(base) not in names.SPECIAL


def handle(w: Lines, node: Node) -> Typed:
    word = text(node).lstrip("@").strip()
    package, _, last = word.rpartition(".")
    word = last if package.split(".")[0] in w.program.packages else word
    found = names.function(w, word)
    if found is None:
        return w.unknown(node, w.missing(word))
    return Typed(called("handle", found, constant(word)))


def parameters(
    given: list[str], star: str = "", only: dict[str, ast.expr] | None = None
) -> ast.arguments:
    only = only or {}
    return ast.arguments(
        [], [ast.arg(n) for n in given], ast.arg(star) if star else None,
        [ast.arg(n) for n in only], [*only.values()], None, [],
    )  # fmt: skip
