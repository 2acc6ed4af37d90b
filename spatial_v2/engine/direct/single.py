"""A kernel bound to one tree by addresses, for calls with the least overhead.

The tree never changes; the addresses of its arrays are in a table. Compiled code checks the
arguments (`objects`), and gives kernels memory from an arena that belongs to the table. Models with
rotors run on their expanded tree (`gears`).

Short computations keep the interpreter's lock, as releasing and taking it lasts as long as they do;
hence only one thread uses the arena at a time. Long computations and batches release the lock, and
have no arena.
"""

from __future__ import annotations

import copy
import functools
import math
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.engine.compile.memory import ROOM, TREE
from spatial_v2.engine.direct.entry import compiled, state_entry
from spatial_v2.engine.direct.new_results import EMPTY, ZEROS
from spatial_v2.engine.direct.objects import LAID_OUT
from spatial_v2.engine.direct.table import (
    ARENA,
    AXES,
    CLEAR,
    DONE,
    ENTRY,
    FILLED,
    FIRST,
    FORCES,
    HELD,
    NOT_FINITE,
    OVERLAP,
    REFUSED,
    RESULT,
    ROW,
    ROWS,
    SELF,
    STATES,
    Q,
    V,
)
from spatial_v2.engine.kernel import KernelCall, Record
from spatial_v2.engine.numbers.arena import new_arena
from spatial_v2.engine.numbers.batches import batch_entry
from spatial_v2.engine.tree import Floats, Ints, Tree

__all__ = ["DONE", "LAID_OUT", "MOST", "NOT_FINITE", "OVERLAP", "REFUSED", "Gears", "Single"]

MOST = ROOM // 5 - 1
"""Largest number of arguments and results of a kernel together; each takes five words at most."""

_SHORT, _FEW = 100, 8192
"""Maximum numbers of bodies and of entries of results in short computations, of about 20 us."""


class Gears(NamedTuple):
    """Indices in q and in qd of the joint that drives each rotor, and the gear ratios."""

    q: Ints
    v: Ints
    ratio: Floats


