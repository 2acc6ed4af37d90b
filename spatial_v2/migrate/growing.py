"""Assignments to entries of arrays, which may grow as in MATLAB."""

from __future__ import annotations

import re

from spatial_v2.migrate.begun import along_of, begun, count_of
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.bounds import lies_inside, target_of
from spatial_v2.migrate.expressions import literal, unshifted
from spatial_v2.migrate.filling import at_entry, beyond, counted, only_sometimes
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import GROWS, NUMBERS, Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Node, named, text, walk
from spatial_v2.migrate.places import Step
from spatial_v2.migrate.two_axes import with_columns, with_entries
from spatial_v2.migrate.written import before_growth, deleted, held, written

__all__ = ["array"]


def array(body: Body, here: Code, path: list[Step], code: Code | None, left: Node) -> Kind:
    """Assign to entries of an array, or delete them; return the kind of the array afterwards."""
    args, k = path[-1].args, here.kind
    if code is None:
        return deleted(body, here, args, left)
    if not code.kind.is_array and code.kind.form != "nothing":
        raise Undecided(
            f"`{text(left)}`: want numbers for entries of an array, got {code.kind.described}"
        )
    code = unshifted(code)
    if k.form == "column" and k.length == 0 and len(args) == 1:
        raise Undecided(f"`{text(left)}`: a column without entries becomes a row as it grows")
    root = text(next(n for n in walk(left) if n.type == "identifier"))
    if k.shift and not body.not_counted_from_zero(root, k.shift):
        raise Undecided(f"`{text(left)}`: want an array of MATLAB's values, got one of indices")
    if code.kind.numbers == "b" and _made_of_entries(body, root, left):
        raise _of_logical(left)
    if any(map(beyond, args)) or _one_more(args, left):
        return _appended(body, here, args, code, left)
    here = with_columns(body, here, args)
    k, along = here.kind, along_of(args)
    real = code.kind.is_vector and k.numbers in "if" and code.kind.numbers in "if"
    if real and _after_end(along) and k.is_vector and not (k.unsure or k.length == GROWS):
        body.write(f"{here.text} = np.append({here.text}, {code.text})")
        return k.now(numbers="f", length=-1, shared=False)
    joined = k.form == code.kind.form == "matrix" and len(args) == 2 and code.kind.length
    if joined and not k.unsure and k.numbers in "if" and code.kind.numbers in "if":
        for stack, whole, after in (("hstack", *args), ("vstack", *args[::-1])):
            if whole.type == "spread_operator" and _after_end(after):
                x, new = here.text, code.text
                empty = "" if k.length else f" if {x}.size else np.array({new})"
                body.write(f"{x} = np.{stack}([{x}, {new}]){empty}")
                return k.now(numbers="f", length=-1, shared=False)
    if k.form in ("row", "column") and len(args) == 2 and k.length >= -1:
        other = args[1] if k.form == "column" else args[0]
        if literal(other) != 1 and other.type not in ("spread_operator", "end_keyword"):
            raise Undecided(f"`{text(left)}`: want 1, : or end as the subscript across a {k.form}")
    if along is not None and along.type == "range" and k.is_vector and not body.loops:
        ends = [literal(n) or 0 for n in named(along)]
        numeric = code.kind.is_vector and k.numbers in "if" and code.kind.numbers in "if"
        if numeric and len(ends) == 2 and 0 < k.length == ends[0] - 1 < ends[1]:
            body.write(f"{here.text} = np.append({here.text}, {code.text})")
            return k.now(numbers="f", length=ends[1], shared=False)
    loop = counted(body, here.text, along, left) if along is not None else None
    if loop and here.text not in loop["appended"]:
        before = at_entry(loop, path, root)
        if before is None or before.form == "empty":
            return begun(body, here, path, code, left)
    if loop and here.text in loop["appended"] and (k.form == "empty" or k.unsure):
        form = "row" if len(args) == 1 or literal(args[0]) == 1 else "column"
        k = k.now(unsure=False) if k.is_vector else Kind(form)
        return written(body, Code(here.text, k), args, code, left)
    last = _last(along)
    if k.is_vector and not k.unsure and last and k.length == GROWS:
        return _lengthened(body, here, args, code, left, last)
    if k.form == "empty" or (
        k.length in (0, GROWS) and (k.is_vector or k.form in ("matrix", "tensor"))
    ):
        return begun(body, here, path, code, left)
    if k.unsure:
        raise only_sometimes(left, "array", "x = []")
    known = literal(args[0]) if len(args) == 1 else None
    if k.form == "scalar" and known and k.numbers in "if" and body.depth == bool(body.name):
        body.write(f"{here.text} = np.append({here.text}, np.zeros({known - 1}))")
        as_row = Code(here.text, Kind("row", "f", length=known))
        return written(body, as_row, args, code, left)
    if k.form == "array" and k.along and k.numbers in "if" and len(args) == 1 and not k.shift:
        return with_entries(body, here, args[0], code, left)
    if k.form == "scalar" or k.form == "array":
        raise Undecided(
            f"`{text(left)}`: `{here.text}` may be a single number; create the array by zeros first"
        )
    if k.is_vector and 0 < k.length < last:
        return _lengthened(body, here, args, code, left, last)
    fits = lies_inside(body, left, k, args)
    if not fits:
        count = len(body.out)
        code = _padded(body, here, args, code, left)
        if code.text == "":
            return code.kind
        fits = any("grown(" in line for line in body.out[count:])
        if fits and k.is_vector:
            return written(body, here, args, code, left, fits).now(length=-1)
    return written(body, here, args, code, left, fits)


