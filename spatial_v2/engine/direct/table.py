"""The table of a `Single`: where the arrays of its tree are, what they held, what calls must give.

An array of integers, of which most are addresses: a head, a row for each array of the model that is
compared with its copy, and one for each argument and result. Arguments and results are noted with
three axes, of which the first may have the length one, as they are and as they are for the tree
with rotors as bodies.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.compile.memory import clear, differ, doubles, integers
from spatial_v2.engine.direct.gears import contract_gears, widen
from spatial_v2.engine.direct.objects import are_rows, data, is_array, length
from spatial_v2.engine.tree import Floats, Ints
from spatial_v2.joints.table import FLOATING, SPHERICAL

__all__ = [
    "ARENA",
    "AXES",
    "CLEAR",
    "DONE",
    "DOUBLE",
    "FILLED",
    "FORCES",
    "HEAD",
    "LEAST",
    "MAKER",
    "MANY",
    "MOST",
    "MOVES",
    "NONE",
    "NOT_FINITE",
    "OVERLAP",
    "REFUSED",
    "RESULT",
    "ROW",
    "ROWS",
    "SELF",
    "TOTAL",
    "WATCH",
    "WATCHED",
    "WIDE",
    "Q",
    "V",
    "admit",
    "admit_batch",
    "admit_values",
    "leave",
    "leave_batch",
]  # fmt: skip

DONE, REFUSED, NOT_FINITE, OVERLAP = range(4)
"""What a call returns: results are there; the tree or an array is not as it was, or as it must be;
something would be or is not finite; a result overlaps another array, or one of the model's."""

BODIES, TERMS, PARENT, JOINT, PAR, XTREE, INERTIA, GRAVITY = range(8)
ARMATURE, DAMPING, FRICTION = range(8, 11)
_ARRAY, DOUBLE, NONE, ARENA, CLEAR, TOTAL = range(11, 17)
_ROTORS, _DRIVES_Q, _DRIVES_V, _RATIO = range(17, 21)
WATCHED, LEAST, MOST, MANY, SELF, MAKER, HEAD = range(21, 28)
"""The head: how many bodies the tree has, how many numbers of armature, and its arrays; addresses
to compare with, the arena, whether to clear the results and the room for those of rotors; the
rotors; how many rows there are, and the addresses of the table and of what makes new arrays."""

_OBJECT, _KIND, _PLACE, _COPY, _BYTES, _NDIM, _SHAPE, WATCH = range(8)
_ROLE, AXES, _OFFSET, _GIVEN, WIDE, MOVES, ROW = 0, 1, 2, 3, 6, 9, 12
FILLED = MOVES + 2
Q, V, FORCES, RESULT, ROWS = range(5)
"""Roles of arguments and results: rows have in FILLED how many numbers of each are filled."""


@inline
def _size(table: Ints, shape: int) -> int:
    size: int = table[shape] * table[shape + 1] * table[shape + 2]
    return size


@part
def _refusal(table: Ints, row: int, objects: Ints, lead: int) -> int:
    """Refuse a call if the model has been edited, or the objects are not the arrays wanted.

    These have an axis more in front if `lead` is 1.
    """
    for k in range(HEAD, HEAD + WATCH * table[WATCHED], WATCH):
        x, at, ndim = table[k + _OBJECT], table[k + _PLACE], table[k + _NDIM]
        if not is_array(x, table[_ARRAY], table[k + _KIND], ndim, table[k + _SHAPE], 0, 0):
            return REFUSED
        if data(x) != at or differ(at, table[k + _COPY], table[k + _BYTES]):
            return REFUSED
    for x in objects:
        role, ndim = table[row + _ROLE], table[row + AXES]
        if role == ROWS:
            values, width = table[row + FILLED], table[row + WIDE - 1]
            if not are_rows(x, table[_ARRAY], table[DOUBLE], values, width):
                return REFUSED
        elif role != FORCES or x != table[NONE]:
            shape = table[SELF] + 8 * (row + WIDE - ndim)
            if not is_array(x, table[_ARRAY], table[DOUBLE], ndim, shape, role == RESULT, lead):
                return REFUSED
        row += ROW
    return DONE


@part
def _overlaps_model(table: Ints, begin: int, end: int) -> bool:
    """True if one of the model's arrays has memory between two addresses."""
    for k in range(HEAD, HEAD + WATCH * table[WATCHED], WATCH):
        at = table[k + _PLACE]
        if at < end and begin < at + table[k + _BYTES]:
            return True
    return False


@part
def _turns(table: Ints, q: int) -> bool:
    """True if no quaternion at the address q is zero, so that each is a rotation."""
    joint = integers(table[JOINT], (table[BODIES], 6))
    for i in range(table[BODIES]):
        if joint[i, 0] in (SPHERICAL, FLOATING):
            x = doubles(q + 8 * joint[i, 2], (4,))
            if x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + x[3] ** 2 == 0.0:
                return False
    return True


