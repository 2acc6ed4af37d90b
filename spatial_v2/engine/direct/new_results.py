"""New arrays for results, and the object returned to the caller, made by compiled code.

Making two small arrays and a named tuple takes Python as long as the dynamics of a small robot.
NumPy's C functions, called directly, take half of that; their addresses are in the table of
NumPy's C interface.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.compile.extend import (
    OpaqueModel,
    Type,
    box,
    cgutils,
    intrinsic,
    register_model,
    types,
)
from spatial_v2.engine.direct.objects import item
from spatial_v2.engine.direct.table import AXES, DOUBLE, MAKER, MANY, ROW, SELF, WIDE
from spatial_v2.engine.tree import Ints

__all__ = ["EMPTY", "ZEROS", "as_object", "finished", "new_arrays", "new_integer"]


def _address(number: int) -> int:
    """Return the address of the function with the given number in NumPy's C interface."""
    capsule = importlib.import_module("numpy._core.multiarray")._ARRAY_API
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_void_p.from_address(pointer(capsule, None) + 8 * number).value or 0


ZEROS, EMPTY = map(_address, (183, 184))
"""Addresses of the functions ``PyArray_Zeros`` and ``PyArray_Empty``."""


class _NewResults(Type):  # type: ignore[misc]
    """Numba type of a new Python object that is returned to the caller, as its address; 0 if an
    exception was raised.
    """

    def __init__(self) -> None:
        super().__init__(name="Made")


NEW_RESULTS = _NewResults()
register_model(_NewResults)(OpaqueModel)


@box(_NewResults)
def _box(kind: Any, x: Any, c: Any) -> Any:
    return x


_OBJECT, _SIZE, _INT, _NOTHING = cgutils.voidptr_t, cgutils.intp_t, ir.IntType(32), ir.VoidType()


def _convert(builder: Any, x: Any, kind: Any) -> Any:
    """Emit code that converts a 64-bit integer to the type of a C argument."""
    if kind is _OBJECT:
        return builder.inttoptr(x, kind)
    return builder.trunc(x, kind) if kind is _INT else x


def _python(name: str, result: Any, *kinds: Any) -> Any:
    """Return an intrinsic that calls a function of Python's C interface; objects are passed by
    address.
    """
    kind = ir.FunctionType(result, kinds)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        x = builder.call(function, list(map(_convert, [builder] * len(kinds), args, kinds)))
        return builder.ptrtoint(x, _SIZE) if result is _OBJECT else _SIZE(0)

    how = types.int64(*[types.int64] * len(kinds)), generate
    forms = (
        lambda typing, x: how,
        lambda typing, x, y: how,
        lambda typing, x, y, z: how,
    )
    return intrinsic(forms[len(kinds) - 1])


new_tuple = _python("PyTuple_New", _OBJECT, _SIZE)
set_item = _python("PyTuple_SetItem", _INT, _OBJECT, _SIZE, _OBJECT)
new_integer = _python("PyLong_FromSsize_t", _OBJECT, _SIZE)
call_object = _python("PyObject_CallOneArg", _OBJECT, _OBJECT, _OBJECT)
keep = _python("Py_IncRef", _NOTHING, _OBJECT)
drop = _python("Py_DecRef", _NOTHING, _OBJECT)


@intrinsic
def new_array(typing: Any, maker: Any, numbers: Any, ndim: Any, shape: Any) -> Any:
    """Create an array, and return its address.

    `maker` is `ZEROS` or `EMPTY`; `numbers` and `shape` are the addresses of the dtype and of the
    lengths of the axes.
    """
    kinds = _INT, _SIZE.as_pointer(), _OBJECT, _INT
    kind = ir.FunctionType(_OBJECT, kinds)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        maker, numbers, ndim, shape = args
        maker = builder.inttoptr(maker, kind.as_pointer())
        shape = builder.inttoptr(shape, _SIZE.as_pointer())
        numbers = builder.inttoptr(numbers, _OBJECT)
        made = builder.call(maker, [builder.trunc(ndim, _INT), shape, numbers, _INT(0)])
        return builder.ptrtoint(made, _SIZE)

    return types.int64(*[types.int64] * 4), generate


@intrinsic
def as_object(typing: Any, x: Any) -> Any:
    """Return the Python object at an address to the caller."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], _OBJECT)

    return NEW_RESULTS(types.int64), generate


@part
def new_arrays(table: Ints, row: int) -> int:
    """Allocate arrays for new results, and return the address of a tuple of them; 0 if an exception
    was raised.

    `row` is the index of the first row of results in the table.
    """
    made = new_tuple(table[MANY])
    for k in range(table[MANY] if made else 0):
        ndim = table[row + AXES]
        keep(table[DOUBLE])
        array = new_array(table[MAKER], table[DOUBLE], ndim, table[SELF] + 8 * (row + WIDE - ndim))
        if array == 0:
            drop(made)
            return 0
        set_item(made, k, array)
        row += ROW
    return int(made)


@part
def finished(made: int, refused: int, finish: int, none: int) -> int:
    """Return the address of the object that a call returns, given the tuple `made` of new arrays.

    It is None if the call was refused, the first array if `finish` is None, and otherwise the value
    of ``finish(arrays)``.
    """
    if finish == none or refused:
        found = none if refused else item(made, 0)
        keep(found)
    else:
        found = call_object(finish, made)
    drop(made)
    return int(found)
