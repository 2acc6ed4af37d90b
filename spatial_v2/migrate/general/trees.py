"""Python's trees: short ways to make them, and expressions with the class of their values."""

from __future__ import annotations

import ast
import keyword
from typing import Any, NamedTuple

from spatial_v2.migrate.parse import named, text, walk

__all__ = [
    "NUMBER", "TEXT", "TRUTH", "VALUE", "Typed", "attribute", "called", "constant",
    "identifier", "listed", "name", "steps",
]  # fmt: skip

NUMBER, TEXT, TRUTH, VALUE = "number", "text", "truth", "value"
"""Classes of values: a number or truth value of Python's; a ``str``; what ``and`` gives; a value of
the runtime.
"""


class Typed(NamedTuple):
    """An expression of Python's, and the class of its value."""

    tree: ast.expr
    kind: str = VALUE


def name(word: str) -> ast.expr:
    """Return a name, or an attribute if the word has dots."""
    first, *more = word.split(".")
    tree: ast.expr = ast.Name(first)
    for part in more:
        tree = ast.Attribute(tree, part)
    return tree


def constant(x: Any) -> ast.expr:
    """Return a literal; a negative number is the negation of a literal."""
    if isinstance(x, (int, float)) and not isinstance(x, bool) and x < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-x))
    return ast.Constant(x)


def called(function: ast.expr | str, *args: ast.expr, **options: ast.expr) -> ast.Call:
    """Return a call; a function given as text is one of the runtime."""
    if isinstance(function, str):
        function = name(f"ml.{function}")
    return ast.Call(function, list(args), [ast.keyword(n, x) for n, x in options.items()])


def listed(items: list[ast.expr]) -> ast.expr:
    """Return a list."""
    return ast.List(items)


def attribute(base: ast.expr, field: str) -> ast.expr:
    """Return a field of a struct."""
    taken = {"a", "shape", "model", "names", "twice", "f", "text", "counts", "T", "H", "table"}
    if field in taken or keyword.iskeyword(field) or field.startswith("_"):
        return called("field", base, constant(field))
    return ast.Attribute(base, field)


RESERVED = {"ml", "np", "print", "bool", "range", "locals", "globals", "end", "_error", "Exception",
            "NotImplementedError", "SystemExit"}  # fmt: skip


def identifier(word: str) -> str:
    """Return the name of a variable or function in Python."""
    return f"{word}_" if keyword.iskeyword(word) or word in RESERVED else word


class Step(NamedTuple):
    """Access to a part of a value: ``(``, ``{``, ``.`` or ``.(``."""

    sign: str
    args: tuple[Any, ...] = ()
    name: str = ""


def steps(node: Any) -> tuple[Any, list[Step]]:
    """Return the node that ``s.x{2}(3)`` starts from, and the accesses to parts that follow."""
    if node.type == "function_call":
        inner = node.child_by_field_name("name")
        base, before = steps(inner)
        sign = next(c.type for c in node.children if c.type in "({")
        args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
        return base, [*before, Step(sign, tuple(args))]
    if node.type == "field_expression":
        base, before = steps(node.child_by_field_name("object"))
        rest: list[Step] = []
        for field in node.children_by_field_name("field"):
            rest += _field(field)
        return base, [*before, *rest]
    if node.type == "indirect_access":
        return None, [Step(".(", tuple(named(node)))]
    return node, []


def _field(node: Any) -> list[Step]:
    """Return the accesses of what follows a dot: a name, with further accesses."""
    if node.type == "identifier":
        return [Step(".", name=text(node))]
    if node.type == "indirect_access":
        return [Step(".(", tuple(named(node)))]
    if node.type == "function_call":
        inner = node.child_by_field_name("name")
        sign = next(c.type for c in node.children if c.type in "({")
        args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
        return [*_field(inner), Step(sign, tuple(args))]
    if node.type == "field_expression":
        found = _field(node.child_by_field_name("object"))
        for field in node.children_by_field_name("field"):
            found += _field(field)
        return found
    found = []
    for n in walk(node):
        if n.type == "identifier":
            found.append(Step(".", name=text(n)))
    return found
