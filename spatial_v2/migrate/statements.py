"""Translation of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spatial_v2.migrate import commands, declared, loops, targets
from spatial_v2.migrate.branches import (
    if_statement,
    return_statement,
    switch_statement,
)
from spatial_v2.migrate.kinds import Code, Kind, Undecided, join, kind
from spatial_v2.migrate.levels import heads, words
from spatial_v2.migrate.logic import condition
from spatial_v2.migrate.nodes import EXPRESSIONS
from spatial_v2.migrate.parse import Node, in_loop, named, text, walk
from spatial_v2.migrate.program import Todo
from spatial_v2.migrate.scope import Scope

__all__ = ["KINDS", "Body"]


class Body(Scope):
    """Translation of the statements of a scope."""

    todos: list[Todo]
    last_row = -1
    by_runtime = 0
    """Number of lines with code that the runtime wrote."""

    def statements(self, nodes: tuple[Node, ...] | list[Node]) -> None:
        """Translate statements in order; an empty block becomes ``pass``."""
        before = len(self.out)
        for node in nodes:
            self.statement(node)
        if self.depth and not any(x.strip() and x.strip()[0] != "#" for x in self.out[before:]):
            self.write("pass")

    def statement(self, node: Node) -> None:
        """Translate one statement, or write it as a comment if it cannot be translated."""
        row = node.start_point[0]
        if node.type == "comment":
            self.comment(node)
            return
        self.blank(node)
        start, depth, env = len(self.out), self.depth, dict(self.env)
        counted = self.by_runtime
        self.last_row = row
        self.notes.clear()
        try:
            for head in heads(node) if self.held else ():
                self.without_runtime(head)
            translate: Callable[[Body, Node], Any] = KINDS[node.type]
            translate(self, node)
        except Undecided as why:
            self.by_runtime = counted
            self.left(node, str(why), start, depth, env)
        except KeyError as why:
            if str(why).strip("'") != node.type:
                raise
            self.by_runtime = counted
            self.left(node, self.unknown(node, "statement"), start, depth, env)
        self.file.remarks += [Todo(self.file.path, row + 1, x) for x in self.notes]
        notes = [f"{'    ' * self.depth}# {x}" for x in self.notes if start < len(self.out)]
        self.out[start:start] = notes
        self.notes.clear()
        self.last_row = node.end_point[0] if node.end_point[1] else row

    @staticmethod
    def unknown(node: Node, what: str) -> str:
        """Return the reason why a node is not translated: its type, a `what` ("statement" or
        "expression"), has no translator.
        """
        kind = node.type.replace("_", " ")
        shown = text(node).split("\n")[0][:40]
        return f"`{shown}`: a {what} of type '{kind}' has no translation; write it in Python"

    def expression(self, node: Node) -> Code:
        """Translate one expression."""
        if node.type not in EXPRESSIONS:
            raise Undecided(self.unknown(node, "expression"))
        return EXPRESSIONS[node.type](self, node)

    def without_runtime(self, node: Node) -> None:
        """Raise an error if a statement or expression has variables that the runtime holds."""
        if both := words(node) & self.held:
            raise Undecided(f"`{min(both)}` has a value of the runtime")

    def condition(self, node: Node) -> str:
        """Return the text of a condition."""
        try:
            self.without_runtime(node)
            return condition(self, node).text
        except Undecided:
            if self.program.levels.border is None:
                raise
            return self.program.levels.border.condition(self, node)

    def left(self, node: Node, why: str, start: int, depth: int, env: dict[str, Kind]) -> None:
        """Write a statement by the runtime; without it as a comment, with the reason why it is not
        translated.
        """
        del self.out[start:]
        self.depth, self.env = depth, env
        if self.program.levels.border is not None:
            self.program.levels.border.statement(self, node)
            return
        line, why = node.start_point[0] + 1, f"not translated: {why}"
        self.todos.append(Todo(self.file.path, line, why))
        self.write(f"# TODO(migrate): {' '.join(why.split())}")
        for x in text(node).split("\n"):
            self.write(f"#     {x.strip()}")
        self.write(f'raise NotImplementedError("{self.file.path.name}, line {line}")')
        for n in walk(node):
            if n.type == "assignment":
                target = n.child_by_field_name("left")
                for x in named(target) if target.type == "multioutput_variable" else [target]:
                    if x.type == "identifier":
                        self.env[text(x)] = kind("u" if not self.program.open else "n")

    def assigned_to(self, name: str, found: Kind, line: int) -> None:
        """Record the kind of a variable."""
        if name in self.globals:
            self.env[name] = self.program.shares(name, found)
            self.first.setdefault(name, line)
            return
        self.env[name] = self.settle(name, found)
        if place := self.kept_at.get(name):
            known = self.program.persistent.get(place)
            self.program.persistent[place] = join(known, found.now(shift=0, kept=False))
        self.first.setdefault(name, line)

    def ends(self, node: Node) -> bool:
        """Test if a semicolon or comma follows a statement, so that its value is not printed."""
        line = self.file.script.lines[node.end_point[0]]
        rest = line.encode()[node.end_point[1] :].decode(errors="replace").strip()
        return bool(rest.startswith((";", ",")))


def jump(body: Body, node: Node) -> None:
    """Translate ``break`` and ``continue``."""
    if not in_loop(node):
        raise Undecided(f"`{text(node)}` outside a loop")
    body.write(text(node).strip("; \n"))


KINDS = {
    "assignment": targets.assignment,
    "for_statement": loops.for_loop,
    "while_statement": loops.while_loop,
    "if_statement": if_statement,
    "switch_statement": switch_statement,
    "return_statement": return_statement,
    "break_statement": jump,
    "continue_statement": jump,
    "function_call": commands.called,
    "command": commands.command,
    "identifier": commands.shown,
    "global_operator": declared.global_names,
    "persistent_operator": declared.persistent_names,
    "field_expression": commands.shown,
    "comparison_operator": commands.shown,
    "binary_operator": commands.shown,
    "postfix_operator": commands.shown,
    "unary_operator": commands.shown,
    "number": commands.shown,
    "matrix": commands.shown,
    "boolean_operator": commands.shown,
    "not_operator": commands.shown,
    "parenthesis": commands.shown,
    "string": commands.shown,
    "function_definition": lambda body, node: None,
}
"""Type of node -> function that translates it. A ``try`` is the runtime's, as NumPy computes some
values where MATLAB has an error, such as parts beyond an end.
"""
