"""Translation of statements: a function for each type of node, in one table."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.assignments import assignment
from spatial_v2.migrate.general.branches import (
    declared,
    for_loop,
    if_statement,
    jump,
    return_statement,
    switch_statement,
    try_statement,
    while_loop,
)
from spatial_v2.migrate.general.commands import command, shown
from spatial_v2.migrate.general.expressions import arguments, translated
from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import Typed
from spatial_v2.migrate.parse import Node
from spatial_v2.migrate.program import Todo

__all__ = ["STATEMENTS", "Writer"]


class Writer(Lines):
    """Translation of the statements of a script or function, line by line."""

    def arguments(self, args: tuple[Node, ...]) -> list[ast.expr]:
        """Translate the arguments of a function."""
        return arguments(self, args)

    def expression(self, node: Node) -> Typed:
        """Translate an expression."""
        return translated(self, node)

    def missing(self, word: str) -> str:
        """Return the reason why a name is not translated."""
        if word in names.NOT_RUN:
            return f"{word}: {names.NOT_RUN[word]}"
        if word in self.program.unread:
            return f"`{word}`: {self.program.unread[word]}"
        return (
            f"`{word}` is neither a variable nor a known function; if it is a function of yours, "
            f"name the folder of {word}.m"
        )

    def statements(self, nodes: Any) -> None:
        """Translate statements in order."""
        for node in nodes:
            if not node.is_named or node.type == "line_continuation":
                continue
            if node.type == "comment":
                self.comment(node)
                continue
            row = node.start_point[0]
            self.blank(node)
            at, self.line = len(self.out), row + 1
            self.last_row = row
            translate = STATEMENTS.get(node.type, shown)
            translate(self, node)
            if self.notes:
                self.remarks += [
                    Todo(self.script.path, row + 1, x)
                    for x in dict.fromkeys(self.notes)
                    if not x.startswith("TODO")
                ]
                marks = dict.fromkeys(self.notes)
                self.out[at:at] = ["    " * self.depth + f"# {' '.join(x.split())}" for x in marks]
                self.notes.clear()
            self.last_row = node.end_point[0] if node.end_point[1] else row


STATEMENTS: dict[str, Callable[[Writer, Node], None]] = {
    "assignment": assignment,
    "for_statement": for_loop,
    "while_statement": while_loop,
    "if_statement": if_statement,
    "switch_statement": switch_statement,
    "try_statement": try_statement,
    "return_statement": return_statement,
    "break_statement": jump,
    "continue_statement": jump,
    "command": command,
    "global_operator": declared,
    "persistent_operator": declared,
    "function_definition": lambda w, node: None,
}
"""Type of node -> function that translates it; all others are expressions."""
