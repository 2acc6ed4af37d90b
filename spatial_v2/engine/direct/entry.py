"""The fast path of a kernel: one compiled function from Python objects to results.

Its arguments include a table with the tree and the arguments that a call needs; see `table`. The
table also has the address of the kernel's entry, for one state or for SIMD batches.
"""

from __future__ import annotations

import functools
from typing import Any

from spatial_v2.engine.compile.decorators import entry, within
from spatial_v2.engine.compile.entries import call_entry, entry_of
from spatial_v2.engine.compile.extend import types
from spatial_v2.engine.compile.memory import TREE, data_address, integers, stack_integers
from spatial_v2.engine.direct.new_results import (
    as_object,
    finished,
    new_arrays,
    new_integer,
)
from spatial_v2.engine.direct.objects import Given, address, count, data, item
from spatial_v2.engine.direct.table import (
    ALL,
    ARENA,
    AXES,
    ENTRY,
    FIRST,
    HEAD,
    HELD,
    LEAST,
    LOOK,
    MANY,
    MOST,
    NONE,
    NOT_FINITE,
    REFUSED,
    ROW,
    STATES,
    TOTAL,
    WORDS,
    admit,
    admit_batch,
    leave,
)
from spatial_v2.engine.numbers.arena import reset
from spatial_v2.engine.numbers.batches import drive
from spatial_v2.engine.numbers.kinds import room_for
from spatial_v2.engine.tree import Ints

__all__ = ["compiled", "state_entry"]


@within
def run(table: Ints, results: int, given: int) -> int:
    """Run the kernel for one call, and return the status of the call; see `table`.

    `results` and `given` are the addresses of tuples of arrays.
    """
    none, row, m, n = table[NONE], HEAD, table[ALL], count(given)
    if n < table[LEAST] or n > table[MOST] or count(results) != table[MANY]:
        return REFUSED
    objects = stack_integers(m + table[MANY])
    for k in range(m):
        objects[k] = item(given, k) if k < n else none
    for k in range(m, objects.size):
        objects[k] = item(results, k - m)
    end = HEAD + ROW * objects.size
    words, copy = table[end : end + table[WORDS]], stack_integers(table[WORDS])
    if not table[HELD]:
        for k in range(words.size):
            copy[k] = words[k]
        words = copy
    reset(table[ARENA])
    room = room_for(table[TOTAL], table[ARENA])
    words[0] = table[ARENA]
    if table[STATES]:
        refused = admit_batch(table, row, objects, words)
        axes = stack_integers(objects.size)
        for k in range(axes.size):
            axes[k] = table[row + ROW * k + AXES] + 1
    else:
        refused = admit(table, row, objects, data_address(room), words)
    if refused:
        return refused
    if table[STATES]:
        finite = drive(table[ENTRY], table[FIRST], words, axes, m, table[LOOK] != 0)
    else:
        finite = call_entry(table[ENTRY], table[FIRST], data_address(words))
    if not finite:
        return NOT_FINITE
    return leave(table, row, objects, words, room)


def _run(head: Any, results: Any, given: Any) -> int:
    """Run the kernel into preallocated results; return the status of the call."""
    first = address(head)
    table = integers(data(item(first, 0)), (1 << 30,))
    return run(table, address(results), address(given))


def _make(head: Any, results: Any, given: Any) -> Any:
    """Run the kernel into preallocated results, and return the status of the call.

    If `results` is (), allocate new results and return them, or None if the call was refused.
    """
    first, outs, given = address(head), address(results), address(given)
    table = integers(data(item(first, 0)), (1 << 30,))
    new = count(outs) == 0
    if new:
        outs = new_arrays(table, HEAD + ROW * table[ALL])
        if outs == 0:
            return as_object(0)
    refused = run(table, outs, given)
    if new:
        return as_object(finished(outs, refused, item(first, 1), table[NONE]))
    return as_object(new_integer(refused))


@functools.cache
def compiled(short: bool) -> Any:
    """Compile the function that runs a kernel: `_make` for short work, `_run` for all other work.

    For short work the function keeps the interpreter's lock, and can allocate new results.
    """
    return entry(_make if short else _run, (Given(), Given(), Given()), release=not short)


@functools.cache
def state_entry(kernel: Any, ins: tuple[int, ...], outs: tuple[int, ...]) -> int:
    """Return a kernel's entry for single states, given the numbers of axes of all arrays."""
    return entry_of(kernel, (TREE, *(types.Array(types.float64, n, "C") for n in (*ins, *outs))))
