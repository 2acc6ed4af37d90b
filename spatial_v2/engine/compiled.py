"""Kernels that Numba compiles when they first run; see `engine.kernel`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from spatial_v2.engine.compile.decorators import entry, jit, specialise
from spatial_v2.engine.compile.entries import call_entry, entry_of, write_ranges, write_state
from spatial_v2.engine.compile.extend import types
from spatial_v2.engine.compile.groups import grouped, grouped_types
from spatial_v2.engine.compile.memory import (
    clear,
    data_address,
    doubles,
    integers,
    overlap,
    stack_integers,
)
from spatial_v2.engine.compile.records import kind_of
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.kernel import Kernel, KernelCall, Record
from spatial_v2.engine.numbers.arena import ALIGN
from spatial_v2.engine.numbers.batches import DRIVE, all_finite, batch_types, drive
from spatial_v2.engine.parts.spread_batches import DRIVE_SPREAD, drive_spread
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Floats

_ANY = -1
"""Stands for any word: an address, or the length of an axis of forces, in a description."""
_ENTRY, _RECORD, _LOOK, _ARENA, _ABSENT, _BEFORE, _TURNS, _WORDS, _HEAD = range(9)
"""The first numbers of a description: addresses of the kernel's entry and of its record, 1 if
results must be finite, bytes of the workspaces, the first word of arrays that are not given, the
word before the results, numbers of quaternions and of words. Their places and the words follow."""


class CompiledKernel(Kernel):
    """A kernel, a function of `engine.algorithms`, that is compiled when it first runs."""

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
        return self._batch(of, arrays, results, look)()

    def repeated(
        self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats]
    ) -> Callable[[], bool]:
        size = sum(x.size for x in results) // len(arrays[0])
        if not self.in_simd_batches(size):
            return super().repeated(of, arrays, results)
        call = self._batch(of, arrays, results, True)
        vars(call)["reads"] = of, arrays, results  # which live as long as the call
        return call

    def _batch(
        self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats], look: bool
    ) -> Callable[[], bool]:
        ins, outs = tuple([x.ndim for x in arrays]), tuple([x.ndim for x in results])
        entry = self.batch_entry(of, ins, outs, look)
        words, axes = [0], np.array([*ins, *outs])
        for x in (*arrays, *results):
            words += [address(x), *x.shape]
        numbers = entry, of.address, np.array(words), axes, len(ins), look
        return functools.partial(_driver(), *numbers)

    def state_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int]) -> int:
        arrays = [types.Array(types.float64, n, "C") for n in (*ins, *outs)]
        return entry_of(self.function, (kind_of(of), *arrays))

    def batch_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int], look: bool) -> int:
        key = id(kind_of(of)), tuple(ins), tuple(outs), look
        if key not in self._compiled:
            self._compiled[key] = entry_of(self.function, batch_types(of.kind, ins, outs, look))
        return int(self._compiled[key])

    def drive_entry(self, spread: bool = False) -> int:
        return _drive_entry(spread)

    def one_state(
        self, of: Record, takes: KernelCall, quaternions: Sequence[int], release: bool, forced: bool
    ) -> Callable[[Any, Any, Any], int]:
        arguments, others, shapes = len(takes.arguments), len(takes.forces), takes.shapes
        ins, outs = [2] * arguments + [3] * others, [1 + len(shape) for shape in shapes]
        form = [_ANY]
        for n in takes.lengths:
            form += [_ANY, 1, n]
        absent = len(form)
        form += ([_ANY] * 4 if forced else [0, 0, 0, 6]) * others
        absent, before = (len(form) if forced else absent), len(form) - 1
        for shape in shapes:
            form += [_ANY, 1, *shape]
        address = self.state_entry(of, ins, outs)
        head = [address, of.address, takes.look, 0, absent, before, len(quaternions), len(form)]
        description = np.array([*head, *quaternions, *form], dtype=np.int64)
        run = _state_caller(arguments, others * forced, tuple(outs), release)
        call = functools.partial(run, description.ctypes.data)
        vars(call)["reads"] = description, of  # which live as long as the call
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
def _drive_entry(spread: bool) -> int:
    return entry_of(drive_spread, DRIVE_SPREAD) if spread else entry_of(drive, DRIVE)


@functools.cache
def _state_caller(arguments: int, others: int, outs: tuple[int, ...], release: bool) -> Any:
    """Return `run_state` for numbers of arrays, and of axes of the results."""
    vector = types.Array(types.float64, 1, "A", readonly=True)
    wide = types.Array(types.float64, 3, "C", readonly=True)
    results = types.Tuple([types.Array(types.float64, n - 1, "C") for n in outs])
    kinds = types.UniTuple(vector, arguments), types.UniTuple(wide, others), results
    made = specialise(run_state, f"run_state_{'released' if release else 'locked'}")
    return entry(made, (types.int64, *kinds), release=release)


def run_state(description: int, arrays: Any, others: Any, outs: Any) -> int:
    """Run the kernel of a description, as `CompiledKernel.one_state` makes it, on one state.

    Workspaces are in one block of memory, of the size that the calls before have asked for.
    """
    head = integers(description, (_HEAD,))
    turns = description + 8 * _HEAD
    form = turns + 8 * head[_TURNS]
    words, ranges = stack_integers(0), stack_integers(0)
    wanted = integers(form, (head[_WORDS],))
    # the word before the results is written as well, and then again as what it is
    write_state(data_address(words) + 8 * head[_BEFORE], (), (), outs)
    write_state(data_address(words), arrays, others, ())
    for k in range(head[_ABSENT], head[_BEFORE] + 1):
        words[k] = wanted[k]
    for k in range(wanted.size):
        if wanted[k] not in (_ANY, words[k]):
            return Status.REFUSED.value
    for x in arrays:
        if x.strides[0] != 8 or data_address(x) % 8 != 0:
            return Status.REFUSED.value
    write_ranges(data_address(ranges), outs, arrays, others)
    if overlap(ranges, len(outs), len(outs) + len(arrays) + len(others)):
        return Status.OVERLAP.value
    for place in integers(turns, (head[_TURNS],)):
        w, x, y, z = doubles(words[1] + 8 * place, (4,))
        if w * w + x * x + y * y + z * z == 0.0:
            return Status.REFUSED.value
    look = head[_LOOK] != 0
    if look:
        for k in range(len(outs)):
            clear(ranges[2 * k], (ranges[2 * k + 1] - ranges[2 * k]) // 8)
    arena = np.empty(4 + (head[_ARENA] + ALIGN) // 8, dtype=np.int64)
    words[0] = data_address(arena)
    arena[0], arena[1], arena[2] = (words[0] + 24 + ALIGN - 1) // ALIGN * ALIGN, 0, head[_ARENA]
    finite = call_entry(head[_ENTRY], head[_RECORD], data_address(words))
    head[_ARENA] = max(head[_ARENA], arena[1])
    if look:
        for k in range(len(outs)):
            y = doubles(ranges[2 * k], ((ranges[2 * k + 1] - ranges[2 * k]) // 8,))
            finite = finite and all_finite(y, 0, y.size)
    return Status.DONE.value if finite else Status.NOT_FINITE.value
