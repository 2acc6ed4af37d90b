"""Kinds of values: the shape and type of numbers of a MATLAB expression, as far as known.

MATLAB's rows and columns become arrays of one axis, so the translation records which of the two a
value was. A value of form "array" may be a number, a vector or a matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from spatial_v2.migrate.reasons import MigrateError, Undecided, described

__all__ = [
    "COLUMN_OF_CELLS", "GROWS", "LETTERS", "NUMBERS", "ROW_OF_CELLS", "VECTORS", "Code", "Kind",
    "MigrateError", "Undecided", "described", "entrywise", "join", "kind", "merged", "numbers",
]  # fmt: skip

NUMBERS = "bif?zm"
"""Types of numbers, each a letter: b logical, i Python's integer, f float, ? real of any type, z
complex, m any of these.
"""
GROWS = -2
"""Length of a cell that may grow by an assignment beyond its last entry."""
VECTORS = ("row", "column", "vector")


@dataclass(frozen=True)
class Kind:
    """Kind of a value: its form (shape or type), its type of numbers, and what else is known."""

    form: str
    """scalar, row, column, vector (one of the two), matrix, tensor, array (any of them), empty,
    text, lines (text of several lines), cell, grid (cell of rows and columns), symbol, symbols,
    struct, model, function, generator, nothing (not inferred yet), other (cannot be inferred).
    """
    numbers: str = "f"
    """Type of the numbers, a letter of `NUMBERS`."""
    shift: int = 0
    """Value in MATLAB minus value in Python: 1 for an index that counts from 0 in Python, otherwise
    0.
    """
    item: Kind | None = None
    """Kind of the entries of a cell."""
    fields: tuple[tuple[str, Kind], ...] = ()
    items: tuple[Kind, ...] = ()
    """Kinds of the entries of a cell one by one, if its length is known."""
    shared: bool = False
    """True if the memory may be shared with a variable."""
    source: int = 0
    """Of a function handle, the key of the function: see `Scope.key`; -1 for a function of the
    library or of MATLAB, 0 if unknown.
    """
    length: int = -1
    """Length of a vector or cell if known; otherwise -1 or `GROWS`."""
    unsure: bool = False
    """True if the variable is unassigned on some path through the program."""
    kept: bool = False
    """True if the variable is None before its first assignment, as persistent variables are."""
    along: str = ""
    """Of an array of unknown shape, "row" or "column" if an array of one axis can only be this,
    "none" if it has two axes always.
    """
    thin: bool = False
    """True if an array of unknown shape is a number or a vector, but no matrix."""
    wide: bool = False
    """True if an array of unknown shape is a vector or a matrix, but no number; of a matrix, if it
    may be a column with two axes.
    """
    plane: bool = False
    """True if an array of unknown shape may be a row with two axes."""

    @property
    def described(self) -> str:
        """The form in words, for messages."""
        return described(self.form)

    @property
    def is_vector(self) -> bool:
        """Test if the value is an array of one axis in Python."""
        return self.form in VECTORS

    @property
    def is_array(self) -> bool:
        """Test if the value consists of numbers."""
        return self.is_vector or self.form in ("scalar", "matrix", "tensor", "array", "empty")

    @property
    def vector(self) -> str:
        """The vectors that the value may be: "row", "column", "both", or "" if it is none."""
        if self.form == "array":
            return {"none": "", "": "both"}.get(self.along, self.along)
        return {"scalar": "", "matrix": "", "row": "row", "column": "column"}.get(self.form, "both")

    @property
    def is_mask(self) -> bool:
        """Test if the value is a logical array."""
        return self.numbers == "b" and self.form != "scalar" and self.is_array

    def field(self, name: str) -> Kind | None:
        """Return the kind of a field of a struct."""
        return dict(self.fields).get(name)

    def with_field(self, name: str, value: Kind) -> Kind:
        """Return the kind of a struct with a field added or replaced."""
        return replace(self, fields=tuple(sorted({**dict(self.fields), name: value}.items())))

    def now(self, **changes: object) -> Kind:
        """Return the kind with some properties replaced."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Code:
    """Translation of an expression: Python text, its precedence, and the kind of its value."""

    text: str
    kind: Kind
    rank: int = 20

    def at(self, rank: int) -> str:
        """Return the text, in parentheses if its precedence is below `rank`."""
        return self.text if self.rank >= rank else f"({self.text})"


ROW_OF_CELLS = (("row", Kind("other")),)
"""Value of `Kind.fields` that marks a cell with a single row."""
COLUMN_OF_CELLS = (("column", Kind("other")),)
"""Value of `Kind.fields` that marks a cell with a single column."""
LETTERS = {
    "s": Kind("scalar"),
    "i": Kind("scalar", "i"),
    "b": Kind("scalar", "b"),
    "c": Kind("column"),
    "r": Kind("row"),
    "v": Kind("vector"),
    "m": Kind("matrix"),
    "t": Kind("tensor"),
    "a": Kind("array"),
    "x": Kind("text"),
    "y": Kind("symbol"),
    "X": Kind("cell", item=Kind("text")),
    "o": Kind("model"),
    "e": Kind("empty"),
    "n": Kind("nothing"),
    "u": Kind("other"),
    "S": Kind("struct"),
    "L": Kind("cell", item=Kind("matrix")),
    "T": Kind("cell", item=Kind("tensor")),
    "C": Kind("cell", item=Kind("column")),
    "I": Kind("cell", item=Kind("row", "i")),
}


