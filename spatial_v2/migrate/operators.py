"""Operators; the translation depends on the kinds of both operands."""

from __future__ import annotations

import re

from spatial_v2.migrate import symbolic
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import elementwise, more, operands, real_numbers, two_axes, vector
from spatial_v2.migrate.expressions import expression, is_nonzero, literal, unshifted, value
from spatial_v2.migrate.kinds import (
    COLUMN_OF_CELLS,
    ROW_OF_CELLS,
    Code,
    Kind,
    Undecided,
    entrywise,
    kind,
    numbers,
)
from spatial_v2.migrate.logic import logical
from spatial_v2.migrate.parse import Node, named, text
from spatial_v2.migrate.powers import powers

__all__ = ["binary", "product", "quotient", "solved", "transposed", "turned", "unary"]


def binary(body: Body, node: Node) -> Code:
    left, op, right = operands(node)
    shown = text(node)
    if op in ("^", ".^"):
        return powers(body, node, left, op, right)
    a, b = expression(body, left), expression(body, right)
    if symbolic.is_symbolic(a, b):
        return symbolic.binary(body, op, unshifted(a), unshifted(b), shown)
    step = literal(right)
    # the sum of an index, translated to count from 0, and a constant counts from 0 too
    if op in "+-" and a.kind.shift and step is not None:
        return _offset(a, step if op == "+" else -step)
    a, b = real_numbers(unshifted(a)), real_numbers(unshifted(b))
    if op in ("&", "|"):
        return logical(body, left, op, right)
    if op == "+" and a.kind.numbers == b.kind.numbers == "i":
        a, b = _constants_last(a, b)
    if op in ("+", "-", ".*", "./"):
        a, b = two_axes(body, a, b)
    if op in ("+", "-"):
        return elementwise(op, a, b, shown)
    divisor = left if op in ("\\", ".\\") else right
    if op in ("/", "./", "\\", ".\\") and not is_nonzero(body, divisor):
        top, bottom = (b, a) if op in ("\\", ".\\") else (a, b)
        if _may_be_zero(body, divisor, top, bottom):
            return Code(f"np.divide({top.text}, {bottom.text})", Kind("scalar", more(a, b)))
    if op in (".*", "./"):
        return elementwise(op[1:], a, b, shown)
    if op == ".\\":
        return elementwise("/", b, a, shown)
    if "nothing" in (a.kind.form, b.kind.form):
        return Code(f"{a.at(16)} * {b.at(17)}", kind("n"), 16)
    for k in (a.kind, b.kind):
        if not k.is_array:
            raise Undecided(f"`{shown}`: want operands that are numbers, got {k.described}")
    if op == "*":
        return product(a, b, shown)
    if op == "/":
        return quotient(a, b, shown)
    if op == "\\":
        return solved(a, b, shown)
    raise Undecided(f"`{shown}`: the operator {op} is not translated")


def _may_be_zero(body: Body, divisor: Node, top: Code, bottom: Code) -> bool:
    """Test if a quotient may be a division by 0 of two Python numbers, which is an error, unlike
    in MATLAB and NumPy.
    """
    if not top.kind.form == bottom.kind.form == "scalar":
        return False
    while divisor.type == "parenthesis":
        divisor = named(divisor)[0]
    literal_ = divisor.type in ("number", "unary_operator") or bottom.kind.numbers == "i"
    return literal_ and not re.match(r"np\.(?!pi|inf|nan|size|shape|argm|flatnon)", top.text)


def _constants_last(a: Code, b: Code) -> tuple[Code, Code]:
    """Move integer constants of a sum a + b to its end, and merge them; return the two operands."""
    first = re.fullmatch(r"(.*) \+ (\d+)", a.text) if a.rank == 15 else None
    if not first:
        return a, b
    if re.fullmatch(r"\d+", b.text):
        return Code(first[1], a.kind, 15), Code(str(int(first[2]) + int(b.text)), b.kind)
    last = re.fullmatch(r"(.*) \+ (\d+)", b.text) if b.rank == 15 else None
    rest, more = (last[1], int(last[2])) if last else (b.at(16), 0)
    return Code(f"{first[1]} + {rest}", a.kind, 15), Code(str(int(first[2]) + more), b.kind)


def _offset(a: Code, step: int) -> Code:
    step += a.kind.shift - 1
    shifted = a.kind.now(shift=1, shared=False)
    if step == 0:
        return Code(a.text, shifted, a.rank)
    return Code(f"{a.at(15)} {'+' if step > 0 else '-'} {abs(step)}", shifted, 15)


