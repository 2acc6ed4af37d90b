"""Values that cannot be edited in place: read-only arrays, tuples, read-only views of dicts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

__all__ = ["fixed", "locked", "plain"]


def locked(x: Any) -> Any:
    """Return a read-only copy of a NumPy array, which nobody can make writeable again.

    Its memory is a `bytes` object. Such an array, arrays of objects that are read-only, and arrays
    of other libraries are returned as they are.

    Examples
    --------
    >>> x = locked(np.zeros(2))
    >>> x[0] = 1.0
    Traceback (most recent call last):
        ...
    ValueError: assignment destination is read-only
    >>> locked(x) is x
    True
    """
    if not isinstance(x, np.ndarray) or _is_locked(x):
        return x
    if x.dtype.hasobject or not x.size:
        x = x.copy()
        x.flags.writeable = False
        return x
    return np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape)


def _is_locked(x: np.ndarray) -> bool:
    owner: Any = x
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return isinstance(owner.base, bytes) and x.flags.c_contiguous


def fixed(value: Any) -> Any:
    """Return a copy of a value in which dicts, lists and arrays are replaced by read-only ones.

    Examples
    --------
    >>> fixed({"code": "H", "pars": {"pitch": 0.1}})["pars"]["pitch"] = 0.2
    Traceback (most recent call last):
        ...
    TypeError: 'mappingproxy' object does not support item assignment
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return MappingProxyType({key: fixed(x) for key, x in value.items()})
    if isinstance(value, list | tuple):
        return _like(value, [fixed(x) for x in value])
    return locked(value)


def plain(value: Any) -> Any:
    """Return a value with ordinary dicts in place of read-only ones, to be copied or pickled.

    Examples
    --------
    >>> plain(fixed({"code": "H", "pars": {"pitch": 0.1}}))
    {'code': 'H', 'pars': {'pitch': 0.1}}
    """
    if isinstance(value, MappingProxyType):
        return {key: plain(x) for key, x in value.items()}
    if isinstance(value, tuple):
        return _like(value, [plain(x) for x in value])
    return value


def _like(value: Any, items: list[Any]) -> Any:
    """Return a tuple of items, of the same named tuple as `value` if that is one."""
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
