"""Kernels that Numba compiles when they first run; see `engine.kernel`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.compile.entries import call_entry, entry_of, write_ranges, write_state
from spatial_v2.engine.compile.extend import typeof, types
from spatial_v2.engine.compile.groups import grouped, grouped_types
from spatial_v2.engine.compile.memory import clear, data_address, doubles, overlap, stack_integers
from spatial_v2.engine.compile.records import kind_of
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.kernel import Kernel, Record
from spatial_v2.engine.numbers.batches import DRIVE, all_finite, batch_types, drive
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Floats

__all__ = ["CompiledKernel"]


class CompiledKernel(Kernel):
    """A kernel that is compiled for the types of its arguments when it first runs.

    Parameters
    ----------
    function : callable
        The function of `engine.algorithms`.
    """

    def __init__(self, function: Any) -> None:
        self.function, self.name, self.width = function, function.__name__, SIMD_WIDTH
        self.has_entry = hasattr(function, "overloads")
        self._compiled: dict[Any, Any] = {}
        """The kernel for numbers, and addresses of its entries for SIMD batches, by their types."""

    def run_states(self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats]) -> None:
        if not self.has_entry:
            self.function(*grouped(self.function, (of.of, *arrays, *results)))
            return
        key = id(kind_of(of)), *[x.ndim for x in (*arrays, *results)]
        if key not in self._compiled:
            kinds = [types.Array(types.float64, n, "C") for n in key[1:]]
            self._compiled[key] = self.function.compile(
                grouped_types(self.function, (of.kind, *kinds))
            )
        self._compiled[key](*grouped(self.function, (of.of, *arrays, *results)))

    def run_batch(
        self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats], look: bool
    ) -> bool:
        ins, outs = tuple([x.ndim for x in arrays]), tuple([x.ndim for x in results])
        entry = self.batch_entry(of, ins, outs, look)
        words, axes = [0], np.array([*ins, *outs])
        for x in (*arrays, *results):
            words += [address(x), *x.shape]
        run = _driver()
        return bool(run(entry, of.address, np.array(words), axes, len(ins), look))

    def state_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int]) -> int:
        arrays = [types.Array(types.float64, n, "C") for n in (*ins, *outs)]
        return entry_of(self.function, (kind_of(of), *arrays))

    def batch_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int], look: bool) -> int:
        key = id(kind_of(of)), tuple(ins), tuple(outs), look
        if key not in self._compiled:
            self._compiled[key] = entry_of(self.function, batch_types(of.kind, ins, outs, look))
        return int(self._compiled[key])

    def drive_entry(self) -> int:
        return _drive_entry()

    def one_state(
        self,
        of: Record,
        given: Sequence[tuple[int, ...]],
        forces: tuple[Floats, ...],
        made: Sequence[tuple[int, ...]],
        look: bool,
    ) -> Callable[[Any, Any, Any], int]:
        ins, outs = (
            [types.Array(types.float64, len(x), "C") for x in shapes] for shapes in (given, made)
        )
        entry = entry_of(self.function, (kind_of(of), *ins, *map(typeof, forces), *outs))
        inner = [types.Tuple([x.copy(ndim=x.ndim - 1) for x in kinds]) for kinds in (ins, outs)]
        kinds = types.int64, types.int64, inner[0], typeof(forces), inner[1]
        run = cast("Any", run_state).compile((*kinds, types.boolean))

        def call(arrays: Any, forces: Any, outs: Any) -> int:
            return int(run(entry, of.address, arrays, forces, outs, look))

        return call


@jit
def address(x: Floats) -> int:
    """Return the address of the first entry of a contiguous array, faster than ``x.ctypes``."""
    return int(data_address(x))


@functools.cache
def _driver() -> Any:
    """Return `drive`, compiled for arguments whose types calls do not inspect."""
    return cast("Any", drive).compile(DRIVE)


@functools.cache
def _drive_entry() -> int:
    return entry_of(drive, DRIVE)


@jit
def run_state(entry: int, first: int, arrays: Any, forces: Any, outs: Any, look: bool) -> int:
    """Run the kernel with an entry and a record at given addresses, unless results overlap."""
    words, ranges = stack_integers(0), stack_integers(0)
    write_ranges(data_address(ranges), outs, arrays, forces)
    if overlap(ranges, len(outs), len(outs) + len(arrays) + len(forces)):
        return Status.OVERLAP.value
    if look:
        for k in range(len(outs)):
            clear(ranges[2 * k], (ranges[2 * k + 1] - ranges[2 * k]) // 8)
    write_state(data_address(words), arrays, forces, outs)
    whole = call_entry(entry, first, data_address(words))
    if look:
        for k in range(len(outs)):
            x = doubles(ranges[2 * k], ((ranges[2 * k + 1] - ranges[2 * k]) // 8,))
            whole = whole and all_finite(x, 0, x.size)
    return Status.DONE.value if whole else Status.NOT_FINITE.value
