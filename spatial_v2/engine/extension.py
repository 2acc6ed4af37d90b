"""A kernel prepared for one record, called by the extension in C; see `call.c` beside this file."""

from __future__ import annotations

import copy
import itertools
import math
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.engine.kernel import Kernel, KernelCall, Record
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Floats, Ints

try:
    from spatial_v2.engine._call import Call  # type: ignore[import-not-found, unused-ignore]
except ImportError:  # built without a C compiler
    Call = None

__all__ = ["HAS_EXTENSION", "Gears", "Single"]

HAS_EXTENSION = Call is not None and getattr(sys, "_is_gil_enabled", lambda: True)()

_Q, _V, _FORCES, _RESULT, _ROWS = range(5)
_MOST = 48
"""Largest number of arguments and results."""
_LONG, _LARGE = 100, 8192
"""Numbers of bodies and of entries of results from which on a call releases the interpreter's lock,
as it takes much longer than that: some 20 us. Shorter ones keep it, and use one arena."""


class Gears(NamedTuple):
    """Indices in q and in qd of the joint that drives each rotor, and the gear ratios."""

    q: Ints
    v: Ints
    ratio: Floats


class Single:
    """A kernel for one record, for single states and for batches.

    Its kernels are loaded, or compiled, when they first run.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    of : NamedTuple
        Its record: a tree, on which rotors are bodies, or a frame's view of one.
    bodies : int
        Number of bodies of the tree.
    quaternions : sequence of int
        Places of the quaternions in q.
    gears : Gears
        The rotors among the bodies.
    takes : KernelCall
        Its arguments and results.

    Attributes
    ----------
    new : callable
        Takes a tuple of the arguments of one state, optionally with forces; returns new results as
        `finish` converts them, or None.
    fill : callable
        Takes a tuple of results with any contents, and one of arguments; returns a status.
    batch : callable
        As `fill` for a batch, whose axis comes first.
    shapes : tuple of tuple of int
        Shapes of the results for one state.
    loaded : bool
        True if the kernel for single states is loaded.
    """

    def __init__(
        self,
        kernel: Kernel,
        of: Any,
        bodies: int,
        quaternions: Sequence[int],
        gears: Gears,
        takes: KernelCall,
    ) -> None:
        self.shapes = tuple(shape for _, shape in takes.results)
        self._kernel, self._record, self._takes = kernel, Record(of), takes
        self._quaternions, self._gears = quaternions, gears
        count = sum(map(math.prod, self.shapes))
        self._release = bodies > _LONG or count > _LARGE
        self._description = b""
        self._await()

    def _await(self) -> None:
        """Let the first calls load or compile the kernel."""
        self.new: Callable[[tuple[Any, ...]], Any] = self._first_new
        self.fill: Callable[[tuple[Any, ...], tuple[Any, ...]], int] = self._first_fill
        self.batch: Callable[[tuple[Any, ...], tuple[Any, ...]], int] = self._first_batch
        self.loaded = False

    def on(self, of: Any) -> Single:
        """Return the kernel prepared for a tree with the same joints and other numbers."""
        new = copy.copy(self)
        new._record = Record(of)
        new._await()
        if self.loaded:
            new._bind(self._description)
        return new

    @classmethod
    def takes_all(cls, call: KernelCall) -> bool:
        """Test if a call has no more arrays than the extension takes."""
        return sum(map(len, call[:3])) <= _MOST

    def load(self) -> None:
        """Load or compile the kernel for single states."""
        if not self.loaded:
            self._bind(self._describe(self._kernel.state_entry(self._record, *self._axes()), 0))

    def _bind(self, description: bytes) -> None:
        call = self._call(description)
        self._description, self.new, self.fill, self.loaded = description, call.new, call.fill, True

    def _first_new(self, given: tuple[Any, ...]) -> Any:
        return self.new(given) if self._loads_for(given) else None

    def _first_fill(self, outs: tuple[Any, ...], given: tuple[Any, ...]) -> int:
        return self.fill(outs, given) if self._loads_for(given) else Status.REFUSED

    def _loads_for(self, given: tuple[Any, ...]) -> bool:
        """Load the kernel if the arguments are those of one state: batches need another one."""
        if not given or getattr(given[0], "ndim", 1) != 1:
            return False
        self.load()
        return True

    def _first_batch(self, outs: tuple[Any, ...], given: tuple[Any, ...]) -> int:
        kernel, look = self._kernel, self._takes.look
        entry = kernel.batch_entry(self._record, *self._axes(), look)
        self.batch = self._call(self._describe(entry, kernel.drive_entry())).fill
        return self.batch(outs, given)

    def _axes(self) -> tuple[list[int], list[int]]:
        """Return the numbers of axes of arguments and results, with that of the batch."""
        call = self._takes
        given = [2 for _ in call.arguments] + [3 for _ in call.forces]
        return given, [1 + len(dims) for dims, _ in call.results]

    def _call(self, description: bytes) -> Any:
        """Return the extension's object for calls with this record."""
        call, record = self._takes, struct.pack("q", self._record.address)
        finish = None if len(call.results) == 1 and call.finish is None else call.finish
        return Call(record + description, finish, self._record)

    def _describe(self, entry: int, drive: int) -> bytes:
        """Describe calls to the extension, for one state or, with the driver, for batches: all but
        the address of the record, which comes first.
        """
        call, gears = self._takes, self._gears
        least, most = len(call.arguments), len(call.arguments) + len(call.forces[:1])
        given, r = least + len(call.forces), 0 if drive else len(gears.ratio)
        rows = itertools.chain(
            (_array(_Q if core == "q" else _V, core, (n,), r) for core, n in call.arguments),
            (_array(_FORCES, "", (bodies, 6), r) for bodies in call.forces),
            (
                _array(_ROWS if value else _RESULT, dims, shape, r, value)
                for (dims, shape), value in zip(
                    call.results, call.values or itertools.repeat(0), strict=False
                )
            ),
        )
        counts = given, len(call.results), call.look, bool(drive), bool(drive) or self._release
        places = len(self._quaternions), r
        plan = entry, drive, least, most, *counts, *places
        rotors = () if drive else (*gears.q, *gears.v, *gears.ratio.view(np.int64))
        numbers = [*plan, *itertools.chain(*rows), *self._quaternions, *rotors]
        return struct.pack(f"{len(numbers)}q", *map(int, numbers))


def _array(
    role: int, dims: Sequence[str], shape: tuple[int, ...], rotors: int, values: int = 0
) -> list[int]:
    """Return the numbers that `struct array` of `call.c` has, for an array of one state."""
    pad = [1] * (4 - len(shape))
    wide = [n + rotors * (d in "qvb") for n, d in zip(shape, dims, strict=True)] if dims else shape
    moves = [d == "v" for d in dims] if dims else [0] * len(shape)
    lengths = [*pad, *shape, *pad, *wide, *(0 for _ in pad), *moves]
    return [role, len(shape), *lengths, values]
