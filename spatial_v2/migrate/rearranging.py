"""Functions that rearrange the entries of arrays and cells."""

from __future__ import annotations

from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import as_list, float_text, literal, value, whole
from spatial_v2.migrate.kinds import NUMBERS, ROW_OF_CELLS, Code, Kind, Undecided, kind, numbers
from spatial_v2.migrate.making import shape
from spatial_v2.migrate.parse import Args, named, text

__all__ = ["REARRANGING"]


def _reshape(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if not code.kind.is_array and code.kind.form != "nothing":
        raise Undecided(f"reshape: want an array, got {code.kind.described}")
    if any(a.type == "matrix" and not named(a) for a in args[1:]):
        raise Undecided("reshape: want all lengths as numbers, got []")
    n, form = shape(body, args[1:])
    if len(args) == 2 and args[1].type != "matrix":
        raise Undecided(
            f"reshape: want the lengths one by one or between brackets, got `{text(args[1])}`"
        )
    inner = n[0] if len(n) == 1 else f"({', '.join(n)})"
    return Code(
        f'np.reshape({code.text}, {inner}, order="F")',
        code.kind.now(form=form, shared=True, length=-1),
    )


def _diag(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if len(args) == 1 and code.kind.is_vector:
        return Code(f"np.diag({as_list(code.text)})", code.kind.now(form="matrix", shared=False))
    if len(args) == 1 and code.kind.form == "matrix" and not code.kind.wide:
        return Code(f"np.diag({code.text}).copy()", code.kind.now(form="column", shared=False))
    raise Undecided(f"diag: want one argument, a vector or a matrix, got {code.kind.described}")


def _repmat(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "nothing":
        return code
    if code.kind.form == "cell" and code.kind.length == 1 and len(args) == 3:
        n, form = shape(body, args[1:])
        if form in ("row", "column") and code.text.startswith("["):
            marked = ROW_OF_CELLS if form == "row" else ()
            each = f"[{code.text[1:-1]} for _ in range({n[0]})]"
            return Code(each, Kind("cell", item=code.kind.item, fields=marked))
    sized = len(args) == 2 and args[1].type == "matrix" and code.kind.form == "scalar"
    if sized and code.kind.numbers in "if":
        n, form = shape(body, args[1:])
        if form != "scalar":
            inner = n[0] if len(n) == 1 else f"({', '.join(n)})"
            return Code(f"np.full({inner}, {float_text(code)})", Kind(form))
    if len(args) == 4 and code.kind.form == "scalar":
        n, form = shape(body, args[1:])
        filled = f"np.full(({', '.join(n)}), {float_text(code)})"
        if code.kind.numbers in "bm":
            raise Undecided("repmat: want a value that is known to be a number, not logical")
        return Code(filled, Kind(form, "f" if code.kind.numbers == "i" else code.kind.numbers))
    if len(args) == 3 and code.kind.form in ("column", "row", "matrix", "scalar"):
        n, form = shape(body, args[1:])
        if code.kind.form == "scalar" and form != "scalar":
            inner = n[0] if len(n) == 1 else f"({', '.join(n)})"
            if code.kind.numbers == "b":
                return Code(f"np.full({inner}, {code.text})", Kind(form, "b"))
            if code.kind.numbers == "m":
                raise Undecided("repmat: want a value that is known to be a number, not logical")
            found = "f" if code.kind.numbers == "i" else code.kind.numbers
            return Code(f"np.full({inner}, {float_text(code)})", Kind(form, found))
        full = [whole(body, a) for a in args[1:]]
        if code.kind.form == form and form in ("column", "row"):
            return Code(f"np.tile({code.text}, {n[0]})", code.kind.now(shared=False, length=-1))
        block = f"{code.at(19)}[:, None]" if code.kind.form == "column" else code.text
        return Code(f"np.tile({block}, ({', '.join(full)}))", Kind("matrix", code.kind.numbers))
    raise Undecided(
        "repmat: want a number, a vector or a matrix, and counts along two axes; got "
        f"{code.kind.described}"
    )


def _squeeze(body: Body, args: Args) -> Code:
    inner = args[0]
    code = value(body, inner)
    if code.kind.form == "tensor" and inner.type == "function_call":
        subs = [n for c in inner.named_children if c.type == "arguments" for n in named(c)]
        ones = [s for s in subs if s.type not in ("spread_operator", "range")]
        if len(subs) == 3 and len(ones) == 1:
            axis = subs.index(ones[0])
            return Code(f"np.squeeze({code.text}, axis={axis})", code.kind.now(form="matrix"))
    if code.kind.form in ("matrix", "column", "row"):
        return code
    raise Undecided(
        "squeeze: want a vector, a matrix, or a part of a tensor with one single subscript; got "
        f"{code.kind.described}"
    )


def _permute(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    order = [literal(n) for r in named(args[1]) for n in named(r)]
    if code.kind.form == "tensor" and sorted(x or 0 for x in order) == [1, 2, 3]:
        axes = ", ".join(str((x or 0) - 1) for x in order)
        return Code(f"np.transpose({code.text}, ({axes}))", code.kind)
    raise Undecided(
        "permute: want a tensor, and the order of its three axes as literals; got "
        f"{code.kind.described}"
    )


def _cross(body: Body, args: Args) -> Code:
    codes = [value(body, a) for a in args]
    codes = [real_numbers(c) if c.kind.is_array else c for c in codes]
    a, b = codes[:2]
    if "nothing" in (a.kind.form, b.kind.form):
        return Code("...", kind("n"))
    if len(args) == 3 and literal(args[2]) == 1 and a.kind.form == b.kind.form == "matrix":
        return Code(f"np.cross({a.text}, {b.text}, axis=0)", _crossed(a, b))
    along = {1: "column", 2: "row"}.get(literal(args[2]) or 0) if len(args) == 3 else None
    if along is not None and a.kind.form == b.kind.form == along:
        return Code(f"np.cross({a.text}, {b.text})", _crossed(a, b).now(length=3))
    if len(args) == 2 and a.kind.is_vector and b.kind.is_vector:
        return Code(f"np.cross({a.text}, {b.text})", _crossed(a, b).now(length=3))
    raise Undecided(
        f"cross: want two vectors, or two matrices and the axis 1; got {a.kind.described} and "
        f"{b.kind.described}"
    )


def _crossed(a: Code, b: Code) -> Kind:
    return Kind(a.kind.form, max(numbers((a.kind, b.kind)), "f", key=NUMBERS.index))


def _cell2mat(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "nothing":
        return code
    if code.kind.form == "cell" and code.kind.field("of joints"):
        return Code(f"np.concatenate({code.text})", kind("c"))
    item = code.kind.item or kind("n")
    if item.form == "nothing" and code.kind.form in ("cell", "grid") and body.program.open:
        return Code("...", item)
    if code.kind.form == "grid" and (item.form == "matrix" or item.along == "none"):
        return Code(f"np.block({code.text})", Kind("matrix", item.numbers))
    along = dict(code.kind.fields).keys() & {"row", "column"} if code.kind.form == "cell" else ()
    how = _stacked(item, *along) if along and not item.shift else None
    if how is None:
        raise Undecided(
            "cell2mat: want a cell that is known to be a row or a column, with matrices, vectors "
            "or numbers; write [c{:}] or vertcat(c{:})"
        )
    return Code(how[0].format(code.text), how[1])


def _mat2cell(body: Body, args: Args) -> Code:
    """Translate ``mat2cell(x, m, [n1 n2 ...])``, the blocks of columns of a matrix of m rows."""
    x, rows, widths = (value(body, a) for a in args)
    if "nothing" in (x.kind.form, rows.kind.form, widths.kind.form):
        return Code("...", Kind("cell", item=kind("n"), fields=ROW_OF_CELLS))
    if x.kind.form != "matrix" or rows.kind.form != "scalar" or not widths.kind.is_vector:
        raise Undecided(
            "mat2cell: want a matrix, the number of its rows, and a vector of numbers of columns; "
            f"got {x.kind.described}, {rows.kind.described} and {widths.kind.described}"
        )
    if text(args[2]).startswith("ones(") and "ones" not in body.env:
        columns = Kind("column", x.kind.numbers)
        return Code(f"list({x.at(19)}.T.copy())", Kind("cell", item=columns, fields=ROW_OF_CELLS))
    body.need("from spatial_v2.migrate.values import blocks_of_columns")
    item = Kind("matrix", x.kind.numbers)
    shown = f"blocks_of_columns({x.text}, {widths.text})"
    return Code(shown, Kind("cell", item=item, fields=ROW_OF_CELLS))


def _stacked(item: Kind, along: str) -> tuple[str, Kind] | None:
    """Return how the entries of a cell that is a row or a column are joined, and the result; None
    if this is not known.
    """
    if item.form == "matrix" or item.along == "none":
        return f"np.{'hstack' if along == 'row' else 'vstack'}({{}})", Kind("matrix", item.numbers)
    if item.form in ("row", "column") and item.form != along:
        stack = "column_stack" if along == "row" else "vstack"
        return f"np.{stack}({{}})", Kind("matrix", item.numbers)
    if item.form == along:
        return "np.concatenate({})", Kind(along, item.numbers)
    if item.form == "scalar" and item.numbers in "if":
        return "np.array({}, float)", Kind(along)
    if item.form == "array" and item.thin and item.along == along and item.numbers in "if":
        return "np.hstack({}, dtype=float)", Kind(along)
    return None


REARRANGING: dict[str, Callable[[Body, Args], Code]] = {
    "reshape": _reshape,
    "diag": _diag,
    "repmat": _repmat,
    "squeeze": _squeeze,
    "permute": _permute,
    "cell2mat": _cell2mat,
    "mat2cell": _mat2cell,
    "cross": _cross,
}
