"""Statements that remove variables: ``clear`` and ``clearvars``."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from spatial_v2.migrate.kinds import Undecided
from spatial_v2.migrate.parse import Node, named, text, walk

__all__ = ["CLEARS", "clearing", "forgets_functions", "is_last", "removed", "used_after"]

CLEARS = ("clear", "clearvars")
EVERYTHING = ("all", "-all", "-a", "variables", "-variables", "-v")
NO_VARIABLES = ("functions", "-functions", "-f", "mex", "import", "java")


def clearing(node: Node) -> list[str] | None:
    """Return the words of a statement that removes variables; None for other nodes."""
    if node.type == "command":
        words = [text(n).strip("; ,'\"") for n in named(node)]
        return [w for w in words if w] if words[:1] and words[0] in CLEARS else None
    if node.type == "identifier":
        alone = node.parent is not None and node.parent.type in ("block", "source_file")
        return [text(node)] if alone and text(node) in CLEARS else None
    if node.type != "function_call" or text(node.child_by_field_name("name")) not in CLEARS:
        return None
    args = [a for n in node.named_children if n.type == "arguments" for a in named(n)]
    return [text(node.child_by_field_name("name")), *(_literal(a) for a in args)]


def _literal(node: Node) -> str:
    """Return the text of an argument, ``?`` if it is computed."""
    return text(node).strip("'\"") if node.type == "string" else "?"


def removed(words: list[str], there: Iterable[str]) -> set[str]:
    """Return those of the variables `there` that a statement with these words removes."""
    command, *rest = words
    if "?" in rest or "-regexp" in rest or "global" in rest or "-global" in rest:
        raise Undecided(f"{command}: want names of variables that are not global, as text")
    if any(x in NO_VARIABLES for x in rest):
        return set()
    at = rest.index("-except") if "-except" in rest else len(rest)
    chosen = [x for x in rest[:at] if x not in EVERYTHING] or ["*"]
    return {n for n in there if _any(n, chosen) and not _any(n, rest[at + 1 :])}


def _any(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, p) for p in patterns)


def forgets_functions(words: list[str], functions: Iterable[str]) -> bool:
    """Test if a statement with these words empties the persistent variables of functions."""
    return any(x in ("all", "-all", "-a", *NO_VARIABLES[:4], *functions) for x in words[1:])


def is_last(node: Node) -> bool:
    """Test if a statement runs once, whatever the path to the statements after it."""
    up = node.parent
    up = up.parent if up.type == "block" else up
    return up.type in ("source_file", "function_definition")


def used_after(node: Node, names: set[str]) -> set[str]:
    """Return those of the names that occur after a statement other than as a whole target."""
    root = node
    while root.parent is not None and root.type != "function_definition":
        root = root.parent
    after = [n for n in walk(root) if n.start_byte >= node.end_byte]
    first: dict[str, Node] = {}
    for n in after:
        if n.type in ("identifier", "command_name") and text(n) in names:
            first.setdefault(text(n), n)
    asked = {text(n).strip("'\"") for n in after if n.type == "string"}
    return {n for n, at in first.items() if not _whole(at)} | (names & asked)


def _whole(node: Node) -> bool:
    up = node.parent
    if up.type == "iterator":
        return bool(named(up)[0] == node)
    return up.type == "assignment" and bool(up.child_by_field_name("left") == node)
