"""Kinds of a variable whose value differs between two paths through a program."""

from __future__ import annotations

from itertools import product

import pytest

from spatial_v2.migrate.kinds import Kind, join

ARRAYS = ("scalar", "row", "column", "vector", "matrix", "tensor", "array", "empty")
VECTORS = {"row", "column", "vector"}


@pytest.mark.parametrize("form", [*ARRAYS, "text", "struct", "model"])
def test_the_same_kind_stays(form: str) -> None:
    assert join(Kind(form), Kind(form)) == Kind(form)


def test_either_way_round_it_is_the_same() -> None:
    for a, b in product((*ARRAYS, "text", "struct", "model", "cell"), repeat=2):
        assert join(Kind(a), Kind(b)).form == join(Kind(b), Kind(a)).form


def test_arrays_of_two_forms_are_arrays_of_open_form() -> None:
    """A row joined with a column is a vector; an array joined with another value has an unknown
    kind.
    """
    for a, b in product(VECTORS - {"vector"}, VECTORS):
        assert join(Kind(a), Kind(b)).form == (a if a == b else "vector")
    for a, b in product(("matrix", "tensor"), ("row", "column", "scalar")):
        assert join(Kind(a), Kind(b)).form == "array"
    for a in ARRAYS[:5]:
        assert join(Kind(a), Kind("text")).form == "other"


def test_numbers_of_two_kinds_are_the_wider_ones() -> None:
    """Of two kinds of numbers the wider one results; for logical values and numbers it is open
    whether the array is logical.
    """
    for a, b in product("ifz", repeat=2):
        found = join(Kind("row", a, length=2), Kind("row", b, length=3)).numbers
        assert found == max(a, b, key="ifz".index)
    for a in "if":
        assert join(Kind("row", a), Kind("row", "b")).numbers == "m"
    assert join(Kind("row", "b", length=2), Kind("row", "b", length=3)).numbers == "b"
