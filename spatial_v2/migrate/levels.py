"""Levels of a translation: which lines, variables and functions are the runtime's.

A line that NumPy's functions do not decide is written by the runtime. The variables that it assigns
hold MATLAB's values from then on, so that all lines with these variables are the runtime's, too;
other variables are converted where such a line reads them. A function whose arguments or results
would be such variables, or that such a line calls, is written by the runtime as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from spatial_v2.migrate.parse import Node, named, text

if TYPE_CHECKING:
    from spatial_v2.migrate.kinds import Kind
    from spatial_v2.migrate.parse import Function
    from spatial_v2.migrate.program import File
    from spatial_v2.migrate.statements import Body

__all__ = ["Border", "Levels", "Place", "heads", "words"]

Place = tuple[int, str]
"""A scope: the number of its file, and the name of the function; "" for a script."""


class Border(Protocol):
    """Writer of lines by the runtime among lines by NumPy's functions."""

    def statement(self, body: Body, node: Node) -> None:
        """Write a statement."""

    def condition(self, body: Body, node: Node) -> str:
        """Return the text of a condition."""

    def loop(self, body: Body, name: str, over: Node) -> tuple[str, Kind]:
        """Return what a loop goes through, and the kind of its variable."""

    def function(self, file: File, found: Function) -> Any:
        """Translate a function as a whole."""

    def begun(self, body: Body) -> list[str]:
        """Return the variables that get a part before they get a whole value."""


@dataclass
class Levels:
    """Variables and scopes that are the runtime's; without a border, none is."""

    border: Border | None = None
    variables: set[tuple[Place, str]] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    """Global variables."""
    scopes: set[Place] = field(default_factory=set)
    """Functions and scripts that are the runtime's as a whole."""
    next: list[tuple[Place, str]] = field(default_factory=list)
    """Additions of the present pass: variables of scopes; whole scopes, with the name ""."""

    def held_in(self, place: Place, names: set[str]) -> set[str]:
        """Return those of the names in a scope that hold values of the runtime."""
        return {n for n in names if (place, n) in self.variables or n in self.shared}

    def state(self) -> tuple[int, int, int]:
        """Return counts, which grow by each addition."""
        return len(self.variables), len(self.shared), len(self.scopes)


def words(node: Node) -> set[str]:
    """Return the names in a statement or expression that may be variables: no fields, and no
    arguments of anonymous functions.
    """
    found, open_ = set(), [node]
    while open_:
        n = open_.pop()
        if n.type == "lambda":
            given = [text(x) for c in n.named_children if c.type == "arguments" for x in named(c)]
            found |= words(n.child_by_field_name("expression")) - set(given)
            continue
        if n.type == "identifier":
            up = n.parent
            if up.type != "field_expression" or up.child_by_field_name("object") == n:
                found.add(text(n))
        elif n.type in ("command_argument", "command_name"):
            found.add(text(n))
        elif (
            n.type == "string"
            and n.parent.type == "arguments"
            and text(n.parent.parent.children[0]) in NAMING
        ):
            found.add(text(n)[1:-1])
        open_ += n.children
    return found


NAMING = ("exist", "save", "clear", "clearvars", "load")
"""Functions whose texts are names of variables."""


COMPOUND = {
    "if_statement": (),
    "while_statement": (),
    "for_statement": (),
    "switch_statement": ("case_clause",),
    "global_operator": (),
    "persistent_operator": (),
}
"""Statement that is no line of the runtime's where a variable is -> its clauses whose heads are its
own.
"""


def heads(node: Node) -> list[Node]:
    """Return the parts of a statement that its own translation reads: all but the statements inside
    it; none of those that are read one by one.
    """
    if node.type not in COMPOUND:
        return [node]
    found: list[Node] = []
    if node.type == "switch_statement":
        found.append(node.child_by_field_name("condition") or node.named_children[0])
    for clause in node.named_children:
        if clause.type in COMPOUND[node.type]:
            found += [n for n in clause.named_children if n.type not in ("block", "comment")]
    return found
