"""Assignments to entries of cells, which are lists that may grow."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.bounds import lies_inside
from spatial_v2.migrate.expressions import literal, unshifted
from spatial_v2.migrate.filling import at_entry, beyond, counted, is_filled, only_sometimes
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import GROWS, Code, Kind, Undecided, join, kind
from spatial_v2.migrate.parse import Node, text, walk
from spatial_v2.migrate.places import Step

__all__ = ["cell", "grid"]


def cell(body: Body, here: Code, path: list[Step], code: Code | None, left: Node) -> Kind:
    """Assign to an entry of a cell of one row or column; return the kind of the cell afterwards."""
    step, k = path[-1], here.kind
    args = step.args
    if len(args) == 2 and literal(args[0]) == 1:
        args = args[1:]
    if step.sign == "(":
        k = k.now(items=())
    if step.sign == "(" and code is None and len(args) == 1:
        at = index(body, args[0], Code(here.text, Kind("row")), -1)
        if at.form in ("one", "slice"):
            body.write(f"del {here.text}[{at.text}]")
        else:
            body.need("from spatial_v2.migrate.values import without")
            body.write(f"{here.text} = without({here.text}, {at.text})")
        return k.now(length=-1)
    if step.sign == "(" and len(args) == 1 and code is not None and code.kind.form == "cell":
        at = index(body, args[0], Code(here.text, Kind("row")), -1)
        if at.form == "slice":
            body.write(f"{here.text}[{at.text}] = {code.text}")
            return k.now(item=join(k.item, code.kind.item))
    if step.sign != "{" or len(args) != 1 or code is None:
        raise Undecided(
            f"`{text(left)}`: of a cell, want an assignment to one entry, c{{k}} = x, or to a "
            f"range of entries, c(a:b) = {{...}}"
        )
    code = unshifted(code)
    new = code.kind.now(shared=False)
    at_ = (literal(args[0]) or 0) - 1
    appended = beyond(args[0]) or at_ == len(k.items)
    items = (*k.items, new) if appended and len(k.items) == k.length else ()
    if 0 <= at_ < len(k.items):
        items = (*k.items[:at_], new, *k.items[at_ + 1 :])
    more = k.now(item=join(k.item, new), items=items)
    if beyond(args[0]):
        body.write(f"{here.text}.append({code.text})")
        return more.now(length=k.length + 1 if k.length >= 0 else -1)
    root = text(next(n for n in walk(left) if n.type == "identifier"))
    known = literal(args[0])
    loop = counted(body, here.text, args[0], left)
    if loop and here.text not in loop["appended"]:
        before = at_entry(loop, path, root)
        if before is None or before.form == "empty" or before.length == 0:
            begun = f"{here.text} = []"
            if (before is None or before.form == "empty") and begun not in loop["prelude"]:
                loop["prelude"].append(begun)
            loop["appended"].add(here.text)
            # the assignment is in a branch and may be skipped: allocate all entries
            if body.depth != loop["depth"]:
                if begun not in loop["prelude"]:
                    return _grown(body, here, more, args[0], code, text(left))
                at_ = loop["prelude"].index(begun)
                loop["prelude"][at_] = f"{here.text} = [np.zeros(0)] * {loop['count']}"
                where = index(body, args[0], Code(here.text, Kind("row")), -1)
                body.write(f"{here.text}[{where.text}] = {code.text}")
                return more.now(length=-1)
            body.write(f"{here.text}.append({code.text})")
            return more.now(length=-1)
    if loop and f"{here.text} = [np.zeros(0)] * {loop['count']}" in loop["prelude"]:
        where = index(body, args[0], Code(here.text, Kind("row")), -1)
        body.write(f"{here.text}[{where.text}] = {code.text}")
        return more.now(length=-1)
    if known is not None and known == k.length + 1:
        body.write(f"{here.text}.append({code.text})")
        return more.now(length=known)
    there = lies_inside(body, left, k, args)
    may_grow = args[0].type == "end_keyword" or not there
    unknown = (known or 0) > 1 and k.length == -1 and not (path[:-1] or k.unsure)
    after_end = (known or 0) > k.length > 0 or (unknown and root not in body.inputs)
    if may_grow and (is_filled(body, here, path, root) or after_end):
        return _grown(body, here, more, args[0], code, text(left))
    if k.unsure:
        raise only_sometimes(left, "cell", "c = {}")
    summed = args[0].type == "binary_operator" and "+" in text(args[0])
    if known is None and (k.length >= 0 or summed) and not there:
        return _grown(body, here, more, args[0], code, text(left))
    at = index(body, args[0], Code(here.text, Kind("row")), -1)
    if at.form != "one":
        raise Undecided(
            f"`{text(left)}`: several entries of a cell cannot be assigned at once; assign them "
            "one by one"
        )
    body.write(f"{here.text}[{at.text}] = {code.text}")
    return more


def grid(body: Body, here: Code, path: list[Step], code: Code | None, left: Node) -> Kind:
    """Assign to an entry of a cell of rows and columns; return the kind of the cell afterwards."""
    step, k = path[-1], here.kind
    if step.sign != "{" or len(step.args) != 2 or code is None:
        raise Undecided(
            f"`{text(left)}`: of a cell of rows and columns, only single entries, c{{i, j}} = x, "
            "can be assigned"
        )
    at = [index(body, a, Code(here.text, Kind("matrix")), n) for n, a in enumerate(step.args)]
    if any(x.form != "one" or "shape" in x.text for x in at):
        raise Undecided(
            f"`{text(left)}`: several entries of a cell cannot be assigned at once; assign them "
            "one by one"
        )
    code = unshifted(code)
    body.write(f"{here.text}[{at[0].text}][{at[1].text}] = {code.text}")
    return k.now(item=join(k.item, code.kind.now(shared=False)), items=())


def _grown(body: Body, here: Code, more: Kind, arg: Node, code: Code, shown: str) -> Kind:
    """Assign to an entry that may lie beyond the end of a cell, which is first padded with empty
    entries; return the kind of the cell afterwards.
    """
    at = index(body, arg, Code(here.text, Kind("row")), -1)
    if at.form != "one" or at.text.startswith("-"):
        raise Undecided(
            f"`{shown}`: several entries of a cell cannot be assigned at once; assign them one by "
            "one"
        )
    body.need("from spatial_v2.migrate.values import put")
    body.write(f"put({here.text}, {at.text}, {code.text})")
    empty = kind("e") if more.item is None or more.item.form == "nothing" else more.item
    return more.now(length=GROWS, item=empty)
