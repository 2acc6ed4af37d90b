"""The user's own fields in MATLAB's model struct: plain values, back and forth."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.files.matlab_field import MatlabField
from spatial_v2.files.matlab_values import cell

__all__ = ["own_value", "written_value"]


def own_value(field: MatlabField) -> Any:
    """Return a value of a struct as a Python value; None for objects, functions and the like.

    A single number becomes a float, a row or column a vector, a cell a list, a struct a dict.

    Examples
    --------
    >>> own_value(MatlabField("model.legs", np.array([[4]])))
    4.0
    """
    return _own(field.value)


def _own(value: Any) -> Any:
    if isinstance(value, dict):
        inside = {name: _own(x) for name, x in value.items()}
        return None if any(x is None for x in inside.values()) else inside
    if isinstance(value, list):
        entries = [_own(x) for x in value]
        return None if any(x is None for x in entries) else entries
    if isinstance(value, str):
        return value
    if type(value) is not np.ndarray or value.dtype.kind not in "fc":
        return None
    if value.size == 1:
        return value.item()
    return value.ravel() if value.size == max(value.shape) else value


def written_value(value: Any) -> Any:
    """Return a value for `scipy.io.savemat`; None if MATLAB has no such value.

    Examples
    --------
    >>> written_value({"legs": 4, "name": "a"})
    {'legs': 4.0, 'name': 'a'}
    """
    if isinstance(value, dict):
        inside = {name: written_value(x) for name, x in value.items()}
        return None if any(x is None for x in inside.values()) else inside
    if isinstance(value, list | tuple):
        entries = [written_value(x) for x in value]
        return None if any(x is None for x in entries) else cell(entries)
    if isinstance(value, str):
        return value
    x = np.asarray(value)
    if x.dtype.kind not in "biufc" or x.ndim > 2:
        return None
    x = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    return x.item() if x.ndim == 0 else np.atleast_2d(x)
