"""Assignments to entries of arrays that are empty at first."""

from __future__ import annotations

import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import literal, plus
from spatial_v2.migrate.filling import at_entry, counted, is_there, only_sometimes
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import GROWS, NUMBERS, Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Node, named, text, walk
from spatial_v2.migrate.places import Step
from spatial_v2.migrate.written import before_growth, held, written

__all__ = ["along_of", "begun", "count_of"]


def begun(body: Body, here: Code, path: list[Step], code: Code, left: Node) -> Kind:
    """Assign the first entry of an empty array, after allocating all entries that a loop fills."""
    args = path[-1].args
    root = text(next(n for n in walk(left) if n.type == "identifier"))
    if code.kind.form == "nothing":
        return body.not_known(text(left), kind("n"))
    along = along_of(args)
    form = "row" if len(args) == 1 or literal(args[0]) == 1 else "column"
    if along is not None and code.kind.form == "scalar":
        loop = counted(body, here.text, along, left)
        before = at_entry(loop, path, root) if loop else None
        if loop and (before is None or before.form == "empty"):
            typed = ", dtype=complex" if code.kind.numbers in "z" else ""
            loop["appended"].add(here.text)
            loop["prelude"].append(f"{here.text} = np.zeros({loop['count']}{typed})")
            body.write(f"{here.text}[{index(body, along, here, -1).text}] = {code.text}")
            return Kind(form, max(code.kind.numbers, "f", key=NUMBERS.index))
    if along is not None and along.type == "range" and not body.loops and here.kind.form == "empty":
        ends = [literal(n) for n in named(along)]
        numeric = code.kind.numbers in "if" and (code.kind.form == "scalar" or code.kind.is_vector)
        if numeric and len(ends) == 2 and ends[0] == 1 and (ends[1] or 0) > 1:
            body.write(f"{here.text} = np.zeros({ends[1]})")
            body.write(f"{here.text}[:] = {code.text}")
            return Kind(form, "f", length=ends[1] or -1)
    known = code.kind.form == "scalar" and here.kind.form in ("empty", "row", "column")
    if known and along is not None and code.kind.numbers in "if":
        if len(args) == 1 and here.kind.form != "empty":
            form = here.kind.form
        at = index(body, along, Code(here.text, Kind("row")), -1)
        if at.form == "one" and not at.text.startswith("-"):
            if not is_there(body, here, path, root):
                raise only_sometimes(left, "array", "x = []")
            body.need("from spatial_v2.migrate.values import with_entry")
            body.write(f"{here.text} = with_entry({here.text}, {at.text}, {code.text})")
            found = here.kind.numbers if here.kind.is_vector else "f"
            return Kind(form, max(found, "f", key=NUMBERS.index), length=GROWS)
    return _matrix(body, here, path, code, left, root)


def _matrix(body: Body, here: Code, path: list[Step], code: Code, left: Node, root: str) -> Kind:
    """Assign to a part of a matrix or tensor that may be empty before."""
    args, new, x = path[-1].args, code.kind, here.text
    rest = Code(x, Kind("matrix" if len(args) == 2 else "tensor", "f", length=0))
    whole = [a.type == "spread_operator" for a in args]
    if len(args) not in (2, 3) or here.kind.form not in ("empty", rest.kind.form):
        raise Undecided(
            f"`{text(left)}`: an array that is empty at first can be filled by 2 or 3 subscripts, "
            f"got {len(args)} of {here.kind.described}"
        )
    if new.numbers not in "if?" or here.kind.numbers not in "if?":
        raise Undecided(
            f"`{text(left)}`: the array may be logical or complex and cannot grow; create it with "
            "its final size"
        )
    at = [index(body, a, rest, n) for n, a in enumerate(args)]
    several = sum(a.form != "one" for a in at)
    forms = {0: ("scalar",), 1: ("row", "column", "vector"), 2: ("matrix",)}.get(several, ())
    if new.form not in forms:
        raise Undecided(
            f"`{text(left)}`: the subscripts select entries along {several} axes, but the value "
            f"is {new.described}"
        )
    counts = [count_of(body, rest, a, n) for n, a in enumerate(args)]
    if None in counts or any(c == "0" and not w for c, w in zip(counts, whole, strict=True)):
        raise Undecided(
            f"`{text(left)}`: it is unknown whether the array grows; create it with its final size"
        )
    if not is_there(body, here, path, root):
        raise only_sometimes(left, "array", "x = []")
    code = before_growth(body, here, code, "new")
    if any(whole) and not re.fullmatch(r"\w+", code.text):
        code = held(body, here, code, "new")
    free = [n for n, a in enumerate(at) if a.form != "one"]
    sizes = []
    for n, (count, all_) in enumerate(zip(counts, whole, strict=True)):
        length = f"len({code.text})" if several == 1 else f"{code.text}.shape[{n in free[1:]:d}]"
        sizes.append(length if all_ else count)
    if any(re.search(rf"(?<![\w.]){re.escape(x)}(?!\w)", c or "") for c in sizes):
        raise Undecided(
            f"`{text(left)}`: the array grows to an end that depends on the array; assign this "
            "end to a variable first"
        )
    body.need("from spatial_v2.migrate.values import grown")
    body.write(f"{x} = grown({x}, {', '.join(c for c in sizes if c)})")
    after = written(body, rest, args, code, left)
    return after.now(length=0, shared=False)


def count_of(body: Body, here: Code, arg: Node, axis: int) -> str | None:
    """Return the length that an axis needs for a subscript, as text; None if it is unknown."""
    if arg.type in ("spread_operator", "end_keyword"):
        return "0"
    at = index(body, arg, here, axis)
    if at.form == "one":
        if at.text.startswith("-"):
            return "0"
        return plus(Code(at.text, kind("i"), 15 if " " in at.text else 20), 1)
    if at.form == "slice" and ":" not in at.text:
        return f"{at.text}.stop"
    if at.form == "slice" and (ends := re.fullmatch(r"[^:]*:([^:-][^:]*)", at.text)):
        return ends[1]
    return None


def along_of(args: tuple[Node, ...]) -> Node | None:
    """Return the subscript i of ``x(i)``, ``x(i, 1)`` or ``x(1, i)``; None for other subscripts."""
    if len(args) == 2 and 1 in (literal(args[0]), literal(args[1])):
        return args[0] if literal(args[1]) == 1 else args[1]
    return args[0] if len(args) == 1 else None
