"""Subscripts of vectors, matrices and tensors, converted to count from 0."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import by_columns, own_vector
from spatial_v2.migrate.expressions import expression, listed, literal
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import Code, Kind, Undecided
from spatial_v2.migrate.parse import Node

__all__ = ["entry", "subscript"]


def subscript(body: Body, code: Code, args: tuple[Node, ...], shown: str) -> Code:
    """Translate a subscripted array."""
    code = own_vector(code)
    if len(args) == 2:
        code = by_columns(body, code)
    k = code.kind
    if k.form == "text" and len(args) == 1:
        at = index(body, args[0], code, -1)
        if at.form in ("one", "slice"):
            return Code(f"{code.at(19)}[{at.text}]", k)
    if k.form == "nothing" or not args:
        return code
    if k.form == "slice" and len(args) == 1:
        at = index(body, args[0], listed(code), -1)
        if at.form == "one" and not at.text.startswith("-"):
            first = f"{code.at(19)}.start"
            shown_ = first if at.text == "0" else f"{first} + {at.text}"
            return Code(shown_, Kind("scalar", "i", shift=1), 15)
    if k.form == "array" and len(args) == 1:
        return _of_any_shape(body, code, args[0], shown)
    if not k.is_array or (k.form in ("array", "vector") and len(args) > 1) or k.form == "array":
        raise Undecided(
            f"`{shown}`: want a vector, a matrix or a tensor before the subscripts, got "
            f"{k.described}"
        )
    if k.form == "scalar":
        if all(literal(a) == 1 or a.type in ("spread_operator", "end_keyword") for a in args):
            return code
        if len(args) == 1 and literal(args[0]) is None and k.numbers in "if" and not k.shift:
            at = index(body, args[0], code, -1)
            if at.form == "one":  # an error as in MATLAB if it is not 1
                return Code(f"np.ravel({code.text})[{at.text}]", entry(code))
        raise Undecided(f"`{shown}`: want the subscript 1, : or end of a single number")
    pages = {"matrix": ":, :, None", "column": ":, None, None", "row": "None, :, None"}
    if len(args) == 3 and k.form in pages and not k.shift:
        # MATLAB's third axis of a matrix has length 1
        page = Code(f"{code.at(19)}[{pages[k.form]}]", k.now(form="tensor", length=-1))
        return _of_tensor(body, page, args, shown)
    if k.is_vector or k.form == "empty":
        return _of_vector(body, code, args, shown)
    if k.form == "matrix":
        return _of_matrix(body, code, args, shown)
    return _of_tensor(body, code, args, shown)


def _of_any_shape(body: Body, code: Code, arg: Node, shown: str) -> Code:
    """Translate the only subscript of a number, a vector or a matrix."""
    k = code.kind
    flat = Code(
        f'np.ravel({code.text}, order="F")', Kind("column", k.numbers, k.shift, shared=True)
    )
    if arg.type == "spread_operator":
        return flat
    at = index(body, arg, flat, -1)
    if at.form == "one" and not k.kept:
        return Code(f"{flat.text}[{at.text}]", entry(code))
    if at.form == "slice" and not k.kept:
        form = "row" if k.along == "row" else "vector"
        return Code(f"{flat.text}[{at.text}]", flat.kind.now(form=form))
    raise Undecided(f"`{shown}`: want a vector or a matrix before the subscript, got {k.described}")


def entry(code: Code) -> Kind:
    """Return the kind of one entry of an array."""
    return Kind("scalar", code.kind.numbers, code.kind.shift)


def _of_vector(body: Body, code: Code, args: tuple[Node, ...], shown: str) -> Code:
    k, two = code.kind, len(args) == 2
    if two:
        rest = args[0] if k.form == "column" else args[1]
        other = args[1] if k.form == "column" else args[0]
        single = literal(other) == 1 or other.type in ("spread_operator", "end_keyword")
        if not single and expression(body, other).kind.form not in ("scalar", "nothing"):
            raise Undecided(f"`{shown}`: want a single number as the subscript across a {k.form}")
        args = (rest,)
    if len(args) != 1:
        raise Undecided(f"`{shown}`: want one or two subscripts of a {k.form}, got {len(args)}")
    if args[0].type == "spread_operator" and k.form != "empty":
        form = k.form if two else "column"
        return Code(code.text, k.now(shared=True, form=form), code.rank)
    at = index(body, args[0], code, -1)
    if at.form == "one":
        return Code(f"{code.at(19)}[{at.text}]", entry(code))
    return Code(f"{code.at(19)}[{at.text}]", k.now(length=-1, shared=at.form == "slice"))


def _of_matrix(body: Body, code: Code, args: tuple[Node, ...], shown: str) -> Code:
    k = code.kind
    one = code.at(19)
    if len(args) == 1:
        at = index(body, args[0], code, -1)
        flat = f'{one}.ravel(order="F")'
        if at.text == ":":
            return Code(flat, k.now(form="column", shared=True))
        if at.form == "one":
            return Code(f"{flat}[{at.text}]", entry(code))
        if at.form == "mask":
            return Code(
                f"{one}.T[{at.text}.T]" if at.text.isidentifier() else f"{one}.T[({at.text}).T]",
                k.now(form="column", shared=False),
            )
        if at.form == "list":
            return Code(f"{flat}[{at.text}]", k.now(form="row" if at.row else "column"))
        return Code(f"{flat}[{at.text}]", k.now(form="row"))
    if len(args) != 2:
        raise Undecided(f"`{shown}`: want one or two subscripts of a matrix, got {len(args)}")
    i, j = (index(body, a, code, n) for n, a in enumerate(args))
    ones = [x.form == "one" for x in (i, j)]
    form = {(True, True): "scalar", (True, False): "row", (False, True): "column"}.get(
        (ones[0], ones[1]), "matrix"
    )
    if i.form in ("list", "mask") and j.form in ("list", "mask"):
        return Code(f"{one}[np.ix_({i.text}, {j.text})]", k.now(shared=False))
    inner = i.text if j.text == ":" and i.form != "slice" else f"{i.text}, {j.text}"
    if form == "matrix" and i.form == "mask" and "=" in i.text:
        inner = f"{i.text}, {j.text}"
    return Code(f"{one}[{inner}]", k.now(form=form, shared=form != "scalar"))


def _of_tensor(body: Body, code: Code, args: tuple[Node, ...], shown: str) -> Code:
    k = code.kind
    if len(args) == 1 and args[0].type == "spread_operator":
        return Code(f'{code.at(19)}.ravel(order="F")', k.now(form="column", shared=True))
    if len(args) != 3:
        raise Undecided(f"`{shown}`: want three subscripts of a tensor, got {len(args)}")
    at = [index(body, a, code, n) for n, a in enumerate(args)]
    ones = (at[0].form == "one", at[1].form == "one", at[2].form == "one")
    if any(x.form in ("list", "mask") for x in at):
        raise Undecided(
            f"`{shown}`: want single subscripts or ranges of a tensor, got a list or logical "
            "subscripts"
        )
    forms = {
        (True, True, True): "scalar",
        (False, False, True): "matrix",
        (False, True, True): "column",
        (True, False, True): "row",
        (False, False, False): "tensor",
    }
    inner = [
        f"[{x.text}]" if o and ones not in forms else x.text for x, o in zip(at, ones, strict=True)
    ]
    form = forms.get(ones, "tensor")
    if ones not in forms and sum(ones) > 1:
        raise Undecided(
            f"`{shown}`: entries along the last axis of a tensor are not translated (in MATLAB an "
            "array of 1 x 1 x n)"
        )
    return Code(f"{code.at(19)}[{', '.join(inner)}]", k.now(form=form, shared=form != "scalar"))
