"""The table of a `Single`: addresses of the tree's arrays, their copies, and shapes of arguments.

It is an array of integers, most of them addresses: a head, a row for each array of the model that
is compared with its copy, and a row for each argument and result. Shapes of arguments and results
have three axes, the first of which may have length one; they are stored for the model and for the
tree with rotors as bodies.
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
"""Status of a call: done; the tree was edited or an array does not fit; an argument or a result is
not finite; a result overlaps another array, or one of the model's."""

BODIES, TERMS, PARENT, JOINT, PAR, XTREE, INERTIA, GRAVITY = range(8)
ARMATURE, DAMPING, FRICTION = range(8, 11)
_ARRAY, DOUBLE, NONE, ARENA, CLEAR, TOTAL = range(11, 17)
_ROTORS, _DRIVES_Q, _DRIVES_V, _RATIO = range(17, 21)
WATCHED, LEAST, MOST, MANY, SELF, MAKER, HEAD = range(21, 28)
"""The head: numbers of bodies and of armature values, and the tree's arrays; addresses to compare
with, the arena, a flag for clearing the results, and the size of the workspace for rotors; the
rotors; the number of rows, and the addresses of the table and of the maker of new arrays."""

_OBJECT, _KIND, _PLACE, _COPY, _BYTES, _NDIM, _SHAPE, WATCH = range(8)
_ROLE, AXES, _OFFSET, _GIVEN, WIDE, MOVES, ROW = 0, 1, 2, 3, 6, 9, 12
FILLED = MOVES + 2
Q, V, FORCES, RESULT, ROWS = range(5)
"""Roles of arguments and results; FILLED is the number of entries that are written."""


@inline
def _size(table: Ints, shape: int) -> int:
    size: int = table[shape] * table[shape + 1] * table[shape + 2]
    return size


@part
def _refusal(table: Ints, row: int, objects: Ints, lead: int) -> int:
    """Refuse a call if the model has been edited, or an object is not an array of the right shape.

    Arrays have one more leading axis if `lead` is 1.
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
    """Test if one of the model's arrays overlaps the memory between two addresses."""
    for k in range(HEAD, HEAD + WATCH * table[WATCHED], WATCH):
        at = table[k + _PLACE]
        if at < end and begin < at + table[k + _BYTES]:
            return True
    return False


@part
def _turns(table: Ints, q: int) -> bool:
    """Test if no quaternion at the address q is zero."""
    joint = integers(table[JOINT], (table[BODIES], 6))
    for i in range(table[BODIES]):
        if joint[i, 0] in (SPHERICAL, FLOATING):
            x = doubles(q + 8 * joint[i, 2], (4,))
            if x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + x[3] ** 2 == 0.0:
                return False
    return True


@part
def admit(table: Ints, row: int, objects: Ints, room: int, at: Ints, states: Ints) -> int:
    """Check the arguments and results of a call, and prepare them for the kernel.

    Parameters
    ----------
    table : Ints
        The table.
    row : int
        Index of the first row of arguments.
    objects : Ints
        Addresses of the arguments and results.
    room : int
        Address of the workspace for arguments and results of the tree with rotors.
    at, states : Ints
        Filled with the addresses of the arrays for the kernel, and their numbers of states.
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
    """As `admit` for a batch, on a tree without rotors."""
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
    """As `admit_batch`, for results that are not checked to be finite."""
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
    """Return `DONE`: the driver has checked the results, or they are not checked."""
    return DONE


@part
def leave(table: Ints, row: int, objects: Ints, at: Ints, room: Floats) -> int:
    """Contract the results along the axes of rotors, and check that all results are finite.

    `room` is the workspace that was given to `admit`; it must still exist.
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
