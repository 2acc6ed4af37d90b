"""Translation of expressions: a function for each type of node, in one table."""

from __future__ import annotations

import ast
from collections.abc import Callable

from spatial_v2.migrate.expressions import string_value
from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.handles import counts, handle, parameters, words
from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.operators import OPERATORS
from spatial_v2.migrate.general.trees import (
    NUMBER,
    TEXT,
    Step,
    Typed,
    attribute,
    called,
    constant,
    identifier,
    listed,
    name,
    steps,
)
from spatial_v2.migrate.general.values import as_value, expression, plain, value
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["HANDLES", "METHODS", "arguments", "of_a_base", "several", "subscripts", "translated"]

HANDLES = {"handle", "matlab.mixin.Copyable"}
"""Base classes whose objects are shared by all variables that hold them."""
METHODS = {
    "n_in", "n_out", "solve", "solve_limited", "nnz", "size1", "size2", "stats", "sparsity",
    "is_constant", "is_symbolic", "is_zero", "rows", "columns",
}  # fmt: skip
"""Methods of CasADi's objects that are called without parentheses."""


def _number(w: Lines, node: Node) -> Typed:
    s = text(node)
    if s[-1] in "ijIJ":
        return Typed(called("value", constant(complex(0, float(s[:-1])))))
    if s.lower().startswith("0x"):
        return Typed(constant(int(s, 16)), NUMBER)
    s = s.lower().replace("d", "e")
    return Typed(constant(int(s) if s.isdigit() else float(s)), NUMBER)


def _string(w: Lines, node: Node) -> Typed:
    return Typed(constant(string_value(node)), TEXT)


def _inner(w: Lines, node: Node) -> Typed:
    return expression(w, named(node)[0])


def _range(w: Lines, node: Node) -> Typed:
    parts = [plain(expression(w, n)) for n in named(node)]
    ends = [parts[0], parts[-1]]
    return Typed(called("colon", *ends, *(parts[1:2] if len(parts) == 3 else [])))


def _matrix(w: Lines, node: Node) -> Typed:
    rows = [[plain(expression(w, n)) for n in named(r)] for r in named(node) if r.type == "row"]
    rows = [r for r in rows if r]
    if not rows:
        return Typed(called("empty"))
    if len(rows) == 1:
        return Typed(called("row", *rows[0]))
    if all(len(r) == 1 for r in rows):
        return Typed(called("column", *(r[0] for r in rows)))
    return Typed(called("matrix", *map(listed, rows)))


def _cell(w: Lines, node: Node) -> Typed:
    rows = [[plain(expression(w, n)) for n in named(r)] for r in named(node) if r.type == "row"]
    return Typed(called("cell_of", *(listed(r) for r in rows if r)))


def _end(w: Lines, node: Node) -> Typed:
    w.ends_used = True
    return Typed(name("end"), NUMBER)


def translated(w: Lines, node: Node) -> Typed:
    """Translate an expression."""
    translate = EXPRESSIONS.get(node.type)
    if translate is None:
        return w.unknown(node, f"`{text(node)[:40]}` has no translation")
    return translate(w, node)


def subscripts(w: Lines, args: tuple[Node, ...]) -> list[ast.expr]:
    """Translate the subscripts of a variable; one with ``end`` becomes a function of it."""
    found = []
    for a in args:
        if a.type == "spread_operator" or text(a) == ":":
            found.append(constant(":"))
            continue
        before, w.ends_used = w.ends_used, False
        tree = plain(expression(w, a))
        if w.ends_used:
            tree = ast.Lambda(parameters(["end"]), tree)
        w.ends_used = before
        found.append(tree)
    return found


def arguments(w: Lines, args: tuple[Node, ...]) -> list[ast.expr]:
    """Translate the arguments of a function."""
    return [constant(":") if a.type == "spread_operator" else plain(expression(w, a)) for a in args]


def _place(w: Lines, node: Node) -> Typed:
    return several(w, node, 1)


