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

__all__ = ["EMPTY", "NEW_RESULTS", "ZEROS", "are_missing", "finished", "missing", "new_arrays"]


def _address(number: int) -> int:
    """Address of a function of NumPy's C interface."""
    capsule = importlib.import_module("numpy._core.multiarray")._ARRAY_API
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_void_p.from_address(pointer(capsule, None) + 8 * number).value or 0


ZEROS, EMPTY = map(_address, (183, 184))
"""Indices of ``PyArray_Zeros`` and ``PyArray_Empty`` in that table."""


class _NewResults(Type):  # type: ignore[misc]
    """Address of an object owned by the caller; 0 if an exception was raised."""

    def __init__(self) -> None:
        super().__init__(name="Made")


NEW_RESULTS = _NewResults()
register_model(_NewResults)(OpaqueModel)


@box(_NewResults)
def _box(kind: Any, x: Any, c: Any) -> Any:
    return x


def _python(builder: Any, name: str, *arguments: Any) -> Any:
    """Call a function of Python's C interface that returns an object."""
    kind = ir.FunctionType(cgutils.voidptr_t, [x.type for x in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


@intrinsic
def new_arrays(typing: Any, given: Any, maker: Any, numbers: Any, shapes: Any, step: Any) -> Any:
    """Make a tuple of new arrays with the numbers of axes `given`; it lacks arrays without memory.

    `maker` is `ZEROS` or `EMPTY`, and `numbers` the address of the dtype. The lengths of the axes
    of the first array end at the address `shapes`, those of each further one a fixed number of
    bytes later.
    """
    n = len(given.axes)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        python = context.get_python_api(builder)
        _, maker, numbers, end, step = args
        numbers = builder.inttoptr(numbers, cgutils.voidptr_t)
        whole, axes = ir.IntType(32), cgutils.intp_t.as_pointer()
        kind = ir.FunctionType(cgutils.voidptr_t, [whole, axes, cgutils.voidptr_t, whole])
        maker = builder.inttoptr(maker, kind.as_pointer())
        made = _python(builder, "PyTuple_New", cgutils.intp_t(n))
        result = cgutils.alloca_once_value(builder, made)
        with builder.if_then(cgutils.is_not_null(builder, made)):
            there = cgutils.true_bit
            for k, ndim in enumerate(given.axes):
                first = builder.inttoptr(builder.sub(end, cgutils.intp_t(8 * ndim)), axes)
                python.incref(numbers)
                array = builder.call(maker, [whole(ndim), first, numbers, whole(0)])
                there = builder.and_(there, cgutils.is_not_null(builder, array))
                python.tuple_setitem(made, k, array)
                end = builder.add(end, step)
            with builder.if_then(builder.not_(there)):
                python.decref(made)
                builder.store(cgutils.get_null_value(made.type), result)
        return builder.load(result)

    return given(given, *[types.int64] * 4), generate


@intrinsic
def are_missing(typing: Any, arrays: Any) -> Any:
    """True if there was no memory for new arrays."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.is_null(builder, args[0])

    return types.boolean(arrays), generate


@intrinsic
def missing(typing: Any) -> Any:
    """Result of a call that raised an exception."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.get_null_value(cgutils.voidptr_t)

    return NEW_RESULTS(), generate


@intrinsic
def finished(typing: Any, arrays: Any, refused: Any, finish: Any, none: Any, new: Any) -> Any:
    """The object returned to the caller: new arrays, or the integer `refused`.

    For new arrays it is None if `refused` is not 0; otherwise the result of `finish` for their
    tuple, or the first array if `finish` is None. The last argument but one is the address of None.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        python = context.get_python_api(builder)
        made, refused, finish, none, new = args
        finish, nothing = (builder.inttoptr(x, cgutils.voidptr_t) for x in (finish, none))
        result = cgutils.alloca_once(builder, cgutils.voidptr_t)
        with builder.if_else(new) as (is_new, is_given):
            with is_given:
                builder.store(python.long_from_signed_int(refused), result)
            with is_new:
                alone = builder.icmp_unsigned("==", finish, nothing)
                fails = builder.icmp_signed("!=", refused, refused.type(0))
                first = builder.inttoptr(item(builder, made, 0), cgutils.voidptr_t)
                kept = builder.select(fails, nothing, first)
                with builder.if_else(builder.or_(fails, alone)) as (keeps, calls):
                    with keeps:
                        python.incref(kept)
                        builder.store(kept, result)
                    with calls:
                        called = _python(builder, "PyObject_CallOneArg", finish, made)
                        builder.store(called, result)
                python.decref(made)
        return builder.load(result)

    kinds = arrays, types.int64, types.int64, types.int64, types.boolean
    return NEW_RESULTS(*kinds), generate
