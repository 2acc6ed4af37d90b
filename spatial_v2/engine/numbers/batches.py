"""Kernels on batches: blocks of SIMD batches are transposed, computed, and transposed back.

A block has as many SIMD batches as fit into the cache with their arguments and results. The last
SIMD batch is padded with the last state, so that every state is computed by the same instructions:
its result does not depend on its place, to the last bit. States are computed one by one if a SIMD
batch of their results would exceed the cache. Kernels that write the values of tensors do so
themselves; see `tensors.flush`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from spatial_v2.engine.compile.decorators import jit, part, specialise
from spatial_v2.engine.compile.extend import overload
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers import trig  # noqa: F401  (sine and cosine of SIMD batches)
from spatial_v2.engine.numbers.simd_arrays import carve, flat_rows, simd_room
from spatial_v2.engine.numbers.transpose import turn_in, turn_out
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["batch_function", "driver", "driver_of", "in_simd_batches", "run", "values_driver"]

BLOCK = 1 << 14
"""Number of entries of arguments and results of a block of several SIMD batches."""
LARGEST = 1 << 19
"""Maximum number of entries of the results of a SIMD batch: four megabytes."""


def in_simd_batches(size: int) -> bool:
    """Test if states with results of the given size are computed in SIMD batches."""
    return SIMD_WIDTH > 1 and SIMD_WIDTH * size <= LARGEST


def run(
    kernel: Callable[..., None],
    tree: Tree,
    arrays: Sequence[Floats],
    results: Sequence[Floats],
    simd: bool,
) -> bool:
    """Fill results (B, ...) by a kernel on contiguous arrays (B, ...).

    With `simd` they are states of a batch. Returns True if all results are known to be finite.
    """
    states = max(len(arrays[0]), 1)
    if simd and in_simd_batches(sum(x.size for x in results) // states):
        return bool(driver(kernel)(tree, tuple(arrays), tuple(results)))
    for x in results:
        x.fill(0.0)
    kernel(tree, *arrays, *results)
    return False


@functools.cache
def driver(kernel: Callable[..., None]) -> Callable[..., None]:
    """The driver of a kernel, cached on disk with the kernel."""
    return jit(driver_of(kernel))


def driver_of(
    kernel: Callable[..., None], form: Callable[..., None] | None = None
) -> Callable[..., None]:
    """Make `_drive`, or another form of it, for a kernel; cached by the name of the kernel."""
    name = f"{kernel.__module__.rpartition('.')[-1]}_{kernel.__name__}_{SIMD_WIDTH}"
    drive: Callable[..., None] = specialise(form or _drive, name, run_kernel=kernel)
    return drive


def run_kernel(tree: Tree, *arrays: Any) -> None:
    """Placeholder for the kernel that `_drive` calls; each driver has its own."""
    raise NotImplementedError


@part
def _finite(simd: Any, first: int, last: int) -> bool:
    """Test if all numbers of simd[first:last] are finite."""
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


def _drive(tree: Tree, arrays: tuple[Floats, ...], results: tuple[Floats, ...]) -> bool:
    """Fill the results from the arrays, block by block; return True if they are finite."""
    sources, targets = flat_rows(arrays), flat_rows(results)
    m_in, m_out = 0, 0
    for x in sources:
        m_in += x.shape[1]
    for x in targets:
        m_out += x.shape[1]
    count = (sources[0].shape[0] + SIMD_WIDTH - 1) // SIMD_WIDTH
    block = min(max(BLOCK // max(SIMD_WIDTH * (m_in + m_out), 1), 1), count)
    simd = simd_room(block * (m_in + m_out))
    for k in range(simd.size):
        simd[k] = 0.0
    whole = True
    for first in range(0, count, block):
        n = min(block, count - first)
        ins = carve(arrays, simd, 0, block, n)
        outs = carve(results, simd, block * m_in, block, n)
        into, out_of = flat_rows(ins), flat_rows(outs)
        for k in range(len(sources)):
            turn_in(sources[k], first * SIMD_WIDTH, into[k])
        run_kernel(tree, *ins, *outs)
        whole = whole and _finite(simd, block * m_in, simd.size)
        for k in range(len(targets)):
            turn_out(out_of[k], targets[k], first * SIMD_WIDTH)
    return whole


def run_values(
    kernel: Callable[..., None],
    tree: Tree,
    arrays: Sequence[Floats],
    results: Sequence[Floats],
    simd: bool,
) -> None:
    """Fill the values of tensors (B, n) by a kernel that writes them, on contiguous arrays."""
    if simd and SIMD_WIDTH > 1:
        values_driver(kernel)(tree, tuple(arrays), tuple(results))
    else:
        kernel(tree, *arrays, *results)


@functools.cache
def values_driver(kernel: Callable[..., None]) -> Callable[..., None]:
    """Make the driver of a kernel that writes the values of tensors."""
    return jit(driver_of(kernel, _drive_values))


def batch_function(kernel: Callable[..., None], values: bool) -> Callable[..., None]:
    """The driver of a kernel before it is compiled; `values`: it writes those of tensors."""
    return driver_of(kernel, _drive_values if values else None)


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
    """Fill the results from the arrays, block by block; only the arguments are transposed."""
    sources = flat_rows(arrays)
    m_in = 0
    for x in sources:
        m_in += x.shape[1]
    count = (sources[0].shape[0] + SIMD_WIDTH - 1) // SIMD_WIDTH
    block = min(max(BLOCK // max(SIMD_WIDTH * m_in, 1), 1), count)
    simd = simd_room(block * m_in)
    for first in range(0, count, block):
        n = min(block, count - first)
        ins = carve(arrays, simd, 0, block, n)
        into = flat_rows(ins)
        for k in range(len(sources)):
            turn_in(sources[k], first * SIMD_WIDTH, into[k])
        run_kernel(tree, *ins, *_beyond(results, first * SIMD_WIDTH))