def kind(letter: str) -> Kind:
    """Return the kind that a letter stands for, in `LETTERS` and in the tables of `names`."""
    return LETTERS[letter]


def numbers(parts: Iterable[Kind]) -> str:
    """Return the type of numbers of a sum or product of operands of the given kinds."""
    found = max((NUMBERS.index(k.numbers) for k in parts), default=0)
    return NUMBERS[max(found, 1)]


def entrywise(form: str, found: str, *parts: Kind) -> Kind:
    """Return the kind, of form `form` and numbers `found`, of a result that is computed entry by
    entry from values of the kinds `parts`; a vector has the length of the longest of them.
    """
    if form == "array":
        along, plane = max(k.along for k in parts), any(k.plane for k in parts)
        thin = all(k.thin or k.form == "scalar" for k in parts)
        wide = any(k.wide or k.form in ("matrix", *VECTORS) for k in parts)
        return Kind(form, found, along=along, thin=thin, plane=plane, wide=wide)
    length = max(k.length for k in parts) if form in VECTORS else -1
    wide = form == "matrix" and any(k.wide for k in parts)
    return Kind(form, found, length=max(length, -1), wide=wide)


def join(a: Kind | None, b: Kind | None) -> Kind:
    """Return the kind of a variable that has one of two kinds, depending on the path taken."""
    if a is None or b is None or a == b:
        return a or b or LETTERS["n"]
    if a.kept or b.kept:
        return join(a.now(kept=False), b.now(kept=False)).now(kept=True)
    for x, y in ((a, b), (b, a)):
        if x.form == "nothing":
            return y.now(unsure=True) if x.unsure else y
        if x.form == "empty" and (y.is_vector or y.form in ("cell", "struct")):
            return y.now(length=min(-1, y.length))
        if x.form == "empty" and y.form in ("matrix", "tensor"):
            # [] becomes an array of shape (0,), which has no second axis before a row is added
            return y.now(length=0)
    if a.form == b.form and a.form in ("matrix", "tensor") and 0 in (a.length, b.length):
        a, b = a.now(length=0), b.now(length=0)
    if a.now(unsure=True) == b.now(unsure=True):
        return a.now(unsure=True)
    unsure = a.unsure or b.unsure
    most = NUMBERS[max(NUMBERS.index(a.numbers), NUMBERS.index(b.numbers))]
    if "b" in (a.numbers, b.numbers) and a.numbers != b.numbers:
        most = "m"
    if a.form == b.form and a.form in ("struct", "model"):
        names = {**dict(a.fields), **dict(b.fields)}
        both = tuple(sorted((n, join(a.field(n), b.field(n))) for n in names))
        return a.now(fields=both, shared=a.shared or b.shared, unsure=unsure)
    if a.form == b.form and a.form in ("cell", "grid"):
        several = len(a.items) == len(b.items)
        items = tuple(map(join, a.items, b.items)) if several else ()
        length = a.length if a.length == b.length else min(-1, a.length, b.length)
        same = a.fields if a.fields == b.fields else ()
        return a.now(
            fields=same,
            item=join(a.item, b.item),
            items=items,
            shared=a.shared or b.shared,
            length=length,
            unsure=unsure,
        )
    if a.form == b.form == "function":
        return a.now(source=a.source if a.source == b.source else 0, unsure=unsure)
    form = a.form if a.form == b.form else ""
    if not form and a.is_vector and b.is_vector:
        form = "vector"
    if not form:
        form = "array" if a.is_array and b.is_array else "other"
    shift = a.shift if a.shift == b.shift else 0
    wide = a.wide or b.wide
    if form == "array":
        wide = all(x.wide or x.form in ("matrix", *VECTORS) for x in (a, b))
    vectors, plane = {a.vector, b.vector} - {""}, a.plane or b.plane
    along = vectors.pop().replace("both", "") if len(vectors) == 1 else "none" if plane else ""
    return Kind(
        form,
        most,
        shift,
        along=along if form == "array" and not vectors else "",
        plane=form == "array" and plane,
        thin=form == "array" and all(x.thin or x.form in ("scalar", *VECTORS) for x in (a, b)),
        wide=wide,
        shared=a.shared or b.shared,
        length=a.length if a.length == b.length else min(-1, a.length, b.length),
        unsure=unsure,
    )


def merged(a: Mapping[str, Kind], b: Mapping[str, Kind]) -> dict[str, Kind]:
    """Merge the kinds that variables have after two alternative paths through a program."""
    return {
        n: join(a[n], b[n]) if n in a and n in b else (a.get(n) or b[n]).now(unsure=True)
        for n in {**a, **b}
    }
