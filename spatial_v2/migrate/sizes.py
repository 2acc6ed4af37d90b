"""Numbers of entries and axes."""

from __future__ import annotations

from contextlib import suppress

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import by_columns, operands
from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.kinds import (
    COLUMN_OF_CELLS,
    GROWS,
    ROW_OF_CELLS,
    Code,
    Kind,
    Undecided,
    kind,
)
from spatial_v2.migrate.parse import Args, Node, named, text

__all__ = ["length", "ndims", "no_value", "numel", "of_size", "same_size", "size", "sizes"]


def numel(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.kept and code.kind.form in ("struct", "model", "scalar", "nothing"):
        return _if_assigned(code, "1")
    if code.kind.kept:
        flat = code.kind.form in ("cell", "text") or code.kind.is_vector
        return _if_assigned(code, f"{'len' if flat else 'np.size'}({code.text})")
    if code.kind.form == "slice":
        return Code(f"{code.at(19)}.stop - {code.at(19)}.start", kind("i"), 15)
    if code.kind.form == "grid":
        return Code(f"len({code.text}) * len({code.at(19)}[0])", kind("i"), 16)
    if code.kind.form in ("cell", "text") or code.kind.is_vector:
        return Code(f"len({code.text})", kind("i"))
    if code.kind.is_array or code.kind.form == "nothing":
        return Code(f"np.size({code.text})", kind("i"))
    raise Undecided(f"numel: want an array, a cell or text, got {code.kind.described}")


def length(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if (axes := _axes(body, args[0])) is not None:
        return axes
    if code.kind.form == "grid":
        return Code(f"max(len({code.text}), len({code.at(19)}[0]))", kind("i"))
    if code.kind.form in ("matrix", "tensor"):
        longest = f"max({code.at(19)}.shape)"
        if code.kind.kept:
            return Code(f"0 if {no_value(code)} else {longest}", kind("i"), 1)
        if code.kind.length in (0, GROWS):
            return Code(f"{longest} if np.size({code.text}) else 0", kind("i"), 1)
        return Code(longest, kind("i"))
    if code.kind.form == "array" and not (code.kind.thin and not code.kind.kept):
        longest = f"max(np.shape({code.text}), default=1)"
        if code.kind.kept:
            return _if_assigned(code, longest)
        return Code(longest, kind("i"))
    return numel(body, args)


def _axes(body: Body, node: Node) -> Code | None:
    """Translate ``length(size(x))``, the number of axes; None for other arguments."""
    if node.type != "function_call" or text(node.child_by_field_name("name")) != "size":
        return None
    args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
    if "size" in body.env or len(args) != 1:
        return None
    with suppress(Undecided):
        return ndims(body, tuple(args))
    return None


def _if_assigned(code: Code, count: str) -> Code:
    """Return the count of a persistent variable, which is 0 before its first value."""
    return Code(f"0 if {code.at(11)} is None else {count}", kind("i"), 1)


def no_value(code: Code) -> str:
    """Return the condition that a persistent array is not assigned yet, or is empty."""
    return f"{code.at(11)} is None or np.size({code.text}) == 0"


def size(body: Body, args: Args) -> Code:
    code = by_columns(body, value(body, args[0]))
    k = code.kind if code.kind.along != "none" else Kind("matrix")
    axis = literal(args[1]) if len(args) == 2 else None
    if k.form == "nothing":
        return Code("...", kind("n") if len(args) == 1 else kind("i"))
    if len(args) == 1 and k.form in ("scalar", "column", "row", "matrix", "grid"):
        shown = {
            "grid": f"[len({code.text}), len({code.at(19)}[0])]",
            "scalar": "[1, 1]",
            "column": f"[len({code.text}), 1]",
        } | {"row": f"[1, len({code.text})]", "matrix": f"{code.at(19)}.shape"}
        return Code(f"np.array({shown[k.form]})", Kind("row", "i", length=2))
    if k.form == "grid" and axis in (1, 2):
        return Code(f"len({code.text if axis == 1 else f'{code.at(19)}[0]'})", kind("i"))
    if k.form == "cell" and axis in (1, 2):
        down = k.field("of joints") or k.fields == COLUMN_OF_CELLS
        list_axis = 1 if down else 2 if k.fields == ROW_OF_CELLS else 0
        if list_axis:
            across = "1" if k.length > 0 else f"min(len({code.text}), 1)"
            return Code(f"len({code.text})" if axis == list_axis else across, kind("i"))
    if axis is None or axis < 1 or not k.is_array or k.form in ("array", "vector", "empty"):
        raise Undecided(
            f"size: want an array of known shape, and an axis that is a literal, got {k.described}"
        )
    if axis > 3 or (axis == 3 and k.form != "tensor"):
        return Code("1", kind("i"))
    if k.form in ("matrix", "tensor"):
        return Code(f"{code.at(19)}.shape[{axis - 1}]", kind("i"))
    along = {"column": 1, "row": 2}.get(k.form)
    return Code(f"len({code.text})" if axis == along else "1", kind("i"))


def of_size(body: Body, node: Node) -> tuple[Code, list[int]] | None:
    """Return the array x and the integers m, n of a condition ``size(x) == [m n]``; None for other
    conditions.
    """
    while node.type == "parenthesis":
        node = named(node)[0]
    if node.type != "comparison_operator" or operands(node)[1] != "==":
        return None
    left, _, right = operands(node)
    if text(left).startswith("[") and right.type == "function_call":
        left, right = right, left
    if left.type != "function_call" or text(left.child_by_field_name("name")) != "size":
        return None
    args = [n for c in left.named_children if c.type == "arguments" for n in named(c)]
    items = [literal(n) for r in named(right) for n in named(r)] if right.type == "matrix" else []
    if "size" in body.env or len(args) != 1 or len(items) != 2 or None in items:
        return None
    return value(body, args[0]), [n for n in items if n is not None]


def same_size(code: Code, wanted: list[int]) -> Code | None:
    """Return Python code that tests whether an array has `wanted` rows and columns; None if its
    shape is not known.
    """
    form, (rows, columns) = code.kind.form, wanted
    if form == "nothing":
        return Code("...", kind("n"))
    if form == "scalar":
        return Code(str(rows == columns == 1), kind("b"))
    if form in ("column", "row"):
        along, other = (rows, columns) if form == "column" else (columns, rows)
        if other != 1:
            return Code("False", kind("b"))
        return Code(f"len({code.text}) == {along}", kind("b"), 10)
    if form == "matrix" or (form in ("array", "vector") and min(wanted) > 1):
        return Code(f"np.shape({code.text}) == ({rows}, {columns})", kind("b"), 10)
    return None


def sizes(body: Body, args: Args, nargout: int) -> Code:
    code = by_columns(body, value(body, args[0]))
    known = len(args) == 1 and code.kind.form in ("matrix", "tensor", "column", "row", "grid")
    if known and (code.kind.form == "tensor") == (nargout == 3):
        shown = {
            "column": f"len({code.text}), 1",
            "row": f"1, len({code.text})",
            "grid": f"len({code.text}), len({code.at(19)}[0])",
        }
        return Code(
            shown.get(code.kind.form, f"{code.at(19)}.shape"),
            Kind("tuple", fields=tuple((str(n), kind("i")) for n in range(nargout))),
        )
    raise Undecided(
        f"size: want an array of {nargout} axes for {nargout} results, got {code.kind.described}"
    )


def ndims(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form in ("scalar", "matrix") or code.kind.is_vector:
        return Code("2", kind("i"))
    raise Undecided(f"ndims: want a number, a vector or a matrix, got {code.kind.described}")
