"""Translation of operators."""

from __future__ import annotations

import ast
from collections.abc import Callable

from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import NUMBER, TRUTH, VALUE, Typed, called
from spatial_v2.migrate.general.values import as_value, expression, plain, truth
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["OPERATORS"]


def _operands(node: Node) -> tuple[Node, str, Node]:
    left, right = named(node)
    return left, next(text(c) for c in node.children if not c.is_named), right


ENTRYWISE: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), ".+": ast.Add(), ".-": ast.Sub(), ".*": ast.Mult(),
    "./": ast.Div(), ".^": ast.Pow(), ".**": ast.Pow(), "&": ast.BitAnd(), "|": ast.BitOr(),
}  # fmt: skip


def _binary(w: Lines, node: Node) -> Typed:
    left, op, right = _operands(node)
    a, b = expression(w, left), expression(w, right)
    numbers = a.kind == b.kind == NUMBER
    if op == "*" and NUMBER in (a.kind, b.kind):
        op = ".*"
    elif op == "/" and b.kind == NUMBER:
        op = "./"
    elif op == "^" and numbers:
        op = ".^"
    if op == ".\\":
        return Typed(ast.BinOp(as_value(b), ast.Div(), plain(a)))
    if op in ENTRYWISE:
        if numbers and not w.variables.is_number(node):
            if op == "./":
                return Typed(called("divide", a.tree, b.tree))
            return Typed(ast.BinOp(as_value(a), ENTRYWISE[op], b.tree))
        if VALUE not in (a.kind, b.kind) and not numbers:
            return Typed(ast.BinOp(as_value(a), ENTRYWISE[op], plain(b)))
        return Typed(ast.BinOp(plain(a), ENTRYWISE[op], plain(b)), NUMBER if numbers else VALUE)
    if op == "*":
        return Typed(ast.BinOp(as_value(a), ast.MatMult(), as_value(b)))
    function = {"/": "mrdivide", "\\": "mldivide", "^": "mpower", "**": "mpower"}.get(op)
    if function is None:
        return w.unknown(node, f"the operator {op} has no translation")
    return Typed(called(function, plain(a), plain(b)))


COMPARED: dict[str, ast.cmpop] = {
    "==": ast.Eq(), "~=": ast.NotEq(), "!=": ast.NotEq(), "<": ast.Lt(), ">": ast.Gt(),
    "<=": ast.LtE(), ">=": ast.GtE(),
}  # fmt: skip


def _comparison(w: Lines, node: Node) -> Typed:
    left, op, right = _operands(node)
    a, b = expression(w, left), expression(w, right)
    numbers = a.kind == b.kind == NUMBER
    first = plain(a) if numbers or VALUE in (a.kind, b.kind) else as_value(a)
    kind = NUMBER if numbers else VALUE
    return Typed(ast.Compare(first, [COMPARED[op]], [plain(b)]), kind)


def _boolean(w: Lines, node: Node) -> Typed:
    left, op, right = _operands(node)
    a, b = expression(w, left), expression(w, right)
    if op in ("&&", "||"):
        return Typed(ast.BoolOp(ast.And() if op == "&&" else ast.Or(), [truth(a), truth(b)]), TRUTH)
    return Typed(ast.BinOp(as_value(a), ENTRYWISE[op], plain(b)))


def _not(w: Lines, node: Node) -> Typed:
    x = expression(w, named(node)[0])
    if x.kind in (NUMBER, TRUTH):
        return Typed(ast.UnaryOp(ast.Not(), x.tree), NUMBER)
    return Typed(ast.UnaryOp(ast.Invert(), as_value(x)))


def _unary(w: Lines, node: Node) -> Typed:
    x = expression(w, named(node)[0])
    op = next(text(c) for c in node.children if not c.is_named)
    if op in ("~", "!"):
        return _not(w, node)
    sign = ast.USub() if op == "-" else ast.UAdd()
    if x.kind == NUMBER:
        return Typed(ast.UnaryOp(sign, x.tree), NUMBER)
    return Typed(ast.UnaryOp(sign, as_value(x)))


def _postfix(w: Lines, node: Node) -> Typed:
    x = expression(w, named(node)[0])
    op = next(text(c) for c in node.children if not c.is_named)
    if x.kind == NUMBER:
        return x
    return Typed(ast.Attribute(as_value(x), "T" if op == ".'" else "H"))


OPERATORS: dict[str, Callable[[Lines, Node], Typed]] = {
    "binary_operator": _binary,
    "comparison_operator": _comparison,
    "boolean_operator": _boolean,
    "not_operator": _not,
    "unary_operator": _unary,
    "postfix_operator": _postfix,
}
"""Type of node -> function that translates it."""
