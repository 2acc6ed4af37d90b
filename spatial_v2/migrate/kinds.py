"""Kinds of values: the shape and numbers that a MATLAB expression has, as far as they are known.

MATLAB's rows and columns become arrays of one axis, so a translation has to know which of the two a
value was; a value of kind "array" may be a number, a vector or a matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from spatial_v2.exceptions import SpatialError

__all__ = [
    "GROWS",
    "LETTERS",
    "NUMBERS",
    "ROW_OF_CELLS",
    "VECTORS",
    "Code",
    "Kind",
    "MigrateError",
    "Undecided",
    "join",
    "kind",
    "merged",
    "numbers",
]

NUMBERS = "bif?zm"
"""Logical, Python's integers, floats, real of any type, complex; logical values or numbers."""
GROWS = -2
"""Length of a cell that may have an entry assigned behind its last."""
VECTORS = ("row", "column", "vector")


class MigrateError(SpatialError):
    """A script that cannot be read."""


class Undecided(Exception):
    """A construct of which the translation is not known."""


@dataclass(frozen=True)
class Kind:
    """The kind of a value."""

    form: str
    """scalar, row, column, vector (one of the two), matrix, tensor, array (any of them), empty,
    text, cell, struct, model, function, generator, nothing (not known yet), other."""
    numbers: str = "f"
    shift: int = 0
    """What MATLAB's value is more than Python's: 1 for an index that counts from 0."""
    item: Kind | None = None
    """Of a cell the kind of its entries."""
    fields: tuple[tuple[str, Kind], ...] = ()
    shared: bool = False
    """If the memory may be that of a variable."""
    source: int = 0
    """Of a function the place where it is written."""
    length: int = -1
    """Length of a vector or cell where it is known, -1 or `GROWS` where not."""
    unsure: bool = False
    """If there is a way on which it has no value."""
    kept: bool = False
    """If it is None before it is assigned for the first time, as persistent variables are."""

    @property
    def is_vector(self) -> bool:
        """Whether Python has one axis."""
        return self.form in VECTORS

    @property
    def is_array(self) -> bool:
        """Whether it is made of numbers."""
        return self.is_vector or self.form in ("scalar", "matrix", "tensor", "array", "empty")

    @property
    def is_mask(self) -> bool:
        """Whether it is a logical array, not a single value."""
        return self.numbers == "b" and self.form != "scalar" and self.is_array

    def field(self, name: str) -> Kind | None:
        """The kind of a field of a struct."""
        return dict(self.fields).get(name)

    def with_field(self, name: str, value: Kind) -> Kind:
        """A struct with a field more, or another."""
        return replace(self, fields=tuple(sorted({**dict(self.fields), name: value}.items())))

    def now(self, **changes: object) -> Kind:
        """The kind with other properties."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Code:
    """Python of an expression, how strongly it binds, and the kind of its value."""

    text: str
    kind: Kind
    rank: int = 20

    def at(self, rank: int) -> str:
        """The text, in parentheses where it binds less than `rank`."""
        return self.text if self.rank >= rank else f"({self.text})"


ROW_OF_CELLS = (("row", Kind("other")),)
"""Marks a cell that is one row."""
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
    "o": Kind("model"),
    "e": Kind("empty"),
    "n": Kind("nothing"),
    "u": Kind("other"),
    "S": Kind("struct"),
    "L": Kind("cell", item=Kind("matrix")),
    "C": Kind("cell", item=Kind("column")),
    "I": Kind("cell", item=Kind("row", "i")),
}


def kind(letter: str) -> Kind:
    """The kind that a letter stands for in the tables of names."""
    return LETTERS[letter]


def numbers(parts: Iterable[Kind]) -> str:
    """The numbers that arithmetic on some kinds gives."""
    found = max((NUMBERS.index(k.numbers) for k in parts), default=0)
    return NUMBERS[max(found, 1)]


def join(a: Kind | None, b: Kind | None) -> Kind:
    """The kind of a value that is one or the other."""
    if a is None or b is None or a == b:
        return a or b or LETTERS["n"]
    if a.kept or b.kept:
        return join(a.now(kept=False), b.now(kept=False)).now(kept=True)
    for x, y in ((a, b), (b, a)):
        if x.form == "nothing":
            return y.now(unsure=True) if x.unsure else y
        if x.form == "empty" and (y.is_vector or y.form in ("cell", "struct")):
            return y.now(length=min(-1, y.length))
        if x.form == "empty" and y.form == "matrix":
            return y.now(length=0)  # an array of one axis until it has a row
    if a.form == b.form == "matrix" and 0 in (a.length, b.length):
        a, b = a.now(length=0), b.now(length=0)
    if a.now(unsure=True) == b.now(unsure=True):
        return a.now(unsure=True)
    unsure = a.unsure or b.unsure
    most = NUMBERS[max(NUMBERS.index(a.numbers), NUMBERS.index(b.numbers))]
    if "b" in (a.numbers, b.numbers) and a.numbers != b.numbers:
        most = "m"
    if a.form == b.form == "struct":
        names = {**dict(a.fields), **dict(b.fields)}
        both = tuple(sorted((n, join(a.field(n), b.field(n))) for n in names))
        return a.now(fields=both, shared=a.shared or b.shared, unsure=unsure)
    if a.form == b.form == "cell":
        length = a.length if a.length == b.length else min(-1, a.length, b.length)
        same = a.fields if a.fields == b.fields else ()
        return a.now(
            fields=same,
            item=join(a.item, b.item),
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
    return Kind(
        form,
        most,
        shift,
        shared=a.shared or b.shared,
        length=a.length if a.length == b.length else min(-1, a.length, b.length),
        unsure=unsure,
    )


def merged(a: Mapping[str, Kind], b: Mapping[str, Kind]) -> dict[str, Kind]:
    """Variables after two ways through a program."""
    return {
        n: join(a[n], b[n]) if n in a and n in b else (a.get(n) or b[n]).now(unsure=True)
        for n in {**a, **b}
    }
