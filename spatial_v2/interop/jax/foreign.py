"""Foreign functions of XLA that run a kernel on XLA's buffers, without Python.

Compiled code reads XLA's call frame and the table of a `Ticket`, which holds the addresses of the
model's arrays and copies of their values. If the model has changed, if the kernel does not support
the case, or if a result is not finite, Python is called instead: it computes the results, or raises
the error.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import callback, jit, specialise
from spatial_v2.engine.compile.extend import cgutils, intrinsic, types
from spatial_v2.engine.compile.memory import (
    arrays,
    clear,
    data_address,
    differ,
    doubles,
    integers,
    number,
    stack_integers,
    tree_at,
)
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.direct.objects import LAID_OUT, Given, data, is_array, item, unequal
from spatial_v2.engine.numbers.batches import LARGEST, driver
from spatial_v2.engine.tree import Ints, Tree
from spatial_v2.interop.jax.frame import (
    ARGUMENTS,
    ATTRIBUTES,
    BUFFER_DATA,
    BUFFER_DIMS,
    BUFFER_RANK,
    EXTENSION,
    METADATA,
    RESULTS,
    VERSION,
)
from spatial_v2.interop.jax.table import (
    BODIES,
    BYTES,
    COPY,
    HEAD,
    KIND,
    KINDS,
    LISTS,
    MODEL,
    NDARRAY,
    NDIM,
    ORDER,
    PARENT,
    PLACE,
    PYTHON,
    REGISTRY,
    SHAPE,
    SNAPSHOT,
    TERMS,
    WATCH,
    WATCHED,
)

__all__ = ["LAID_OUT", "address_of"]


def _c(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function that emits calls of a function of Python's C API."""

    def call(builder: Any, *args: Any) -> Any:
        kind = ir.FunctionType(result, arguments)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return call


_int = ir.IntType(32)
_ensure, _release = _c("PyGILState_Ensure", _int), _c("PyGILState_Release", ir.VoidType(), _int)
_get = _c("PyObject_GetAttrString", cgutils.voidptr_t, cgutils.voidptr_t, cgutils.voidptr_t)
_system = _c("PySys_GetObject", cgutils.voidptr_t, cgutils.voidptr_t)
_content = _c("PyCapsule_GetPointer", cgutils.voidptr_t, cgutils.voidptr_t, cgutils.voidptr_t)
_forget = _c("Py_DecRef", ir.VoidType(), cgutils.voidptr_t)


@intrinsic
def lock(typing: Any) -> Any:
    """Acquire the interpreter's lock; return the state that `unlock` needs."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.zext(_ensure(builder), ir.IntType(64))

    return types.int64(), generate


@intrinsic
def unlock(typing: Any, state: Any) -> Any:
    """Release the interpreter's lock."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _release(builder, builder.trunc(args[0], _int))
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def snapshot(typing: Any, model: Any) -> Any:
    """Return the address of a model's snapshot, which is only compared, not dereferenced."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name = context.insert_const_string(builder.module, "_snapshot")
        found = _get(builder, builder.inttoptr(args[0], cgutils.voidptr_t), name)
        _forget(builder, found)
        return builder.ptrtoint(found, cgutils.intp_t)

    return types.int64(types.int64), generate


@intrinsic
def registry(typing: Any) -> Any:
    """Return the address of the registry of keys; the interpreter's lock must be held."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name = context.insert_const_string(builder.module, REGISTRY)
        null = cgutils.voidptr_t(None)
        return builder.ptrtoint(_content(builder, _system(builder, name), null), cgutils.intp_t)

    return types.int64(), generate


@jit
def address_by(key: int) -> int:
    """Return the address of a key's table in this process.

    For an unknown key, return the negative address of the function that raises the error.
    """
    state, at = lock(), registry()
    found = -number(at + 8)
    for k in range(number(at)):
        if number(at + 16 + 16 * k) == key:
            found = number(at + 24 + 16 * k)
    unlock(state)
    return int(found)