def product(a: Code, b: Code, shown: str) -> Code:
    """Translate ``*``."""
    if a.kind.form == "matrix" and b.kind.along == "column":
        b = vector(b)
    if b.kind.form == "matrix" and a.kind.along == "row":
        a = vector(a)
    f, g = a.kind.form, b.kind.form
    found = numbers((a.kind, b.kind))
    if f == "scalar" or g == "scalar":
        whole = entrywise(g if f == "scalar" else f, found, a.kind, b.kind)
        return Code(f"{a.at(16)} * {b.at(17)}", whole, 16)
    forms = {
        ("matrix", "matrix"): "matrix",
        ("matrix", "column"): "column",
        ("row", "matrix"): "row",
        ("row", "column"): "scalar",
    }
    if (f, g) in forms:
        wide = forms[f, g] == "matrix" and b.kind.wide
        return Code(f"{a.at(16)} @ {b.at(17)}", Kind(forms[f, g], found, wide=wide), 16)
    if a.kind.along == "none" and g == "column":
        return Code(f"{a.at(16)} @ {b.at(17)}", Kind("column", found), 16)
    if any(k.along == "none" and not k.wide for k in (a.kind, b.kind)):
        raise Undecided(f"`{shown}`: an array with two axes may be a number")
    if {"none" if k.along == "none" else k.form for k in (a.kind, b.kind)} <= {"none", "matrix"}:
        wide = any(k.form == "matrix" and not k.wide for k in (a.kind, b.kind))
        whole = Kind("array", found, along="none", plane=True, wide=wide)
        return Code(f"{a.at(16)} @ {b.at(17)}", whole, 16)
    if (f, g) == ("column", "row"):
        return Code(f"np.outer({a.text}, {b.text})", Kind("matrix", found))
    # of vectors, only a column times a row is other than np.dot, which takes numbers, too
    outer = a.kind.vector in ("column", "both") and b.kind.vector in ("row", "both")
    if "array" in (f, g) and {f, g} <= {"array", "matrix", "row", "column"} and not outer:
        return Code(f"np.dot({a.text}, {b.text})", Kind("array", found, along=_along(a, b)))
    raise Undecided(
        f"`{shown}`: it is unknown which product {a.kind.described} times {b.kind.described} is"
    )


def _along(a: Code, b: Code) -> str:
    """Return the only vector that a product of arrays can be; "" for both."""
    if a.kind.form == "row" or (b.kind.form == "matrix" and a.kind.along == "row"):
        return "row"
    if b.kind.form == "column" or (a.kind.form == "matrix" and b.kind.along == "column"):
        return "column"
    return a.kind.along if a.kind.along == b.kind.along else ""


def quotient(a: Code, b: Code, shown: str) -> Code:
    """Translate ``/``."""
    f, g = a.kind.form, b.kind.form
    found = more(a, b)
    if g == "scalar":
        return Code(f"{a.at(16)} / {b.at(17)}", entrywise(f, found, a.kind), 16)
    if g == "matrix" and f in ("row", "matrix"):
        inner = f"np.linalg.solve({b.at(19)}.T, {a.at(19)}{'.T' if f == 'matrix' else ''})"
        return Code(inner + (".T" if f == "matrix" else ""), Kind(f, found))
    raise Undecided(
        f"`{shown}`: want a number as divisor, or a row or matrix over a matrix; got "
        f"{a.kind.described} over {b.kind.described}"
    )


def solved(a: Code, b: Code, shown: str) -> Code:
    r"""Translate ``\``."""
    f, g = a.kind.form, b.kind.form
    found = more(a, b)
    if f == "scalar":
        return Code(f"{b.at(16)} / {a.at(17)}", entrywise(g, found, b.kind), 16)
    if f == "matrix" and g in ("column", "matrix"):
        return Code(f"np.linalg.solve({a.text}, {b.text})", Kind(g, found))
    raise Undecided(
        f"`{shown}`: want a number, or a matrix and then a column or matrix; got "
        f"{a.kind.described} and then {b.kind.described}"
    )


def unary(body: Body, node: Node) -> Code:
    code = real_numbers(value(body, named(node)[0]))
    if symbolic.is_symbolic(code):
        return code if text(node).startswith("+") else Code(f"-{code.at(17)}", code.kind, 17)
    if not code.kind.is_array and code.kind.form != "nothing":
        raise Undecided(f"`{text(node)}`: want numbers after the sign, got {code.kind.described}")
    if text(node).startswith("+"):
        return code
    return Code(f"-{code.at(17)}", code.kind.now(shared=False, length=code.kind.length), 17)


def transposed(body: Body, node: Node) -> Code:
    return turned(value(body, named(node)[0]), text(node), not text(node).endswith(".'"))


def turned(code: Code, shown: str, conjugated: bool) -> Code:
    """Return the transpose of a value, which is `shown` so in MATLAB."""
    k = code.kind
    conj = ".conj()" if conjugated and k.numbers in "?z" else ""
    other = {"row": "column", "column": "row"}.get(k.form, k.form)
    changed = k.now(form=other)
    if k.form in ("scalar", "row", "column", "vector", "nothing", "text", "empty"):
        if conj and k.form == "scalar":
            return Code(f"np.conj({code.text})", changed)
        return Code(code.at(19) + conj, changed) if conj else Code(code.text, changed, code.rank)
    if k.form == "symbols":
        return Code(code.at(19) + (".H" if conjugated else ".T"), k)
    if k.form == "matrix" or k.along == "none":
        row = k.wide or k.form == "array"
        turned_ = k.now(form="array", along="none", plane=True) if row else changed
        return Code(f"{code.at(19)}{conj}.T", turned_)
    if k.form == "array":
        along = {"row": "column", "column": "row"}.get(k.along, k.along)
        shown_ = f"np.conj({code.text})" if conj else code.text
        return Code(f"np.transpose({shown_})", k.now(along=along))
    if k.form == "cell":
        across = COLUMN_OF_CELLS if k.fields == ROW_OF_CELLS else ()
        side = ROW_OF_CELLS if k.fields == COLUMN_OF_CELLS else across
        return Code(code.text, k.now(fields=side), code.rank)
    raise Undecided(
        f"`{shown}`: want a number, a vector or a matrix to transpose, got {k.described}"
    )
