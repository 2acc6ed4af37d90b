"""MATLAB's values as plain Python ones, and back: cells as lists, structs as dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["cell", "entries", "is_drawing", "plain", "shift_vertices"]


def plain(value: Any) -> Any:
    """What `scipy.io.loadmat` returns, under any of its options, as plain Python values.

    Parameters
    ----------
    value : object
        A variable, or the dict of all variables.

    Returns
    -------
    dict, list, str or numpy.ndarray
        Structs (arrays of structs: lists of them), cells read column by column, texts (char
        matrices: lists of rows), and numbers as float64 or complex arrays.

    Examples
    --------
    >>> plain({"code": np.array(["H"]), "pars": np.array([[3]], dtype=np.uint8)})
    {'code': 'H', 'pars': array([[3.]])}
    """
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items() if not k.startswith("__")}
    if hasattr(value, "_fieldnames"):
        return {k: plain(getattr(value, k)) for k in value._fieldnames}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.void) and value.dtype.names:
        return {k: plain(value[k]) for k in value.dtype.names}
    if isinstance(value, str):
        return str(value)
    array = np.asarray(value)
    if array.dtype.names or array.dtype == object:
        items = list(array.ravel(order="F"))
        struct = len(items) == 1 and (array.dtype.names or hasattr(items[0], "_fieldnames"))
        return plain(items[0]) if struct else [plain(v) for v in items]
    if array.dtype.kind in "US":
        rows = [str(row).rstrip() for row in array.ravel()]
        return rows if len(rows) > 1 else "".join(rows)
    return array.astype(np.float64) if array.dtype.kind in "iub" else array


def entries(value: Any, n: int) -> list[Any]:
    """The n entries of a cell or vector, also where loadmat has squeezed a single one.

    Examples
    --------
    >>> entries(np.eye(6), 1)[0].shape, entries(np.array([[1.0, 2.0]]), 2)
    ((6, 6), [1.0, 2.0])
    """
    if isinstance(value, list):
        return value
    if n == 1 or not isinstance(value, np.ndarray):
        return [value]
    return value.ravel().tolist() if value.size == n else list(value)


def cell(values: Sequence[Any]) -> np.ndarray:
    """A list as a 1 x n cell for `scipy.io.savemat`, lists inside it as cells.

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
    """Whether a value is a list of drawing instructions, not one of numbers.

    Examples
    --------
    >>> is_drawing([["facets", 8]]), is_drawing([[0, 0, 1], [0, 1, 0]])
    (True, False)
    """
    return isinstance(value, list) and any(isinstance(x, str) or is_drawing(x) for x in value)


def shift_vertices(drawing: Sequence[Any], by: int) -> list[Any]:
    """A list of drawing instructions with `by` added to every vertex number.

    Vertex numbers are the arguments of ``triangles``, and of ``line`` where it is no matrix of
    points.

    Examples
    --------
    >>> shift_vertices(["line", [1, 2], ["triangles", [[1, 2, 3]]]], -1)
    ['line', array([0, 1]), ['triangles', array([[0, 1, 2]])]]
    """
    out: list[Any] = []
    for k, item in enumerate(drawing):
        command = drawing[k - 1] if k and isinstance(drawing[k - 1], str) else ""
        if command in ("line", "triangles"):
            numbers = np.asarray(item)
            if command == "triangles" or numbers.size == max(numbers.shape, default=0):
                item = numbers.astype(np.int64) + by
        elif is_drawing(item):
            item = shift_vertices(item, by)
        out.append(item)
    return out
