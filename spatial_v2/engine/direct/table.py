"""The table of a `Single`: addresses of the tree's arrays, and shapes of arguments.

It is an array of integers, most of them addresses: a head, and a row for each argument and result.
Shapes of arguments and results have three axes, the first of which may have length one; they are
stored for the model and for the tree with rotors as bodies.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.compile.memory import clear, doubles, integers
from spatial_v2.engine.direct.gears import contract_gears, widen
from spatial_v2.engine.direct.objects import are_rows, data, is_array, length
from spatial_v2.engine.tree import Floats, Ints
from spatial_v2.joints.table import FLOATING, SPHERICAL

__all__ = [
    "ALL", "ARENA", "AXES", "CLEAR", "DONE", "DOUBLE", "ENTRY", "FILLED", "FIRST", "FORCES",
    "HEAD", "HELD", "LEAST", "LOOK", "MAKER", "MANY", "MOST", "MOVES", "NONE", "NOT_FINITE",
    "OVERLAP", "REFUSED", "RESULT", "ROW", "ROWS", "SELF", "STATES", "TOTAL",
    "WIDE", "WORDS", "Q", "V", "admit", "admit_batch", "leave",
]  # fmt: skip

DONE, REFUSED, NOT_FINITE, OVERLAP = range(4)
"""Status of a call: done; an array does not fit; an argument or a result is
not finite; a result overlaps another array.
"""

BODIES, JOINT, ENTRY, FIRST, ARRAY, DOUBLE, NONE, ARENA, CLEAR, TOTAL = range(10)
_ROTORS, _DRIVES_Q, _DRIVES_V, _RATIO = range(10, 14)
LEAST, MOST, ALL, MANY, SELF, MAKER, STATES, LOOK, HELD, WORDS, HEAD = range(14, 25)
"""The head: number of bodies, and their joints; the entry of the kernel, and the index of the words
of the tree; addresses to compare with, the arena, a flag for clearing the results, and the size of
the workspace for rotors; the rotors; numbers of rows: arguments that a call
must give and may give, all that the kernel takes, results; the addresses of the table and of the
maker of new arrays; flags: calls are of several states, results must be finite, the interpreter's
lock is held; the number of words of arguments and results for the entry, which are at the end.
"""

_ROLE, AXES, _OFFSET, _WORD, _SIZE, _GIVEN, WIDE, MOVES, ROW = 0, 1, 2, 3, 4, 5, 8, 11, 14
FILLED = MOVES + 2
Q, V, FORCES, RESULT, ROWS = range(5)
"""Roles of the arrays of a row: q, a velocity, external forces, a result, or a result whose rows
are the values of packed tensors. FILLED is the column with the number of entries that are written.
"""


@inline
def _wide(table: Ints, row: int) -> int:
    """Return the number of entries of a row's array for the tree with rotors as bodies."""
    size: int = table[row + WIDE] * table[row + WIDE + 1] * table[row + WIDE + 2]
    return size


@part
def _refusal(table: Ints, row: int, objects: Ints, lead: int) -> int:
    """Refuse a call if an object is not an array of the right shape.

    Arrays have one more leading axis if `lead` is 1.
    """
    for x in objects:
        role, ndim = table[row + _ROLE], table[row + AXES]
        if role == ROWS:
            values, width = table[row + FILLED], table[row + WIDE - 1]
            if not are_rows(x, table[ARRAY], table[DOUBLE], values, width):
                return REFUSED
        elif role != FORCES or x != table[NONE]:
            shape = table[SELF] + 8 * (row + WIDE - ndim)
            if not is_array(x, table[ARRAY], table[DOUBLE], ndim, shape, role == RESULT, lead):
                return REFUSED
        row += ROW
    return DONE


@part
def _overlaps(table: Ints, row: int, objects: Ints, k: int, states: int) -> bool:
    """Test if result k of some states overlaps an array before it."""
    at = data(objects[k])
    end = at + 8 * states * table[row + ROW * k + _SIZE]
    for other in range(k):
        if objects[other] != table[NONE]:
            start, size = data(objects[other]), states * table[row + ROW * other + _SIZE]
            if start < end and at < start + 8 * size:
                return True
    return False


