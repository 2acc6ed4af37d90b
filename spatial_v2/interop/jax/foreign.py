"""Foreign functions of XLA that run a kernel on XLA's buffers, without Python.

Compiled code reads XLA's call frame and the table of a `Ticket`, which holds the addresses of the
kernel's entries and of the model's state. If the model has another state, if the kernel does not
support the case, or if a result is not finite, Python is called instead: it computes the results,
or raises the error.
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
from spatial_v2.engine.numbers.batches import batch_entry, drive
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
def state_of(typing: Any, model: Any) -> Any:
    """Return the address of a model's state, a new reference."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name = context.insert_const_string(builder.module, "_state")
        found = _get(builder, builder.inttoptr(args[0], cgutils.voidptr_t), name)
        return builder.ptrtoint(found, cgutils.intp_t)

    return types.int64(types.int64), generate


@intrinsic
def forget(typing: Any, state: Any) -> Any:
    """Release a reference to the object at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _forget(builder, builder.inttoptr(args[0], cgutils.voidptr_t))
        return context.get_dummy_value()

    return types.void(types.int64), generate


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


@jit
def present_tree(table: Ints) -> tuple[int, int]:
    """Return the addresses of the tree and of the model's state, which `release` must release.

    They are 0 if the model has another state than the one for which the table was filled.
    """
    if not table[STATE]:
        return 0, 0
    held = lock()
    state, tree = state_of(table[MODEL]), table[TREE]
    if state != table[STATE]:
        forget(state)
        state = tree = 0
    unlock(held)
    return tree, state


@jit
def release(state: int) -> None:
    """Release the state of a model: no kernel reads its tree any more."""
    held = lock()
    forget(state)
    unlock(held)


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
    table_at = address_by(number(number(number(number(frame + ATTRIBUTES)) + 8)))
    if table_at < 0:
        return int(call(-table_at, frame))
    table = integers(table_at, (1 << 20,))
    tree, state = present_tree(table)
    if not state:
        return int(call(table[PYTHON], frame))
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
    release(state)
    return 0 if whole else int(call(table[PYTHON], frame))


def entries(kernel: Any, ins: tuple[int, ...], outs: tuple[int, ...]) -> tuple[int, int]:
    """Return the addresses of a kernel's entries: for single states, and for SIMD batches or 0.

    `ins` and `outs` have the numbers of axes of the kernel's arguments and of its results, without
    the batch axis.
    """
    ins, outs = tuple([n + 1 for n in ins]), tuple([n + 1 for n in outs])
    batch = batch_entry(kernel, TREE_TYPE, ins, outs, True) if SIMD_WIDTH > 1 else 0
    arrays = [types.Array(types.float64, n, "C") for n in (*ins, *outs)]
    return entry_of(kernel, (TREE_TYPE, *arrays)), batch


@functools.cache
def address() -> int:
    """Return the address of the foreign function, which runs the kernel that its ticket names."""
    run = specialise(_handle, f"handle_{SIMD_WIDTH}_{_DATE}")
    return callback(run, (types.int64,))
