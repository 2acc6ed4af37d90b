"""Kernels of a tree on batches of states of fewer variables, which its joints follow.

Arguments and results are those of the fewer variables. They are multiplied by the matrices between
both as SIMD batches, beside the kernel: so all states of a SIMD batch at once, and only what the
caller gets is transposed.
"""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.compile.entries import call_entry
from spatial_v2.engine.compile.extend import types
from spatial_v2.engine.compile.memory import data_address, doubles, stack_integers
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.batches import BLOCK, DRIVE, all_finite
from spatial_v2.engine.numbers.simd_arrays import simd_at, simd_room
from spatial_v2.engine.numbers.transpose import turn_in, turn_out
from spatial_v2.engine.parts.sparse_products import (
    pull_back_axis,
    pull_back_matrix,
    spread,
)
from spatial_v2.engine.spread import Matrix
from spatial_v2.engine.tree import Ints

_PLAIN, _POSITIONS, _VELOCITIES, _SHORTER = range(4)
_INTS, _NUMBERS = types.Array(types.int64, 1, "C"), types.Array(types.float64, 1, "C")
_MATRIX = _INTS, _INTS, _INTS, _NUMBERS, _NUMBERS
DRIVE_SPREAD = *DRIVE, *_MATRIX, *_MATRIX, _INTS, _INTS
"""Types of the arguments of `drive_spread`."""
_SIMD = 8 * SIMD_WIDTH


@part
def _pull_back(
    G: Matrix, words: Ints, wide: Ints, moves: Ints, place: int, end: int, x: int, room: Ints
) -> int:
    """Multiply each axis of velocities of a result at the address x by G, the last one first, and
    shorten other axes; return the address of what is left, one of x and both of `room`.

    Lengths of the result are in words[place:end], those on the tree at the same places of `wide`.
    """
    before, step, into, last = 1, 1, 0, end
    for j in range(place, end):
        before *= wide[j]
    if end - place > 1 and moves[end - 1] == moves[end - 2] == _VELOCITIES:
        last, n, rows = end - 2, words[end - 1], wide[end - 1]
        before //= rows * rows
        given, made = simd_at(x, (before, rows, rows)), simd_at(room[0], (before, n, n))
        for b in range(before):
            pull_back_matrix(G, given[b], made[b])
        x, into, step = room[0], 1, n * n
    for j in range(last - 1, place - 1, -1):
        before //= wide[j]
        given = simd_at(x, (before, wide[j], step))
        made = simd_at(room[into], (before, words[j], step))
        if moves[j] == _VELOCITIES:
            pull_back_axis(G, given, made)
        if moves[j] == _SHORTER:
            for b in range(before):
                for k in range(words[j]):
                    for s in range(step):
                        made[b, k, s] = given[b, k, s]
        if moves[j] != _PLAIN:
            x, into = room[into], 1 - into
        step *= words[j]
    return x


@jit
def drive_spread(
    at: int, first: int, words: Ints, axes: Ints, arguments: int, look: bool, q: Matrix, v: Matrix,
    wide: Ints, moves: Ints,
) -> bool:  # fmt: skip
    """Do as `drive` with `look` for a kernel of a tree whose joints follow the variables of a call.

    Parameters
    ----------
    at, first, words, axes, arguments, look
        Those of `drive`.
    q, v : Matrix
        From positions and velocities of the call to those of the tree.
    wide : Ints
        At the places of lengths in words, the lengths on the tree.
    moves : Ints
        At the same places 1 for axes of positions, 2 for those of velocities, 3 for those that are
        shorter for the call than on the tree, and 0 where lengths are the same.
    """
    simd_words, sizes = stack_integers(words.size), stack_integers(axes.size)
    whole_sizes, room = stack_integers(axes.size), stack_integers(2)
    inside, outside, place, states, most = 0, 0, 1, words[2], 0
    for k in range(axes.size):
        sizes[k] = whole_sizes[k] = 1
        for j in range(place + 2, place + 1 + axes[k]):
            simd_words[j] = words[j] if moves[j] == _PLAIN else wide[j]
            sizes[k] *= words[j]
            whole_sizes[k] *= simd_words[j]
        if k < arguments:
            inside += whole_sizes[k]
        else:
            outside += whole_sizes[k]
        most = max(most, sizes[k], whole_sizes[k])
        place += 1 + axes[k]
    count = (states + SIMD_WIDTH - 1) // SIMD_WIDTH
    block = min(max(BLOCK // max(SIMD_WIDTH * (inside + outside), 1), 1), count)
    used = block * (inside + outside)
    simd = simd_room(used + 2 * most)
    for k in range(block * inside, used):
        simd[k] = 0.0
    simd_words[0], place, start = 0, 1, data_address(simd)
    room[0] = start + _SIMD * used
    room[1] = room[0] + _SIMD * most
    for k in range(axes.size):
        simd_words[place] = start
        start += _SIMD * block * whole_sizes[k]
        place += 1 + axes[k]
    whole = True
    for b in range(0, count, block):
        n, begin, place = min(block, count - b), b * SIMD_WIDTH, 1
        for k in range(arguments):
            simd_words[place + 1] = n
            x, how = doubles(words[place], (words[place + 1], sizes[k])), moves[place + axes[k]]
            if how == _PLAIN:
                turn_in(x, begin, simd_at(simd_words[place], (n, sizes[k])))
            for p in range(n if how != _PLAIN else 0):
                turn_in(x, begin + p * SIMD_WIDTH, simd_at(room[0], (1, sizes[k])))
                y = simd_at(room[0], (sizes[k],))
                out = simd_at(simd_words[place] + _SIMD * p * whole_sizes[k], (whole_sizes[k],))
                if how == _POSITIONS:
                    spread(q, y, out)
                else:
                    spread(v, y, out)
            place += 1 + axes[k]
        for k in range(arguments, axes.size):
            simd_words[place + 1] = n
            place += 1 + axes[k]
        call_entry(at, first, data_address(simd_words))
        whole = whole and all_finite(simd, block * inside, used)
        place = 1
        for k in range(axes.size):
            end = place + 1 + axes[k]
            for p in range(n if k >= arguments else 0):
                x = doubles(words[place], (states, sizes[k]))
                given = simd_words[place] + _SIMD * p * whole_sizes[k]
                made = _pull_back(v, words, simd_words, moves, place + 2, end, given, room)
                turn_out(simd_at(made, (1, sizes[k])), x, begin + p * SIMD_WIDTH)
            place = end
    return whole