@part
def _turns(table: Ints, q: int) -> bool:
    """Test if every quaternion in the configuration at address q is nonzero."""
    joint = integers(table[JOINT], (table[BODIES], 6))
    for i in range(table[BODIES]):
        if joint[i, 0] in (SPHERICAL, FLOATING):
            x = doubles(q + 8 * joint[i, 2], (4,))
            if x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + x[3] ** 2 == 0.0:
                return False
    return True


@part
def admit(table: Ints, row: int, objects: Ints, room: int, words: Ints) -> int:
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
        Address of the workspace for the tree with rotors.
    words : Ints
        Words of the kernel's arguments, which are filled in: addresses of their numbers, and for
        external forces the numbers of states and bodies, zero if there are none.
    """
    refused = _refusal(table, row, objects, 0)
    if refused:
        return refused
    r, m = table[_ROTORS], objects.size - table[MANY]
    for k in range(objects.size):
        x, this = objects[k], row + ROW * k
        to, size = table[this + _WORD], table[this + _SIZE]
        if x == table[NONE]:
            words[to] = words[to + 1] = words[to + 2] = 0
            continue
        at = data(x)
        if k >= m and table[CLEAR] and _overlaps(table, row, objects, k, 1):
            return OVERLAP
        if r:
            at = room + 8 * table[this + _OFFSET]
            if k < m:
                drives = table[_DRIVES_Q if table[this + _ROLE] == Q else _DRIVES_V]
                given, ratio = doubles(data(x), (size,)), doubles(table[_RATIO], (r,))
                widen(given, integers(drives, (r,)), ratio, doubles(at, (size + r,)))
        if k >= m and (r or table[CLEAR]):
            clear(at, _wide(table, this))
        words[to] = at
        if table[this + _ROLE] == FORCES:
            words[to + 1], words[to + 2] = 1, table[this + WIDE + 1]
    return DONE if _turns(table, words[1]) else NOT_FINITE


@part
def admit_batch(table: Ints, row: int, objects: Ints, words: Ints) -> int:
    """Check and prepare a batch as `admit` does for one state; the tree has no rotors, and all
    arrays have the axis of the batch.

    If results are not checked for finite values later, the quaternions of q are checked here.
    """
    refused = _refusal(table, row, objects, 1)
    if refused or table[_ROTORS]:
        return REFUSED
    n, m = length(objects[0]), objects.size - table[MANY]
    for k in range(objects.size):
        to = table[row + ROW * k + _WORD]
        if objects[k] == table[NONE]:
            words[to] = words[to + 1] = words[to + 2] = 0
            continue
        if length(objects[k]) != n:
            return REFUSED
        if k >= m and _overlaps(table, row, objects, k, n):
            return OVERLAP
        words[to], words[to + 1] = data(objects[k]), n
    q = 8 * table[row + _SIZE]
    for b in range(0 if table[LOOK] else n):
        if not _turns(table, words[1] + b * q):
            return NOT_FINITE
    return DONE if n else REFUSED


@part
def leave(table: Ints, row: int, objects: Ints, words: Ints, room: Floats) -> int:
    """Contract the results along the axes of rotors; check that they are finite.

    For a batch, the driver has checked the results. `room` is the workspace whose address `admit`
    used: as an argument of this function it stays allocated until here.
    """
    if table[STATES] or not table[LOOK]:
        return DONE
    r, m = table[_ROTORS], objects.size - table[MANY]
    for k in range(objects.size):
        if objects[k] == table[NONE]:
            continue
        this = row + ROW * k
        out = doubles(data(objects[k]), (table[this + _SIZE],))
        if r and k >= m:
            contract_gears(
                doubles(words[table[this + _WORD]], (_wide(table, this),)),
                table[this + WIDE : this + MOVES],
                table[this + MOVES : this + ROW],
                table[this + _GIVEN : this + WIDE],
                integers(table[_DRIVES_V], (r,)),
                doubles(table[_RATIO], (r,)),
                out,
            )
        if table[this + AXES] <= 2:
            total = 0.0
            for x in out:
                total += 0.0 * x
            if total != 0.0:
                return NOT_FINITE
    return DONE
