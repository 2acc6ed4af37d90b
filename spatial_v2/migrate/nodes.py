"""Table of the translators of expressions."""

from __future__ import annotations

import re
from collections.abc import Callable

from spatial_v2.migrate import functions, literals, logic, operators, places
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.copies import owned
from spatial_v2.migrate.expressions import (
    NUMBER,
    expression,
    float_text,
    is_literal,
    is_nonzero,
    literal,
    plus,
    quoted,
    string_value,
    value,
)
from spatial_v2.migrate.kinds import (
    COLUMN_OF_CELLS,
    NUMBERS,
    ROW_OF_CELLS,
    Code,
    Kind,
    Undecided,
    join,
    kind,
    numbers,
)
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["EXPRESSIONS"]


def _number(body: Body, node: Node) -> Code:
    s = text(node).replace("D", "e").replace("d", "e")
    if s[-1] in "ij":
        return Code(s[:-1] + "j", Kind("scalar", "z"))
    if s.startswith(("0x", "0b")):
        raise Undecided(f"`{s}`: want a decimal number; other bases are not translated")
    if s.isdigit():
        return Code(str(int(s)), kind("i"))
    s = ("0" if s.startswith(".") else "") + s
    return Code(re.sub(r"\.(?=e|$)", ".0", s), NUMBER)


def _string(body: Body, node: Node) -> Code:
    return Code(quoted(string_value(node)), kind("x"))


def _first(code: Code) -> Code:
    """Return the first entry of an array, which MATLAB uses if an end of a range is an array; other
    values unchanged.
    """
    form = code.kind.form
    if form in ("row", "column", "matrix") and code.kind.numbers in "if" and not code.kind.shift:
        return Code(f"{code.at(19)}[{'0, 0' if form == 'matrix' else '0'}]", Kind("scalar", "f"))
    return code


def _range(body: Body, node: Node) -> Code:
    parts = [_first(value(body, n)) for n in named(node)]
    for p in parts:
        if p.kind.form not in ("scalar", "array", "nothing") or p.kind.numbers == "b":
            raise Undecided(
                f"`{text(node)}`: want single numbers as the ends of a range, got "
                f"{p.kind.described}"
            )
    first, last = parts[0], parts[-1]
    step = parts[1].text if len(parts) == 3 else "1"
    row = Kind("row", max(numbers(p.kind for p in parts), "f", key=NUMBERS.index))
    if step == "1" and first.kind.numbers == last.kind.numbers == "i":
        if last.text.isdigit() and first.text.isdigit():
            row = row.now(length=max(int(last.text) + 1 - int(first.text), 0))
        end = str(int(last.text) + 1) if last.text.isdigit() else plus(last, 1)
        return Code(f"np.arange({float_text(first)}, {end})", row)
    if len(parts) == 3 and not is_nonzero(body, named(node)[1]):
        if literal(named(node)[1]) == 0:
            return Code("np.zeros(0)", row)
        body.need("from spatial_v2.migrate.values import colon")
        return Code(f"colon({', '.join(p.text for p in parts)})", row)
    slack = f"1e-9 * {parts[1].at(17)}" if len(parts) == 3 else "1e-9"
    if step.startswith("-") and is_literal(named(node)[1]):
        end = f"{last.at(15)} - 1e-9 * {step[1:]}"
    else:
        end = f"{last.at(15)} + {slack}"
    return Code(f"np.arange({float_text(first)}, {end}, {step})", row)


SINGLE = ("scalar", "text", "function", "symbol")
"""Forms of values that nothing can edit in place."""


def _cell(body: Body, node: Node) -> Code:
    rows = [named(r) for r in named(node) if r.type == "row"]
    if len(rows) > 1 and max(map(len, rows)) > 1:
        return _grid(body, node, rows)
    items = [
        functions.spread(body, n) or owned(body, value(body, n), "", n) for r in rows for n in r
    ]
    item: Kind | None = None
    for x in items:
        item = join(item, x.kind.item if x.kind.form == "spread" else x.kind)
    if any(x.kind.form == "spread" for x in items):
        found = Kind("cell", item=item, fields=ROW_OF_CELLS if len(rows) < 2 else (), shared=True)
        return Code(f"[{', '.join(x.text for x in items)}]", found)
    marked = ROW_OF_CELLS if len(rows) < 2 else COLUMN_OF_CELLS
    every = tuple(x.kind.now(shared=False, shift=0) for x in items)
    shared = any(x.kind.shared and x.kind.form not in SINGLE for x in items)
    found = Kind("cell", item=item, length=len(items), items=every, fields=marked, shared=shared)
    return Code(f"[{', '.join(x.text for x in items)}]", found)


def _end(body: Body, node: Node) -> Code:
    if not body.end:
        raise Undecided("`end`: want it in the subscript of an array or a cell")
    return Code(body.end, kind("i"))


def _grid(body: Body, node: Node, rows: list[list[Node]]) -> Code:
    """Translate a cell of several rows and columns to a list of rows."""
    if len({len(r) for r in rows}) > 1:
        raise Undecided(f"`{text(node)}`: want rows of the same length")
    codes = [[owned(body, value(body, n), "", n) for n in r] for r in rows]
    item: Kind | None = None
    for c in (c for r in codes for c in r):
        item = join(item, c.kind)
    every = tuple(c.kind.now(shared=False, shift=0) for r in codes for c in r)
    lines = [f"[{', '.join(c.text for c in r)}]" for r in codes]
    return Code(f"[{', '.join(lines)}]", Kind("grid", item=item, items=every, length=len(rows[0])))


EXPRESSIONS: dict[str, Callable[[Body, Node], Code]] = {
    "number": _number,
    "string": _string,
    "parenthesis": lambda body, node: expression(body, named(node)[0]),
    "_expression": lambda body, node: expression(body, named(node)[0]),
    "binary_operator": operators.binary,
    "comparison_operator": logic.comparison,
    "boolean_operator": logic.boolean,
    "not_operator": logic.negated,
    "unary_operator": operators.unary,
    "postfix_operator": operators.transposed,
    "range": _range,
    "matrix": literals.matrix,
    "cell": _cell,
    "lambda": functions.without_name,
    "handle_operator": lambda body, node: functions.handle(body, text(named(node)[0])),
    "end_keyword": _end,
    "identifier": places.place,
    "function_call": places.place,
    "field_expression": places.place,
}
"""Type of node -> function that translates it."""
