"""Subscripts, converted to count from 0."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.bounds import least
from spatial_v2.migrate.expressions import expression, literal, plus, unshifted
from spatial_v2.migrate.kinds import Code, Undecided, kind
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["Index", "bound", "from_end", "index"]


class Index(NamedTuple):
    """One subscript: its text in Python and the number of entries it selects."""

    text: str
    form: str
    """Form of the subscript: "one", "slice", "mask" or "list"."""
    row: bool = True
    """True if a list of subscripts is a row."""


def _end(code: Code, axis: int) -> str:
    """Return Python code for the value of MATLAB's ``end`` as subscript number `axis`, from 0: the
    length of this axis; axis -1 stands for a single subscript.
    """
    if code.kind.form == "matrix" and axis == -1:
        return f"{code.at(19)}.size"
    if axis >= 0 and code.kind.form not in ("matrix", "tensor"):
        return "1" if (axis == 0) == (code.kind.form == "row") else f"len({code.text})"
    return f"len({code.text})" if axis <= 0 else f"{code.at(19)}.shape[{axis}]"


def from_end(node: Node) -> int | None:
    """Return the number k of a subscript ``end - k``, or None for other subscripts."""
    if node.type == "end_keyword":
        return 0
    parts = named(node)
    if node.type == "binary_operator" and parts[0].type == "end_keyword":
        k = literal(parts[1])
        if k is not None and "-" in text(node) and k >= 0:
            return k
    return None


def bound(body: Body, node: Node, less: int) -> str:
    """Return the Python code of an end of a range of subscripts, minus `less`, as an integer."""
    code = expression(body, node)
    k = code.kind
    if k.form not in ("scalar", "array", "nothing"):
        raise Undecided(
            f"`{text(node)}`: want a single number as the end of a range, got {k.described}"
        )
    if k.numbers not in "ibm":
        code = Code(f"int({unshifted(code).text})", kind("i"))
    elif k.numbers in "bm":
        raise Undecided(f"`{text(node)}`: it is unknown whether this end of a range is logical")
    return plus(code, k.shift - less)


def index(body: Body, node: Node, whole: Code, axis: int) -> Index:
    """Translate a subscript, so that it counts from 0; `whole` is the array, and `axis` the
    position of the subscript, as in `_end`.
    """
    if node.type == "spread_operator":
        return Index(":", "slice")
    if (k := from_end(node)) is not None:
        return Index(str(-1 - k), "one")
    if (k := literal(node)) is not None:
        if k < 1:
            raise Undecided(f"a subscript: want 1 or more, got {k}")
        return Index(str(k - 1), "one")
    with body.ending(_end(whole, axis)):
        if node.type == "range":
            return _slice(body, node)
        code = expression(body, node)
        kd = code.kind
        if kd.form == "nothing":
            return Index(code.text, "one")
        if kd.form == "slice":
            return Index(code.text, "slice")
        if kd.form == "scalar" and kd.numbers != "b":
            return Index(bound(body, node, 1), "one")
    if kd.is_mask:
        return Index(code.text, "mask")
    if kd.numbers == "m":
        raise Undecided(f"it is unknown whether the subscript `{text(node)}` is logical")
    if kd.is_vector:
        listed = named(node)
        items = [literal(n) for r in listed for n in named(r)] if node.type == "matrix" else [None]
        if all(i is not None for i in items):
            return Index(f"[{', '.join(str(i - 1) for i in items if i)}]", "list", kd.form == "row")
        if kd.numbers == "i":
            return Index(plus(code, kd.shift - 1), "list", kd.form == "row")
        shown = unshifted(code).at(19)
        return Index(f"{shown}.astype(int) - 1", "list", kd.form == "row")
    raise Undecided(
        f"the subscript `{text(node)}`: want numbers or logical values, got {kd.described}"
    )


def _slice(body: Body, node: Node) -> Index:
    parts = named(node)
    step = literal(parts[1]) if len(parts) == 3 else 1
    first, last = parts[0], parts[-1]
    if step is None or step == 0:
        raise Undecided(f"`{text(node)}`: want a step that is a literal, and not 0")
    k, e = from_end(first), from_end(last)
    if step > 0:
        start = (
            "" if literal(first) == 1 else str(-1 - k) if k is not None else bound(body, first, 1)
        )
        stop = "" if e == 0 else str(-e) if e is not None else bound(body, last, 0)
        if (stop[:1] == "-" and e is None) or " - " in stop or _may_be_negative(body, last, e):
            stop = f"max({stop}, 0)"
    else:
        start = "" if k == 0 else str(-1 - k) if k is not None else bound(body, first, 1)
        if literal(last) is None:
            raise Undecided(f"`{text(node)}`: want a literal as the end of a decreasing range")
        stop = "" if literal(last) == 1 else str((literal(last) or 0) - 2)
    if " - " in start:
        start = f"max({start}, 0)" if step > 0 else start
    shown = f"{start}:{stop}" if step == 1 else f"{start}:{stop}:{step}"
    return Index(shown, "slice")


def _may_be_negative(body: Body, last: Node, from_end_: int | None) -> bool:
    """Test if the end of a range may lie below 0, where Python counts from the end of the array."""
    return from_end_ is None and least(body, last) < 0
