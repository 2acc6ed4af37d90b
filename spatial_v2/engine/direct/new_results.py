"""Results that compiled code makes: new arrays, and of these what the caller gets.

Python takes as long to make two small arrays and to name them as a small robot's dynamics take.
NumPy's own functions do it in half of that, called without Python: at their addresses, which are
in the table that NumPy gives to C.
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
    """The address of one of NumPy's functions for C."""
    capsule = importlib.import_module("numpy._core.multiarray")._ARRAY_API
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_void_p.from_address(pointer(capsule, None) + 8 * number).value or 0


ZEROS, EMPTY = map(_address, (183, 184))
"""``PyArray_Zeros`` and ``PyArray_Empty``, by their numbers in that table."""


class _NewResults(Type):  # type: ignore[misc]
    """The address of an object, the caller's from now on; 0 where an exception was raised."""

    def __init__(self) -> None:
        super().__init__(name="Made")


NEW_RESULTS = _NewResults()
register_model(_NewResults)(OpaqueModel)


@box(_NewResults)
def _box(kind: Any, x: Any, c: Any) -> Any:
    return x


def _python(builder: Any, name: str, *arguments: Any) -> Any:
    """Call a function of Python's interface for C that returns an object."""
    kind = ir.FunctionType(cgutils.voidptr_t, [x.type for x in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


@intrinsic
def new_arrays(typing: Any, given: Any, maker: Any, numbers: Any, shapes: Any, step: Any) -> Any:
    """A tuple of new arrays, with as many axes as `given` says; missing without memory.

    `maker` is `ZEROS` or `EMPTY`, and `numbers` the address of the dtype. The lengths of the axes
    of the first array end at the address `shapes`, those of the others so many bytes further on.
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
    """Nothing for the caller but the exception."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.get_null_value(cgutils.voidptr_t)

    return NEW_RESULTS(), generate


@intrinsic
def finished(typing: Any, arrays: Any, refused: Any, finish: Any, none: Any, new: Any) -> Any:
    """The object returned to the caller: new arrays, or an integer, `refused`.

    Of new ones he gets None if `refused` is not 0; else what `finish` makes of their tuple, or,
    where `finish` is None, the first of them. The last but one is the address of None.
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