def _after_end(node: Node) -> bool:
    """Test if the only subscript is ``end+1:end+n``: places after the last entry."""
    if node is None or node.type != "range" or len(named(node)) != 2:
        return False
    first, last = ("".join(text(n).split()) for n in named(node))
    return first == "end+1" and last.startswith("end+")


def _made_of_entries(body: Body, root: str, left: Node) -> bool:
    """Test if an array has entries before it is assigned as a whole, from several assignments: the
    first of them makes it logical or not.
    """
    target = target_of(left)
    lefts = [x for x in body.whole if x.startswith(f"{target}(")]
    return root not in body.inputs and target not in body.whole and len(lefts) > 1


def _one_more(args: tuple[Node, ...], left: Node) -> bool:
    """Test if the subscript is ``numel(x) + 1``, the place after the last entry of a vector x."""
    x = re.escape(target_of(left))
    shown = "".join(text(args[0]).split())
    return len(args) == 1 and bool(re.fullmatch(rf"(numel|length)\({x}\)\+1", shown))


def _padded(body: Body, here: Code, args: tuple[Node, ...], code: Code, left: Node) -> Code:
    """Let an array grow so that the subscripts lie inside, if it is unknown whether they do.

    Return the value to assign, without text if it is assigned already.
    """
    k, x = here.kind, here.text
    logical = k.numbers == code.kind.numbers == "b"
    if k.numbers in "bm" and not logical:
        single = [index(body, a, here, n if len(args) > 1 else -1) for n, a in enumerate(args)]
        if any(a.form != "mask" and a.text[0] not in "-:" for a in single):
            raise _of_logical(left)
    if not (k.numbers in "ifz?" or logical) or not (k.is_vector or k.form == "matrix"):
        return code
    if k.is_vector:
        along = along_of(args)
        counts = [count_of(body, here, along, -1)] if along is not None else [None]
    else:
        counts = [count_of(body, here, a, n) for n, a in enumerate(args)]
        if len(args) != 2 or counts == ["0", "0"]:
            return code
    if None in counts or counts == ["0"]:
        return code
    counts = counts[: 1 if counts[-1] == "0" else None]
    shown = ", ".join(c for c in counts if c)
    body.need("from spatial_v2.migrate.values import grown")
    code = before_growth(body, here, code, "new")
    if not re.search(rf"(?<![\w.]){re.escape(x)}(?!\w)", shown):
        body.write(f"{x} = grown({x}, {shown})")
        return code
    fits = k.is_vector and code.kind.form == "scalar" and code.kind.numbers in "if"
    if not fits or ":" in (at := index(body, along_of(args), here, -1)).text or k.numbers == "b":
        raise Undecided(
            f"`{text(left)}`: the array grows to an end that depends on the array; assign this "
            "end to a variable first"
        )
    place = held(body, here, Code(at.text, kind("i")), "at")
    body.write(f"{x} = grown({x}, {place.text} + 1)")
    body.write(f"{x}[{place.text}] = {code.text}")
    return Code("", k.now(numbers=max(k.numbers, "f", key=NUMBERS.index), length=-1))


