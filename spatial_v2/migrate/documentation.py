"""Comments that document functions and classes."""

from __future__ import annotations

from spatial_v2.migrate.parse import Class, Function, Node, text

__all__ = ["class_documentation", "documentation", "documenting"]


def documenting(found: Function) -> list[Node]:
    """Return the comments that document a function: those at its beginning, up to a blank line."""
    nodes: list[Node] = []
    for node in found.body:
        if node.type != "comment" or text(node).startswith("%%"):
            break
        if nodes and node.start_point[0] > nodes[-1].end_point[0] + 1:
            break
        nodes.append(node)
    return nodes


def documentation(found: Function) -> list[str]:
    """Return the lines of the docstring of a function."""
    return _documented(documenting(found))


def class_documentation(found: Class) -> list[str]:
    """Return the lines of the docstring of a class."""
    heads = ("attributes", "identifier", "superclasses")
    first = [n for n in found.node.named_children if n.type not in heads][:1]
    return _documented([n for n in first if n.type == "comment"])


def _documented(nodes: list[Node]) -> list[str]:
    every = [line for node in nodes for line in text(node).split("\n")]
    lines = [x.strip().lstrip("%#").strip() for x in every]
    shown = [x.replace("\\", "\\\\").replace('"""', "'''") for x in lines]
    while shown and not shown[-1]:
        shown.pop()
    while shown and not shown[0]:
        shown.pop(0)
    return shown
