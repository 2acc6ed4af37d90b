"""Foreign functions of XLA that run a kernel on XLA's buffers, without Python.

Compiled code reads XLA's call frame and the table of a `Ticket`, which holds the addresses of the
kernel's entries and of the model's state. A state never changes: if the model still has it, its
arrays are right. If the model has another one, if the kernel does not support the case, or if a
result is not finite, Python is called instead: it computes the results, or raises the error.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import callback, jit, specialise
from spatial_v2.engine.compile.entries import call_entry, entry_of
from spatial_v2.engine.compile.extend import cgutils, intrinsic, types
from spatial_v2.engine.compile.memory import TREE as TREE_TYPE
from spatial_v2.engine.compile.memory import (
    clear,
    data_address,
    doubles,
    integers,
    number,
    stack_integers,
)
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.kernel import LARGEST
from spatial_v2.engine.numbers.batches import batch_types, drive
from spatial_v2.engine.tree import Ints
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
    BATCH,
    ENTRY,
    KINDS,
    MADE,
    MODEL,
    ORDER,
    PYTHON,
    REGISTRY,
    SIZE,
    STATE,
    TAKEN,
    TREE,
)

__all__ = ["address", "entries"]


def _c(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function that emits calls of a function of Python's C API."""

    def call(builder: Any, *args: Any) -> Any:
        kind = ir.FunctionType(result, arguments)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return call


_int, _object = ir.IntType(32), cgutils.voidptr_t
_ensure, _release = _c("PyGILState_Ensure", _int), _c("PyGILState_Release", ir.VoidType(), _int)
_attribute = _c("PyObject_GetAttrString", _object, _object, _object)
_system = _c("PySys_GetObject", _object, _object)
_number = _c("PyLong_FromLongLong", _object, ir.IntType(64))
_item = _c("PyDict_GetItem", _object, _object, _object)
_bytes = _c("PyByteArray_AsString", _object, _object)
_keep, _forget = _c("Py_IncRef", ir.VoidType(), _object), _c("Py_DecRef", ir.VoidType(), _object)


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
def table_of(typing: Any, key: Any) -> Any:
    """Return the address of the bytearray in `TABLES` with a key, a new reference, or zero."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tables = _system(builder, context.insert_const_string(builder.module, REGISTRY))
        key = _number(builder, args[0])
        table = _item(builder, tables, key)
        _forget(builder, key)
        _keep(builder, table)
        return builder.ptrtoint(table, cgutils.intp_t)

    return types.int64(types.int64), generate


@intrinsic
def content(typing: Any, table: Any) -> Any:
    """Return the address of the bytes of a bytearray."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bytes_at = _bytes(builder, builder.inttoptr(args[0], _object))
        return builder.ptrtoint(bytes_at, cgutils.intp_t)

    return types.int64(types.int64), generate


