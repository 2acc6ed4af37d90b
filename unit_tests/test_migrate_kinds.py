"""Kinds of a value that differ between two paths through a program."""

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
    """A row and a column give a vector; with a value that is not an array the kind is unknown."""
    for a, b in product(VECTORS - {"vector"}, VECTORS):
        assert join(Kind(a), Kind(b)).form == (a if a == b else "vector")
    for a, b in product(("matrix", "tensor"), ("row", "column", "scalar")):
        assert join(Kind(a), Kind(b)).form == "array"
    for a in ARRAYS[:5]:
        assert join(Kind(a), Kind("text")).form == "other"
