"""Assignments to entries that an array already has."""

from __future__ import annotations

import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import NUMBERS, Code, Kind, Undecided, described
from spatial_v2.migrate.parse import Node, text
from spatial_v2.migrate.subscripts import subscript

__all__ = ["before_growth", "deleted", "held", "written"]


def before_growth(body: Body, here: Code, code: Code, word: str) -> Code:
    """Assign a value to an auxiliary variable if it depends on an array that is about to change."""
    if re.search(rf"(?<![\w.]){re.escape(here.text)}(?!\w)", code.text):
        return held(body, here, code, word)
    return code


def held(body: Body, here: Code, code: Code, word: str) -> Code:
    """Assign a value to a new variable, named after the array `here` and `word`; return it."""
    value = f"{re.sub('[^a-zA-Z0-9]+', '_', here.text).strip('_')}_{word}"
    while value in body.names:
        value += "_"
    body.write(f"{value} = {code.text}")
    return Code(value, code.kind)


def _fits(body: Body, here: Code, at: str) -> bool:
    """Test if a slice `at`, as Python code, is known to lie inside the array, which then does not
    grow.
    """
    length = here.kind.length
    ends = re.fullmatch(r"(-?\w*):(-?\w*)(:-?\d+)?", at)
    if not ends:
        return False
    stop = ends[2]
    if stop == "" or stop.startswith("-"):
        return True
    return stop.isdigit() and 0 <= int(stop) <= length


def written(
    body: Body, here: Code, args: tuple[Node, ...], code: Code, left: Node, fits: bool = False
) -> Kind:
    """Assign to entries that an array already has; return the kind of the array afterwards.

    If `fits`, the array does not grow.
    """
    k, new = here.kind, code.kind
    code = real_numbers(code) if k.numbers != "b" else code
    if k.form == "tensor" and len(args) == 3 and new.form in ("matrix", "row", "column"):
        at = [index(body, a, here, n) for n, a in enumerate(args)]
        free = sum(x.form == "slice" for x in at)
        if all(x.form in ("one", "slice") for x in at) and free == 1 + (new.form == "matrix"):
            if new.numbers not in "bif" and k.numbers in "bif":
                raise Undecided(
                    f"`{text(left)}`: it is unknown whether the value is complex; write real(...) "
                    "if it is not"
                )
            body.write(f"{here.text}[{', '.join(x.text for x in at)}] = {code.text}")
            return k
    target = subscript(body, here, args, text(left))
    if target.text == here.text:
        target = Code(f"{here.text}[:]", target.kind)
    if 'ravel(order="F")' in target.text:
        if k.form != "matrix" or new.form != "scalar" or ":" in target.text:
            raise Undecided(
                f"`{text(left)}`: a single subscript of a matrix can assign a number to one entry "
                "only; write two subscripts"
            )
        # ravel may return a copy, and an assignment to it would be lost; .T.flat has the same order
        flat = target.text.replace('.ravel(order="F")', ".T.flat")
        target = Code(flat, target.kind.now(form="scalar"))
    inside = target.text[len(here.text) + 1 : -1]
    shown, form = target.text, target.kind.form
    at_each = [index(body, a, here, n if len(args) > 1 else -1) for n, a in enumerate(args)]
    slices = [x.text for x in at_each if x.form == "slice" and x.text != ":" and ":" in x.text]
    fits = form == "scalar" or (fits and new.form == "array")
    fits = fits or all(_fits(body, here, x) for x in slices)
    if new.form in ("scalar", "array") and not fits:
        ends = re.fullmatch(r"(.*?):(.*?)", inside) if len(args) == 1 else None
        if ends is None or new.form == "array":
            raise Undecided(
                f"`{text(left)}`: it is unknown whether the array grows; create it with its final "
                "size"
            )
        shown = f"{here.text}[np.arange({ends[1] or 0}, {ends[2]})]"
    elif form == "matrix" and new.form == "column":
        code = Code(f"{code.at(19)}[:, None]", new)
    elif not _agree(form, new.form):
        raise Undecided(
            f"`{text(left)}`: want {described(form)} on the right, as the entries on the left "
            f"are, got {new.described}"
        )
    found = k.numbers
    if found == "m" and new.numbers != "b":
        raise Undecided(
            f"`{text(left)}`: it is unknown whether the array is logical; create it by zeros or "
            "false"
        )
    if NUMBERS.index(new.numbers) > NUMBERS.index(k.numbers) and k.numbers in "if":
        # the type of the value is unknown: the array becomes complex if the value is
        if new.numbers == "?":
            value = held(body, here, code, "new").text
            body.write(f"{here.text} = {here.text}.astype(np.result_type({here.text}, {value}))")
            body.write(f"{shown} = {value}")
            return k.now(numbers="?")
        typed = "complex" if new.numbers == "z" else "float"
        found = "z" if typed == "complex" else "f"
        if found != k.numbers:
            body.write(f"{here.text} = {here.text}.astype({typed})")
    body.write(f"{shown} = {code.text}")
    return k.now(numbers=found)


def _agree(form: str, new: str) -> bool:
    vectors = ("row", "column", "vector")
    if new in ("scalar", "array"):
        return True
    if form in vectors:
        return new in vectors
    return form == new or (form == "matrix" and new == "row")


def deleted(body: Body, here: Code, args: tuple[Node, ...], left: Node) -> Kind:
    """Remove entries of a vector, rows or columns of a matrix; return the kind afterwards."""
    k = here.kind
    if k.is_vector and len(args) == 1:
        at = index(body, args[0], here, -1)
        shown = at.text if at.form != "slice" else f"np.s_[{at.text}]"
        body.write(f"{here.text} = np.delete({here.text}, {shown})")
        return k.now(length=-1)
    whole = [a.type == "spread_operator" for a in args]
    if k.form == "matrix" and len(args) == 2 and sum(whole) == 1:
        axis = whole.index(False)
        at = index(body, args[axis], here, axis)
        shown = at.text if at.form != "slice" else f"np.s_[{at.text}]"
        body.write(f"{here.text} = np.delete({here.text}, {shown}, axis={axis})")
        return k
    raise Undecided(
        f"`{text(left)} = []`: want entries of a vector, or whole rows or columns of a matrix, "
        f"got a part of {k.described}"
    )
