"""MATLAB's files of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.files.matlab_file import read_variables
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    Struct,
    Text,
    array,
    objects,
    string,
    value,
)

__all__ = ["from_mat", "loaded", "saved", "to_mat"]


def from_mat(x: Any, classes: bool = False) -> Any:
    """Convert a value that `scipy.io.loadmat` returns, or that `savemat` takes.

    Integers are doubles, unless `classes` says that arrays have their classes in MATLAB.
    """
    if isinstance(x, dict):
        return Struct(objects([{n: from_mat(y, classes) for n, y in x.items()}]))
    if isinstance(x, (list, tuple)):
        return Cell(objects((from_mat(y, classes) for y in x), (1, len(x)) if x else (0, 0)))
    if not isinstance(x, np.ndarray):
        return value(x)
    if x.dtype.names is not None:
        made = ({n: from_mat(y[n], classes) for n in x.dtype.names} for y in x.ravel(order="F"))
        return Struct(objects(made, x.shape))
    if x.dtype == object:
        shape = x.shape if x.ndim > 1 else (1, x.size)
        return Cell(objects((from_mat(y, classes) for y in x.ravel(order="F")), shape))
    if x.dtype.kind == "U":
        lines = [str(y) for y in x.ravel()]
        if len(lines) < 2:
            return Text(lines[0] if lines else "")
        width = max(map(len, lines))
        return Text(np.array([[float(ord(c)) for c in y.ljust(width)] for y in lines]))
    if x.dtype.kind in "iu" and not classes:
        return array(x.astype(float))
    return array(x.astype(x.dtype.newbyteorder("=")))


def to_mat(x: Any) -> Any:
    """Convert a value for `scipy.io.savemat`."""
    x = value(x)
    if isinstance(x, Text):
        return str(x)
    if isinstance(x, Cell):
        a = np.empty(x.a.shape, dtype=object)
        for k in np.ndindex(a.shape):
            a[k] = to_mat(x.a[k])
        return a
    if isinstance(x, Struct):
        if x.a.size == 1:
            return {n: to_mat(y) for n, y in x.a.item().items()}
        return [{n: to_mat(y) for n, y in d.items()} for d in x.a.ravel(order="F")]
    if isinstance(x, Handle):
        return "function"
    return x.a if isinstance(x, Array) else np.zeros((0, 0))


def _named(name: Any) -> str:
    path = string(value(name))
    return path if "." in path.rsplit("/", 1)[-1] else f"{path}.mat"


def loaded(name: Any, *names: Any) -> dict[str, Any]:
    """Return the variables of a file, as the statement ``load`` makes them."""
    found = read_variables(_named(name), classes=True)
    wanted = [string(value(n)) for n in names]
    return {n: from_mat(x, True) for n, x in found.items() if not wanted or n in wanted}


@matlab("load")
def load(name: Any, *names: Any) -> Any:
    return Struct(objects([loaded(name, *names)]))


def saved(name: Any, **variables: Any) -> None:
    """Write variables into a file, as ``save`` does."""
    from scipy.io import savemat

    savemat(_named(name), {n: to_mat(x) for n, x in variables.items()}, oned_as="column")
