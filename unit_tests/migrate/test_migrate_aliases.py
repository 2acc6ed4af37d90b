"""A variable of a translation keeps its value when another one, from which it was made, changes."""

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers import for_each

import spatial_v2.matlab.runtime as ml
from spatial_v2.matlab.runtime import FUNCTIONS, names
from spatial_v2.matlab.runtime.making import join

APART = {"input", "pause", "keyboard", "exit", "quit", "containers.Map"}
"""Functions that wait, end the program, or return an object that variables share in MATLAB too."""


def examples() -> list[Any]:
    """Return new values of every class, with entries that are values themselves."""
    row = ml.row(1, 2, 3)
    structs = ml.put(ml.put(None, ml.row(1, 2), (1,), "x"), ml.row(3, 4), (2,), "x")
    cells = ml.value([ml.row(1, 2), ml.row(3, 4)])
    return [row, ml.column(1, 2, 3), ml.matrix([1, 2], [3, 4]), cells, ml.Struct(x=cells), structs]


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "x.'": lambda x: x.T,
    "x'": lambda x: x.H,
    "x(:)": lambda x: x(":"),
    "x(1:2)": lambda x: x(ml.row(1, 2)) if x.a.size > 1 else x(1),
    "[x, x]": lambda x: join([x, x], 1),
    "[x]": lambda x: join([x], 1),
    "{x}": lambda x: ml.cell_of([x]),
    "x([]) = []": lambda x: ml.delete(x, (ml.empty(),)),
    "y = x": lambda x: ml.copy(x),
    "y(2) = x": lambda x: ml.put(None, x, [2]),
    "for y = x": lambda x: ml.value(list(x)),
}
MAKERS = {**EXPRESSIONS, **{n: FUNCTIONS[n] for n in sorted(names() - APART)}}


def shown(x: Any) -> str:
    """Return all entries of a value as text."""
    if isinstance(x, (tuple, list)):
        return str([shown(y) for y in x])
    if isinstance(x, ml.Cell):
        return str([shown(y) for y in x.a.flat])
    if isinstance(x, ml.Struct):
        return str([{n: shown(y) for n, y in d.items()} for d in x.a.flat])
    return str(x.a.tolist()) if isinstance(x, ml.Array) else ""


def changed(x: Any) -> Any:
    """Return a value of which each innermost entry was assigned."""
    if isinstance(x, ml.Struct):
        for k in range(1, x.a.size + 1):
            for n in x.names:
                x = ml.put(x, changed(x(k).a.item()[n]), (k,), n)
                with contextlib.suppress(ml.MatlabError):
                    x = ml.put(x, 99, (k,), n, (1,))
        return x
    for k in range(1, x.a.size + 1):
        if isinstance(x, ml.Cell):
            with contextlib.suppress(ml.MatlabError):
                x = ml.put(x, 99, [k], (1,))
            with contextlib.suppress(ml.MatlabError):
                x = ml.put(x, 99, [k], "x", [1], (1,))
        elif not isinstance(x, ml.Handle):
            x = ml.put(x, 99, (k,))
    return x


@pytest.mark.filterwarnings("ignore")
@for_each(MAKERS)
def test_results_and_arguments_change_apart(name: str) -> None:
    """After y = f(x), assignments to entries of x leave y as it is, and those to y leave x."""
    for n in range(len(examples())):
        for first in (True, False):
            x = examples()[n]
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                try:
                    y = MAKERS[name](x)
                except Exception:
                    continue
            if not isinstance(y, ml.Array | ml.Cell | ml.Struct):
                continue
            before = shown(y if first else x)
            changed(x if first else y)
            assert shown(y if first else x) == before, shown(x)