@intrinsic
def call(typing: Any, function: Any, frame: Any) -> Any:
    """Call the foreign function at an address, and return its result."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(cgutils.intp_t, [cgutils.intp_t]).as_pointer()
        return builder.call(builder.inttoptr(args[0], kind), args[1:])

    return types.int64(types.int64, types.int64), generate


def _as(*axes: int) -> Any:
    """Return an intrinsic that views an address as a tuple of arrays with these numbers of axes."""

    @intrinsic
    def given(typing: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], cgutils.voidptr_t)

        return Given(*axes)(types.int64), generate

    return given


@jit
def any_unequal(lists: int) -> bool:
    """Return whether the lists of joint types, of bodies or rotors, differ from checked copies."""
    joints = unequal(item(lists, 1), item(lists, 2))
    return bool(joints or unequal(item(lists, 3), item(lists, 4)))


@jit
def is_current(table: Ints) -> bool:
    """Return whether the model is unchanged since the table was filled."""
    if not table[SNAPSHOT]:
        return False
    state = lock()
    same = snapshot(table[MODEL]) == table[SNAPSHOT] and not any_unequal(table[LISTS])
    for k in range(HEAD, HEAD + table[WATCHED] * WATCH, WATCH):
        x, at = table[k], table[k + PLACE]
        same = same and is_array(
            x, table[NDARRAY], table[k + KIND], table[k + NDIM], table[k + SHAPE], 0, 0
        )
        same = same and data(x) == at and not differ(at, table[k + COPY], table[k + BYTES])
    unlock(state)
    return bool(same)


@jit
def read(buffer: int, axes: int, k: int, at: Ints, states: Ints, lengths: Ints) -> int:
    """Record address, number of states and last two lengths of a buffer; return its size."""
    rank, dims = number(buffer + BUFFER_RANK), number(buffer + BUFFER_DIMS)
    at[k], states[k], lengths[2 * k], size = number(buffer + BUFFER_DATA), 1, 1, 1
    for j in range(rank):
        n = number(dims + 8 * j)
        size *= n
        if j < rank - axes:
            states[k] *= n
        else:
            lengths[2 * k + 2 - rank + j] = n
    return size


def page(tree: Tree, *arrays: Any) -> None:
    """Placeholder for the kernel that `_handle` calls; `address_of` puts the kernel here."""
    raise NotImplementedError


drive: Any = None
ins: Any = None
outs: Any = None
n_in, n_out = 0, 0


def _handle(frame: int) -> int:
    """Run the kernel for a batch; return the address of an error, or zero."""
    extension = number(frame + EXTENSION)
    if extension:
        integers(number(extension + METADATA) + METADATA, (1,))[0] = VERSION
        return 0
    table_at = address_by(number(number(number(number(frame + ATTRIBUTES)) + 8)))
    if table_at < 0:
        return int(call(-table_at, frame))
    table = integers(table_at, (1 << 20,))
    if not is_current(table):
        return int(call(table[PYTHON], frame))
    n, nb = n_in + n_out, table[BODIES]
    at, states, lengths = stack_integers(n), stack_integers(n), stack_integers(2 * n)
    for k in range(n_in):
        operand = table[ORDER + k]
        if operand < 0:
            at[k], states[k], lengths[2 * k], lengths[2 * k + 1] = 0, 0, 0, 6
        else:
            buffer = number(number(frame + ARGUMENTS) + 8 * operand)
            read(buffer, table[KINDS + k], k, at, states, lengths)
    total = 0
    for k in range(n_in, n):
        buffer = number(number(frame + RESULTS) + 8 * (k - n_in))
        total += read(buffer, table[KINDS + k], k, at, states, lengths)
    tree = tree_at(table, PARENT, nb, table[TERMS])
    end = data_address(lengths) + 16
    given = arrays(ins(0), data_address(at), data_address(states), end, 16, 0)
    results = arrays(
        outs(0),
        data_address(at) + 8 * n_in,
        data_address(states) + 8 * n_in,
        end + 16 * n_in,
        16,
        0,
    )
    count, many = states[0], number(number(number(frame + ARGUMENTS)) + BUFFER_RANK) > 1
    if count == 0:
        return 0
    if many and SIMD_WIDTH > 1 and SIMD_WIDTH * total <= LARGEST * count:
        whole = drive(tree, given, results)
    else:
        wrong = 0.0
        for k in range(n_in, n):
            clear(at[k], states[k] * lengths[2 * k] * lengths[2 * k + 1])
        page(tree, *given, *results)
        for k in range(n_in, n):
            for x in doubles(at[k], (states[k] * lengths[2 * k] * lengths[2 * k + 1],)):
                wrong += 0.0 * x
        whole = wrong == 0.0
    return 0 if whole else int(call(table[PYTHON], frame))


@jit
def no_packs(tree: Tree, arrays: Any, results: Any) -> bool:
    """Placeholder for a driver of SIMD batches where there is none; never called."""
    return False


_SOURCES = [Path(__file__).with_name(f"{name}.py") for name in ("foreign", "frame", "table")]
_DATE = blake2b(b"".join(path.read_bytes() for path in _SOURCES), digest_size=4).hexdigest()


@functools.cache
def address_of(kernel: Any, given: tuple[int, ...], results: tuple[int, ...]) -> int:
    """Compile a kernel's foreign function and return its address.

    `given` and `results` are the numbers of axes of each argument and each result.
    """
    name = kernel.__module__.rpartition(".")[-1]
    names = {
        "page": kernel, "drive": driver(kernel) if SIMD_WIDTH > 1 else no_packs,
        "ins": _as(*given), "outs": _as(*results), "n_in": len(given), "n_out": len(results),
    }  # fmt: skip
    run = specialise(_handle, f"{name}_{SIMD_WIDTH}_{_DATE}", **names)
    return callback(run, (types.int64,))
