"""Batches through pages: cut into blocks of packs, turned in, computed, and turned out.

A block is as many packs as stay in the cache with their arguments and results. The last pack is
filled up with the last state, so that every state of a batch goes the same way: its result does not
depend on its place, to the last bit. State by state are computed results so large that a pack of
them would leave the cache. Kernels that pour the values of tensors turn them out themselves; see
`pour`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, cast

import spatial_v2.engine.lanes.pour
import spatial_v2.engine.lanes.trig  # noqa: F401  (sine and cosine of packs, for pages)
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.extend import overload
from spatial_v2.engine.lanes.arrays import carve, rows, store
from spatial_v2.engine.lanes.turn import turn_in, turn_out
from spatial_v2.engine.lanes.width import LANES
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["driver", "driver_of", "in_packs", "run", "values_driver"]

BLOCK = 1 << 14
"""Numbers in the arguments and results of a block, if it has several packs."""
LARGEST = 1 << 19
"""The most numbers in the results of a pack: four megabytes."""


def in_packs(size: int) -> bool:
    """Whether states are computed in packs, with so many numbers in the results of each."""
    return LANES > 1 and LANES * size <= LARGEST


def run(
    kernel: Callable[..., None],
    tree: Tree,
    arrays: Sequence[Floats],
    results: Sequence[Floats],
    packs: bool,
) -> bool:
    """Fill results (B, ...) by a kernel on contiguous arrays (B, ...).

    `packs` says whether they are states of a batch. Returns whether all results are known to be
    finite.
    """
    states = max(len(arrays[0]), 1)
    if packs and in_packs(sum(x.size for x in results) // states):
        return bool(driver(kernel)(tree, tuple(arrays), tuple(results)))
    for x in results:
        x.fill(0.0)
    kernel(tree, *arrays, *results)
    return False


@functools.cache
def driver(kernel: Callable[..., None]) -> Callable[..., None]:
    """The driver of a kernel of the engine, kept on disk beside the kernel."""
    return jit(driver_of(kernel))


def driver_of(
    kernel: Callable[..., None], form: Callable[..., None] | None = None
) -> Callable[..., None]:
    """`_drive` for a kernel, by whose name it is kept when compiled; or another form of it."""
    form = cast("FunctionType", form or _drive)
    drive = FunctionType(form.__code__, {**globals(), "page": kernel})
    drive.__module__ = __name__
    drive.__qualname__ = f"{kernel.__module__.rpartition('.')[-1]}_{kernel.__name__}_{LANES}"
    return drive


def page(tree: Tree, *arrays: Any) -> None:
    """The kernel that `_drive` calls; each driver has its own."""
    raise NotImplementedError


@part
def _finite(packs: Any, first: int, last: int) -> bool:
    """Whether all numbers of packs[first:last] are finite."""
    s, t, u, v = 0.0 * packs[first], 0.0 * packs[first], 0.0 * packs[first], 0.0 * packs[first]
    whole = last - (last - first) % 4
    for k in range(first, whole, 4):
        s += 0.0 * packs[k]
        t += 0.0 * packs[k + 1]
        u += 0.0 * packs[k + 2]
        v += 0.0 * packs[k + 3]
    for k in range(whole, last):
        s += 0.0 * packs[k]
    return bool(s + t + (u + v) == 0.0)


def _drive(tree: Tree, arrays: tuple[Floats, ...], results: tuple[Floats, ...]) -> bool:
    """Fill the results from the arrays, block by block, and say whether they are finite."""
    sources, targets = rows(arrays), rows(results)
    m_in, m_out = 0, 0
    for x in sources:
        m_in += x.shape[1]
    for x in targets:
        m_out += x.shape[1]
    count = (sources[0].shape[0] + LANES - 1) // LANES
    block = min(max(BLOCK // max(LANES * (m_in + m_out), 1), 1), count)
    packs = store(block * (m_in + m_out))
    for k in range(packs.size):
        packs[k] = 0.0
    whole = True
    for first in range(0, count, block):
        n = min(block, count - first)
        ins = carve(arrays, packs, 0, block, n)
        outs = carve(results, packs, block * m_in, block, n)
        into, out_of = rows(ins), rows(outs)
        for k in range(len(sources)):
            turn_in(sources[k], first * LANES, into[k])
        page(tree, *ins, *outs)
        whole = whole and _finite(packs, block * m_in, packs.size)
        for k in range(len(targets)):
            turn_out(out_of[k], targets[k], first * LANES)
    return whole


def run_values(
    kernel: Callable[..., None],
    tree: Tree,
    arrays: Sequence[Floats],
    results: Sequence[Floats],
    packs: bool,
) -> None:
    """Fill the values of tensors (B, n) by a kernel that pours them, on contiguous arrays."""
    if packs and LANES > 1:
        values_driver(kernel)(tree, tuple(arrays), tuple(results))
    else:
        kernel(tree, *arrays, *results)


@functools.cache
def values_driver(kernel: Callable[..., None]) -> Callable[..., None]:
    """The same for a kernel that pours the values of tensors."""
    return jit(driver_of(kernel, _drive_values))


def _beyond(arrays: Any, first: Any) -> Any:
    """The arrays without their first rows."""
    raise NotImplementedError


@overload(_beyond)
def _beyond_of(arrays: Any, first: Any) -> Any:
    def none(arrays: Any, first: Any) -> Any:
        return ()

    def some(arrays: Any, first: Any) -> Any:
        return (arrays[0][first:],) + _beyond(arrays[1:], first)  # noqa: RUF005

    return some if len(arrays) else none


def _drive_values(tree: Tree, arrays: tuple[Floats, ...], results: tuple[Floats, ...]) -> None:
    """Fill the results from the arrays, block by block; only the arrays are turned here."""
    sources = rows(arrays)
    m_in = 0
    for x in sources:
        m_in += x.shape[1]
    count = (sources[0].shape[0] + LANES - 1) // LANES
    block = min(max(BLOCK // max(LANES * m_in, 1), 1), count)
    packs = store(block * m_in)
    for first in range(0, count, block):
        n = min(block, count - first)
        ins = carve(arrays, packs, 0, block, n)
        into = rows(ins)
        for k in range(len(sources)):
            turn_in(sources[k], first * LANES, into[k])
        page(tree, *ins, *_beyond(results, first * LANES))
