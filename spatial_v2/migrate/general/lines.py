"""Lines of a translation as they are written, and the names that are known there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from spatial_v2.migrate.commented import CommentedLines
from spatial_v2.migrate.general.scope import Variables
from spatial_v2.migrate.general.trees import (
    NUMBER,
    VALUE,
    Step,
    Typed,
    called,
    constant,
    identifier,
    name,
)
from spatial_v2.migrate.parse import Node, Script, text
from spatial_v2.migrate.program import Todo

__all__ = ["Lines"]


class Lines(CommentedLines):
    """Lines of the translation of a script or function, and the names that are known there."""

    def __init__(
        self,
        program: Any,
        script: Script,
        nodes: Any,
        inputs: tuple[str, ...] = (),
        outputs: tuple[str, ...] = (),
        is_function: bool = False,
        title: str = "",
        outer: Lines | None = None,
        variables: Variables | None = None,
    ) -> None:
        self.program, self.file, self.script = program, script, script
        self.inputs, self.outputs, self.is_function = inputs, outputs, is_function
        self.title, self.outer = title, outer
        self.variables = variables or Variables(nodes, inputs, outputs, program.scripts)
        self.out: list[str] = []
        self.depth = 0
        self.ends_used = False
        self.local_names: set[str] = set()
        self.hidden: list[set[str]] = []
        self.todos: list[Todo] = []
        self.notes: list[str] = []
        self.remarks: list[Todo] = []
        self.last_row = -1
        self.first: dict[str, int] = {}
        self.line = 0
        self.imports: set[str] = set()
        self.running: list[str] = []
        self.functions_used: set[str] = set()
        self.unsure: set[str] = set()
        """Outputs that may stay unassigned, which is an error where a call asks for them."""
        self.released: set[str] = set()
        """Variables that are removed, whose names are those of functions from then on."""

    # -- names

    def is_variable(self, word: str) -> bool:
        """Test if a name is a variable here."""
        if word in self.released:
            return False
        if word in self.local_names or word in self.variables.every:
            return True
        if self.outer is not None and self.outer.is_variable(word):
            return True
        return self.variables.loads and not self.program.has_function(word)

    def is_handle(self, word: str) -> bool:
        """Test if a variable may be the handle of a function, called for several results."""
        return True

    def variable(self, word: str) -> Typed:
        """Return a variable."""
        if word in self.local_names:
            if word == "varargin":
                return Typed(called("cell_of", name("varargin")))
            return Typed(name(identifier(word)))
        if word in self.variables.shared:
            return Typed(name(f"ml.shared.{identifier(word)}"))
        if word in self.variables.kept:
            return Typed(name(f"{self.title}_{word}"))
        return Typed(name(identifier(word)), NUMBER if word in self.variables.numbers else VALUE)

    def reached(self, word: str, path: list[Step]) -> tuple[Typed, list[Step]]:
        """Return a variable, or a part of it, and the accesses that are left."""
        return self.variable(word), path

    @contextmanager
    def inside_handle(self, inputs: list[str]) -> Iterator[None]:
        """Inside a ``with`` block, names are those of a handle's arguments first."""
        before = self.local_names
        self.local_names = before | set(inputs)
        try:
            yield
        finally:
            self.local_names = before

    def users(self, word: str) -> ast.expr:
        """Return a function of the user's files."""
        self.functions_used.add(word)
        return name(identifier(word))

    def arguments(self, args: tuple[Node, ...]) -> list[ast.expr]:
        """Translate the arguments of a function."""
        raise NotImplementedError

    def expression(self, node: Node) -> Typed:
        """Translate an expression."""
        raise NotImplementedError

    def missing(self, word: str) -> str:
        """Return the reason why a name is not translated."""
        raise NotImplementedError

    def unknown(self, node: Node, why: str) -> Typed:
        """Return an expression that raises an error with the reason when it is reached."""
        self.todos.append(Todo(self.script.path, node.start_point[0] + 1, f"not translated: {why}"))
        self.notes.append(f"TODO(migrate): not translated: {why}")
        where = f"{self.script.path.name}, line {node.start_point[0] + 1}"
        shown = " ".join(text(node).split())
        return Typed(called("unknown", constant(shown), constant(where)))

    # -- lines

    def put(self, tree: ast.stmt | ast.expr) -> None:
        """Write a statement or an expression."""
        for line in ast.unparse(ast.fix_missing_locations(tree)).split("\n"):
            self.write(line)

    def assign(self, target: ast.expr, tree: ast.expr) -> None:
        """Write an assignment."""
        self.put(ast.Assign([target], tree, lineno=0))

    def block(self, nodes: Any) -> None:
        """Translate the statements of a block, which may be empty."""
        self.depth += 1
        before = len(self.out)
        self.statements(nodes)
        if not any(x.strip() and not x.strip().startswith("#") for x in self.out[before:]):
            self.write("pass")
        self.depth -= 1

    def statements(self, nodes: Any) -> None:
        """Translate statements in order."""
        raise NotImplementedError

    def ends(self, node: Node) -> bool:
        """Test if a semicolon follows a statement, so that its value is not printed."""
        line = self.script.lines[node.end_point[0]]
        rest = line.encode()[node.end_point[1] :].decode(errors="replace").strip()
        return bool(rest.startswith(";"))

    def assigned(self, word: str) -> None:
        """Record the line of the first assignment of a variable."""
        self.released.discard(word)
        self.first.setdefault(identifier(word), self.line)
