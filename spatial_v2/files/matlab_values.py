"""Conversion between MATLAB's values and plain Python values: cells as lists, structs as dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from spatial_v2.files.wording import listed

__all__ = [
    "VERTEX_COMMANDS",
    "MatlabInstance",
    "cell",
    "describe",
    "fields",
    "has_vertices",
    "is_drawing",
    "plain",
    "shift_vertices",
]

VERTEX_COMMANDS = ("line", "triangles")
"""Drawing instructions whose argument may be numbers of vertices."""
_SPARSE_ENTRIES = 10_000
"""Sparse matrices with at most so many entries are made dense; a model needs no larger ones."""


def fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of a struct without converting them, or None if it is not a struct.

    Parameters
    ----------
    value : object
        Result of `scipy.io.loadmat` for a struct, under any of its options.

    Returns
    -------
    dict or None
        Values by field name; empty for a struct without fields.

    Examples
    --------
    >>> fields(np.array([(1, "x")], dtype=[("a", "O"), ("b", "O")]))
    {'a': 1, 'b': 'x'}
    """
    if type(value) is np.ndarray and value.size == 1 and value.dtype.kind in "OV":
        inside = value.ravel()[0]
        if value.dtype.names or inside is None or hasattr(inside, "_fieldnames"):
            value = inside
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {k: v for k, v in value.items() if not str(k).startswith("__")}
    if hasattr(value, "_fieldnames"):
        return {k: getattr(value, k) for k in value._fieldnames}
    if isinstance(value, np.void) and value.dtype.names:
        return {k: value[k] for k in value.dtype.names}
    return None


def plain(value: Any) -> Any:
    """Convert the result of `scipy.io.loadmat`, with any of its options, to plain Python values.

    Parameters
    ----------
    value : object
        A variable, or the dict of all variables.

    Returns
    -------
    object
        A dict for a struct (a list of them for an array of structs), a list for a cell, read column
        by column, a string (a list of rows for a char matrix), or numbers as an array of float64 or
        complex; small sparse matrices are made dense. Any other value is returned unchanged.

    Examples
    --------
    >>> plain({"code": np.array(["H"]), "pars": np.array([[3]], dtype=np.uint8)})
    {'code': 'H', 'pars': array([[3.]])}
    """
    struct = fields(value)
    if struct is not None:
        return {k: plain(v) for k, v in struct.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "toarray") and prod(value.shape) <= _SPARSE_ENTRIES:
        value = value.toarray()
    array = np.asarray(value)
    if _is_object(value) or (array.dtype == object and array.ndim == 0):
        return value
    if array.dtype.names or array.dtype == object:
        return [plain(v) for v in array.ravel(order="F")]
    if array.dtype.kind in "US":
        rows = [str(row).rstrip() for row in array.ravel()]
        return rows if len(rows) > 1 else "".join(rows)
    return array.astype(np.float64) if array.dtype.kind in "iub" else array


def _is_object(value: Any) -> bool:
    """Return whether a value is a function handle or an object of a class."""
    return isinstance(value, np.ndarray) and type(value).__name__.startswith("Matlab")


def describe(value: Any) -> str:
    """Describe a value in MATLAB's terms, for an error message.

    Examples
    --------
    >>> describe([1, 2]), describe({}), describe(np.eye(6)), describe("Rx")
    ('a cell of 2', 'a struct without fields', 'a 6x6 matrix', "the text 'Rx'")
    """
    struct = fields(value)
    if struct is not None:
        names = [str(name) for name in struct]
        return f"a struct with {listed(names, most=6)}" if names else "a struct without fields"
    if isinstance(value, (list, tuple)):
        return f"a cell of {len(value)}"
    if _is_object(value) or isinstance(value, MatlabInstance):
        return _describe_object(value)
    if hasattr(value, "toarray"):
        return f"a sparse {'x'.join(map(str, value.shape))} matrix"
    array = np.asarray(value)
    shape = "x".join(map(str, array.shape))
    if array.dtype.kind in "US":
        text = str(array.ravel()[0]) if array.size else ""
        return f"the text {text[:40]!r}"
    if array.dtype.names or (array.dtype == object and array.ndim):
        return f"a {'struct array' if array.dtype.names else 'cell'} of {array.size}"
    if array.dtype.kind not in "fciub":
        return f"an object of type {type(value).__name__}"
    if array.size == 1:
        return f"the number {array.item():g}"
    kind = "complex " * (array.dtype.kind == "c")
    return f"a {shape} {kind}matrix" if array.ndim != 1 else f"{array.size} {kind}numbers"


class MatlabInstance:
    """An object of a MATLAB class or a function handle in a file of version 7.3, not read."""

    def __init__(self, classname: str) -> None:
        self.classname = classname


def _describe_object(value: Any) -> str:
    name = getattr(value, "classname", None)  # of old objects and of version 7.3
    if name is None and (value.dtype.names or ())[2:3] == ("s2",) and value.size:
        name = value["s2"].ravel()[0]  # of a class defined by classdef
    name = name.decode() if isinstance(name, bytes) else str(name or "")
    if "Function" in type(value).__name__ or name == "function_handle":
        return "a function handle"
    if name.startswith("casadi."):
        symbols = "" if name == "casadi.DM" else ", if it has no symbols"
        return f"an object of class {name}; convert it in MATLAB before you save it: full{symbols}"
    return f"an object of class {name}" if name else "an object"


def cell(values: Sequence[Any]) -> np.ndarray:
    """Convert a list, with the lists inside it, to 1 x n cells for `scipy.io.savemat`.

    Examples
    --------
    >>> cell(["box", [1, [2]]]).shape
    (1, 2)
    """
    out = np.empty((1, len(values)) if values else (0, 0), dtype=object)
    for k, value in enumerate(values):
        out[0, k] = cell(value) if isinstance(value, list) else value
    return out


def is_drawing(value: Any) -> bool:
    """Return whether a value is a list of drawing instructions rather than a list of numbers.

    Examples
    --------
    >>> is_drawing([["facets", 8]]), is_drawing([[0, 0, 1], [0, 1, 0]])
    (True, False)
    """
    return isinstance(value, list) and any(isinstance(x, str) or is_drawing(x) for x in value)


def has_vertices(command: Any, item: Any) -> bool:
    """Return whether the `item` after a command lists vertex numbers; a line may list points.

    Examples
    --------
    >>> has_vertices("line", [1, 2]), has_vertices("line", [[0, 0, 0], [0, 0, 1]])
    (True, False)
    """
    if not isinstance(command, str) or command not in VERTEX_COMMANDS:
        return False
    return command == "triangles" or np.size(item) == max(np.shape(item), default=0)


def shift_vertices(drawing: Sequence[Any], by: int) -> list[Any]:
    """Return a list of drawing instructions with `by` added to every vertex number.

    Examples
    --------
    >>> shift_vertices(["line", [1, 2], ["triangles", [[1, 2, 3]]]], -1)
    ['line', array([0, 1]), ['triangles', array([[0, 1, 2]])]]
    """
    out: list[Any] = []
    for k, item in enumerate(drawing):
        if has_vertices(drawing[k - 1] if k else "", item):
            item = np.asarray(item).astype(np.int64) + by
        elif is_drawing(item):
            item = shift_vertices(item, by)
        out.append(item)
    return out
