"""Every translated line gives Octave's value, and the value is of the kind that is inferred for it.

The lines are functions, operators and subscripts for values of every kind; what Octave gives for
them is recorded by `migrate_values`.
"""

import functools
from itertools import product
from typing import Any

import numpy as np
import pytest
from migrate_cases import VALUES

from spatial_v2.migrate.kinds import Kind

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
from migrate_values import Translated, of_octave, recorded, translated

TOLD = recorded()
PARTS = 4
AXES = {
    "scalar": (0,), "row": (1,), "column": (1,), "vector": (1,), "matrix": (2,), "tensor": (3, 4),
    "array": (0, 1, 2, 3, 4), "empty": (0, 1, 2, 3),
}  # fmt: skip
"""Form of an array -> number of its axes in Python."""
TYPES = {"b": "b", "i": "iu", "f": "fiu", "?": "fiubc", "z": "cfiu", "m": "bfiuc"}
"""Letter of the numbers of a kind -> letters of NumPy's types."""
NAMED = ("nan", "NaN", "inf", "Inf")
OTHERWISE = {
    "MATLAB compares real parts": [f"h = {x};" for x in ("z < c", "z < A", "r < z")]
    + ["h = c < z;", "h = A < z;"],
    "the type of a median of logical values differs": ["h = median(Y);"],
    "the sign of a basis is open": ["h = orth(A);", "h = orth(Y);"],
    "text lies along a row": ["h = t';", "h = t.';", "h = t(:);"],
    "an axis of length 1 stays": ["h = zeros(n, n, 1);"],
}  # fmt: skip
"""Lines with other values than in Octave, by the reason."""
REFUSED = {
    "sizes that are complex": [
        f"h = {x}(z);" for x in ("cell", "eye", "false", "ones", "true", "zeros", *NAMED)
    ],
    "roundings and angles that are complex": [
        f"h = {x}(z);" for x in ("ceil", "fix", "floor", "deg2rad", "rad2deg")
    ],
    "complex numbers compared": ["h = n < z;", "h = b < z;", "h = z < n;", "h = z < z;"],
    "the largest of no numbers": ["h = max(o);", "h = min(o);"],
    "a mask longer than an axis": ["h = A(w);", "h = Y(w);", "h = A; h(w) = n;"],
    "a third axis": [
        f"h = {x}; h({at}, 2) = {y};" for x, at, y in product("rcwA", (":, :", "1, 1"), "nrcA")
    ],
    "an entry of a cell beyond its end": [f"h = q; h{{n}} = {x};" for x in ("n", "r", "s", "'ab'")],
}
"""Lines whose translations raise an error, by what they would compute."""


@functools.cache
def part(k: int) -> tuple[list[str], Translated]:
    some = list(TOLD)[k::PARTS]
    return some, translated(some)


def listed(table: dict[str, list[str]]) -> set[str]:
    return {line for some in table.values() for line in some}


def agrees(kind: Kind | None, value: Any, wanted: Any) -> bool:
    """Test if a value, of a given kind if it is known, is what Octave gives."""
    if isinstance(wanted, str):
        return isinstance(value, str) and value == wanted
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return False
        rows = kind and kind.form == "grid"
        entries = [y for column in zip(*value, strict=True) for y in column] if rows else value
        pairs = zip(entries, wanted, strict=True)
        return len(entries) == len(wanted) and all(agrees(None, y, x) for y, x in pairs)
    if wanted is None:
        return True
    if isinstance(value, str | list):
        return len(value) == wanted.size == 0
    x = np.asarray(value)
    if x.dtype == object or x.size != wanted.size:
        return False
    shape = {0: (1, 1), 1: (1, x.size)}.get(x.ndim, x.shape)
    column = x.ndim == 1 and kind and "column" in (kind.form, kind.along)
    turned = shape[::-1] if column else shape
    lies = not kind or kind.form == "vector" or wanted.size == 0 or wanted.shape == turned
    shift = kind.shift if kind else 0
    flat, told = (y.ravel(order="F").astype(complex) for y in (x + 1 * shift, wanted))
    return lies and bool(np.isclose(flat, told, rtol=2e-6, atol=1e-12, equal_nan=True).all())


@pytest.mark.parametrize("k", range(PARTS))
def test_values_are_those_of_octave(k: int) -> None:
    """A line has Octave's value, or it is left to a person."""
    some, found = part(k)
    wrong = []
    for number, line in enumerate(some):
        names = found.names[number]
        if number in found.left or number in found.raised:
            continue
        for name, told in zip(names, TOLD[line].split("|"), strict=True):
            if not agrees(found.kinds.get(name), found.values[name], of_octave(told)):
                wrong.append((line, str(found.values[name]), told))
    assert [x for x in wrong if x[0] not in listed(OTHERWISE)] == []
    assert {some[n] for n in found.raised} <= listed(REFUSED)


def is_empty(x: Any) -> bool:
    """True of the empty arrays with which cells are padded."""
    return isinstance(x, np.ndarray) and x.size == 0


def misfit(kind: Kind, value: Any) -> str:
    """Return what differs between a kind and a value; empty if nothing does."""
    if kind.form == "text" or kind.form == "lines":
        return "" if isinstance(value, str) else "no text"
    if kind.form in ("cell", "grid"):
        if not isinstance(value, list):
            return "no cell"
        rows = value if kind.form == "grid" else [value]
        if kind.length >= 0 and any(len(row) != kind.length for row in rows):
            return f"{len(value)} entries"
        entries = [x for row in rows for x in row]
        own = zip(kind.items or [kind.item] * len(entries), entries, strict=True)
        return "".join(
            misfit(k, x)
            for k, x in own
            if k and (isinstance(x, str | list) or callable(x) or np.size(x))
        )
    if not kind.is_array:
        return ""
    if isinstance(value, str | list) or callable(value):
        return "no array"
    x = np.asarray(value)
    if x.ndim not in AXES[kind.form]:
        return f"{x.ndim} axes"
    if kind.is_vector and kind.length >= 0 and len(x) != kind.length:
        return f"length {len(x)}"
    if kind.form == "empty" and x.size:
        return "entries"
    return "" if x.dtype.kind in TYPES[kind.numbers] else f"numbers {x.dtype}"


@pytest.mark.parametrize("k", range(PARTS))
def test_kinds_are_those_of_the_values(k: int) -> None:
    """A value has the form, the length, the numbers and the entries of its kind."""
    some, found = part(k)
    wrong = [
        (some[n], name, kind, why)
        for n, names in enumerate(found.names)
        for name in names
        if n not in found.left and n not in found.raised
        if (kind := found.kinds.get(name)) and name in found.values
        if (why := misfit(kind, found.values[name]))
    ]
    assert wrong == []


@pytest.mark.parametrize("k", range(PARTS))
def test_values_share_no_memory_with_variables(k: int) -> None:
    """An array that a line assigns can be edited without effect on others, unless its kind says
    that the memory may be shared.
    """
    some, found = part(k)
    given = {x: found.values[x] for x in VALUES if isinstance(found.values.get(x), np.ndarray)}
    for n, names in enumerate(found.names):
        for name in names if n not in found.left else ():
            kind, value = found.kinds.get(name), found.values.get(name)
            if kind and not kind.shared and isinstance(value, np.ndarray):
                assert not any(np.shares_memory(value, x) for x in given.values()), some[n]
