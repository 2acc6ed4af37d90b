"""Translation of functions that create or rearrange arrays, cells, structs and text."""

from __future__ import annotations

import re
from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.copies import owned
from spatial_v2.migrate.expressions import attribute, literal, string_value, value, whole
from spatial_v2.migrate.formats import mapped, num2str, printed
from spatial_v2.migrate.kinds import COLUMN_OF_CELLS, ROW_OF_CELLS, Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Args, named, text

__all__ = ["MAKING", "literal_length", "shape"]


def shape(body: Body, args: Args) -> tuple[list[str], str]:
    """Return the lengths of the axes in Python from the arguments of a function such as ``zeros``,
    and the form of an array with these axes.
    """
    if len(args) == 1 and args[0].type == "matrix":
        rows = [named(r) for r in named(args[0])]
        args = tuple(rows[0]) if len(rows) == 1 else args
    if not args:
        return [], "scalar"
    if len(args) == 1:
        args = (args[0], args[0])
    if len(args) == 2 and literal(args[0]) == literal(args[1]) == 1:
        return [], "scalar"
    texts = [whole(body, a) for a in args]
    if len(args) == 2 and texts == ["1", "1"]:
        return [], "scalar"
    if len(args) == 2 and texts[1] == "1":
        return texts[:1], "column"
    if len(args) == 2 and texts[0] == "1":
        return texts[1:], "row"
    return texts, "matrix" if len(args) == 2 else "tensor"


def _like(body: Body, args: Args) -> Code | None:
    """Return the translation of x if the only argument is ``size(x)``; otherwise None."""
    if len(args) == 1 and args[0].type == "function_call" and text(args[0]).startswith("size("):
        inner = [n for c in args[0].named_children if c.type == "arguments" for n in named(c)]
        return value(body, inner[0]) if len(inner) == 1 else None
    return None


def _filled(name: str, one: str) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        like = _like(body, args)
        if like and like.kind.is_array and like.kind.form != "array":
            if like.kind.form == "scalar":
                return Code(one, kind("s"))
            typed = ", dtype=float" if like.kind.numbers != "f" else ""
            return Code(f"np.{name}_like({like.text}{typed})", Kind(like.kind.form))
        n, form = shape(body, args)
        if form == "scalar":
            return Code(one, kind("s"))
        inner = n[0] if len(n) == 1 else f"({', '.join(n)})"
        length = literal_length(n)
        return Code(f"np.{name}({inner})", Kind(form, length=length))

    return made


def literal_length(n: list[str]) -> int:
    """Return the length of a vector if it is a literal, otherwise -1; 0 for a matrix without
    entries. `n` has the lengths of the axes as text.
    """
    if len(n) > 1 and "0" in n:
        return 0
    return int(n[0]) if len(n) == 1 and n[0].isdigit() else -1


def _logical(value_: str) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        n, form = shape(body, args)
        inner = n[0] if len(n) == 1 else f"({', '.join(n)})"
        if form == "scalar":
            return Code(value_, kind("b"))
        return Code(f"np.full({inner}, {value_})", Kind(form, "b"))

    return made


def _random(call: str) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        if args and args[0].type == "string":
            raise Undecided(
                "the state of the random numbers cannot be set as in MATLAB; remove the statement"
            )
        like = _like(body, args)
        body.need_rng()
        if like and like.kind.form in ("row", "column", "matrix"):
            return Code(f"rng.{call}(np.shape({like.text}))", Kind(like.kind.form))
        n, form = shape(body, args)
        inner = "" if not n else n[0] if len(n) == 1 else f"({', '.join(n)})"
        return Code(f"rng.{call}({inner})", Kind(form, length=literal_length(n)))

    return made


def _randi(body: Body, args: Args) -> Code:
    n, form = shape(body, args[1:])
    body.need_rng()
    first = [named(r) for r in named(args[0])] if args[0].type == "matrix" else []
    low, high = (whole(body, a) for a in first[0]) if first else ("1", whole(body, args[0]))
    inner = "" if not n else f", {n[0]}" if len(n) == 1 else f", ({', '.join(n)})"
    if form == "scalar":
        return Code(f"int(rng.integers({low}, {high} + 1))", kind("i"))
    return Code(
        f"rng.integers({low}, {high} + 1{inner}).astype(float)",
        Kind(form, length=literal_length(n)),
    )


def _eye(body: Body, args: Args) -> Code:
    if like := _like(body, args):
        return Code(f"np.eye(*np.shape({like.text}))", kind("m"))
    if (len(args) == 1 and literal(args[0]) == 1) or not args:
        return Code("1.0", kind("s"))
    return Code(f"np.eye({', '.join(whole(body, a) for a in args)})", kind("m"))


def _cells(body: Body, args: Args) -> Code:
    n, form = shape(body, args)
    if form == "matrix":
        return Code(f"[[np.zeros(0)] * {_factor(n[1])} for _ in range({n[0]})]", Kind("grid"))
    if form not in ("row", "column"):
        raise Undecided(
            "cell: want a row, a column, or rows and columns; write {[]} for a single entry"
        )
    count = _factor(n[0])
    marked = ROW_OF_CELLS if form == "row" else COLUMN_OF_CELLS
    made = Kind("cell", item=None, fields=marked, length=literal_length(n))
    return Code(f"[np.zeros(0)] * {count}", made)


def _factor(count: str) -> str:
    return count if re.fullmatch(r"\w+", count) else f"({count})"


def _struct(body: Body, args: Args) -> Code:
    if len(args) % 2:
        raise Undecided(f"struct: want pairs of a name and a value, got {len(args)} arguments")
    body.need("from types import SimpleNamespace")
    pairs = []
    k = kind("S")
    for name, node in zip(args[::2], args[1::2], strict=True):
        code = owned(body, value(body, node), "", node)
        if name.type != "string" or code.kind.form == "cell":
            raise Undecided(
                "struct: want names of fields as literals, and values that are no cells, which "
                "make an array of structs"
            )
        field = attribute(string_value(name))
        pairs.append(f"{field}={code.text}")
        k = k.with_field(field, code.kind)
    return Code(f"SimpleNamespace({', '.join(pairs)})", k)


MAKING: dict[str, Callable[[Body, Args], Code]] = {
    "zeros": _filled("zeros", "0.0"),
    "ones": _filled("ones", "1.0"),
    "true": _logical("True"),
    "false": _logical("False"),
    "rand": _random("random"),
    "randn": _random("standard_normal"),
    "randi": _randi,
    "eye": _eye,
    "cell": _cells,
    "struct": _struct,
    "cellfun": mapped,
    "arrayfun": mapped,
    "num2str": num2str,
    "sprintf": printed,
}
