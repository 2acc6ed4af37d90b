"""Kernels on one state: arguments and results are arrays without the axis of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.compile.entries import call_entry, entry_of, write_ranges, write_state
from spatial_v2.engine.compile.extend import typeof, types
from spatial_v2.engine.compile.memory import clear, data_address, doubles, stack_integers
from spatial_v2.engine.compile.records import Record
from spatial_v2.engine.numbers.batches import all_finite
from spatial_v2.engine.tree import Ints

__all__ = ["DONE", "NOT_FINITE", "OVERLAP", "OneState", "run_state"]

DONE, NOT_FINITE, OVERLAP = 0, 2, 3
"""Outcomes of `run_state`, with the values of `calls.status.Status`."""


class OneState:
    """A kernel for one state, whose calls do not inspect the types of the arguments.

    Parameters
    ----------
    kernel : callable
        The kernel.
    record : Record
        Its first argument.
    watched : sequence of arrays
        Arrays with which no result may share memory, besides the arguments.
    arrays, forces, outs : tuple of arrays
        Arguments of one state, forces (B, NB, 6), and results of one state, all of the types that
        calls will have.
    look : bool
        False if the kernel writes the values of tensors, which are not set to zero before.
    """

    def __init__(
        self,
        kernel: Any,
        record: Record,
        watched: Sequence[np.ndarray],
        arrays: Any,
        forces: Any,
        outs: Any,
        look: bool,
    ) -> None:
        states = [types.Array(types.float64, x.ndim + 1, "C") for x in (*arrays, *outs)]
        given, results = states[: len(arrays)], states[len(arrays) :]
        self._entry = entry_of(kernel, (record.kind, *given, *map(typeof, forces), *results))
        ranges = [np.lib.array_utils.byte_bounds(x) for x in watched]
        self._watched = np.array(ranges, dtype=np.int64).reshape(-1, 2)
        self._record, self._look = record, look
        compiled: Any = run_state
        kinds = map(typeof, (self._watched, arrays, forces, outs))
        self._run = compiled.compile((types.int64, types.int64, *kinds, types.boolean))

    def __call__(self, arrays: Any, forces: Any, outs: Any) -> int:
        """Run the kernel and return the outcome; the results may have any contents before."""
        at, watched = self._record.address, self._watched
        return int(self._run(self._entry, at, watched, arrays, forces, outs, self._look))


@part
def _overlap(ranges: Ints, outs: int, count: int, watched: Ints) -> bool:
    """Test if one of the first `outs` address ranges overlaps another range, or one in
    `watched`.
    """
    for k in range(outs):
        first, last = ranges[2 * k], ranges[2 * k + 1]
        for j in range(count):
            if j != k and first < ranges[2 * j + 1] and ranges[2 * j] < last:
                return True
        for j in range(len(watched)):
            if first < watched[j, 1] and watched[j, 0] < last:
                return True
    return False


@jit
def run_state(
    entry: int, first: int, watched: Ints, arrays: Any, forces: Any, outs: Any, look: bool
) -> int:
    """Run the kernel with an entry and a record at given addresses, unless results overlap."""
    words, ranges, whole = stack_integers(0), stack_integers(0), True
    write_ranges(data_address(ranges), outs, arrays, forces)
    if _overlap(ranges, len(outs), len(outs) + len(arrays) + len(forces), watched):
        return OVERLAP
    if look:
        for k in range(len(outs)):
            clear(ranges[2 * k], (ranges[2 * k + 1] - ranges[2 * k]) // 8)
    write_state(data_address(words), arrays, forces, outs)
    call_entry(entry, first, data_address(words))
    if look:
        for k in range(len(outs)):
            x = doubles(ranges[2 * k], ((ranges[2 * k + 1] - ranges[2 * k]) // 8,))
            whole = whole and all_finite(x, 0, x.size)
    return DONE if whole else NOT_FINITE
