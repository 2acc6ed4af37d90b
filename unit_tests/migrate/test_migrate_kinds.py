"""Kinds of a variable whose value differs between two paths through a program."""

from itertools import product

import pytest

from spatial_v2.migrate.kinds import Kind, join

ARRAYS = ("scalar", "row", "column", "vector", "matrix", "tensor", "array", "empty")
VECTORS = {"row", "column", "vector"}


@pytest.mark.parametrize("form", [*ARRAYS, "text", "struct", "model"])
def test_the_same_kind_stays(form: str) -> None:
    assert join(Kind(form), Kind(form)) == Kind(form)


def test_either_way_round_it_is_the_same() -> None:
    """All that is known of the two kinds together is the same either way round."""
    flags = ({}, {"shared": True}, {"unsure": True}, {"kept": True})
    numbers = ({"numbers": "i", "shift": 1, "length": 2}, {"numbers": "b", "length": 3})
    kinds = [Kind(f, **m) for f in ARRAYS for m in (*flags, *numbers)]
    kinds += [Kind(f, **m) for f in ("text", "model") for m in flags]
    kinds += [
        Kind("cell", item=x, length=n) for x in (None, Kind("row"), kinds[-1]) for n in (1, 2)
    ]
    kinds += [Kind("struct", fields=x) for x in ((), (("a", Kind("row")),), (("a", kinds[-1]),))]
    kinds += [Kind("function", source=x) for x in (-1, 0, 1, 2)]
    for x, y in product(kinds, repeat=2):
        assert join(x, y) == join(y, x)


def test_numbers_that_count_from_zero_on_one_path_only_do_not_after_it() -> None:
    """A kind counts from 0 if both do, whatever else they have in common."""
    for (a, b), x, y in product(product(ARRAYS[:5], repeat=2), (0, 1), (0, 1)):
        found = join(Kind(a, "i", x, length=2), Kind(b, "i", y, length=3))
        assert found.shift == (x == y == 1)


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
