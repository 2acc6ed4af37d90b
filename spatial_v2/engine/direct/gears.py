"""Geared rotors around a kernel: arguments of the tree with rotors as bodies, results without.

The coordinates of the expanded tree are ``G q``: those of the tree, then for each rotor the gear
ratio times that of the joint that drives it. Along an axis of velocities a result is contracted
with G, along an axis of bodies the rotors are left out. Products and sums of the contraction are
rounded one by one, as in `model.rotors` for batches, so that results are the same to the last bit.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import exact, part
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["contract_gears", "widen"]


@part
def widen(x: Floats, driver: Ints, ratio: Floats, out: Floats) -> None:
    """Write x, and after it for each rotor the entry x[driver] times the gear ratio, to out."""
    for k in range(x.size):
        out[k] = x[k]
    for j in range(driver.size):
        out[x.size + j] = ratio[j] * x[driver[j]]


@exact
def contract_gears(
    wide: Floats, shape: Ints, moves: Ints, kept: Ints, driver: Ints, ratio: Floats, out: Floats
) -> None:
    """Contract a result with three axes along the axes that `moves` marks, in place.

    The contracted array has the lengths `kept` and occupies the front of the memory; both arrays
    are contiguous.
    """
    for axis in range(3):
        step = 1
        for other in range(axis + 1, 3):
            step *= shape[other]
        n, r = shape[axis], driver.size if moves[axis] else 0
        for first in range(0, wide.size, n * step):
            for j in range(r):
                joint, rotor = first + driver[j] * step, first + (n - r + j) * step
                for c in range(step):
                    wide[joint + c] += ratio[j] * wide[rotor + c]
    to = 0
    for i in range(kept[0]):
        for j in range(kept[1]):
            start = (i * shape[1] + j) * shape[2]
            for k in range(kept[2]):
                out[to] = wide[start + k]
                to += 1
