"""Powers."""

from __future__ import annotations

import re

from spatial_v2.migrate import symbolic
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import more, paired, real_numbers
from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, entrywise
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["powers"]


def powers(body: Body, node: Node, left: Node, op: str, right: Node) -> Code:
    """Translate a power. In MATLAB ``-a^b`` is ``-(a^b)``; the grammar parses it as ``(-a)^b``."""
    minus = left.type == "unary_operator"
    inner = named(left)[0] if minus else left
    open_ = ("unary_operator", "not_operator", "binary_operator")
    if inner.type in open_ or right.type in ("postfix_operator", "binary_operator"):
        raise Undecided(f"`{text(node)}`: ambiguous order of operations; add parentheses")
    a = real_numbers(value(body, inner))
    b = real_numbers(value(body, right))
    if symbolic.is_symbolic(a, b):
        code = symbolic.binary(body, op, a, b, text(node))
    else:
        code = _power(body, op, a, b, right, text(node))
    if not minus or text(left).startswith("+"):
        return code
    return Code(f"-{code.at(17)}", code.kind.now(shared=False), 17)


def _power(body: Body, op: str, a: Code, b: Code, right: Node, shown: str) -> Code:
    exponent = literal(right)
    f, g = a.kind.form, b.kind.form
    if op == "^" and f == "matrix" and exponent is not None:
        return Code(f"np.linalg.matrix_power({a.text}, {exponent})", a.kind.now(shared=False))
    if op == "^" and f == "matrix" and g == "scalar":
        if b.kind.numbers == "i":
            shown_ = f"np.linalg.matrix_power({a.text}, {b.text})"
            return Code(shown_, a.kind.now(shared=False))
        if b.kind.numbers == "f" and a.kind.numbers in "if":
            body.need("from scipy.linalg import fractional_matrix_power")
            shown_ = f"fractional_matrix_power({a.text}, {b.text})"
            return Code(shown_, a.kind.now(shared=False, numbers="?"))
    if op == "^" and not (f in ("scalar", "nothing") and g in ("scalar", "nothing")):
        raise Undecided(
            f"`{shown}`: want a number to the power of a number, or a matrix to a real power; got "
            f"{a.kind.described} and {b.kind.described}; write .^ for entries"
        )
    left, other, form = paired(a, b, shown)
    found = more(a, b)
    positive = bool(re.fullmatch(r"[\d.e]+|np\.(pi|e)", a.text))
    if exponent is not None or positive or b.kind.numbers == "i":
        base = a.text
        if f == "scalar" and a.kind.numbers == "i" and not (exponent and 0 <= exponent < 4):
            base = (
                f"{a.text}.0" if a.text.strip("0") and a.text.isdigit() else f"np.float64({a.text})"
            )
            return Code(f"{base}**{other or b.at(18)}", Kind(form, "f"), 18)
        found = "i" if f == "scalar" and a.kind.numbers == "i" else found
        whole = entrywise(form, found, a.kind, b.kind)
        return Code(f"{left or a.at(19)}**{other or b.at(18)}", whole, 18)
    complex_ = "z" in (a.kind.numbers, b.kind.numbers)
    whole = entrywise(form, "z" if complex_ else "?", a.kind, b.kind)
    return Code(f"np.emath.power({left or a.text}, {other or b.text})", whole)
