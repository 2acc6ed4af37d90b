"""Single states from Python in the least time: a kernel for one tree, given by addresses.

A tree is the same at every call of a control loop. Its arrays are noted once in a table, with
copies of what they held when they were checked, and the compiled code compares the two before it
uses them, so that no edit goes unseen. It looks at the arguments in the same way (`objects`) and
takes what a kernel allocates from an arena that belongs to the table. Models with rotors run on
their expanded tree (`gears`).

Short work is done without giving up the interpreter's lock, to take which twice lasts as long as
that; so the arena has one user. Long work gives it up, and has no arena.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.engine.arena import new_arena, reset
from spatial_v2.engine.compile import entry
from spatial_v2.engine.numbers import room_for
from spatial_v2.engine.objects import LAID_OUT, Given, count, data, items, unequal
from spatial_v2.engine.table import (
    ARENA,
    AXES,
    BODIES,
    CLEAR,
    DONE,
    FORCES,
    GRAVITY,
    HEAD,
    INERTIA,
    JOINT,
    LEAST,
    MANY,
    MOST,
    MOVES,
    NONE,
    NOT_FINITE,
    OVERLAP,
    PAR,
    PARENT,
    REFUSED,
    RESULT,
    ROW,
    SELF,
    TOTAL,
    WATCH,
    WATCHED,
    XTREE,
    Q,
    V,
    admit,
    leave,
)
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.views import ROOM, arrays, constants, doubles, integers, local, place

__all__ = ["DONE", "LAID_OUT", "NOT_FINITE", "OVERLAP", "REFUSED", "ROOM", "Gears", "Single"]

_SHORT, _FEW = 100, 4096
"""The most bodies, and numbers in the results, of short work: some twenty microseconds."""


class Gears(NamedTuple):
    """Which entry of q, and which of qd, drives each rotor, and how much faster it turns."""

    q: Ints
    v: Ints
    ratio: Floats


def page(tree: Tree, *arrays: Any) -> None:
    """The kernel that `_run` calls; each single has its own."""
    raise NotImplementedError


def _run(head: Any, given: Any, results: Any) -> int:
    """Run the page for one state; `head` is the table and the lists of joint types."""
    table = integers(data(items(head, 0)[0]), (1 << 30,))
    nb, none, row = table[BODIES], table[NONE], HEAD + WATCH * table[WATCHED]
    few, many = count(given) < table[LEAST], count(given) > table[MOST]
    if few or many or count(results) != table[MANY] or unequal(head):
        return REFUSED
    given_at, results_at = items(given, none), items(results, none)
    m, n = len(given_at), len(given_at) + len(results_at)
    objects, at, states = local(n), local(n), local(n)
    for k in range(m):
        objects[k] = given_at[k]
    for k in range(m, n):
        objects[k] = results_at[k - m]
    reset(table[ARENA])
    room = room_for(table[TOTAL], table[ARENA])
    refused = admit(table, row, objects, place(room), at, states)
    if refused:
        return refused
    tree = Tree(
        integers(table[PARENT], (nb,)),
        constants(integers(table[JOINT], (nb, 6))),
        constants(doubles(table[PAR], (nb, 2))),
        doubles(table[XTREE], (nb, 6, 6)),
        doubles(table[INERTIA], (nb, 6, 6)),
        doubles(table[GRAVITY], (3,)),
    )
    ends, step = table[SELF] + 8 * (row + MOVES), 8 * ROW
    ins = arrays(given, place(at), place(states), ends, step, table[ARENA])
    outs = arrays(results, place(at) + 8 * m, place(states) + 8 * m, ends + step * m, step, 0)
    page(tree, *ins, *outs)
    return leave(table, row, objects, at, room)


@functools.cache
def _compiled(
    kernel: Callable[..., None], ins: tuple[int, ...], outs: tuple[int, ...], short: bool
) -> Any:
    """`_run` for a kernel whose arguments and results have so many axes."""
    run = FunctionType(_run.__code__, {**globals(), "page": kernel})
    run.__module__ = __name__
    run.__qualname__ = f"{kernel.__module__.rpartition('.')[-1]}_{'short' if short else 'long'}"
    return entry(run, (Given(*[0] * 5), Given(*ins), Given(*outs)), release=not short)


class Single:
    """A kernel for single states of one tree.

    Parameters
    ----------
    kernel : callable
        A kernel of the engine.
    tree : Tree
        The tree on which it runs, with rotors as bodies.
    watched : sequence of arrays
        The model's arrays that must not change.
    lists : sequence of lists
        The same of two lists: each as it is, followed by what it is to equal.
    gears : Gears
        The rotors among the bodies.
    arguments : sequence of (str, int)
        Of each, whether it is ``"q"`` or ``"v"``, and its length.
    forces : sequence of int
        Of each array of external forces that the kernel takes the number of bodies; -1 for bodies
        of which none are given. Calls give the first, or none.
    results : sequence of (sequence of str, tuple of int)
        Axes, of which ``"v"`` and ``"b"`` are longer for a tree with rotors, and shape.
    """

    __slots__ = ("fill", "run", "shapes")

    def __init__(
        self,
        kernel: Callable[..., None],
        tree: Tree,
        watched: Sequence[np.ndarray],
        lists: Sequence[Any],
        gears: Gears,
        arguments: Sequence[tuple[str, int]],
        forces: Sequence[int],
        results: Sequence[tuple[Sequence[str], tuple[int, ...]]],
    ) -> None:
        self.shapes = tuple(shape for _, shape in results)
        r, offset = len(gears.ratio), 0
        rows = []
        given = [(Q if core == "q" else V, (core,), (n,)) for core, n in arguments]
        external = [(FORCES, (), (bodies, 6)) for bodies in forces]
        for role, dims, shape in (*given, *external, *((RESULT, *result) for result in results)):
            wide = [n + r * (d in "qvb") for n, d in zip(shape, dims, strict=bool(dims))] or shape
            pad = (1,) * (3 - len(shape))
            moves = [*(0 for _ in pad), *(d == "v" for d in dims)] if dims else [0] * 3
            rows += [role, len(shape), offset, *pad, *shape, *pad, *wide, *moves]
            offset += max(int(np.prod(wide)), 0)
        axes, m = tuple(rows[AXES::ROW]), len(given) + len(external)
        most = len(given) + len(external[:1])
        copies = [x.copy() for x in watched]
        shapes = [np.array(x.shape, dtype=np.int64) for x in watched]
        compared = [
            (id(x), id(x.dtype), x.ctypes.data, y.ctypes.data, x.nbytes, x.ndim, n.ctypes.data)
            for x, y, n in zip(watched, copies, shapes, strict=True)
        ]
        head = [
            len(tree.parent), *(x.ctypes.data for x in tree),
            id(np.ndarray), id(np.dtype(np.float64)), id(None), 0, 0, offset if r else 0,
            r, *(x.ctypes.data for x in gears), len(watched), len(given), most, len(results), 0,
        ]  # fmt: skip
        table = np.array([*head, *(n for row in compared for n in row), *rows])
        table[SELF] = table.ctypes.data
        filling = table.copy()
        filling[SELF], filling[CLEAR] = filling.ctypes.data, True
        count = sum(int(np.prod(shape)) for shape in self.shapes)
        short = _HAS_LOCK and len(tree.parent) <= _SHORT and count <= _FEW
        call = _compiled(kernel, axes[:m], axes[m:], short)
        kept: list[Any] = [tree, watched, gears, copies, shapes, [x.dtype for x in watched]]
        self.run: Callable[..., int] = functools.partial(call, (table, *lists))
        """Of a tuple of arguments, perhaps with forces, and one of results, which are zero."""
        self.fill: Callable[..., int] = functools.partial(call, (filling, *lists))
        """The same for results that hold something."""
        for run in (self.run, self.fill):
            vars(run)["needs"] = kept
        if short:
            arena = new_arena()
            table[ARENA] = arena.ctypes.data
            self.run(tuple(np.ones(n) for _, n in arguments), tuple(map(np.zeros, self.shapes)))
            kept.append(arena := new_arena(arena))
            table[ARENA] = filling[ARENA] = arena.ctypes.data


_HAS_LOCK = getattr(sys, "_is_gil_enabled", lambda: True)()
