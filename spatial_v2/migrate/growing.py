"""Assignments to entries of arrays and lists, which may grow as in MATLAB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import literal, plus, unshifted
from spatial_v2.migrate.kinds import GROWS, NUMBERS, Code, Kind, Undecided, join, kind
from spatial_v2.migrate.parse import named, text, walk
from spatial_v2.migrate.places import MODEL, Step
from spatial_v2.migrate.subscripts import index, subscript

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["array", "cell"]

Node = Any


def _beyond(node: Node) -> bool:
    """Test if a subscript is ``end + 1``."""
    parts = named(node)
    return (
        node.type == "binary_operator"
        and parts[0].type == "end_keyword"
        and "+" in text(node)
        and literal(parts[1]) == 1
    )


def _counted(body: Body, where: str, node: Node, left: Node) -> dict[str, Any] | None:
    """Return the innermost loop that counts up from 1 and whose variable is the subscript."""
    loop = body.loops[-1] if body.loops else None
    if not loop or not loop["up"] or text(node) != loop["name"] or not _always(left, loop):
        return None
    inner = [n for b in loop["block"] for n in walk(b)]
    if any(n.type in ("continue_statement", "break_statement") for n in inner):
        return None
    return loop


def _always(left: Node, loop: dict[str, Any]) -> bool:
    """Test if each iteration of a loop assigns to this variable or part of a variable."""
    up = left.parent
    while up is not None and up.type != "for_statement":
        if up.type in ("while_statement", "try_statement"):
            return False
        closing = {"if_statement": "else_clause", "switch_statement": "otherwise_clause"}
        if up.type in closing and not any(n.type == closing[up.type] for n in named(up)):
            return False
        up = up.parent
    return up is not None and loop["block"] == next(
        (n.children for n in named(up) if n.type == "block"), []
    )


def _at_entry(loop: dict[str, Any], path: list[Step], root: str) -> Kind | None:
    """Return the kind that a variable, or part of one, has before the loop."""
    found: Kind | None = loop["entry"].get(root)
    for step in path[:-1]:
        if found is None or step.sign != ".":
            return found
        found = MODEL.get(step.name) if found.form == "model" else found.field(step.name)
    return found


def cell(body: Body, here: Code, path: list[Step], code: Code | None, left: Node) -> Kind:
    """Assign to an entry of a cell."""
    step, k = path[-1], here.kind
    args = step.args
    if len(args) == 2 and literal(args[0]) == 1:
        args = args[1:]
    if step.sign == "(" and code is None and len(args) == 1:
        at = index(body, args[0], Code(here.text, Kind("row")), -1)
        body.write(f"del {here.text}[{at.text}]")
        return k.now(length=-1)
    if step.sign == "(" and len(args) == 1 and code is not None and code.kind.form == "cell":
        at = index(body, args[0], Code(here.text, Kind("row")), -1)
        if at.form == "slice":
            body.write(f"{here.text}[{at.text}] = {code.text}")
            return k.now(item=join(k.item, code.kind.item))
    if step.sign != "{" or len(args) != 1 or code is None:
        raise Undecided(f"`{text(left)}` is assigned")
    code = unshifted(code)
    more = k.now(item=join(k.item, code.kind.now(shared=False)))
    if _beyond(args[0]):
        body.write(f"{here.text}.append({code.text})")
        return more.now(length=k.length + 1 if k.length >= 0 else -1)
    root = text(next(n for n in walk(left) if n.type == "identifier"))
    known = literal(args[0])
    loop = _counted(body, here.text, args[0], left)
    if loop and here.text not in loop["appended"]:
        before = _at_entry(loop, path, root)
        if before is None or before.form == "empty" or before.length == 0:
            begun = f"{here.text} = []"
            if (before is None or before.form == "empty") and begun not in loop["prelude"]:
                loop["prelude"].append(begun)
            loop["appended"].add(here.text)
            if body.depth != loop["depth"]:  # assigned in a branch: allocate all entries
                if begun not in loop["prelude"]:
                    return _grown(body, here, more, args[0], code, text(left))
                at_ = loop["prelude"].index(begun)
                loop["prelude"][at_] = f"{here.text} = [np.zeros(0)] * {loop['count']}"
                where = index(body, args[0], Code(here.text, Kind("row")), -1)
                body.write(f"{here.text}[{where.text}] = {code.text}")
                return more.now(length=-1)
            body.write(f"{here.text}.append({code.text})")
            return more.now(length=-1)
    if known is not None and known == k.length + 1:
        body.write(f"{here.text}.append({code.text})")
        return more.now(length=known)
    if _is_filled(body, here, path, root):
        return _grown(body, here, more, args[0], code, text(left))
    if k.unsure:
        raise Undecided(f"`{text(left)}`: the cell may not exist before")
    at = index(body, args[0], Code(here.text, Kind("row")), -1)
    if at.form != "one":
        raise Undecided(f"`{text(left)}`: several entries are assigned")
    body.write(f"{here.text}[{at.text}] = {code.text}")
    return more


def _is_filled(body: Body, here: Code, path: list[Step], root: str) -> bool:
    """Test if a cell is empty before the loops that assign its entries, in any order."""
    if not body.loops or here.kind.length == GROWS:
        return here.kind.length in (0, GROWS)
    if any(here.text in loop["appended"] for loop in body.loops):
        return False
    before = _at_entry(body.loops[0], path, root)
    return before is None or before.form == "empty" or before.length == 0


def _grown(body: Body, here: Code, more: Kind, arg: Node, code: Code, shown: str) -> Kind:
    """Assign to an entry that may be beyond the last; the list is padded with empty entries."""
    at = index(body, arg, Code(here.text, Kind("row")), -1)
    if at.form != "one" or at.text.startswith("-"):
        raise Undecided(f"`{shown}`: several entries are assigned")
    count = plus(Code(at.text, kind("i"), 15), 1)
    body.write(f"{here.text} += [np.zeros(0)] * ({count} - len({here.text}))")
    body.write(f"{here.text}[{at.text}] = {code.text}")
    empty = kind("e") if more.item is None or more.item.form == "nothing" else more.item
    return more.now(length=GROWS, item=empty)


def array(body: Body, here: Code, path: list[Step], code: Code | None, left: Node) -> Kind:
    """Assign to entries of an array."""
    args, k = path[-1].args, here.kind
    if code is None:
        return _deleted(body, here, args, left)
    if not code.kind.is_array and code.kind.form != "nothing":
        raise Undecided(f"`{text(left)}`: a {code.kind.form} as an entry")
    code = unshifted(code)
    if any(map(_beyond, args)):
        return _appended(body, here, args, code, left)
    root = text(next(n for n in walk(left) if n.type == "identifier"))
    along = _along(args)
    if k.form in ("row", "column") and len(args) == 2 and k.length >= -1:
        other = args[1] if k.form == "column" else args[0]
        if literal(other) != 1 and other.type not in ("spread_operator", "end_keyword"):
            raise Undecided(f"`{text(left)}`: a {k.form} with two subscripts")
    if along is not None and along.type == "range" and k.is_vector and not body.loops:
        ends = [literal(n) or 0 for n in named(along)]
        numeric = code.kind.is_vector and k.numbers in "if" and code.kind.numbers in "if"
        if numeric and len(ends) == 2 and 0 < k.length == ends[0] - 1 < ends[1]:
            body.write(f"{here.text} = np.append({here.text}, {code.text})")
            return k.now(numbers="f", length=ends[1], shared=False)
    loop = _counted(body, here.text, along, left) if along is not None else None
    if loop and here.text not in loop["appended"]:
        before = _at_entry(loop, path, root)
        if before is None or before.form == "empty":
            return _begun(body, here, path, code, left)
    if loop and here.text in loop["appended"] and (k.form == "empty" or k.unsure):
        form = "row" if len(args) == 1 or literal(args[0]) == 1 else "column"
        k = k.now(unsure=False) if k.is_vector else Kind(form)
        return _written(body, Code(here.text, k), args, code, left)
    if k.form == "empty" or (k.length in (0, GROWS) and k.is_vector):
        return _begun(body, here, path, code, left)
    if k.unsure:
        raise Undecided(f"`{text(left)}`: the array may not exist before")
    if k.form == "scalar" or k.form == "array":
        raise Undecided(f"`{text(left)}`: an entry of a value that may be a single number")
    return _written(body, here, args, code, left)


def _deleted(body: Body, here: Code, args: tuple[Node, ...], left: Node) -> Kind:
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
    raise Undecided(f"`{text(left)} = []`")


def _appended(body: Body, here: Code, args: tuple[Node, ...], code: Code, left: Node) -> Kind:
    x, k, new = here.text, here.kind, code.kind
    found = NUMBERS[max(2, *(NUMBERS.index(y.numbers) for y in (k, new)))]
    if k.form == "nothing" or new.form == "nothing":
        return body.not_known(text(left), kind("n"))
    if len(args) == 1 and (k.is_vector or k.form == "empty") and new.form == "scalar":
        body.write(f"{x} = np.append({x}, {code.text})")
        return Kind(k.form if k.is_vector else "row", found)
    whole = [a.type == "spread_operator" for a in args]
    if len(args) == 2 and sum(whole) == 1 and k.form in ("matrix", "empty"):
        down = whole[1]
        stack = "vstack" if down else "column_stack"
        if new.is_vector:
            line = f"{code.at(19)}[None, :]" if down else f"{code.at(19)}[:, None]"
            if k.form == "matrix":
                body.write(f"{x} = np.{stack}([{x}, {code.text}]) if {x}.size else {line}")
            else:
                body.write(f"{x} = {line}")
            return Kind("matrix", found)
    raise Undecided(f"`{text(left)}`: an array of unknown shape grows")


def _begun(body: Body, here: Code, path: list[Step], code: Code, left: Node) -> Kind:
    """Assign the first entry of an empty array, after allocating all entries that a loop fills."""
    args = path[-1].args
    root = text(next(n for n in walk(left) if n.type == "identifier"))
    if code.kind.form == "nothing":
        return body.not_known(text(left), kind("n"))
    along = _along(args)
    form = "row" if len(args) == 1 or literal(args[0]) == 1 else "column"
    if along is not None and code.kind.form == "scalar":
        loop = _counted(body, here.text, along, left)
        before = _at_entry(loop, path, root) if loop else None
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
            count = plus(Code(at.text, kind("i"), 15), 1)
            if not _is_there(body, here, path, root):
                raise Undecided(f"`{text(left)}`: the array may not exist before")
            grown = f"np.zeros(max({count} - len({here.text}), 0))"
            body.write(f"{here.text} = np.append({here.text}, {grown})")
            body.write(f"{here.text}[{at.text}] = {code.text}")
            return Kind(form, "f", length=GROWS)
    raise Undecided(f"`{text(left)}`: an array that begins empty is filled in another order")


def _along(args: tuple[Node, ...]) -> Node | None:
    """Return the subscript along a vector: i of ``x(i)``, ``x(i, 1)`` or ``x(1, i)``."""
    if len(args) == 2 and 1 in (literal(args[0]), literal(args[1])):
        return args[0] if literal(args[1]) == 1 else args[1]
    return args[0] if len(args) == 1 else None


def _is_there(body: Body, here: Code, path: list[Step], root: str) -> bool:
    """Test if an array exists; if it begins in a loop, create it before the outermost one."""
    sure = not here.kind.unsure
    if len(path) > 1 or (sure and (not body.loops or root in body.loops[0]["entry"])):
        return sure
    outer = body.loops[0] if body.loops else None
    if outer is None or (root in outer["entry"] and root not in outer["begun"]):
        return False
    if root not in outer["begun"]:
        outer["prelude"].append(f"{here.text} = np.zeros(0)")
        outer["begun"].add(root)
        for loop in body.loops:
            loop["entry"][root] = kind("e") if loop is outer else kind("e").now(length=GROWS)
    return True


def _fits(body: Body, here: Code, at: str) -> bool:
    """Test if a slice is known to lie inside the array, which then does not grow."""
    length = here.kind.length
    ends = re.fullmatch(r"(-?\w*):(-?\w*)(:-?\d+)?", at)
    if not ends:
        return False
    stop = ends[2]
    if stop == "" or stop.startswith("-"):
        return True
    return stop.isdigit() and 0 <= int(stop) <= length


def _written(body: Body, here: Code, args: tuple[Node, ...], code: Code, left: Node) -> Kind:
    k, new = here.kind, code.kind
    code = real_numbers(code) if k.numbers != "b" else code
    if k.form == "tensor" and len(args) == 3 and new.form in ("matrix", "row", "column"):
        at = [index(body, a, here, n) for n, a in enumerate(args)]
        free = sum(x.form == "slice" for x in at)
        if all(x.form in ("one", "slice") for x in at) and free == 1 + (new.form == "matrix"):
            if new.numbers not in "bif" and k.numbers in "bif":
                raise Undecided(f"`{text(left)}`: it is unknown whether the tensor is complex")
            body.write(f"{here.text}[{', '.join(x.text for x in at)}] = {code.text}")
            return k
    target = subscript(body, here, args, text(left))
    if target.text == here.text:
        target = Code(f"{here.text}[:]", target.kind)
    if 'ravel(order="F")' in target.text:
        if k.form != "matrix" or new.form != "scalar" or ":" in target.text:
            raise Undecided(f"`{text(left)}`: entries of a matrix by a single subscript")
        flat = target.text.replace('.ravel(order="F")', ".T.flat")  # in MATLAB's order of entries
        target = Code(flat, target.kind.now(form="scalar"))
    inside = target.text[len(here.text) + 1 : -1]
    shown, form = target.text, target.kind.form
    at_each = [index(body, a, here, n if len(args) > 1 else -1) for n, a in enumerate(args)]
    slices = [x.text for x in at_each if x.form == "slice" and x.text != ":" and ":" in x.text]
    if new.form == "scalar" and form != "scalar" and not all(_fits(body, here, x) for x in slices):
        if len(args) > 1 or not (ends := re.fullmatch(r"(.*?):(.*?)", inside)):
            raise Undecided(f"`{text(left)}`: it is unknown whether the array grows")
        shown = f"{here.text}[np.arange({ends[1] or 0}, {ends[2]})]"
    elif form == "matrix" and new.form == "column":
        code = Code(f"{code.at(19)}[:, None]", new)
    elif not _agree(form, new.form):
        raise Undecided(f"`{text(left)}`: a {new.form} for a {form}")
    found = k.numbers
    if found == "m" and new.numbers != "b":
        raise Undecided(f"`{text(left)}`: it is unknown whether the array is logical")
    if NUMBERS.index(new.numbers) > NUMBERS.index(k.numbers) and k.numbers in "if":
        if new.numbers == "?":  # complex if the assigned value is
            value = f"{here.text.replace('.', '_')}_new"
            while value in body.names:
                value += "_"
            body.write(f"{value} = {code.text}")
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
    if new in ("scalar", "nothing") or form == "nothing":
        return True
    if form in vectors:
        return new in vectors
    return form == new or (form == "matrix" and new == "row")
