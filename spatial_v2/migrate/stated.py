"""Lengths of the axes of arrays, as the assignments of whole arrays state them."""

from __future__ import annotations

import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.parse import Node, named, text, walk

__all__ = ["shown", "stated_sizes"]

FILLED = {"zeros", "ones", "rand", "randn", "eye", "nan", "NaN", "inf", "Inf", "true", "false"}
"""Functions of MATLAB whose arguments are the lengths of the axes of the result."""


def shown(node: Node) -> str:
    """Return the text of a node without blanks."""
    return "" if node is None else "".join(text(node).split())


def stated_sizes(body: Body, target: str, left: Node) -> list[str]:
    """Return the lengths of the axes of `target`, as text, at an assignment to the part `left`, if
    all assignments of the whole array state the same ones, or the one before does; otherwise an
    empty list.
    """
    found = {tuple(_stated(right)) for right in body.whole.get(target, [])}
    if len(found) > 1:
        before = _before(left, target)
        found = set() if before is None else {tuple(_stated(before))}
    elif target in body.inputs:
        return []
    if len(found) != 1:
        return []
    (sizes,) = found
    words = {w for s in sizes for w in re.findall(r"[A-Za-z]\w*", s)}
    return [] if words & body.assigned_twice else list(sizes)


def _before(node: Node, target: str) -> Node | None:
    """Return the right side of the assignment of the whole `target` that the value at a node comes
    from; None if there are several.
    """
    while node.parent is not None:
        sibling = node.prev_named_sibling
        while sibling is not None:
            if sibling.type == "assignment" and _is_whole(sibling, target):
                return sibling.child_by_field_name("right")
            if any(_is_whole(n, target) for n in walk(sibling)):
                return None
            sibling = sibling.prev_named_sibling
        node = node.parent
        loop = node.type in ("for_statement", "while_statement")
        if loop and any(_is_whole(n, target) for n in walk(node)):
            return None
    return None


def _is_whole(node: Node, target: str) -> bool:
    """Test if a statement assigns the whole `target`, or removes entries of it."""
    if node.type != "assignment":
        return False
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    lefts = named(left) if left.type == "multioutput_variable" else [left]
    removes = right.type == "matrix" and not named(right)
    return any(shown(n) == target or (removes and shown(n).startswith(f"{target}(")) for n in lefts)


def _stated(right: Node) -> list[str]:
    # 0*x + zeros(n): MATLAB's way to give the array the class of x
    parts = named(right) if right.type == "binary_operator" and "+" in shown(right) else []
    if parts and re.search(r"\*0$|^0\*", shown(parts[0])):
        return _stated(parts[-1])
    name = right.child_by_field_name("name") if right.type == "function_call" else None
    if name is None or text(name) not in FILLED:
        return []
    args = [n for c in right.named_children if c.type == "arguments" for n in named(c)]
    if len(args) == 1 and args[0].type == "matrix":
        args = [n for r in named(args[0]) for n in named(r)]
    args = [a for a in args if a.type != "string"]
    if any(shown(a).startswith("size(") for a in args):
        return []
    return [shown(a) for a in (args * 2 if len(args) == 1 else args)]