@intrinsic
def state_of(typing: Any, model: Any) -> Any:
    """Return the address of a model's state, a new reference."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name = context.insert_const_string(builder.module, "_state")
        state = _attribute(builder, builder.inttoptr(args[0], _object), name)
        return builder.ptrtoint(state, cgutils.intp_t)

    return types.int64(types.int64), generate


@intrinsic
def forget(typing: Any, reference: Any) -> Any:
    """Release a reference to the object at an address; zero is no object."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _forget(builder, builder.inttoptr(args[0], _object))
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def call(typing: Any, function: Any, frame: Any) -> Any:
    """Call the foreign function at an address, and return its result."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(cgutils.intp_t, [cgutils.intp_t]).as_pointer()
        return builder.call(builder.inttoptr(args[0], kind), args[1:])

    return types.int64(types.int64, types.int64), generate


@jit
def find(key: int) -> tuple[int, int, int]:
    """Return the addresses of a key's table, of the model's state and of its tree.

    The first two are references, which `release` releases: until then neither goes, even if a
    field of the model is assigned or the program is deleted meanwhile. The last two are zero if
    the table is for another state than the model's.
    """
    locked = lock()
    table = table_of(key)
    if not table:
        table = table_of(0)
    entries, state, tree = integers(content(table), (SIZE,)), 0, 0
    if entries[STATE]:
        state, tree = state_of(entries[MODEL]), entries[TREE]
        if state != entries[STATE]:
            forget(state)
            state = tree = 0
    unlock(locked)
    return table, state, tree


@jit
def release(table: int, state: int) -> None:
    """Release a table and the state of a model: no kernel reads them any more."""
    locked = lock()
    forget(state)
    forget(table)
    unlock(locked)


@jit
def read(buffer: int, words: Ints, place: int, axes: int) -> int:
    """Write the address and the lengths of a buffer from words[place] on; return its size.

    Its leading axes are merged into one.
    """
    rank, dims = number(buffer + BUFFER_RANK), number(buffer + BUFFER_DIMS)
    words[place], words[place + 1], size = number(buffer + BUFFER_DATA), 1, 1
    for j in range(rank):
        n = number(dims + 8 * j)
        size *= n
        if j <= rank - axes:
            words[place + 1] *= n
        else:
            words[place + 1 + axes - rank + j] = n
    return size


@jit
def alone(entry: int, tree: int, words: Ints, axes: Ints, arguments: int) -> bool:
    """Run a kernel state by state; return True if its results are finite."""
    sizes, place, wrong = stack_integers(axes.size), 1, 0.0
    for k in range(axes.size):
        sizes[k] = 1 if k >= arguments else 0
        for j in range(place + 1, place + 1 + axes[k]):
            sizes[k] *= words[j]
        clear(words[place], sizes[k])
        place += 1 + axes[k]
    call_entry(entry, tree, data_address(words))
    place = 1
    for k in range(axes.size):
        for x in doubles(words[place], (sizes[k],)):
            wrong += 0.0 * x
        place += 1 + axes[k]
    return wrong == 0.0


_SOURCES = [Path(__file__).with_name(f"{name}.py") for name in ("foreign", "frame", "table")]
_DATE = blake2b(b"".join(path.read_bytes() for path in _SOURCES), digest_size=4).hexdigest()


def _handle(frame: int) -> int:
    """Run the kernel for the buffers of a call by XLA; return the address of an error, or zero."""
    extension = number(frame + EXTENSION)
    if extension:
        integers(number(extension + METADATA) + METADATA, (1,))[0] = VERSION
        return 0
    reference, state, tree = find(number(number(number(number(frame + ATTRIBUTES)) + 8)))
    table = integers(content(reference), (SIZE,))
    python = table[PYTHON]
    if not state:
        release(reference, 0)
        return int(call(python, frame))
    m, n = table[TAKEN], table[TAKEN] + table[MADE]
    axes, words, place, total = stack_integers(n), stack_integers(1 + 4 * n), 1, 0
    words[0] = 0
    for k in range(n):
        axes[k] = table[KINDS + k] + 1
        if k >= m:
            size = read(number(number(frame + RESULTS) + 8 * (k - m)), words, place, axes[k])
            total += size
        elif table[ORDER + k] < 0:
            words[place] = words[place + 1] = words[place + 2] = 0
            words[place + 3] = 6
        else:
            buffer = number(number(frame + ARGUMENTS) + 8 * table[ORDER + k])
            read(buffer, words, place, axes[k])
        place += 1 + axes[k]
    count, many = words[2], number(number(number(frame + ARGUMENTS)) + BUFFER_RANK) > 1
    if count == 0:
        whole = True
    elif many and SIMD_WIDTH > 1 and SIMD_WIDTH * total <= LARGEST * count:
        whole = drive(table[BATCH], tree, words, axes, m, True)
    else:
        whole = alone(table[ENTRY], tree, words, axes, m)
    release(reference, state)
    return 0 if whole else int(call(python, frame))


def entries(kernel: Any, ins: tuple[int, ...], outs: tuple[int, ...]) -> tuple[int, int]:
    """Return the addresses of a kernel's entries: for single states, and for SIMD batches or 0.

    `ins` and `outs` have the numbers of axes of the kernel's arguments and of its results, without
    the batch axis.
    """
    ins, outs = tuple([n + 1 for n in ins]), tuple([n + 1 for n in outs])
    several = batch_types(TREE_TYPE, ins, outs, True)
    batch = entry_of(kernel, several) if SIMD_WIDTH > 1 else 0
    arrays = [types.Array(types.float64, n, "C") for n in (*ins, *outs)]
    return entry_of(kernel, (TREE_TYPE, *arrays)), batch


@functools.cache
def address() -> int:
    """Return the address of the foreign function, which runs the kernel that its ticket names."""
    run = specialise(_handle, f"handle_{SIMD_WIDTH}_{_DATE}")
    return callback(run, (types.int64,))