def several(w: Lines, node: Node, nargout: int) -> Typed:
    """Translate a variable or a call with what follows it, for a number of results."""
    if (of_base := of_a_base(w, node)) is not None:
        return Typed(of_base[1])
    base, path = steps(node)
    if base is None:
        return w.unknown(node, f"`{text(node)[:40]}` has no translation")
    if base.type != "identifier":
        return Typed(_accessed(w, value(w, base), path, nargout))
    word = text(base)
    if w.is_variable(word):
        x, path = w.reached(word, path)
        if not path:
            return x
        return Typed(_accessed(w, as_value(x), path, nargout, not w.is_handle(word)))
    return names.call(w, node, word, path, nargout, _accessed)


def of_a_base(w: Lines, node: Node) -> tuple[str, ast.expr] | None:
    """Return what ``obj@Base(x)`` or ``f@Base(obj, x)`` calls, and the object that it makes."""
    over = next((c for c in node.children if c.type == "superclass"), None)
    if over is None:
        return None
    word, base = text(node.children[0]), text(over)
    args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
    given = w.arguments(tuple(args))
    if base in HANDLES:
        return word, w.variable(word).tree
    w.functions_used.add(base)
    if w.is_variable(word):
        f = ast.Attribute(name(identifier(base)), "construct")
        return word, ast.Call(f, [w.variable(word).tree, *given], [])
    return "", ast.Call(ast.Attribute(name(identifier(base)), identifier(word)), given, [])


def _accessed(
    w: Lines, tree: ast.expr, path: list[Step], nargout: int = 1, only_value: bool = False
) -> ast.expr:
    """Return a part of a value."""
    for k, step in enumerate(path):
        if step.sign == "(":
            given = subscripts(w, step.args)
            last = k == len(path) - 1 and nargout != 1 and not only_value
            options = {"nargout": constant(nargout)} if last else {}
            tree = called(tree, *given, **options)
        elif step.sign == "{":
            given = subscripts(w, step.args)
            tree = ast.Subscript(tree, given[0] if len(given) == 1 else ast.Tuple(given))
        elif step.sign == ".":
            tree = attribute(tree, step.name)
        else:
            tree = called("field", tree, plain(expression(w, step.args[0])))
    if path and path[-1].sign == "." and path[-1].name in w.program.methods:
        return called("value", tree)  # a method, which is called
    return tree


def _without_name(w: Lines, node: Node) -> Typed:
    given = next((c for c in node.named_children if c.type == "arguments"), None)
    inputs = [
        ("_" if n.type == "ignored_argument" else text(n))
        for n in (named(given) if given is not None else [])
    ]
    inputs = [f"_{k}" if n == "_" else n for k, n in enumerate(inputs)]
    body = node.child_by_field_name("expression")
    used = words(body)
    captured = [
        n
        for n in dict.fromkeys(used)
        if n not in inputs and w.is_variable(n) and n not in w.local_names
    ]
    star = "varargin" if inputs[-1:] == ["varargin"] else ""
    with w.inside_handle(inputs):
        before, w.ends_used = w.ends_used, False
        has_counts = counts(w, body)
        if has_counts:
            tree = several(w, body, 0).tree
            assert isinstance(tree, ast.Call)
            tree.keywords = [k for k in tree.keywords if k.arg != "nargout"]
            tree.keywords.append(ast.keyword("nargout", name("nargout")))
        else:
            tree = plain(expression(w, body))
        w.ends_used = before
    only: dict[str, ast.expr] = {}
    for n in captured:
        if n in w.variables.shared or n in w.variables.kept:
            continue
        x = w.variable(n)
        only[identifier(n)] = called("copy", x.tree) if n in w.variables.parts else x.tree
    if has_counts:
        only["nargout"] = constant(1)
    given_names = [identifier(n) for n in inputs if n != star]
    return Typed(called("handle", ast.Lambda(parameters(given_names, star, only), tree)))


EXPRESSIONS: dict[str, Callable[[Lines, Node], Typed]] = {
    "number": _number,
    "string": _string,
    "parenthesis": _inner,
    "_expression": _inner,
    **OPERATORS,
    "range": _range,
    "matrix": _matrix,
    "cell": _cell,
    "lambda": _without_name,
    "handle_operator": handle,
    "end_keyword": _end,
    "identifier": _place,
    "function_call": _place,
    "field_expression": _place,
    "spread_operator": lambda w, node: Typed(constant(":"), TEXT),
}
"""Type of node -> function that translates it."""
