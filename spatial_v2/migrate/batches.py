"""Loops that call a function of the library for one state after another: a remark says how a batch
takes them all at once.
"""

from __future__ import annotations

import inspect

import spatial_v2
from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.parse import Node, named, text, walk
from spatial_v2.migrate.places import steps
from spatial_v2.migrate.program import Todo

__all__ = ["remark"]


def remark(body: Body, loop: Node, name: str, block: list[Node]) -> None:
    """Write a comment if a call in a loop takes a column or row of arrays that the loop leaves
    unchanged, the one that the loop variable `name` counts.
    """
    every = [n for b in block for n in walk(b)]
    assigned = {
        text(n)
        for x in every
        if x.type == "assignment"
        for n in walk(x.child_by_field_name("left"))
        if n.type == "identifier"
    }
    for call in (n for n in every if n.type == "function_call"):
        word = text(call.child_by_field_name("name"))
        given = next((named(c) for c in named(call) if c.type == "arguments"), [])
        if word in body.env or not _takes_states(word) or len(given) < 2:
            continue
        words = {text(n) for x in given for n in walk(x) if n.type == "identifier"} - {name}
        some = any(_counted(x, name) for x in given[1:])
        if some and not words & assigned and all(_counted(x, name) or _plain(x) for x in given):
            said = f"{word} takes all states at once, as rows: {word}(model, q, ...)"
            body.write(f"# {said}, in place of this loop's calls")
            found = Todo(body.file.path, loop.start_point[0] + 1, said)
            body.file.remarks += [found] if found not in body.file.remarks else []
            return


def _takes_states(word: str) -> bool:
    """Test if a function of the library has a model and its positions as its first arguments."""
    row = ROWS.get(word)
    if row is None or f"spatial_v2.{word}" not in row.python[:1]:
        return False
    return [*inspect.signature(getattr(spatial_v2, word)).parameters][:2] == ["model", "q"]


def _counted(node: Node, name: str) -> bool:
    """Test if an argument is ``x(:, name)`` or ``x(name, :)``, which may be transposed."""
    inner = named(node)[0] if node.type == "postfix_operator" else node
    if inner.type != "function_call":
        return False
    path = steps(inner)[1]
    args = [text(x) for x in path[-1].args] if len(path) == 1 else []
    return len(args) == 2 and sorted(args) == sorted([":", name])


def _plain(node: Node) -> bool:
    return node.type in ("identifier", "number")