def _last(along: Node | None) -> int:
    """Return the last of the subscripts along a vector if it is a literal, otherwise 0."""
    if along is None:
        return 0
    if along.type == "range":
        first, *steps, last = map(literal, named(along))
        if last is None or (steps and None in (first, *steps)):
            return 0
        return max(first or last, last)
    return literal(along) or 0


def _lengthened(
    body: Body, here: Code, args: tuple[Node, ...], code: Code, left: Node, last: int
) -> Kind:
    """Assign to entries of a vector, the last of them number `last`, beyond its end; the vector
    is lengthened first. Return its kind afterwards.
    """
    k, new, x = here.kind, code.kind, here.text
    if k.shift or k.numbers not in "ifz":
        raise Undecided(
            f"`{text(left)}`: an array of indices or logical values cannot grow; create it with "
            "its final size"
        )
    certain = k.length > 0 and body.depth == bool(body.name)
    found = k.now(
        numbers=max(k.numbers, "f", key=NUMBERS.index),
        length=last if certain else GROWS,
        shared=False,
    )
    if certain and last == k.length + 1 and new.form == "scalar" and new.numbers in "if":
        body.write(f"{x} = np.append({x}, {code.text})")
        return found
    code = before_growth(body, here, code, "new")
    missing = f"{last - k.length}" if certain else f"max({last} - len({x}), 0)"
    body.write(f"{x} = np.append({x}, np.zeros({missing}))")
    after = written(body, Code(x, found.now(length=last)), args, code, left)
    return after.now(length=found.length)


def _of_logical(left: Node) -> Undecided:
    """Make the error for an array that may be logical, and may grow by numbers."""
    return Undecided(
        f"`{text(left)}`: the array may be logical and may grow, where MATLAB and Octave differ; "
        "create it with its final size"
    )


def _appended(body: Body, here: Code, args: tuple[Node, ...], code: Code, left: Node) -> Kind:
    x, k, new = here.text, here.kind, code.kind
    found = NUMBERS[max(2, *(NUMBERS.index(y.numbers) for y in (k, new)))]
    if k.form == "nothing" or new.form == "nothing":
        return body.not_known(text(left), kind("n"))
    if k.is_vector and k.numbers in "bm" and new.numbers != "b":
        raise _of_logical(left)
    if len(args) == 1 and (k.is_vector or k.form == "empty") and new.form == "scalar":
        body.write(f"{x} = np.append({x}, {code.text})")
        return Kind(k.form if k.is_vector else "row", found, length=GROWS if body.loops else -1)
    whole = [a.type == "spread_operator" for a in args]
    if len(args) == 2 and sum(whole) == 1 and k.form in ("matrix", "empty"):
        down = whole[1]
        stack = "vstack" if down else "column_stack"
        if new.is_vector:
            line = f"np.array([{code.text}])" if down else f"np.column_stack([{code.text}])"
            if k.form == "matrix":
                body.write(f"{x} = np.{stack}([{x}, {code.text}]) if {x}.size else {line}")
            else:
                body.write(f"{x} = {line}")
            return Kind("matrix", found)
    raise Undecided(
        f"`{text(left)}`: {k.described} cannot grow by {new.described} here; join them in brackets"
    )