@part
def admit(table: Ints, row: int, objects: Ints, room: int, at: Ints, states: Ints) -> int:
    """See that a call is as it must be, and prepare what the kernel reads and fills.

    Parameters
    ----------
    table : Ints
        The table.
    row : int
        The first row of arguments in it.
    objects : Ints
        Addresses of the arguments and results.
    room : int
        Address of memory for those of rotors.
    at, states : Ints
        Filled: where the numbers are that the kernel reads and fills, and of how many states.
    """
    refused = _refusal(table, row, objects, 0)
    if refused:
        return refused
    r, m = table[_ROTORS], objects.size - table[MANY]
    for k in range(objects.size):
        x, this, size = objects[k], row + ROW * k, _size(table, row + ROW * k + _GIVEN)
        at[k], states[k] = 0, x != table[NONE]
        if not states[k]:
            continue
        at[k] = data(x)
        if k >= m and table[CLEAR]:
            if _overlaps_model(table, at[k], at[k] + 8 * size):
                return OVERLAP
            for other in range(k):
                if objects[other] == table[NONE]:
                    continue
                start, length = data(objects[other]), _size(table, row + ROW * other + _GIVEN)
                if start < at[k] + 8 * size and at[k] < start + 8 * length:
                    return OVERLAP
        if r:
            at[k] = room + 8 * table[this + _OFFSET]
            if k < m:
                drives = table[_DRIVES_Q if table[this + _ROLE] == Q else _DRIVES_V]
                given, ratio = doubles(data(x), (size,)), doubles(table[_RATIO], (r,))
                widen(given, integers(drives, (r,)), ratio, doubles(at[k], (size + r,)))
        if k >= m and (r or table[CLEAR]):
            clear(at[k], _size(table, this + WIDE))
    return DONE if _turns(table, at[0]) else NOT_FINITE


@part
def admit_batch(table: Ints, row: int, objects: Ints, room: int, at: Ints, states: Ints) -> int:
    """The same for a batch, on a tree without rotors: all arrays have its axis in front."""
    refused = _refusal(table, row, objects, 1)
    if refused or table[_ROTORS]:
        return REFUSED
    n, m = length(objects[0]), objects.size - table[MANY]
    for k in range(objects.size):
        at[k] = states[k] = 0
        if objects[k] == table[NONE]:
            continue
        if length(objects[k]) != n:
            return REFUSED
        at[k], states[k] = data(objects[k]), n
        end = at[k] + 8 * n * _size(table, row + ROW * k + _GIVEN)
        if k >= m and _overlaps_model(table, at[k], end):
            return OVERLAP
        for other in range(k if k >= m else 0):
            size = n * _size(table, row + ROW * other + _GIVEN)
            if at[other] and at[other] < end and at[k] < at[other] + 8 * size:
                return OVERLAP
    return DONE if n else REFUSED


@part
def admit_values(table: Ints, row: int, objects: Ints, room: int, at: Ints, states: Ints) -> int:
    """The same, for results of which nobody looks whether they are finite."""
    refused = admit_batch(table, row, objects, room, at, states)
    if refused:
        return refused
    q = 8 * _size(table, row + _GIVEN)
    for b in range(states[0]):
        if not _turns(table, at[0] + b * q):
            return NOT_FINITE
    return DONE


@part
def leave_batch(table: Ints, row: int, objects: Ints, at: Ints, room: Floats) -> int:
    """Nothing is left to do: whether results are finite the driver has seen, or nobody asks."""
    return DONE


@part
def leave(table: Ints, row: int, objects: Ints, at: Ints, room: Floats) -> int:
    """Contract the results along the axes of rotors, and see that they and all else are finite.

    `room` is what `admit` got the address of: it must live until here.
    """
    r, m = table[_ROTORS], objects.size - table[MANY]
    for k in range(objects.size):
        if objects[k] == table[NONE]:
            continue
        wide, moves = row + ROW * k + WIDE, row + ROW * k + MOVES
        out = doubles(data(objects[k]), (_size(table, wide - 3),))
        if r and k >= m:
            contract_gears(
                doubles(at[k], (_size(table, wide),)),
                table[wide : wide + 3],
                table[moves : moves + 3],
                table[wide - 3 : wide],
                integers(table[_DRIVES_V], (r,)),
                doubles(table[_RATIO], (r,)),
                out,
            )
        if table[row + ROW * k + AXES] <= 2:
            total = 0.0
            for x in out:
                total += 0.0 * x
            if total != 0.0:
                return NOT_FINITE
    return DONE