class Single:
    """A kernel for one tree, for single states and for batches.

    Parameters
    ----------
    kernel : callable
        A kernel of the engine.
    tree : Tree
        The tree on which it runs, with rotors as bodies.
    gears : Gears
        The rotors among the bodies.
    takes : KernelCall
        Its arguments and results.

    Attributes
    ----------
    run : callable
        Takes a tuple of results that are zero, and one of arguments of one state, optionally with
        forces; returns `DONE` or the reason why it was refused. Compiles at its first call.
    fill : callable
        As `run`, for results with any contents.
    batch : callable
        As `fill` for a batch, whose axis comes first.
    new : callable
        Takes the arguments alone; returns new results as `finish` converts them, or None.
    shapes : tuple of tuple of int
        Shapes of the results for one state.
    loaded : bool
        True if `run` is compiled.
    """

    run: Callable[..., int]
    fill: Callable[..., int]
    new: Callable[[tuple[Any, ...]], Any]
    _arena: Any

    def __init__(
        self,
        kernel: Callable[..., None],
        tree: Tree,
        gears: Gears,
        takes: KernelCall,
    ) -> None:
        arguments, forces, results, look, values, finish = takes
        self.shapes = tuple(shape for _, shape in results)
        r, offset = len(gears.ratio), 0
        rows, words = [], [0]
        given = [(Q if core == "q" else V, (core,), (n,)) for core, n in arguments]
        external = [(FORCES, (), (bodies, 6)) for bodies in forces]
        for role, dims, shape in (*given, *external, *((RESULT, *result) for result in results)):
            wide = [n + r * (d in "qvb") for n, d in zip(shape, dims, strict=bool(dims))] or shape
            pad = (1,) * (3 - len(shape))
            moves = [*(0 for _ in pad), *(d == "v" for d in dims)] if dims else [0] * 3
            size = math.prod(shape)
            rows += [role, len(shape), offset, len(words), size, *pad, *shape, *pad, *wide, *moves]
            words += [0, 1, *wide]
            offset += max(math.prod(wide), 0)
        for k, filled in enumerate(reversed(values)):
            row = len(rows) - (k + 1) * ROW
            rows[row], rows[row + FILLED] = ROWS, filled
        axes, m = tuple([n + 1 for n in rows[AXES::ROW]]), len(given) + len(external)
        most, record = len(given) + len(external[:1]), Record(tree)
        head = [
            len(tree.parent), tree.joint.ctypes.data, 0, record.address,
            id(np.ndarray), id(np.dtype(np.float64)), id(None), 0, 0, offset if r else 0,
            r, *(x.ctypes.data for x in gears), len(given), most, m, len(results),
            0, ZEROS if look else EMPTY, 0, look, 0, len(words),
        ]  # fmt: skip
        self._table = np.array([*head, *rows, *words])
        self._finish, self._page, self._look = finish, (kernel, axes[:m], axes[m:]), look
        self._needs: list[Any] = [record, gears]
        self.loaded, self._arena = False, None
        self._bodies, self._lengths = len(tree.parent), [n for _, n in arguments]
        self.batch: Callable[..., int] = self._first_batch
        self._await()

    def load(self) -> None:
        """Compile the functions for single states, unless this was done before."""
        if self.loaded:
            return
        count = sum(math.prod(shape) for shape in self.shapes)
        short = _HAS_LOCK and self._bodies <= _SHORT and count <= _FEW
        self._use(new_arena() if short else None)
        if short:
            self.run(tuple(map(np.zeros, self.shapes)), tuple(map(np.ones, self._lengths)))
            self._use(new_arena(self._arena))
        self.loaded = True

    def on(self, tree: Tree) -> Single:
        """Return the kernel for a tree with the same joints and other numbers, without rotors."""
        new, record = copy.copy(self), Record(tree)
        new._table, new._needs = self._table.copy(), [record]
        new._table[FIRST] = record.address
        if self.loaded:
            new._use(self._arena)
        else:
            new._await()
        new.batch = new._first_batch
        return new

    def _await(self) -> None:
        """Let the first call for a single state compile its function."""
        self.run = functools.partial(self._first, "run", REFUSED)
        self.fill = functools.partial(self._first, "fill", REFUSED)
        self.new = functools.partial(self._first, "new", None)

    def _use(self, arena: Any) -> None:
        """Bind the compiled functions for single states, with memory from an arena for short work;
        of the threads that share it, the one with the interpreter's lock uses it.
        """
        short = arena is not None
        self._arena, self._needs = arena, [*self._needs, arena]
        call, entry = compiled(short), state_entry(*self._page)
        table, self.run = self._bind(call, entry)
        filling, self.fill = self._bind(call, entry)
        filling[CLEAR], table[HELD], filling[HELD] = True, short, short
        if short:
            table[ARENA] = filling[ARENA] = arena.ctypes.data
        self.new = functools.partial(self.run, ()) if short else self._long_new

    def _bind(self, call: Any, entry: int) -> tuple[np.ndarray, Callable[..., int]]:
        """Fill a new table, and bind a compiled function to it."""
        table = self._table.copy()
        table[SELF], table[ENTRY] = table.ctypes.data, entry
        run: Callable[..., int] = functools.partial(call, (table, self._finish))
        vars(run)["needs"] = self._needs
        return table, run

    def _first(self, name: str, refused: Any, *args: tuple[Any, ...]) -> Any:
        """Compile the functions for single states, and call one of them by its name.

        For arguments that are not of one state nothing is compiled, and `refused` is returned.
        """
        given = args[-1]
        if not given or getattr(given[0], "ndim", 1) != 1:
            return refused
        self.load()
        return getattr(self, name)(*args)

    def _long_new(self, given: tuple[Any, ...]) -> Any:
        results = tuple(map(np.zeros if self._look else np.empty, self.shapes))
        if self.run(results, given):
            return None
        return self._finish(results) if self._finish else results[0]

    def _first_batch(self, *args: Any) -> int:
        kernel, ins, outs = self._page
        entry = batch_entry(kernel, TREE, ins, outs, self._look)
        table, run = self._bind(compiled(False), entry)
        table[STATES], self.batch = True, run
        return self.batch(*args)


_HAS_LOCK = getattr(sys, "_is_gil_enabled", lambda: True)()
