"""Functions that query values: size, length, find, isempty, isfield, and so on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.entrywise import by_columns, operands
from spatial_v2.migrate.expressions import attribute, literal, quoted, string_value, value, whole
from spatial_v2.migrate.kinds import (
    COLUMN_OF_CELLS,
    GROWS,
    ROW_OF_CELLS,
    Code,
    Kind,
    Undecided,
    kind,
)
from spatial_v2.migrate.names import MODEL
from spatial_v2.migrate.parse import named, text, walk
from spatial_v2.migrate.values import PARTS

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["ASKING", "FORMS", "SEVERAL", "is_form", "of_size", "same_size"]

Node = Any
Args = tuple[Node, ...]


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
            return Code(f"0 if {_no_value(code)} else {longest}", kind("i"), 1)
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


def _no_value(code: Code) -> str:
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
        } | {
            "row": f"[1, len({code.text})]",
            "matrix": f"{code.at(19)}.shape",
        }
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


def _sizes(body: Body, args: Args, nargout: int) -> Code:
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


def _extreme(name: str) -> Callable[..., Code]:
    def made(body: Body, args: Args, nargout: int) -> Code:
        code = value(body, args[0])
        if len(args) != 1 or not code.kind.is_vector or code.kind.numbers == "z":
            raise Undecided(
                f"{name} with two results: want one vector of real numbers, got "
                f"{code.kind.described}"
            )
        x = code.text if code.kind.numbers not in "bm" else f"{code.at(19)}.astype(float)"
        return Code(
            f"np.nan{name}({x}), np.nanarg{name}({x})",
            Kind("tuple", fields=(("0", kind("s")), ("1", kind("i").now(shift=1)))),
        )

    return made


def _sorted(body: Body, args: Args, nargout: int) -> Code:
    code = value(body, args[0])
    down = len(args) == 2 and args[1].type == "string" and string_value(args[1]) == "descend"
    if len(args) != 1 + down or not code.kind.is_vector or code.kind.numbers not in "if":
        raise Undecided(
            "sort with two results: want a vector of real numbers, and no option but 'descend'; "
            f"got {code.kind.described}"
        )
    k = code.kind.now(shared=False)
    if down:
        body.need("from spatial_v2.migrate.values import descending")
        kinds = Kind("tuple", fields=(("0", k), ("1", k.now(numbers="i", shift=1))))
        return Code(f"descending({code.text})", kinds)
    return Code(
        f'np.sort({code.text}), np.argsort({code.text}, kind="stable")',
        Kind("tuple", fields=(("0", k), ("1", k.now(numbers="i", shift=1)))),
    )


def find(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if len(args) == 1 and code.kind.is_vector:
        return Code(f"np.flatnonzero({code.text})", Kind(code.kind.form, "i", shift=1))
    if code.kind.form == "nothing":
        return code
    if len(args) == 2 and code.kind.is_vector:
        few = f"np.flatnonzero({code.text})[:{whole(body, args[1])}]"
        return Code(few, Kind(code.kind.form, "i", shift=1))
    if len(args) == 1 and code.kind.form == "matrix":
        shown = f'np.flatnonzero({code.at(19)}.ravel(order="F"))'
        return Code(shown, Kind("column", "i", shift=1))
    raise Undecided(
        f"find: want a vector, or a matrix without a second argument, got {code.kind.described}"
    )


def isempty(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.kept:
        if all(x.isdigit() for x in _assigned(body, text(args[0]))):
            return Code(f"{code.at(11)} is None", kind("b"), 10)
        return Code(_no_value(code), kind("b"), 6)
    if code.kind.form in ("cell", "text"):
        return Code(f"len({code.text}) == 0", kind("b"), 10)
    if code.kind.form == "other":
        body.need("from spatial_v2.migrate.values import numel")
        return Code(f"numel({code.text}) == 0", kind("b"), 10)
    if code.kind.is_array or code.kind.form == "nothing":
        return Code(f"np.size({code.text}) == 0", kind("b"), 10)
    raise Undecided(f"isempty: want an array, a cell or text, got {code.kind.described}")


def _assigned(body: Body, name: str) -> list[str]:
    """Return the right sides, as text, of all assignments to a variable in the present function."""
    found = (n for b in body.nodes for n in walk(b) if n.type == "assignment")
    sides = [(n.child_by_field_name("left"), n.child_by_field_name("right")) for n in found]
    return [text(right) for left, right in sides if name in {text(n) for n in walk(left)}]


def isfield(body: Body, args: Args) -> Code:
    a, b = value(body, args[0]), value(body, args[1])
    if a.kind.form not in ("struct", "other", "model") or b.kind.form != "text":
        raise Undecided(
            f"isfield: want a struct and the name of a field as text, got {a.kind.described} and "
            f"{b.kind.described}"
        )
    asked = quoted(attribute(string_value(args[1]))) if args[1].type == "string" else b.text
    if a.kind.form == "model":
        if args[1].type != "string":
            raise Undecided("isfield: want the name of the field of a model as a literal")
        if string_value(args[1]) not in (*MODEL, *PARTS):
            if a.kind.field(string_value(args[1])) is None and not body.program.open:
                return Code("False", kind("b"))
            return Code(f"{asked} in {a.at(19)}.user", kind("b"), 10)
    return Code(f"hasattr({a.text}, {asked})", kind("b"))


def isequal(body: Body, args: Args) -> Code:
    a, b = value(body, args[0]), value(body, args[1])
    same = a.kind.form == b.kind.form
    if same and a.kind.form in ("scalar", "text"):
        return Code(f"{a.at(11)} == {b.at(11)}", kind("b"), 10)
    if same and a.kind.is_array and a.kind.form != "array":
        return Code(f"np.array_equal({a.text}, {b.text})", kind("b"))
    raise Undecided(
        "isequal: want two numbers, two texts or two arrays of one known shape, got "
        f"{a.kind.described} and {b.kind.described}; compare their parts"
    )


def isreal(body: Body, args: Args) -> Code:
    """Translate ``isreal``: True if all imaginary parts are zero, as MATLAB makes such results of
    arithmetic real; True of text, and False of cells, structs and functions.
    """
    code = value(body, args[0])
    if code.kind.form in ("text", "lines", "cell", "grid", "struct", "function"):
        return Code(str(code.kind.form in ("text", "lines")), kind("b"))
    return Code(f"bool(np.all(np.isreal({code.text})))", kind("b"))


def _is_shape(name: str) -> Callable[[Body, Args], Code]:
    """Return the translator of the function `name`: ``isscalar`` or ``isvector``."""

    def made(body: Body, args: Args) -> Code:
        code = value(body, args[0])
        form = code.kind.form
        if form == "nothing":
            return Code("...", kind("n"))
        if form == "scalar":
            return Code("True", kind("b"))
        if not code.kind.is_array:
            raise Undecided(f"{name}: want an array of known shape, got {code.kind.described}")
        if name == "isscalar":
            return Code(f"np.size({code.text}) == 1", kind("b"), 10)
        if form == "matrix":
            return Code(f"1 in {code.at(19)}.shape", kind("b"), 10)
        if code.kind.is_vector and code.kind.length:
            return Code(f"len({code.text}) > 0", kind("b"), 10)
        raise Undecided(f"{name}: want an array of known shape, got {code.kind.described}")

    return made


def ndims(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form in ("scalar", "matrix") or code.kind.is_vector:
        return Code("2", kind("i"))
    raise Undecided(f"ndims: want a number, a vector or a matrix, got {code.kind.described}")


def ismember(body: Body, args: Args) -> Code:
    a, b = (value(body, x) for x in args)
    if "nothing" in (a.kind.form, b.kind.form):
        return Code("...", kind("n"))
    of_text = a.kind.form == "text" and b.kind.form == "cell"
    if of_text and b.kind.item is not None and b.kind.item.form == "text":
        return Code(f"{a.at(11)} in {b.at(11)}", kind("b"), 10)
    if a.kind.form == "scalar" and b.kind.is_array and b.kind.form != "scalar":
        return Code(f"bool(np.isin({a.text}, {b.text}))", kind("b"))
    if a.kind.is_array and a.kind.form != "array" and b.kind.is_array:
        return Code(f"np.isin({a.text}, {b.text})", Kind(a.kind.form, "b"))
    raise Undecided(
        "ismember: want an array of known shape and an array, or text and a cell of texts; got "
        f"{a.kind.described} and {b.kind.described}"
    )


ASKING: dict[str, Callable[[Body, Args], Code]] = {
    "isscalar": _is_shape("isscalar"),
    "isvector": _is_shape("isvector"),
    "ndims": ndims,
    "ismember": ismember,
    "numel": numel,
    "length": length,
    "size": size,
    "find": find,
    "isempty": isempty,
    "isfield": isfield,
    "isequal": isequal,
    "isreal": isreal,
}
"""Translators of the functions that query values."""

FORMS = {"iscell": "cell", "ischar": "text", "isstruct": "struct", "is_function_handle": "function"}


def is_form(name: str) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        k = value(body, args[0]).kind
        form = k.form
        if form in ("array", "other", "nothing") or (name == "isnumeric" and k.numbers == "m"):
            if form == "nothing":
                return Code("...", kind("n"))
            raise Undecided(
                f"{name}: the kind of `{text(args[0])}` cannot be inferred from the script"
            )
        if name == "isnumeric":
            known = k.is_array and k.numbers != "b"
        else:
            also = {"isstruct": "model", "iscell": "grid", "ischar": "lines"}.get(name)
            known = form in (FORMS[name], also)
        return Code(str(known), kind("b"))

    return made


SEVERAL: dict[str, Callable[[Body, Args, int], Code]] = {
    "size": _sizes,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sort": _sorted,
}
