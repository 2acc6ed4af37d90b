"""Kernels on batches: blocks of SIMD batches are transposed, computed, and transposed back.

A block has as many SIMD batches as fit into the cache with their arguments and results. The last
SIMD batch is padded with the last state, so that every state is computed by the same instructions:
its result does not depend on its place, to the last bit. States are computed one by one if a SIMD
batch of their results would exceed the cache. Kernels that write the values of tensors transpose
these themselves; see `tensors.flush`.

All kernels have the same driver, which calls them by their entries; see `compile.entries`.
"""

from collections.abc import Sequence
from typing import Any

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.compile.entries import call_entry
from spatial_v2.engine.compile.extend import types
from spatial_v2.engine.compile.memory import data_address, doubles, stack_integers
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers import trig  # noqa: F401  (sine and cosine of SIMD batches)
from spatial_v2.engine.numbers.simd_arrays import simd_at, simd_room
from spatial_v2.engine.numbers.simd_batch import simd_batch
from spatial_v2.engine.numbers.transpose import turn_in, turn_out
from spatial_v2.engine.tree import Ints

BLOCK = 1 << 14
"""Largest number of entries of a block of SIMD batches, arguments and results together; a block has
at least one SIMD batch.
"""
_WORDS = types.Array(types.int64, 1, "C")
DRIVE = types.int64, types.int64, _WORDS, _WORDS, types.int64, types.boolean
"""Types of the arguments of `drive`."""


def batch_types(
    record: Any, ins: Sequence[int], outs: Sequence[int], look: bool
) -> tuple[Any, ...]:
    """Return the types of the arguments of a kernel for SIMD batches.

    `record` is that of its first argument; `ins` and `outs` are the numbers of axes of the others
    and of the results, with that of the batch. If `look` is False, the kernel itself writes the
    results of the states, as numbers.
    """
    arrays = [types.Array(simd_batch, n, "C") for n in ins]
    made = [types.Array(simd_batch if look else types.float64, n, "C") for n in outs]
    return record, *arrays, *made


@part
def all_finite(simd: Any, first: int, last: int) -> bool:
    """Test if all numbers of simd[first:last], SIMD blocks or plain numbers, are finite."""
    s, t, u, v = 0.0 * simd[first], 0.0 * simd[first], 0.0 * simd[first], 0.0 * simd[first]
    whole = last - (last - first) % 4
    for k in range(first, whole, 4):
        s += 0.0 * simd[k]
        t += 0.0 * simd[k + 1]
        u += 0.0 * simd[k + 2]
        v += 0.0 * simd[k + 3]
    for k in range(whole, last):
        s += 0.0 * simd[k]
    return bool(s + t + (u + v) == 0.0)


@jit
def drive(entry: int, first: int, words: Ints, axes: Ints, arguments: int, look: bool) -> bool:
    """Fill the results of a batch block by block; return True if they are finite.

    The address `entry` is that of the kernel's entry for SIMD batches, `first` that of the words of
    its record. `words` are the arguments of an entry for single states: an arena, or 0, then for
    each array its address and its lengths; the second length of missing arguments is 0. `axes` has
    the numbers of axes of the arrays, of which the first `arguments` are not results. If `look` is
    False, the kernel itself writes the results of the states, as numbers: only arguments are
    transposed.
    """
    simd_words, sizes = stack_integers(words.size), stack_integers(axes.size)
    inside, outside, place, states = 0, 0, 1, words[2]
    for k in range(axes.size):
        sizes[k] = 1
        for j in range(place + 2, place + 1 + axes[k]):
            sizes[k] *= words[j]
            simd_words[j] = words[j]
        if k < arguments:
            inside += sizes[k]
        elif look:
            outside += sizes[k]
        place += 1 + axes[k]
    count = (states + SIMD_WIDTH - 1) // SIMD_WIDTH
    block = min(max(BLOCK // max(SIMD_WIDTH * (inside + outside), 1), 1), count)
    simd = simd_room(block * (inside + outside))
    for k in range(block * inside, simd.size):
        simd[k] = 0.0
    simd_words[0], place, start = 0, 1, data_address(simd)
    for k in range(axes.size):
        if k < arguments or look:
            simd_words[place] = start
            start += 8 * SIMD_WIDTH * block * sizes[k]
        place += 1 + axes[k]
    whole = True
    for b in range(0, count, block):
        n, begin, place = min(block, count - b), b * SIMD_WIDTH, 1
        for k in range(axes.size):
            simd_words[place + 1] = n
            if k < arguments:
                x = doubles(words[place], (words[place + 1], sizes[k]))
                turn_in(x, begin, simd_at(simd_words[place], (n, sizes[k])))
            elif not look:
                simd_words[place] = words[place] + 8 * begin * sizes[k]
                simd_words[place + 1] = states - begin
            place += 1 + axes[k]
        call_entry(entry, first, data_address(simd_words))
        if not look:
            continue
        whole = whole and all_finite(simd, block * inside, simd.size)
        place = 1
        for k in range(axes.size):
            if k >= arguments:
                x = doubles(words[place], (states, sizes[k]))
                turn_out(simd_at(simd_words[place], (n, sizes[k])), x, begin)
            place += 1 + axes[k]
    return whole
