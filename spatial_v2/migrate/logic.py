"""Comparisons, conditions and logical operators."""

from __future__ import annotations

import operator
import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import elementwise, operands
from spatial_v2.migrate.expressions import expression, literal, unshifted, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["COMPARISONS", "boolean", "comparison", "condition", "logical", "negated"]


COMPARISONS = {"==": "==", "~=": "!=", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}


COMPARED = {
    "==": operator.eq,
    "~=": operator.ne,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def _is_logical(node: Node) -> bool:
    """Test if a node is ``a & b`` or ``a | b``, not in parentheses."""
    return node.type == "binary_operator" and operands(node)[1] in ("&", "|")


def comparison(body: Body, node: Node) -> Code:
    left, op, right = operands(node)
    # the parser's precedence of & and | differs from MATLAB's
    if any(_is_logical(n) for n in (left, right)):
        raise Undecided(f"`{text(node)}`: ambiguous order of operations; add parentheses")
    if text(left) == "nargin" and "nargin" not in body.env:
        return body.given(op, literal(right))
    a, b = expression(body, left), expression(body, right)
    if a.kind.form == "text" or b.kind.form == "text":
        raise Undecided(
            f"`{text(node)}` compares text character by character; use strcmp to compare it as a "
            "whole"
        )
    known = literal(right)
    if a.kind.shift and known is not None:
        b = Code(str(known - a.kind.shift), kind("i"), 20 if known >= a.kind.shift else 17)
    elif not (a.kind.shift and a.kind.shift == b.kind.shift):
        a, b = unshifted(a), unshifted(b)
    if re.fullmatch(r"\d+", a.text) and re.fullmatch(r"\d+", b.text):
        return Code(str(COMPARED[op](int(a.text), int(b.text))), kind("b"))
    return elementwise(COMPARISONS[op], a, b, text(node))


def condition(body: Body, node: Node) -> Code:
    """Translate a condition to one logical value."""
    while node.type == "parenthesis":
        node = named(node)[0]
    code = value(body, node)
    if code.kind.form == "nothing" or (code.kind.form == "scalar" and code.kind.numbers == "b"):
        return code
    if code.kind.form == "scalar":
        return Code(f"{code.at(11)} != 0", kind("b"), 10)
    if code.kind.form == "array":
        return Code(f"np.size({code.text}) > 0 and np.all({code.text})", kind("b"), 7)
    if code.kind.is_array:
        return Code(f"{code.at(19)}.size > 0 and np.all({code.text})", kind("b"), 7)
    raise Undecided(
        f"`{text(node)}`: want numbers or logical values as a condition, got {code.kind.described}"
    )


def boolean(body: Body, node: Node) -> Code:
    left, op, right = operands(node)
    word, a = {"&&": "and", "||": "or"}[op], condition(body, left)
    if a.text == ("False" if word == "and" else "True"):
        return a  # the result is known, and MATLAB does not evaluate the other operand
    return _chained(a, word, condition(body, right))


def _chained(a: Code, word: str, b: Code) -> Code:
    rank = {"and": 7, "or": 6}[word]
    for x, y in ((a, b), (b, a)):
        if x.text in ("True", "False"):
            decides = (x.text == "True") == (word == "or")
            return x if decides else y
    both = f"{a.at(rank)} {word} {b.at(rank + 1)}"
    return Code(both, kind("b"), rank)


def logical(body: Body, left: Node, op: str, right: Node) -> Code:
    a, b = value(body, left), value(body, right)
    if a.kind.form == b.kind.form == "scalar":
        a, b = condition(body, left), condition(body, right)
        return _chained(a, {"&": "and", "|": "or"}[op], b)
    if a.kind.numbers != "b" or b.kind.numbers != "b":
        raise Undecided(
            f"`{text(left)} {op} {text(right)}`: want logical values, got numbers; compare them "
            "with 0"
        )
    code = elementwise(op, a, b, f"{text(left)} {op} {text(right)}")
    return Code(code.text, code.kind.now(numbers="b"), code.rank)


def negated(body: Body, node: Node) -> Code:
    inner = named(node)[0]
    code = value(body, inner)
    if code.text in ("True", "False"):
        return Code(str(code.text == "False"), kind("b"))
    if code.kind.form in ("scalar", "nothing"):
        return Code(f"not {condition(body, inner).at(8)}", kind("b"), 8)
    if code.kind.is_mask:
        return Code(f"~{code.at(17)}", code.kind.now(shared=False), 17)
    if code.kind.is_array:
        return Code(f"{code.at(11)} == 0", Kind(code.kind.form, "b"), 10)
    raise Undecided(f"`{text(node)}`: want numbers or logical values, got {code.kind.described}")
