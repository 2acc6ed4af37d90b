"""Expressions: operators, literals and anonymous functions."""

from __future__ import annotations

import ast
import keyword
import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.kinds import Code, Kind, Undecided
from spatial_v2.migrate.parse import Node, named, text

__all__ = [
    "NUMBER", "as_list", "attribute", "bound_text", "expression", "float_text", "is_literal",
    "is_nonzero", "listed", "literal", "plus", "quoted", "string_value", "unescaped", "unshifted",
    "value", "whole",
]  # fmt: skip

NUMBER = Kind("scalar", "f")
ESCAPES = dict(zip("abfnrtv\\", "\a\b\f\n\r\t\v\\", strict=True))
"""Letter of an escape sequence -> the character."""


def expression(body: Body, node: Node) -> Code:
    """Translate an expression. The value of an index may be one less than in MATLAB, as Python
    counts from 0; see `Kind.shift`.
    """
    return body.expression(node)


def value(body: Body, node: Node) -> Code:
    """Translate an expression; the result has MATLAB's value, also for an index."""
    code = expression(body, node)
    return unshifted(code)


def unshifted(code: Code) -> Code:
    """Convert an index that counts from 0 to MATLAB's value."""
    if not code.kind.shift:
        return code
    return Code(f"{code.at(15)} + {code.kind.shift}", code.kind.now(shift=0, shared=False), 15)


def listed(code: Code) -> Code:
    """Convert a slice of indices to an array."""
    if code.kind.form != "slice":
        return code
    x = code.at(19)
    return Code(f"np.arange({x}.start, {x}.stop)", Kind("row", "i", shift=1))


def whole(body: Body, node: Node) -> str:
    """Translate an expression for a size or count to an integer."""
    code = value(body, node)
    if code.kind.form not in ("scalar", "array", "nothing"):
        raise Undecided(
            f"`{text(node)}`: want a single number for a size or count, got {code.kind.described}"
        )
    return code.text if code.kind.numbers == "i" else f"int({code.text})"


def literal(node: Node) -> int | None:
    """Return the value of an integer literal, or None for any other node."""
    match = re.fullmatch(r"\(*(-?\d+)(?:\.0*)?\)*", text(node))
    return int(match[1]) if match and node.type != "string" else None


def is_literal(node: Node) -> bool:
    """Test if a node is a number literal."""
    return bool(re.fullmatch(r"-?[\d.]+(?:[eEdD][-+]?\d+)?", text(node)))


def is_nonzero(body: Body, node: Node) -> bool:
    """Test if a number is known not to be 0: a literal other than 0, a variable to which only such
    a literal is assigned, or a loop variable that counts up from 1 or more.
    """
    while node.type == "parenthesis" or (node.type == "unary_operator" and text(node)[0] in "+-"):
        node = named(node)[0]
    shown = text(node)
    if node.type == "number":
        return bool(re.search(r"[1-9]", re.split("[eEdD]", shown)[0]))
    if shown in ("pi", "eps", "e"):
        return shown not in body.ever
    if node.type != "identifier" or shown in body.assigned_twice or shown in body.inputs:
        return False
    if shown in body.positive:
        return True
    rights = body.whole.get(shown, [])
    return (
        len(rights) == 1
        and rights[0].type in ("number", "unary_operator")
        and is_nonzero(body, rights[0])
    )


def string_value(node: Node) -> str:
    """Return the characters of a string literal."""
    s = text(node)
    inner = s[1:-1].replace(s[0] * 2, s[0])
    if s[0] == '"':
        inner = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), inner)
    return inner


def unescaped(node: Node) -> str:
    """Return the characters of a format, with escape sequences replaced."""
    s = string_value(node)
    if text(node)[0] == '"':
        return s
    return re.sub(r"\\([abfnrtv\\])", lambda m: ESCAPES[m[1]], s)


def quoted(s: str) -> str:
    """Return a string as a Python literal, with double quotes where possible."""
    shown = repr(s)
    if shown[0] == "'" and '"' not in shown:
        inner = shown[1:-1].replace("\\'", "'")
        shown = f'"{inner}"'
    return shown


def float_text(code: Code) -> str:
    """Return a number literal as the text of a Python float."""
    if code.kind.numbers in "fz":
        return code.text
    return f"{code.text}.0" if re.fullmatch(r"-?\d+", code.text) else f"1.0 * {code.at(17)}"


def plus(code: Code, step: int) -> str:
    """Return the text of an expression plus a number; a constant at its end is merged."""
    base = code.at(15)
    while code.rank == 15 and (match := re.fullmatch(r"(.*[\w)\]]) ([+-]) (\d+)", base)):
        base, step = match[1], step + int(match[2] + match[3])
    if re.fullmatch(r"-?\d+", base):
        return str(int(base) + step)
    return f"{base} {'+' if step > 0 else '-'} {abs(step)}" if step else base


def as_list(shown: str) -> str:
    """Return numbers between brackets as a list, for functions that take one."""
    if not shown.startswith("np.array(["):
        return shown
    tree = ast.parse(shown, mode="eval").body
    alone = isinstance(tree, ast.Call) and ast.unparse(tree.func) == "np.array"
    return shown[len("np.array(") : -1] if alone and "dtype" not in shown else shown


def attribute(name: str) -> str:
    """Return the name of a field, with an underscore if it is a keyword of Python."""
    return f"{name}_" if keyword.iskeyword(name) else name


def bound_text(code: Code, step: int) -> str:
    """Return the text of an expression, converted to MATLAB's value, plus an integer."""
    return plus(unshifted(code), step)
