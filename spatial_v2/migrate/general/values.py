"""Expressions as values of the runtime, numbers, and conditions."""

from __future__ import annotations

import ast

from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import TEXT, TRUTH, VALUE, Typed, called, name
from spatial_v2.migrate.parse import Node

__all__ = ["as_value", "expression", "plain", "truth", "value"]


def expression(w: Lines, node: Node) -> Typed:
    """Translate an expression."""
    return w.expression(node)


def value(w: Lines, node: Node) -> ast.expr:
    """Translate an expression to a value of the runtime."""
    return as_value(expression(w, node))


def as_value(x: Typed) -> ast.expr:
    """Convert an expression to a value of the runtime."""
    if x.kind == VALUE:
        return x.tree
    return called("value", plain(x))


def plain(x: Typed) -> ast.expr:
    """Return an expression that functions of the runtime take: any but what ``and`` gives."""
    return called(name("bool"), x.tree) if x.kind == TRUTH else x.tree


def truth(x: Typed) -> ast.expr:
    """Return an expression for a condition."""
    return as_value(x) if x.kind == TEXT else x.tree
