"""Numba types of records, the first arguments of kernels."""

from typing import Any

import numpy as np

from spatial_v2.engine.compile.extend import typeof
from spatial_v2.engine.kernel import Record

_KINDS: dict[Any, Any] = {}
"""Types of records by `_form`."""


def _form(x: Any) -> Any:
    """Return a key that tells types of records apart, which is faster than Numba's own types."""
    if isinstance(x, np.ndarray):
        return x.dtype.char, x.ndim, x.flags.num
    return (type(x), *map(_form, x)) if isinstance(x, tuple) else type(x)


def kind_of(record: Record) -> Any:
    """Return the type of a record, which is the same object for all records of this type."""
    if record.kind is None:
        form = _form(record.of)
        if form not in _KINDS:
            _KINDS[form] = typeof(record.of)
        record.kind = _KINDS[form]
    return record.kind
