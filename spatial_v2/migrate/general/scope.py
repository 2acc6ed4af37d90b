"""Variables of a script or function: which there are, which are plain numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from spatial_v2.migrate.clearing import clearing, removed
from spatial_v2.migrate.general.trees import steps
from spatial_v2.migrate.kinds import Undecided
from spatial_v2.migrate.parse import Node, named, ran, text

__all__ = ["Variables", "inside", "root", "targets"]


def inside(
    nodes: Any,
    scripts: dict[str, Any] | None = None,
    seen: frozenset[str] = frozenset(),
    handles: bool = True,
) -> Iterator[Node]:
    """Yield the nodes of statements, without the functions that are defined among them.

    Statements that run another script yield its nodes too.
    """
    open_ = list(reversed(list(nodes)))
    while open_:
        here = open_.pop()
        yield here
        if here.type == "function_definition" or (here.type == "lambda" and not handles):
            continue
        called = [text(here)] if here.type in ("identifier", "command_name") else ran(here)
        for word in called:
            if scripts and word in scripts and word not in seen:
                yield from inside(scripts[word].body, scripts, seen | {word}, handles)
        open_ += reversed(here.children)


def root(node: Node) -> str:
    """Return the name of the variable whose part an expression is."""
    base, _ = steps(node)
    return text(base) if base is not None and base.type == "identifier" else ""


def targets(node: Node) -> list[Node]:
    """Return the targets of an assignment."""
    left = node.child_by_field_name("left")
    return named(left) if left.type == "multioutput_variable" else [left]


class Variables:
    """Variables of a scope.

    Attributes
    ----------
    every : set of str
        Names that are variables.
    parts : set of str
        Variables of which entries or fields are assigned.
    numbers : set of str
        Variables that always hold a plain number of Python's.
    """

    def __init__(
        self, nodes: Any, inputs: tuple[str, ...], outputs: tuple[str, ...], scripts: dict[str, Any]
    ) -> None:
        self.every: set[str] = {n for n in (*inputs, *outputs) if n not in ("_", "~")}
        self.parts: set[str] = set()
        self.shared: set[str] = set()
        self.kept: set[str] = set()
        self.names: set[str] = set()
        self.loads = False
        self.loops: set[str] = set()
        whole: dict[str, list[Node | None]] = {n: [None] for n in (*inputs, *outputs)}
        clears: list[list[str]] = []
        for n in inside(nodes, scripts, handles=False):
            if n.type == "identifier":
                self.names.add(text(n))
            if whole and (cleared := clearing(n)) is not None:
                clears.append(cleared)
            if n.type == "iterator":
                over = named(n)[1]
                self.loops.add(text(named(n)[0]))
                whole.setdefault(text(named(n)[0]), []).append(
                    "loop" if over.type == "range" else None
                )
            elif n.type == "assignment":
                left = targets(n)
                for t in left:
                    if t.type == "identifier":
                        several = n.child_by_field_name("left").type == "multioutput_variable"
                        whole.setdefault(text(t), []).append(
                            None if several else n.child_by_field_name("right")
                        )
                    elif t.type in ("function_call", "field_expression"):
                        self.parts.add(root(t))
                        whole.setdefault(root(t), []).append(None)
            elif n.type in ("global_operator", "persistent_operator"):
                words = {text(x) for x in n.named_children if x.type == "identifier"}
                (self.shared if n.type == "global_operator" else self.kept).update(words)
                for w in words:
                    whole.setdefault(w, []).append(None)
            elif n.type == "catch_clause":
                first = named(n)[:1]
                if first and first[0].type == "identifier":
                    whole.setdefault(text(first[0]), []).append(None)
            elif n.type == "command":
                given = [text(x).strip("; ,") for x in named(n)]
                if given[0] == "syms":
                    for w in given[1:]:
                        whole.setdefault(w, []).append(None)
                self.loads |= given[0] == "load"
            elif n.type == "function_call":
                called = n.child_by_field_name("name")
                if text(called) == "load" and n.parent.type != "assignment":
                    self.loads = True
                if text(called) == "syms":
                    for a in n.named_children:
                        if a.type == "arguments":
                            for x in named(a):
                                whole.setdefault(text(x).strip("'\""), []).append(None)
        whole.pop("", None)
        self.every |= whole.keys()
        for cleared in clears:
            with suppress(Undecided):
                for name in removed(cleared, self.every):
                    whole[name].append(None)
        self.numbers = {
            n for n, rights in whole.items() if None not in rights and n not in self.parts
        }
        changed = True
        while changed:
            wrong = {
                n
                for n in self.numbers
                if not all(r == "loop" or self.is_number(r) for r in whole[n])
            }
            self.numbers -= wrong
            changed = bool(wrong)

    def is_number(self, node: Node) -> bool:
        """Test if an expression is a plain number of Python's."""
        kind = node.type
        if kind == "number":
            return text(node)[-1] not in "ijIJ"
        if kind == "identifier":
            word = text(node)
            if word in self.every:
                return word in self.numbers
            return word in ("pi", "Inf", "inf", "NaN", "nan", "true", "false")
        if kind == "end_keyword":
            return True
        if kind == "parenthesis":
            return self.is_number(named(node)[0])
        if kind == "unary_operator":
            return self.is_number(named(node)[0])
        if kind in ("boolean_operator", "not_operator"):
            return kind == "boolean_operator" or self.is_number(named(node)[0])
        if kind in ("binary_operator", "comparison_operator"):
            parts = named(node)
            if len(parts) != 2 or not all(map(self.is_number, parts)):
                return False
            op = next(text(c) for c in node.children if not c.is_named)
            if op in ("/", "./"):
                return parts[1].type == "number" and float(text(parts[1])) != 0
            if op in ("^", ".^"):
                return parts[1].type == "number" and text(parts[1]).isdigit()
            return op in ("+", "-", "*", ".*", "==", "~=", "!=", "<", ">", "<=", ">=")
        return False
