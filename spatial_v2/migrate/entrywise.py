"""Operators applied entry by entry, with broadcasting."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.kinds import NUMBERS, Code, Kind, Undecided, entrywise, kind, numbers
from spatial_v2.migrate.parse import Node, named, text

__all__ = [
    "RANKS", "by_columns", "elementwise", "more", "operands", "own_vector", "paired",
    "real_numbers", "two_axes", "vector",
]  # fmt: skip


def real_numbers(code: Code) -> Code:
    """Convert logical values to numbers for arithmetic."""
    if code.kind.numbers not in "bm" or not code.kind.is_array:
        return code
    if code.kind.numbers == "m":
        return Code(f"{code.at(15)} + 0", code.kind.now(numbers="?", shared=False), 15)
    if code.kind.form == "scalar":
        return Code(f"int({code.text})", kind("i"))
    return Code(f"{code.at(19)}.astype(float)", code.kind.now(numbers="f"))


def vector(code: Code) -> Code:
    """Convert a value that is a number or a row, or a number or a column, to a vector."""
    k = code.kind
    if k.form != "array" or not k.thin or k.along not in ("row", "column"):
        return code
    return Code(f"np.atleast_1d({code.text})", Kind(k.along, k.numbers, shared=k.shared))


def own_vector(code: Code) -> Code:
    """Convert as `vector` to an array of floats, whose entries can be assigned."""
    if vector(code) == code or code.kind.numbers not in "if":
        return code
    return Code(f"np.array({code.text}, float, ndmin=1)", Kind(code.kind.along))


def by_columns(body: Body, code: Code) -> Code:
    """Convert a value that is a number, a column or a matrix to a matrix, or to an array of two
    axes, if it may be a row with two axes.
    """
    k = code.kind
    if k.form != "array" or k.along != "column" or k.kept:
        return code
    body.need("from spatial_v2.migrate.values import by_columns")
    whole = Kind("matrix", k.numbers, k.shift, shared=k.shared, wide=True)
    if k.plane:
        whole = whole.now(form="array", along="none", plane=True, wide=k.wide)
    return Code(f"by_columns({code.text})", whole)


def two_axes(body: Body, a: Code, b: Code) -> tuple[Code, Code]:
    """Convert the operands of an operator, if one may be a row with two axes."""
    if not (a.kind.plane or b.kind.plane):
        return a, b
    return by_columns(body, a), by_columns(body, b)


def operands(node: Node) -> tuple[Node, str, Node]:
    """Return the left operand, the operator and the right operand of an expression."""
    parts = named(node)
    op = next(text(c) for c in node.children if not c.is_named and text(c).strip())
    return parts[0], op, parts[-1]


def paired(a: Code, b: Code, shown: str) -> tuple[str, str, str]:
    """Return the texts of two operands so that they broadcast as in MATLAB ('' if an operand is
    used as it is), and the form of the result.
    """
    if "array" in (a.kind.form, b.kind.form) and "scalar" not in (a.kind.form, b.kind.form):
        one, other = vector(a), vector(b)
        if (one, other) != (a, b):
            left, right, form = paired(one, other, shown)
            return left or one.at(17), right or other.at(17), form
    f, g = a.kind.form, b.kind.form
    if "nothing" in (f, g):
        return a.at(17), b.at(17), "nothing"
    for k in (a.kind, b.kind):
        if not k.is_array or k.form == "empty":
            raise Undecided(f"`{shown}`: want operands that are numbers, got {k.described}")
    if f == "scalar" or g == "scalar" or (f == g and f not in ("vector", "array")):
        return "", "", g if f == "scalar" else f
    if f == g == "vector" and a.text == b.text:
        return "", "", f
    axes = {"none" if k.along == "none" else k.form for k in (a.kind, b.kind)}
    if axes <= {"row", "column", "matrix", "none"}:
        as_column = "{}[:, None]"
        left = as_column.format(a.at(19)) if f == "column" else ""
        right = as_column.format(b.at(19)) if g == "column" else ""
        return left, right, "array" if "none" in axes else "matrix"
    raise Undecided(
        f"`{shown}`: want operands that are known to be rows, columns or matrices, got "
        f"{a.kind.described} and {b.kind.described}"
    )


def more(a: Code, b: Code) -> str:
    """Return the type of numbers of a quotient, which is at least float."""
    return max(numbers((a.kind, b.kind)), "f", key=NUMBERS.index)


RANKS = {"+": 15, "-": 15, "*": 16, "/": 16, "@": 16, "&": 13, "|": 11}


def elementwise(op: str, a: Code, b: Code, shown: str) -> Code:
    """Translate an operator that is applied entry by entry."""
    left, right, form = paired(a, b, shown)
    rank = RANKS.get(op, 10)
    tight = rank + (op in "-/*")
    if rank == 10:
        tight = rank = 10
        text_ = f"{left or a.at(11)} {op} {right or b.at(11)}"
        return Code(text_, entrywise(form, "b", a.kind, b.kind), 10)
    found = numbers((a.kind, b.kind))
    if op == "/" and found == "i":
        found = "f"
    whole = entrywise(form, found, a.kind, b.kind)
    return Code(f"{left or a.at(rank)} {op} {right or b.at(tight)}", whole, rank)
