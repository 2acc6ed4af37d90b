"""Logical values: what computes with numbers takes them as 0 and 1, and files keep their class."""

from __future__ import annotations

import contextlib
import io
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spatial_v2.matlab.runtime as ml
from spatial_v2.matlab.runtime import FUNCTIONS, names
from spatial_v2.matlab.runtime.mat_files import loaded, saved

OF_THEIR_CLASS = {"class", "isbool", "isfloat", "islogical", "isnumeric", "mat2str"}
"""Functions whose results depend on the class of their argument."""
SUBSCRIPTS = {"values"}
"""Functions whose arguments are subscripts, which logical values are in another way."""
APART = {
    *("rand", "randn", "randi", "randperm", "input", "pause", "keyboard", "exit", "quit"),
    *("tic", "toc", "clock", "now", "cputime", "figure", "containers.Map"),
}
"""Functions with other results, or a new object, in each call."""
VALUES = {
    (3, 3): np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], bool),
    (1, 3): np.array([[1, 0, 1]], bool),
    (3, 1): np.array([[1], [1], [0]], bool),
    (1, 1): np.array([[True]]),
}


def numbers_of(x: Any) -> str:
    """Return the numbers of a value as text, without their class."""
    if isinstance(x, tuple):
        return str([numbers_of(y) for y in x])
    if isinstance(x, ml.Array):
        kind = object if x.a.dtype == object else complex
        return str(x.a.shape) + str(x.a.astype(kind).tolist())
    if isinstance(x, ml.Cell):
        return str(x.a.shape) + str([numbers_of(y) for y in x.a.flat])
    return "a function" if isinstance(x, ml.Handle) else repr(x)


def result(name: str, values: list[np.ndarray]) -> str:
    """Return the result of a function, with what it prints, or ``"error"``."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, np.errstate(all="ignore"):
        try:
            found = numbers_of(FUNCTIONS[name](*(ml.Array(v.copy()) for v in values)))
        except Exception:
            return "error"
    return found + printed.getvalue()


TRIED = sorted(names() - OF_THEIR_CLASS - SUBSCRIPTS - APART)
OTHERS = [name for k, name in enumerate(TRIED) if k % 4]
CASES = [
    pytest.param(1, TRIED[::4], id="every fourth function"),
    pytest.param(1, OTHERS, id="the others", marks=pytest.mark.slow),
    *(pytest.param(n, TRIED, id=f"{n} arguments", marks=pytest.mark.slow) for n in (2, 3)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("count", "names"), CASES)
def test_logical_arguments_are_numbers(count: int, names: list[str]) -> None:
    """A function of the runtime gives the same numbers for logical values and for doubles."""
    for name in names:
        for shapes in itertools.product(VALUES, repeat=count):
            if count < 3 or len(set(shapes)) < 3:
                given = [VALUES[s] for s in shapes]
                expected = result(name, [v.astype(float) for v in given])
                assert result(name, given) == expected, (name, shapes)


@pytest.mark.parametrize("kind", [bool, np.int32, np.uint8, np.float32, float, complex])
def test_files_keep_the_class_of_an_array(kind: Any, tmp_path: Path) -> None:
    x = ml.Array(np.array([[1, 0, 2]]).astype(kind))
    saved(str(tmp_path / "a.mat"), x=x, s=ml.Struct(y=x), c=ml.value([x]))
    found = loaded(str(tmp_path / "a.mat"))
    for y in (found["x"], found["s"].y, found["c"][1]):
        assert y.a.dtype == kind and y.a.tolist() == x.a.tolist()
