"""Lines by the runtime in a scope whose other lines are NumPy's, and the values that they read."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator
from contextlib import contextmanager

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.branches import result
from spatial_v2.migrate.expressions import attribute, unshifted
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import (
    NUMBER,
    TEXT,
    VALUE,
    Step,
    Typed,
    called,
    identifier,
    name,
)
from spatial_v2.migrate.kinds import COLUMN_OF_CELLS, ROW_OF_CELLS, Code, Kind, Undecided
from spatial_v2.migrate.objects import OBJECTS, ByRuntime

__all__ = ["Lines", "converted", "hold"]


def converted(code: Code) -> Typed:
    """Convert a value of known kind to one of the runtime's."""
    k = code.kind
    if k.form == "scalar":
        code = unshifted(code)
        tree = ast.parse(code.text, mode="eval").body
        return Typed(tree, NUMBER) if k.numbers in "bif" else Typed(called("value", tree))
    tree = ast.parse(code.text, mode="eval").body
    if k.form == "text":
        return Typed(tree, TEXT)
    if k.form == "empty":
        return Typed(called("empty"))
    if k.form == "cell" and k.fields == COLUMN_OF_CELLS:
        across = converted(Code(code.text, k.now(fields=ROW_OF_CELLS)))
        return Typed(ast.Attribute(across.tree, "T"))
    rows, others = set[str](), set[str]()
    _axes(code, k, "", rows, others)
    if rows & others or k.shift:
        raise Undecided(f"`{code.text}`: it has rows and columns in one cell")
    if not rows:
        return Typed(called("from_numpy", tree))
    shown: ast.expr = ast.Constant(True)
    if rows != {""}:
        shown = ast.Tuple([ast.Constant(x) for x in sorted(rows)])
    return Typed(called("from_numpy", tree, rows=shown))


def _axes(code: Code, k: Kind, path: str, rows: set[str], others: set[str]) -> None:
    """Collect the paths of rows, and of other arrays of one axis."""
    if k.form in ("row", "column"):
        (rows if k.form == "row" else others).add(path)
    elif k.form == "cell" and k.fields not in ((), COLUMN_OF_CELLS) and k.shift == 0:
        inner = k.items or ((k.item,) if k.item is not None else ())
        for item in inner:
            _axes(code, item, path, rows, others)
    elif k.form == "struct":
        for n, item in k.fields:
            if n.endswith("_") and keyword.iskeyword(n[:-1]):
                raise Undecided(f"`{code.text}.{n}`: its name differs")
            _axes(code, item, f"{path}.{n}".lstrip("."), rows, others)
    elif k.form in ("matrix", "tensor"):
        if k.length == 0:
            raise Undecided(f"`{code.text}`: it may have no second axis")
    elif k.form in OBJECTS:
        raise ByRuntime({k.source})
    elif k.form not in ("scalar", "text", "empty", "model"):
        raise Undecided(f"`{code.text}`: {k.described} is not converted")
    if k.shift:
        raise Undecided(f"`{code.text}`: it counts from 0")


class Lines(Writer):
    """Lines by the runtime of a scope whose other lines are NumPy's."""

    body: Body
    handles = 0

    @contextmanager
    def inside_handle(self, inputs: list[str]) -> Iterator[None]:
        """Inside a ``with`` block, names are those of a handle's arguments first, then those of the
        values that it holds.
        """
        self.handles += 1
        try:
            with super().inside_handle(inputs):
                yield
        finally:
            self.handles -= 1

    def result(self) -> str:
        """Return the text of a return statement."""
        return result(self.body)

    def variable(self, word: str) -> Typed:
        """Return a variable, converted if it is none of the runtime's."""
        body = self.body
        if word in self.local_names:
            return super().variable(word)
        if word in body.held or word not in body.env:
            shown = identifier(word) if self.handles else body.spelled(word)
            if word in self.variables.shared | self.variables.kept:
                shown = body.spelled(word)
            numbers = word in self.variables.numbers
            return Typed(name(shown), NUMBER if numbers else VALUE)
        try:
            found = converted(Code(body.spelled(word), body.env[word]))
        except Undecided:
            hold(body, word)
            return Typed(name(body.spelled(word)))
        if self.handles and word not in self.variables.shared | self.variables.kept:
            return Typed(name(identifier(word)), found.kind)
        return found

    def reached(self, word: str, path: list[Step]) -> tuple[Typed, list[Step]]:
        """Return a variable, or a field of NumPy's structs, and the accesses that are left."""
        body = self.body
        if self.handles or word in body.held or word not in body.env:
            return self.variable(word), path
        code, k = Code(body.spelled(word), body.env[word]), 0
        while k < len(path) and code.kind.form == "struct" and path[k].sign == ".":
            field = code.kind.field(attribute(path[k].name))
            if field is None:
                break
            code, k = Code(f"{code.text}.{attribute(path[k].name)}", field), k + 1
        if not k:
            return self.variable(word), path
        try:
            return converted(code), path[k:]
        except Undecided:
            return self.variable(word), path

    def assigned(self, word: str) -> None:
        """Record the line of the first assignment of a variable."""
        super().assigned(word)
        self.body.first.setdefault(word, self.line)


def hold(body: Body, word: str) -> None:
    """Let a variable be the runtime's from the next pass on."""
    levels = body.program.levels
    if word in body.globals:
        levels.next.append(((-1, ""), word))
    elif word in body.inputs or word in body.outputs:
        levels.next.append((body.place, ""))
    else:
        levels.next.append((body.place, word))
