"""Functions that query values: size, length, find, isempty, isfield, and so on."""

from __future__ import annotations

from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import attribute, quoted, string_value, value, whole
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.models import PARTS
from spatial_v2.migrate.names import MODEL
from spatial_v2.migrate.parse import Args, text, walk
from spatial_v2.migrate.sizes import length, ndims, no_value, numel, size, sizes

__all__ = ["ASKING", "FORMS", "SEVERAL", "is_form"]


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
        return Code(no_value(code), kind("b"), 6)
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
    "size": sizes,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sort": _sorted,
}
