"""Tests of loops that fill an array or a cell, and its kind before the loop."""

from __future__ import annotations

import re
from typing import Any

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import literal
from spatial_v2.migrate.kinds import GROWS, Code, Kind, Undecided, kind
from spatial_v2.migrate.names import MODEL
from spatial_v2.migrate.parse import Node, assigns, named, text, walk
from spatial_v2.migrate.places import Step

__all__ = ["at_entry", "beyond", "counted", "is_filled", "is_there", "only_sometimes"]


def beyond(node: Node) -> bool:
    """Test if a subscript is ``end + 1``."""
    parts = named(node)
    return (
        node.type == "binary_operator"
        and parts[0].type == "end_keyword"
        and "+" in text(node)
        and literal(parts[1]) == 1
    )


def counted(body: Body, where: str, node: Node, left: Node) -> dict[str, Any] | None:
    """Return the innermost loop if it counts up from 1 and every iteration assigns the entry
    `left`, whose subscript `node` is the loop variable; otherwise None.
    """
    loop = body.loops[-1] if body.loops else None
    if not loop or not loop["up"] or text(node) != loop["name"] or not _always(left, loop):
        return None
    inner = [n for b in loop["block"] for n in walk(b)]
    if any(n.type in ("continue_statement", "break_statement") for n in inner):
        return None
    if any(assigns(b, loop["name"]) for b in loop["block"]):
        return None
    return None if any(_resized(n, left) for n in inner) else loop


def _resized(node: Node, left: Node) -> bool:
    """Test if a statement assigns the whole array of the entry `left`, or another entry of that
    array.
    """
    if node.type != "assignment":
        return False
    target, entry = node.child_by_field_name("left"), "".join(text(left).split())
    whole = re.sub(r"[({][^(){}]*[)}]$", "", entry)
    several = named(target) if target.type == "multioutput_variable" else [target]
    for x in ("".join(text(n).split()) for n in several):
        if x != entry and (x.startswith((f"{whole}(", f"{whole}{{")) or whole == x):
            return True
        if whole.startswith(x) and whole[len(x) :][:1] in (*".({",):
            return True
    return False


def _always(left: Node, loop: dict[str, Any]) -> bool:
    """Test if every iteration of a loop executes the assignment to `left`."""
    up = left.parent
    while up is not None and up.type != "for_statement":
        if up.type == "while_statement":
            return False
        closing = {"if_statement": "else_clause", "switch_statement": "otherwise_clause"}
        if up.type in closing and not any(n.type == closing[up.type] for n in named(up)):
            return False
        up = up.parent
    return up is not None and loop["block"] == next(
        (n.children for n in named(up) if n.type == "block"), []
    )


def at_entry(loop: dict[str, Any], path: list[Step], root: str) -> Kind | None:
    """Return the kind, before a loop, of the variable `root`, or of the field of it that `path`
    leads to; None if it does not exist there.
    """
    found: Kind | None = loop["entry"].get(root)
    for step in path[:-1]:
        if found is None or step.sign != ".":
            return found
        if found.form in ("object", "reference"):
            return kind("u")  # of a property, only the kind of all its values is known
        found = MODEL.get(step.name) if found.form == "model" else found.field(step.name)
    return found


def is_filled(body: Body, here: Code, path: list[Step], root: str) -> bool:
    """Test if a variable or field is empty before the loops around this assignment, which then
    fill it, in any order.
    """
    if not body.loops or here.kind.length == GROWS:
        return here.kind.length in (0, GROWS)
    if any(here.text in loop["appended"] for loop in body.loops):
        return False
    before = at_entry(body.loops[0], path, root)
    return before is None or before.form == "empty" or before.length == 0


def is_there(body: Body, here: Code, path: list[Step], root: str) -> bool:
    """Test if an array has a value here; if its first assignment is in a loop, create it before the
    outermost loop.
    """
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


def only_sometimes(left: Node, what: str, example: str) -> Undecided:
    """Return the error for an array or a cell that has a value only on some paths to a line."""
    return Undecided(
        f"`{text(left)}`: the {what} has a value only on some paths to this line; assign one on "
        f"all of them, for example {example}"
    )
