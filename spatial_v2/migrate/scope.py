"""State of the translation of one scope, a function or a script."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate.commented import CommentedLines
from spatial_v2.migrate.expressions import attribute
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Node, named, text, walk

if TYPE_CHECKING:
    from spatial_v2.migrate.program import File, Program

__all__ = ["LHS", "TAKEN", "Facts", "Scope", "assigned"]

TAKEN = {
    *keyword.kwlist, "np", "plt", "rng", "math", "time", "copy", "print", "len", "range", "int",
    "float", "abs", "max", "min", "str", "list", "vars", "getattr", "hasattr", "warnings",
    "SimpleNamespace", "Model", "RuntimeError", "Exception", "acos", "asin", "mod", "rem",
    "expm", "logm", "sqrtm", "block_diag", "colon", "descending", "eig",
    "fractional_matrix_power", "grown", "by_columns", "with_entries", "load_mat", "num2str",
    "numel", "null", "orth", "svd", "eigenvectors", "save_mat", "shared", "sp", "sprintf", "ml",
    "bool", "locals", "globals", "NotImplementedError", "SystemExit", "block", "with_columns",
    "put", "with_entry", "with_rows",
}  # fmt: skip
"""Names reserved for other uses in translations."""
COMPARED = {"==": "==", "~=": "!=", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
LHS = ("function_call", "field_expression")


class Facts(NamedTuple):
    """Names and assignments in the text of a scope."""

    every: list[str]
    """Assigned names, once for each assignment."""
    parts: set[str]
    """Names of variables of which an entry or field is assigned."""
    inner: set[str]
    """Names of cells and structs of which an entry of an array inside is assigned."""
    names: set[str]
    """All names that occur."""
    changes: dict[str, list[Node]]
    """Name -> assignments and loops that change the variable or a part of it."""
    whole: dict[str, list[Node]]
    """Left side of assignments, as text without blanks -> the right sides of all of them."""


def assigned(nodes: tuple[Node, ...]) -> Facts:
    """Collect the names and assignments in the statements of a scope."""
    every: list[str] = []
    parts: set[str] = set()
    inner: set[str] = set()
    changes: dict[str, list[Node]] = {}
    names: set[str] = set()
    whole: dict[str, list[Node]] = {}
    for node in (n for top in nodes for n in walk(top)):
        if node.type == "identifier":
            names.add(text(node))
        if node.type == "iterator":
            every += [text(named(node)[0])]
            changes.setdefault(every[-1], []).append(node)
        if node.type != "assignment":
            continue
        left = node.child_by_field_name("left")
        for n in named(left) if left.type == "multioutput_variable" else [left]:
            right = node.child_by_field_name("right")
            whole.setdefault("".join(text(n).split()), []).append(right)
            if n.type == "identifier":
                every.append(text(n))
                changes.setdefault(every[-1], []).append(node)
            elif n.type in LHS:
                root = next(text(x) for x in walk(n) if x.type == "identifier")
                parts.add(root)
                changes.setdefault(root, []).append(node)
                last = n if n.type == "function_call" else named(n)[-1]
                alone = n is last and last.child_by_field_name("name").type == "identifier"
                if not alone and any(c.type == "(" for c in last.children):
                    inner.add(root)
    return Facts(every, parts, inner, names, changes, whole)


class Scope(CommentedLines):
    """Kinds of the variables of a scope, and the lines of its translation so far."""

    def __init__(
        self,
        program: Program,
        file: File,
        name: str,
        nodes: tuple[Node, ...],
        inputs: tuple[str, ...] = (),
        outputs: tuple[str, ...] = (),
    ) -> None:
        self.program, self.file, self.name = program, file, name
        self.nodes, self.inputs, self.outputs = nodes, inputs, outputs
        self.env: dict[str, Kind] = {}
        self.out: list[str] = []
        self.depth = 0
        self.fewest = 0
        self.instance = ""
        """Name of the object in a method."""
        self.is_constructor = False
        self.end = ""
        self.first: dict[str, int] = {}
        self.notes: list[str] = []
        self.counters: set[str] = set()
        self.positive: set[str] = set()
        """Variables of loops from 1 or more upwards."""
        facts: Facts = program.facts.get((file.number, name)) or assigned(nodes)
        program.facts[file.number, name] = facts
        every, self.mutated, self.inner = facts.every, facts.parts, facts.inner
        self.names, self.whole, self.changes = facts.names, facts.whole, facts.changes
        self.ever = {*every, *self.mutated, *inputs}
        """Names that are assigned anywhere."""
        counts = Counter(every)
        self.assigned_twice = {n for n, count in counts.items() if count > 1} | self.mutated
        self.loops: list[dict[str, Any]] = []
        self.persistent: set[str] = set()
        self.globals: set[str] = set()
        self.kept_at: dict[str, tuple[int, str]] = {}
        """Persistent variable -> key of its kind in the program."""
        self.place = (file.number, name)
        self.held = program.levels.held_in(self.place, self.names | self.ever)
        """Variables that hold values of the runtime."""
        self.env.update(dict.fromkeys(self.held, kind("u")))

    def key(self, node: Node) -> int:
        """Return a key that identifies a node in a file."""
        return self.file.number * 10**8 + int(node.start_byte) + 1

    def need(self, line: str) -> None:
        """Request an import."""
        self.file.imports.add(line)

    def need_rng(self) -> None:
        """Request the generator of random numbers."""
        self.file.random = True

    def spelled(self, name: str) -> str:
        """Return a name for Python, with an underscore if the name has another meaning there."""
        if name == self.instance:
            return "self"
        if name in self.globals:
            return f"{'ml.' if name in self.held else ''}shared.{attribute(name)}"
        if name in self.persistent:
            return f"{self.name}_{name}"
        if name in self.inputs or name in self.env:
            known = name in TAKEN or name in ROWS or name in self.program.functions
            return f"{name}_" if known else name
        return f"{name}_" if name in TAKEN else name

    @contextmanager
    def ending(self, shown: str) -> Iterator[None]:
        """Inside a ``with`` block, translate MATLAB's ``end`` to the code `shown` for the length of
        the array.
        """
        before, self.end = self.end, shown
        try:
            yield
        finally:
            self.end = before

    def given(self, op: str, count: int | None) -> Code:
        """Translate a comparison of ``nargin`` with a number."""
        fixed = self.fixed
        if count is not None and "varargin" in self.inputs and self.fewest >= len(fixed):
            return Code(f"len(varargin) {COMPARED[op]} {count - len(fixed)}", kind("b"), 10)
        if count is None or not fixed:
            raise Undecided(
                "nargin: want a comparison with a literal, in a function with arguments before "
                "varargin"
            )
        if op in ("<=", ">"):
            count += 1
        word = {"<": "is", "<=": "is", ">=": "is not", ">": "is not"}.get(op)
        if op in ("==", "~=") and 0 <= count <= len(fixed):
            if count == len(fixed) != len(self.inputs):
                raise Undecided(
                    f"nargin {op} {count}: want < or > here, as varargin may add arguments"
                )
            more = count < len(fixed)
            k = count if more else count - 1
            less = (op == "==") == more
            if more and count > self.fewest:
                a, b = self.spelled(self.inputs[count - 1]), self.spelled(self.inputs[count])
                shown = f"{a} is not None and {b} is None"
                return Code(shown if op == "==" else f"not ({shown})", kind("b"), 7)
            name = self.spelled(self.inputs[k])
            return Code(f"{name} is {'' if less else 'not '}None", kind("b"), 10)
        if word is None or not 1 <= count <= len(fixed):
            raise Undecided(
                f"nargin: want a comparison with a count from 1 to {len(fixed)}, the number of "
                "arguments"
            )
        return Code(f"{self.spelled(self.inputs[count - 1])} {word} None", kind("b"), 10)

    @property
    def fixed(self) -> tuple[str, ...]:
        """The arguments before ``varargin``."""
        return tuple(n for n in self.inputs if n != "varargin")

    def nargin(self) -> Code:
        """Translate the value of ``nargin``."""
        fixed = self.fixed
        more = "len(varargin)" if "varargin" in self.inputs else ""
        if not self.name:
            raise Undecided("nargin has a value in functions only")
        if self.fewest >= len(fixed):
            count = f"{more} + {len(fixed)}" if fixed and more else more or str(len(fixed))
            return Code(count, kind("i"), 15 if " + " in count else 20)
        given = ", ".join(self.spelled(n) for n in fixed)
        count = f"sum(x is not None for x in ({given},))"
        return Code(f"{count} + {more}" if more else count, kind("i"), 15 if more else 20)

    def not_known(self, shown: str, found: Kind) -> Kind:
        """Return the kind `found` of the expression `shown`, which later passes may refine; in the
        last pass, raise `Undecided`.
        """
        if self.program.open:
            return found
        raise Undecided(
            f"`{shown}`: the kind of its value (number, row, matrix, cell, ...) cannot be "
            "inferred from the script"
        )

    def settle(self, name: str, found: Kind) -> Kind:
        """Return the kind of a variable after a value of kind `found` is assigned to it.

        A variable counts from 0 in Python, and from 1 in MATLAB, only if all of its assignments
        allow it; otherwise its kind has shift 0, and it has MATLAB's value.
        """
        where = (self.name, name)
        shifts = self.program.shifts.setdefault(where, set())
        if found.form != "nothing":
            shifts.add(found.shift)
        return found.now(shift=0) if len(shifts) > 1 else found

    def not_counted_from_zero(self, name: str, shift: int) -> bool:
        """Record that a variable of indices gets entries with MATLAB's values, so that it has these
        values everywhere from the next pass on; return False if there is no further pass.
        """
        self.program.shifts.setdefault((self.name, name), set()).update({0, shift})
        return self.program.open
