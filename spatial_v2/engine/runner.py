"""A kernel prepared for one record, for single states and for batches.

The extension in C takes arrays to the kernel and back, see `extension/call.h`. Where it is missing,
and with ``SPATIAL_V2_DIRECT=0`` in the environment, `PythonCall` does; results are the same.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
import os
import struct
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.kernel import Kernel, KernelCall, Record
from spatial_v2.engine.python_call import PythonCall
from spatial_v2.engine.spread import Spread, Sums
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Ints, Tree

try:
    from spatial_v2.engine import _call  # type: ignore[attr-defined, unused-ignore]

    Call, PLAN = _call.Call, getattr(_call, "PLAN", 0)
except ImportError:  # built without a C compiler
    Call, PLAN = None, 0

_Q, _V, _FORCES, _PLAIN, _ROWS = range(5)
_PLAN = 4
"""Number of the form in which this file describes calls, which the extension must have, too."""
_MOST = 48
"""Largest number of arguments and results that the extension takes."""
_LONG, _LARGE = 100, 8192
"""Numbers of bodies and of entries of results from which on a call releases the interpreter's lock,
as it takes much longer than that: some 20 us. Shorter ones keep it, and use one arena."""


@functools.cache
def has_extension() -> bool:
    """Test if the extension in C is there and in use."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    wanted = locked and os.environ.get("SPATIAL_V2_DIRECT", "1") != "0"
    if wanted and Call is not None and PLAN != _PLAN:
        warnings.warn(
            f"the compiled extension {_call.__file__} is of another version of the library (form "
            f"{PLAN}, want {_PLAN}): calls run without it, which takes microseconds more for each. "
            "Install the library again: in a clone by pip install -e .",
            RuntimeWarning,
            stacklevel=2,
        )
    return wanted and Call is not None and PLAN == _PLAN


