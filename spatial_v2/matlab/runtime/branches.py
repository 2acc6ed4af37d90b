"""Values that loops, branches and divisions of translations need."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    CommaList,
    Struct,
    Text,
    string,
    value,
)

__all__ = ["case", "caught", "divide", "loop", "spreads", "unknown"]


def divide(x: Any, y: Any) -> Any:
    """Return ``x / y`` of numbers: infinite where y is 0."""
    return value(x) / value(y)


def unknown(what: str, where: str) -> Any:
    """Raise an error where a translation has no counterpart."""
    raise NotImplementedError(f"{where}: `{what}` is not translated")


def loop(x: Any) -> Any:
    """Yield the columns of a value, as a loop goes through them."""
    x = value(x)
    if type(x) is Array and x.a.ndim == 2 and x.a.shape[0] == 1 and x.a.dtype.kind == "f":
        return iter([Array(np.array([[y]])) for y in x.a[0]])
    return iter(x)


def case(x: Any, *choices: Any) -> bool:
    """Test if the value of a ``switch`` is that of a ``case``: a value, or one of a cell."""
    for c in map(value, choices):
        if isinstance(c, Cell):
            if any(case(x, y) for y in c.a.ravel()):
                return True
        elif isinstance(c, Text) or isinstance(x, Text):
            if isinstance(c, Text) and isinstance(value(x), Text) and string(c) == string(x):
                return True
        else:
            a, b = value(x).a, c.a
            if (a.size == 0 and b.size == 0) or (a.size and b.size == 1 and np.all(a == b)):
                return True
    return False


def caught(error: BaseException) -> Struct:
    """Return what ``catch e`` gives."""
    return Struct(
        message=str(error), identifier=getattr(error, "identifier", ""),
        stack=Struct(file="", name="", line=0.0, column=0.0),
    )  # fmt: skip


def spreads(x: Any) -> CommaList:
    """Return the values that an expression stands for in a list."""
    return x if isinstance(x, CommaList) else CommaList([value(x)])
