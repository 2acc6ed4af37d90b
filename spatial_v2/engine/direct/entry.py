"""The fast path of a kernel: one compiled function from Python objects to results.

A table describes the tree, a copy of its checked arrays, and the arguments; see `table`. A state
runs the kernel for numbers, a batch the driver of the kernel for SIMD batches.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from spatial_v2.engine.compile.decorators import entry, specialise, within
from spatial_v2.engine.compile.memory import (
    arrays,
    data_address,
    integers,
    stack_integers,
    tree_at,
)
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.direct.new_results import are_missing, finished, missing, new_arrays
from spatial_v2.engine.direct.objects import Given, count, data, items, same_list, unequal
from spatial_v2.engine.direct.table import (
    ARENA,
    BODIES,
    DOUBLE,
    HEAD,
    LEAST,
    MAKER,
    MANY,
    MOST,
    MOVES,
    NONE,
    NOT_FINITE,
    PARENT,
    REFUSED,
    ROW,
    SELF,
    TERMS,
    TOTAL,
    WATCH,
    WATCHED,
    WIDE,
    admit,
    admit_batch,
    admit_values,
    leave,
    leave_batch,
)
from spatial_v2.engine.numbers.arena import reset
from spatial_v2.engine.numbers.batches import driver, values_driver
from spatial_v2.engine.numbers.kinds import room_for
from spatial_v2.engine.tree import Tree

__all__ = ["compiled"]


def run_kernel(tree: Tree, *arrays: Any) -> None:
    """Placeholder for the kernel that `_one` calls; each `Single` has its own copy."""
    raise NotImplementedError


def _one(tree: Tree, arrays: Any, results: Any) -> bool:
    """Run the kernel for one state; `leave` checks the results."""
    run_kernel(tree, *arrays, *results)
    return True


def _values(tree: Tree, arrays: Any, results: Any) -> bool:
    """Run the driver of a kernel that writes values, which are not checked."""
    run_kernel(tree, arrays, results)
    return True


def compute(tree: Tree, arrays: Any, results: Any) -> bool:
    """Placeholder for the function that `_run` calls; each copy has its own."""
    raise NotImplementedError


@within
def differs(x: int, y: int) -> bool:
    """Test if two lists differ; for functions that hold the interpreter's lock."""
    return not same_list(x, y) and unequal(x, y)


def _run(head: Any, results: Any, given: Any) -> int:
    """Run the kernel; `head` is the table, the lists of joint types and the end of new results."""
    table = integers(data(items(head, 0)[0]), (1 << 30,))
    nb, none, row = table[BODIES], table[NONE], HEAD + WATCH * table[WATCHED]
    few, many = count(given) < table[LEAST], count(given) > table[MOST]
    _, joints, joints_were, rotors, rotors_were, _ = items(head, none)
    if few or many or count(results) != table[MANY]:
        return REFUSED
    if differs(joints, joints_were) or differs(rotors, rotors_were):
        return REFUSED
    given_at, results_at = items(given, none), items(results, none)
    m, n = len(given_at), len(given_at) + len(results_at)
    objects, at, states = stack_integers(n), stack_integers(n), stack_integers(n)
    for k in range(m):
        objects[k] = given_at[k]
    for k in range(m, n):
        objects[k] = results_at[k - m]
    reset(table[ARENA])
    room = room_for(table[TOTAL], table[ARENA])
    refused = admit(table, row, objects, data_address(room), at, states)
    if refused:
        return refused
    tree = tree_at(table, PARENT, nb, table[TERMS])
    ends, step = table[SELF] + 8 * (row + MOVES), 8 * ROW
    ins = arrays(given, data_address(at), data_address(states), ends, step, table[ARENA])
    outs = arrays(
        results, data_address(at) + 8 * m, data_address(states) + 8 * m, ends + step * m, step, 0
    )
    if not compute(tree, ins, outs):
        return NOT_FINITE
    return leave(table, row, objects, at, room)


def run(head: Any, results: Any, given: Any) -> int:
    """Placeholder for the function that `_make` calls; each copy has its own."""
    raise NotImplementedError


def _make(head: Any, results: Any, given: Any) -> Any:
    """Run the kernel for given results, or for new ones."""
    table, new, outs = integers(data(items(head, 0)[0]), (1 << 30,)), count(results) == 0, results
    if new:
        row = HEAD + WATCH * table[WATCHED] + ROW * len(items(given, 0))
        ends, step = table[SELF] + 8 * (row + WIDE), 8 * ROW
        outs = new_arrays(results, table[MAKER], table[DOUBLE], ends, step)
        if are_missing(outs):
            return missing()
    return finished(outs, run(head, outs, given), items(head, 0)[-1], table[NONE], new)


@functools.cache
def compiled(
    kernel: Callable[..., None], ins: tuple[int, ...], outs: tuple[int, ...], form: str, look: bool
) -> Any:
    """Compile `_run` for a kernel; the numbers of axes are given without that of the batch.

    `form` is ``"short"``, ``"long"`` or ``"batch"``; with `look` results must be finite. The
    compiled function is called with the head, results and arguments; ``"short"`` makes new results
    if it gets ().
    """
    name = f"{kernel.__module__.rpartition('.')[-1]}_{form}{'' if look else '_values'}"
    more: dict[str, Any] = {} if look else {"leave": leave_batch}
    more |= {} if form == "short" else {"differs": unequal}
    if form != "batch":
        more |= {"compute": within(_copy(_one, name, run_kernel=kernel))}
    else:
        name, more = f"{name}_{SIMD_WIDTH}", more | {"leave": leave_batch}
        compute = within(_copy(_values, name, run_kernel=values_driver(kernel)))
        looked, free = (driver(kernel), admit_batch), (compute, admit_values)
        more["compute"], more["admit"] = looked if look else free
    axes = Given(*[0] * 6), Given(*outs), Given(*ins)
    if form == "short":
        make = _copy(_make, name, run=within(_copy(_run, name, **more)))
        return entry(make, axes, release=False)
    return entry(_copy(_run, name, **more), axes, release=True)


def _copy(function: Any, name: str, **names: Any) -> Any:
    return specialise(function, f"{function.__name__}_{name}", **names)
