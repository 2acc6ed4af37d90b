"""Nodes of syntax trees: their text, and the nodes below them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

__all__ = ["Args", "Node", "assigns", "in_loop", "named", "ran", "text", "walk"]

Node = Any


Args = tuple[Node, ...]


def text(node: Node) -> str:
    """Return the source text of a node."""
    return str(node.text.decode())


def assigns(node: Node, name: str) -> bool:
    """Test if a statement, or one inside it, assigns a whole variable or counts by it."""
    for n in walk(node):
        if n.type == "iterator" and text(named(n)[0]) == name:
            return True
        if n.type == "assignment":
            target = n.child_by_field_name("left")
            several = named(target) if target.type == "multioutput_variable" else [target]
            if any(text(x) == name for x in several):
                return True
    return False


def named(node: Node) -> list[Node]:
    """Return the children of a node, except comments and line continuations."""
    return [n for n in node.named_children if n.type not in ("comment", "line_continuation")]


def in_loop(node: Node) -> bool:
    """Test if a statement is inside a loop."""
    while node is not None and node.type not in ("for_statement", "while_statement"):
        node = node.parent
    return node is not None


def walk(node: Node) -> list[Node]:
    """Return a node and its descendants, in the order of the file."""
    found, open_ = [], [node]
    while open_:
        here = open_.pop()
        found.append(here)
        open_ += reversed(here.children)
    return found


def ran(node: Node) -> list[str]:
    """Return the names of scripts that ``run name`` or ``run('folder/name.m')`` runs."""
    if node.type not in ("command", "function_call") or not text(node).startswith("run"):
        return []
    words = re.findall(r"[\w./\\~-]+", text(node))
    return [Path(w.replace("\\", "/")).stem for w in words[1:2]] if words[0] == "run" else []
