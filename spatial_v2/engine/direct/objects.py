"""Access of compiled code to tuples of NumPy arrays, by the address of the Python object.

Numba unpacks arguments array by array, counts references and copies descriptors, which takes longer
than the dynamics of a small robot. Here an argument is the address of a tuple, and compiled code
checks in the objects themselves that the items are arrays of doubles of the expected shapes. Their
memory layout is that of ``PyTupleObject`` of Python's C interface and ``PyArrayObject_fields`` of
NumPy's; `LAID_OUT` is False where it differs.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.compile.extend import (
    NativeValue,
    OpaqueModel,
    Type,
    cgutils,
    intrinsic,
    register_model,
    types,
    unbox,
)
from spatial_v2.engine.compile.memory import number

__all__ = [
    "LAID_OUT", "Given", "address", "are_rows", "count", "data", "is_array", "item", "length",
    ]  # fmt: skip

_HEAD = object.__basicsize__
_TYPE, _DATA, _AXES, _LENGTHS, _STRIDES, _, _KIND, _FLAGS = range(_HEAD - 8, _HEAD + 56, 8)
"""Offsets in an array object of its type, data, number of axes, their lengths and strides, dtype
and flags.
"""
_LENGTH, _ITEMS = _HEAD, tuple.__basicsize__
"""Offsets of the length of a tuple and of its first item."""
_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400


def _read(x: object, at: int) -> int:
    return ctypes.c_int64.from_address(id(x) + at).value


def _is_laid_out() -> bool:
    wide = ctypes.sizeof(ctypes.c_void_p) == 8 and _HEAD % 8 == 0
    if sys.implementation.name != "cpython" or not wide:
        return False
    x, low, flags = np.zeros((2, 3)), (1 << 32) - 1, _CONTIGUOUS | _ALIGNED | _WRITEABLE
    found = [_read(x, _TYPE), _read(x, _DATA), _read(x, _KIND)]
    if found != [id(np.ndarray), x.ctypes.data, id(np.dtype(np.float64))]:
        return False
    if _read(x, _AXES) & low != 2 or _read(x, _FLAGS) & low & flags != flags:
        return False
    pair = ctypes.c_int64 * 2
    lengths, strides = (pair.from_address(_read(x, at))[:] for at in (_LENGTHS, _STRIDES))
    items = x, low
    inside = [_read(items, at) for at in (_LENGTH, _ITEMS, _ITEMS + 8)]
    return (lengths, strides, inside) == ([2, 3], [24, 8], [2, id(x), id(low)])


LAID_OUT = _is_laid_out()


class Given(Type):  # type: ignore[misc]
    """Numba type of an argument that compiled code gets as the address of a tuple."""

    def __init__(self) -> None:
        super().__init__(name="Given")


register_model(Given)(OpaqueModel)


@unbox(Given)
def _unbox(kind: Any, x: Any, c: Any) -> Any:
    return NativeValue(x)


@intrinsic
def address(typing: Any, given: Any) -> Any:
    """Return the address of a tuple that is an argument of the call."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], cgutils.intp_t)

    return types.int64(given), generate


@inline
def count(x: int) -> int:
    """Return the number of items of the tuple at address x."""
    return int(number(x + _LENGTH))


@inline
def item(x: int, k: int) -> int:
    """Return the address of item k of the tuple at address x."""
    return int(number(x + _ITEMS + 8 * k))


@inline
def _bits(at: int) -> int:
    return int(number(at) & 0xFFFFFFFF)


@part
def is_array(
    x: int, kind: int, numbers: int, ndim: int, shape: int, writeable: int, lead: int
) -> bool:
    """Test if the object at address x is a contiguous array of given type, dtype and shape.

    `kind` and `numbers` are the addresses of NumPy's array type and of the dtype, `shape` that of
    the lengths of `ndim` axes. The array has `lead` more axes, of any length, before these.
    """
    if number(x + _TYPE) != kind or number(x + _KIND) != numbers:
        return False
    if _bits(x + _AXES) != lead + ndim:
        return False
    lengths, flags = number(x + _LENGTHS) + 8 * lead, _CONTIGUOUS | _ALIGNED
    for k in range(ndim):
        if number(lengths + 8 * k) != number(shape + 8 * k):
            return False
    if writeable:
        flags |= _WRITEABLE
    return _bits(x + _FLAGS) & flags == flags


@part
def are_rows(x: int, kind: int, numbers: int, values: int, width: int) -> bool:
    """Test if the object at address x is a matrix of doubles with rows of `values` numbers, or of
    their padded `width`.
    """
    if number(x + _TYPE) != kind or number(x + _KIND) != numbers or _bits(x + _AXES) != 2:
        return False
    lengths, strides = number(x + _LENGTHS), number(x + _STRIDES)
    long = number(lengths + 8)
    if (long != values and long != width) or number(strides + 8) != 8:
        return False
    if number(strides) != 8 * width and number(lengths) != 1:
        return False
    flags = _ALIGNED | _WRITEABLE
    return _bits(x + _FLAGS) & flags == flags


@inline
def length(x: int) -> int:
    """Return the length of the first axis of the array at address x."""
    return int(number(number(x + _LENGTHS)))


@inline
def data(x: int) -> int:
    """Return the address of the data of the array at address x."""
    return int(number(x + _DATA))
