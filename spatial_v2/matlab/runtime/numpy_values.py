"""Values of lines by NumPy's functions, for lines that keep MATLAB's semantics."""

from __future__ import annotations

import copy as copies
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from spatial_v2.matlab.runtime.library import struct_of
from spatial_v2.matlab.runtime.value_types import Cell, Struct, array, copy, empty, objects, value
from spatial_v2.model import Model

__all__ = ["from_numpy"]

STRUCTS: WeakKeyDictionary[Model, tuple[Any, Struct]] = WeakKeyDictionary()
"""Model -> its state, and the struct that describes it in this state."""


def from_numpy(x: Any, rows: bool | Collection[str] = False) -> Any:
    """Convert a value to one of MATLAB's, which shares no memory with it.

    Arrays of one axis become columns; rows where `rows` is True, and in the fields of structs that
    it names, as ``("a", "b.c")``.
    """
    return _converted(x, {""} if rows is True else set(rows or ()), "")


def _converted(x: Any, rows: set[str], path: str) -> Any:
    if isinstance(x, np.ndarray):
        return array(x.copy(), row=path in rows) if x.size or x.ndim > 1 else empty()
    if isinstance(x, list):
        return Cell(objects(_converted(y, rows, path) for y in x))
    if isinstance(x, SimpleNamespace):
        fields = {n: _converted(y, rows, f"{path}.{n}".lstrip(".")) for n, y in vars(x).items()}
        return Struct(objects([fields]))
    if isinstance(x, Model):
        state, found = STRUCTS.get(x, (None, None))
        if state is not x._state or found is None:
            found = struct_of(copies.copy(x), derived=True)
            STRUCTS[x] = (x._state, found)
        return copy(found)
    return value(x)
