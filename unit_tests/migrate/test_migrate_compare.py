"""Comparison of values in Python and Octave: the message names the first entry that differs."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
from spatial_v2.migrate.compare import difference
from spatial_v2.migrate.kinds import Kind

RNG = np.random.default_rng(0)


def cell(*values: Any) -> np.ndarray:
    found = np.empty((1, len(values)), dtype=object)
    for k, value in enumerate(values):
        found[0, k] = np.atleast_2d(value)
    return found


def struct(**fields: Any) -> np.ndarray:
    found = np.empty((1, 1), dtype=[(name, object) for name in fields])
    for name, value in fields.items():
        found[name][0, 0] = np.atleast_2d(value)
    return found


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (2, 3, 4), (3, 2, 1, 2)])
def test_the_first_entry_that_differs_is_named_as_in_matlab(shape: tuple[int, ...]) -> None:
    """The indices of the entry count from 1; a difference due to rounding is ignored."""
    theirs = RNG.normal(size=shape)
    scale = max(1.0, np.abs(theirs).max())
    for at in np.ndindex(shape):
        ours = theirs.copy()
        ours[at] += 0.9 * 1e-9 * scale
        assert difference(ours, theirs, Kind("array")) == ""
        ours[at] += 0.2 * 1e-9 * scale
        where = ", ".join(str(i + 1) for i in at)
        told = f"entry ({where}) is {ours[at]:.17g}; in Octave {theirs[at]:.17g}"
        assert difference(ours, theirs, Kind("array")) == told


@pytest.mark.parametrize("same", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_agree_only_with_themselves(same: float) -> None:
    x = np.array([[1.0, same]])
    assert difference(x, x, Kind("matrix")) == ""
    for other in (1.0, np.nan, np.inf, -np.inf):
        told = difference(np.array([[1.0, other]]), x, Kind("matrix"))
        assert told.startswith("entry (1, 2)") == (str(other) != str(same))


def test_vectors_lie_as_their_kind_says() -> None:
    x = np.arange(3.0)
    for form, agree in {
        "row": (True, False),
        "column": (False, True),
        "vector": (True, True),
    }.items():
        for theirs, right in zip((x[None], x[:, None]), agree, strict=True):
            told = difference(x, theirs, Kind(form))
            assert told == ("" if right else f"shape (3,); in Octave {theirs.shape}")


def test_differences_inside_are_told_with_their_place() -> None:
    """The message gives the place of a difference: the number in a cell, or the field
    of a struct.
    """
    kind = Kind("cell", item=Kind("row"))
    theirs = cell([1.0, 2], [3.0, 4])
    assert difference([np.array([1.0, 2]), np.array([3.0, 4])], theirs, kind) == ""
    told = difference([np.array([1.0, 2]), np.array([3.0, 5])], theirs, kind)
    assert told == "entry 2: entry (1, 2) is 5; in Octave 4"
    assert difference([1.0], theirs, kind) == "1 entries; in Octave 2"
    assert difference(1.0, theirs, kind) == "a float; in Octave a cell"

    theirs = struct(a=1.0, b=[[2.0, 3]])
    ours = SimpleNamespace(a=1.0, b=np.array([2.0, 3]))
    assert difference(ours, theirs, Kind("struct")) == ""
    ours.b[0] = 7
    told = difference(ours, theirs, Kind("struct"))
    assert told == "field b: entry (1, 1) is 7; in Octave 2"
    assert difference(SimpleNamespace(a=1.0), theirs, Kind("struct")) == "no field b"
    ours.c = 1.0
    assert difference(ours, theirs, Kind("struct")) == "field c in Python alone"


def test_structs_without_fields_agree_with_one_another_alone() -> None:
    """A struct without fields, which SciPy reads as None, also inside others, equals only such a
    struct.
    """
    bare = np.array([[None]], dtype=object)
    for theirs, wrap in (
        (bare, lambda x: x),
        (cell(bare), lambda x: [x]),
        (struct(a=bare), lambda x: SimpleNamespace(a=x)),
    ):
        assert difference(wrap(SimpleNamespace()), theirs, Kind("other")) == ""
        told = difference(wrap(SimpleNamespace(b=1)), theirs, Kind("other"))
        assert told.endswith("field b in Python alone")
        assert difference(wrap(1.0), theirs, Kind("other")).endswith("a float; in Octave a struct")
    assert difference(SimpleNamespace(), struct(a=1.0), Kind("struct")) == "no field a"
    assert difference([], np.empty((0, 0), dtype=object), Kind("cell")) == ""


def test_texts_are_compared_letter_by_letter() -> None:
    assert difference("abc", np.array(["abc"]), Kind("text")) == ""
    assert difference("", np.array([]), Kind("text")) == ""
    assert difference("abd", np.array(["abc"]), Kind("text")) == "'abd'; in Octave 'abc'"
