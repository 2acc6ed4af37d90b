"""Reading of MATLAB files into syntax trees, by the package tree-sitter-matlab."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from spatial_v2.migrate.kinds import MigrateError
from spatial_v2.migrate.order import parentheses
from spatial_v2.migrate.sources import POINTS, decoded, inserted, with_plain_ends
from spatial_v2.migrate.syntax import Args, Node, assigns, in_loop, named, ran, text, walk

__all__ = [
    "Args", "Class", "Function", "Method", "Node", "Property", "Script", "assigns",
    "deep_expressions", "function_of", "in_loop", "named", "ran", "read", "text", "walk",
    "with_plain_ends",
]  # fmt: skip


class Function(NamedTuple):
    """A MATLAB function defined in a file."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    node: Node
    body: tuple[Node, ...]
    arguments: tuple[Node, ...] = ()
    """Declarations of the blocks ``arguments``."""


class Method(NamedTuple):
    """A method of a class; its attributes in lower case, such as ``static``."""

    function: Function
    attributes: frozenset[str]


class Property(NamedTuple):
    """A property of a class, with the expression of its default."""

    name: str
    default: Node | None
    attributes: frozenset[str]


class Class(NamedTuple):
    """A class that a file defines."""

    name: str
    bases: tuple[str, ...]
    properties: tuple[Property, ...]
    methods: tuple[Method, ...]
    node: Node
    refused: tuple[Node, ...]
    """Blocks that are not translated: enumerations and events."""


class Script(NamedTuple):
    """A file: its statements and its functions."""

    path: Path
    lines: list[str]
    body: tuple[Node, ...]
    functions: dict[str, Function]
    defined: Class | None = None
    """The class that the file defines."""

    def nodes(self) -> list[Node]:
        """Return the nodes of all statements, functions and classes."""
        more = [] if self.defined is None else [self.defined.node]
        return [*self.body, *(f.node for f in self.functions.values()), *more]


@cache
def _parser() -> Any:
    try:
        import tree_sitter_matlab
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise MigrateError(f"{error.name} is not installed: pip install '.[migrate]'") from None
    return Parser(Language(tree_sitter_matlab.language()))


DEEPEST = 40_000
"""Limit of calls within calls during a translation."""


@contextmanager
def deep_expressions() -> Iterator[None]:
    """Inside a ``with`` block, expressions of thousands of terms, as generated code has, are
    translated, term within term.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def read(path: Path, *, ordered: bool = True) -> Script:
    """Parse a file; a syntax error names file and line.

    If `ordered`, parentheses are added where the grammar's precedence is not MATLAB's.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise MigrateError(f"{path}: {error.strerror}") from None
    if path.suffix != ".m":
        raise MigrateError(f"{path}: want a MATLAB file, whose name ends in .m")
    source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    source = decoded(source).encode() + b"\n"
    source = with_plain_ends(source)
    root = _parser().parse(source).root_node
    if root.has_error:
        root = _parser().parse(POINTS.sub(rb"\1.0\2", source)).root_node
        source = bytes(root.text) if not root.has_error else source
    for missing in (_points, parentheses) if ordered else ():
        if not root.has_error and (more := missing(root)):
            source = inserted(source, more)
            root = _parser().parse(source).root_node
    if root.has_error:
        bad = next(n for n in walk(root) if n.type == "ERROR" or n.is_missing)
        line = bad.start_point[0]
        shown = source.decode().split("\n")[line].strip()
        raise MigrateError(f"{path}:{line + 1}: want valid MATLAB code, got {shown!r}")
    every = [f for n in root.named_children if (f := _function(n))]
    there = next((n for n in root.named_children if n.type == "class_definition"), None)
    body = tuple(
        n
        for n in root.named_children
        if n.type != "function_definition" and (there is None or n.type == "comment")
    )
    alone = there is None and all(n.type == "comment" for n in body)
    if every and alone and path.stem.isidentifier():
        every[0] = every[0]._replace(name=path.stem)  # MATLAB calls it by the name of its file
    functions = {f.name: f for f in every}
    lines = source.decode().split("\n")
    return Script(path, lines, body, functions, None if there is None else _class(there))


def _attributes(node: Node) -> frozenset[str]:
    """Return the names of the attributes of a block that are not false."""
    given = [a for n in node.named_children if n.type == "attributes" for a in n.named_children]
    found = {text(named(a)[0]).lower() for a in given if text(named(a)[-1]) != "false"}
    shut = any(
        text(named(a)[0]).lower() in ("access", "getaccess")
        and text(named(a)[-1]).strip("'") in ("private", "protected")
        for a in given
    )
    return frozenset(found | ({"private"} if shut else set()))


def _class(node: Node) -> Class:
    bases: tuple[str, ...] = ()
    properties, methods, refused = [], [], []
    for block in node.named_children:
        if block.type == "superclasses":
            bases = tuple(map(text, block.named_children))
        elif block.type == "properties":
            for p in block.named_children:
                if p.type == "property":
                    default = next((n for n in p.named_children if n.type == "default_value"), None)
                    right = None if default is None else named(default)[0]
                    name = text(next(n for n in p.named_children if n.type == "identifier"))
                    properties.append(Property(name, right, _attributes(block)))
        elif block.type == "methods":
            found = [f for n in block.named_children if (f := _function(n))]
            methods += [Method(f, _attributes(block)) for f in found]
        elif block.type in ("enumeration", "events"):
            refused.append(block)
    name = text(next(n for n in node.named_children if n.type == "identifier"))
    return Class(name, bases, tuple(properties), tuple(methods), node, tuple(refused))


def _points(root: Node) -> list[tuple[int, str]]:
    """Return what to insert so that ``1./x`` is read as ``1 ./ x``: the grammar takes the point for
    one of the number.
    """
    source, begin = bytes(root.text), root.start_byte
    numbers = [n for n in walk(root) if n.type == "number" and text(n).endswith(".")]
    after = [source[n.end_byte - begin : n.end_byte - begin + 1] for n in numbers]
    signs = (b"*", b"/", b"\\", b"^", b"'")
    return [(n.end_byte, "0.") for n, sign in zip(numbers, after, strict=True) if sign in signs]


def _function(node: Node) -> Function | None:
    return function_of(node) if node.type == "function_definition" else None


def function_of(node: Node) -> Function:
    """Return the function that a node defines."""
    name = text(node.child_by_field_name("name"))
    accessor = next((c.type for c in node.children if c.type in ("get.", "set.")), "")
    name = f"_{accessor[:-1]}_{name}" if accessor else name
    inputs: list[str] = []
    outputs: list[str] = []
    body: list[Node] = []
    declared: list[Node] = []
    for child in node.named_children:
        if child.type == "function_output":
            outputs = [text(n) for n in walk(child) if n.type == "identifier"]
        elif child.type == "function_arguments":
            inputs = ["_" if n.type == "ignored_argument" else text(n) for n in named(child)]
        elif child.type == "block":
            body += child.named_children
        elif child.type == "comment":
            body.append(child)
        elif child.type == "arguments_statement":
            declared += [n for n in child.named_children if n.type == "property"]
    return Function(name, tuple(inputs), tuple(outputs), node, tuple(body), tuple(declared))
