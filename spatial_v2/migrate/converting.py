"""Translation of functions that ask for the class of a value, or turn one kind of value into
another.
"""

from __future__ import annotations

from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import attribute, quoted, string_value, value
from spatial_v2.migrate.kinds import ROW_OF_CELLS, Code, Kind, Undecided, kind
from spatial_v2.migrate.making import literal_length, shape
from spatial_v2.migrate.operators import turned
from spatial_v2.migrate.parse import Args, Node, named, text

__all__ = ["CONVERTING"]

CLASSES = {
    "text": "char", "lines": "char", "cell": "cell", "grid": "cell", "struct": "struct",
    "model": "struct", "function": "function_handle",
}  # fmt: skip


def _class(body: Body, args: Args) -> Code:
    k = value(body, args[0]).kind
    if k.form == "nothing":
        return Code("...", kind("x"))
    numbers = {"b": "logical", "m": ""}.get(k.numbers, "double") if k.is_array else ""
    found = CLASSES.get(k.form, numbers)
    if not found:
        raise Undecided(f"class: want a value of known class, got {k.described}")
    return Code(quoted(found), kind("x"))


def _isa(body: Body, args: Args) -> Code:
    if len(args) != 2 or args[1].type != "string":
        raise Undecided("isa: want a value, and a class as a literal")
    code, wanted = _class(body, args[:1]), string_value(args[1])
    if code.text == "...":
        return Code("...", kind("n"))
    known, numeric = code.text[1:-1], ("numeric", "float")
    return Code(str(known == wanted or (known == "double" and wanted in numeric)), kind("b"))


def _num2cell(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if len(args) > 1 or not (code.kind.is_vector or code.kind.form in ("matrix", "nothing")):
        raise Undecided(f"num2cell: want one vector or matrix, got {code.kind.described}")
    item = kind("s").now(numbers=code.kind.numbers)
    if code.kind.form == "matrix":
        return Code(f"{code.at(19)}.tolist()", Kind("grid", item=item))
    fields = ROW_OF_CELLS if code.kind.form == "row" else ()
    made = Kind("cell", item=item, fields=fields, length=code.kind.length)
    return Code(f"list({code.text})", made)


def _rmfield(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "nothing":
        return code
    names = _names(body, args[1]) if len(args) == 2 else []
    if code.kind.form != "struct" or not names:
        raise Undecided(f"rmfield: want a struct and names, got {code.kind.described}")
    if missing := set(names) - {n for n, _ in code.kind.fields}:
        raise Undecided(f"rmfield: it is unknown whether there is a field {min(missing)}")
    kept = tuple((n, k) for n, k in code.kind.fields if n not in names)
    body.need("from spatial_v2.migrate.values import without_fields")
    made = code.kind.now(fields=kept, shared=True)
    return Code(f"without_fields({code.text}, {', '.join(map(quoted, names))})", made)


def _names(body: Body, node: Node) -> list[str]:
    """Return the names of fields in a text or a cell of texts, which may be the only value of a
    variable; none if they are not known.
    """
    every = [node]
    if node.type == "identifier" and text(node) not in (*body.inputs, *body.mutated):
        whole = body.whole.get(text(node), [])
        every = whole if len(whole) == 1 else []
    if every and every[0].type == "cell":
        every = [n for row in named(every[0]) for n in named(row)]
    known = all(n.type == "string" for n in every)
    return [attribute(string_value(n)) for n in every] if known else []


def _transpose(conjugated: bool) -> Callable[[Body, Args], Code]:
    return lambda body, args: turned(value(body, args[0]), "transpose", conjugated)


def _full(shown: str) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        n, form = shape(body, args)
        if form == "scalar":
            return Code(shown, kind("s"))
        sizes = n[0] if len(n) == 1 else f"({', '.join(n)})"
        return Code(f"np.full({sizes}, {shown})", Kind(form, length=literal_length(n)))

    return made


CONVERTING: dict[str, Callable[[Body, Args], Code]] = {
    "class": _class,
    "isa": _isa,
    "num2cell": _num2cell,
    "rmfield": _rmfield,
    "transpose": _transpose(False),
    "ctranspose": _transpose(True),
    **dict.fromkeys(("nan", "NaN"), _full("np.nan")),
    **dict.fromkeys(("inf", "Inf"), _full("np.inf")),
}
"""Function of MATLAB's -> its translator."""