class Runner:
    """A kernel for one record. It is loaded, or compiled, when it first runs.

    The record `of` is a tree, on which rotors are bodies, or a tuple whose first item is one, in
    turn. `quaternions` are places in q; `spread` has the tree's variables at those of a call, if
    they are others: only the extension takes them. `single` calls the kernel for one state, once it
    is loaded.
    """

    def __init__(
        self,
        kernel: Kernel,
        of: Any,
        takes: KernelCall,
        quaternions: Sequence[int] = (),
        spread: Spread | None = None,
    ) -> None:
        self.kernel, self._record, self.takes = kernel, Record(of), takes
        self.quaternions, self._spread = quaternions, spread
        self._direct = has_extension() and sum(map(len, takes[:3])) <= _MOST
        while not isinstance(of, Tree):
            of = of[0]
        count = sum(math.prod(shape) for _, shape in takes.results)
        self._release = len(of.parent) > _LONG or count > _LARGE
        self._description = b""
        self.single: Any = None
        self._several: Any = None

    @property
    def runs(self) -> bool:
        """True if the kernel can run: Python cannot spread variables over the joints of a tree."""
        return self._direct or self._spread is None

    def on(self, of: Any) -> Runner:
        """Return the kernel prepared for a tree with the same joints and other numbers."""
        new = copy.copy(self)
        new._record, new.single, new._several = Record(of), None, None
        if self.single is not None:
            new.single = new._call(False, self._description)
        return new

    def load(self) -> Any:
        """Load or compile the kernel for single states; return `single`."""
        if self.single is None:
            if self._direct:
                entry = self.kernel.state_entry(self._record, *self._axes())
                self._description = self._describe(entry, 0, None)
            self.single = self._call(False, self._description)
        return self.single

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results for the arguments of one state, as `finish` converts them; None if
        they do not fit, or if the results are not finite.
        """
        return self.load().new(args) if _is_one(args) else None

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Fill results for one state, which may have any contents before; return a `Status`."""
        return int(self.load().fill(outs, args)) if _is_one(args) else Status.REFUSED

    def fill_batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Do as `fill` for a batch, whose axis comes first."""
        if self._several is None:
            description, follow = b"", None
            if self._direct:
                kernel, look = self.kernel, self.takes.look
                entry = kernel.batch_entry(self._record, *self._axes(), look)
                if self._spread and look:
                    follow = Record((self._spread.q, self._spread.v, *self._wide()))
                description = self._describe(entry, kernel.drive_entry(follow is not None), follow)
            self._several = self._call(True, description, follow)
        return int(self._several.fill(outs, args))

    def _call(self, batch: bool, description: bytes, follow: Record | None = None) -> Any:
        """Return the object that calls the kernel with this record."""
        takes = self.takes
        if not self._direct:
            own = self.kernel, self._record, takes, self.quaternions
            return PythonCall(*own, batch, self._release)
        finish = None if len(takes.results) == 1 and takes.finish is None else takes.finish
        record = struct.pack("q", self._record.address)
        return Call(record + description, finish, (self._record, follow))

    def _axes(self) -> tuple[list[int], list[int]]:
        """Return the numbers of axes of arguments and results, with that of the batch."""
        takes = self.takes
        axes = [2 for _ in takes.arguments] + [3 for _ in takes.forces]
        return axes, [1 + len(dims) for dims, _ in takes.results]

    def _wide(self) -> tuple[Ints, Ints]:
        """Return `wide` and `moves` of `parts.spread_batches`."""
        wide, moves, takes, spread = [0], [0], self.takes, self._spread
        assert spread is not None
        arrays: list[tuple[Sequence[str], tuple[int, ...]]] = []
        arrays += [((core,), (n,)) for core, n in takes.arguments]
        arrays += [(("", ""), (bodies, 6)) for bodies in takes.forces]
        for dims, shape in [*arrays, *takes.results]:
            wide += [0, 0]
            moves += [0, 0]
            for d, n in zip(dims, shape, strict=True):
                wide.append(spread.length(d, n))
                moves.append({"q": 1, "v": 2}.get(d, 3 * (wide[-1] != n)))
        return np.array(wide), np.array(moves)

    def _describe(self, entry: int, drive: int, follow: Record | None) -> bytes:
        """Describe calls to the extension, for one state or, with the driver, for batches: all but
        the address of the record, which comes first.
        """
        takes, spread = self.takes, self._spread
        least, most = len(takes.arguments), len(takes.arguments) + len(takes.forces[:1])
        read, rows = least + len(takes.forces), takes.rows if drive else ()
        role = {"q": _Q, "v": _V}
        arrays = [_array(role.get(core, _PLAIN), core, (n,), spread) for core, n in takes.arguments]
        arrays += [_array(_FORCES, "", (bodies, 6), None) for bodies in takes.forces]
        for k, (dims, shape) in enumerate(takes.results):
            sums = spread.sums[k] if spread and spread.sums else None
            if rows:
                arrays.append(_array(_ROWS, dims, (rows[k],), spread, shape[0], sums))
            else:
                arrays.append(_array(_PLAIN, dims, shape, spread, shape[-1] if shape else 0, sums))
        counts = read, len(takes.results), takes.look, bool(drive), bool(drive) or self._release
        places = len(self.quaternions), follow.address if follow else 0
        plan = entry, drive, least, most, *counts, *places
        numbers = [*plan, *(spread.counts() if spread else [0] * 9), *itertools.chain(*arrays)]
        more = itertools.chain(*spread.words()) if spread else ()
        numbers += [*self.quaternions, *more]
        return struct.pack(f"{len(numbers)}q", *map(int, numbers))


def _is_one(args: tuple[Any, ...]) -> bool:
    """Test if arguments are those of one state: batches need another kernel, which compiles."""
    return bool(args) and getattr(args[0], "ndim", 1) == 1


def _array(
    role: int,
    dims: Sequence[str],
    shape: tuple[int, ...],
    spread: Spread | None,
    values: int = 0,
    sums: Sums | None = None,
) -> list[int]:
    """Return the numbers of `struct array` in `extension/call.h` for an array of one state."""
    pad, wide = [1] * (4 - len(shape)), [*shape]
    if sums:
        wide = [sums.row if role == _ROWS else sums.values]
    elif spread and dims:
        wide = [spread.length(d, n) for n, d in zip(shape, dims, strict=True)]
    moves = [bool(spread) and d == "v" for d in dims] if dims else [0] * len(shape)
    lengths = [*pad, *shape, *pad, *wide, *(0 for _ in pad), *moves]
    return [role, len(shape), *lengths, values, 1 + sums.more if sums else 0]
