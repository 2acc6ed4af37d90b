"""Functions that ask about values: how many, where, whether."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = [
    "FORMS",
    "SEVERAL",
    "find",
    "is_form",
    "isempty",
    "isequal",
    "isfield",
    "isreal",
    "length",
    "numel",
    "size",
]

Node = Any
Args = tuple[Node, ...]


def numel(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form in ("cell", "text") or code.kind.is_vector:
        return Code(f"len({code.text})", kind("i"))
    if code.kind.is_array or code.kind.form == "nothing":
        return Code(f"np.size({code.text})", kind("i"))
    raise Undecided(f"numel of a {code.kind.form}")


def length(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "matrix":
        return Code(f"max({code.at(19)}.shape)", kind("i"))
    if code.kind.form == "array":
        return Code(f"max(np.shape({code.text}), default=1)", kind("i"))
    return numel(body, args)


def size(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    k = code.kind
    axis = literal(args[1]) if len(args) == 2 else None
    if k.form == "nothing":
        return Code("...", kind("i"))
    if axis is None or axis < 1 or not k.is_array or k.form in ("array", "vector", "empty"):
        raise Undecided(f"size of a {k.form}")
    if k.form in ("matrix", "tensor"):
        return Code(f"{code.at(19)}.shape[{axis - 1}]", kind("i"))
    along = {"column": 1, "row": 2}.get(k.form)
    return Code(f"len({code.text})" if axis == along else "1", kind("i"))


def _sizes(body: Body, args: Args, nargout: int) -> Code:
    code = value(body, args[0])
    known = len(args) == 1 and code.kind.form in ("matrix", "tensor", "column", "row")
    if known and (code.kind.form == "tensor") == (nargout == 3):
        shown = {"column": f"len({code.text}), 1", "row": f"1, len({code.text})"}
        return Code(
            shown.get(code.kind.form, f"{code.at(19)}.shape"),
            Kind("tuple", fields=tuple((str(n), kind("i")) for n in range(nargout))),
        )
    raise Undecided(f"size of a {code.kind.form}")


def _extreme(name: str) -> Callable[..., Code]:
    def made(body: Body, args: Args, nargout: int) -> Code:
        code = value(body, args[0])
        if len(args) != 1 or not code.kind.is_vector or code.kind.numbers == "z":
            raise Undecided(f"[x, i] = {name} of a {code.kind.form}")
        x = code.text
        return Code(
            f"np.nan{name}({x}), np.nanarg{name}({x})",
            Kind("tuple", fields=(("0", kind("s")), ("1", kind("i").now(shift=1)))),
        )

    return made


def _sorted(body: Body, args: Args, nargout: int) -> Code:
    code = value(body, args[0])
    if len(args) != 1 or not code.kind.is_vector or code.kind.numbers == "z":
        raise Undecided("[x, i] = sort of this")
    k = code.kind.now(shared=False)
    return Code(
        f'np.sort({code.text}), np.argsort({code.text}, kind="stable")',
        Kind("tuple", fields=(("0", k), ("1", k.now(numbers="i", shift=1)))),
    )


def find(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if len(args) == 1 and code.kind.is_vector:
        return Code(f"np.flatnonzero({code.text})", Kind(code.kind.form, "i", shift=1))
    raise Undecided(f"find of a {code.kind.form}")


def isempty(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form in ("cell", "text"):
        return Code(f"len({code.text}) == 0", kind("b"), 10)
    if code.kind.is_array or code.kind.form in ("nothing", "other"):
        return Code(f"np.size({code.text}) == 0", kind("b"), 10)
    raise Undecided(f"isempty of a {code.kind.form}")


def isfield(body: Body, args: Args) -> Code:
    a, b = value(body, args[0]), value(body, args[1])
    if a.kind.form not in ("struct", "other", "model") or b.kind.form != "text":
        raise Undecided(f"isfield of a {a.kind.form}")
    return Code(f"hasattr({a.text}, {b.text})", kind("b"))


def isequal(body: Body, args: Args) -> Code:
    a, b = value(body, args[0]), value(body, args[1])
    same = a.kind.form == b.kind.form
    if same and a.kind.form in ("scalar", "text"):
        return Code(f"{a.at(11)} == {b.at(11)}", kind("b"), 10)
    if same and a.kind.is_array and a.kind.form != "array":
        return Code(f"np.array_equal({a.text}, {b.text})", kind("b"))
    raise Undecided(f"isequal of a {a.kind.form} and a {b.kind.form}")


def isreal(body: Body, args: Args) -> Code:
    return Code(f"not np.iscomplexobj({value(body, args[0]).text})", kind("b"), 8)


FORMS = {"iscell": "cell", "ischar": "text", "isstruct": "struct", "is_function_handle": "function"}


def is_form(name: str) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        form = value(body, args[0]).kind.form
        if form in ("array", "other", "nothing"):
            if form == "nothing":
                return Code("...", kind("n"))
            raise Undecided(f"{name} of what is not known")
        if name == "isnumeric":
            known = form in ("scalar", "row", "column", "vector", "matrix", "tensor", "empty")
        else:
            known = form == FORMS[name] or (name == "isstruct" and form == "model")
        return Code(str(known), kind("b"))

    return made


SEVERAL: dict[str, Callable[[Body, Args, int], Code]] = {
    "size": _sizes,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sort": _sorted,
}
