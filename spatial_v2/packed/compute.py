"""Dense tensors from kernels that compute the values of packed tensors.

Dense tensors are filled for a few states at a time, whose values stay in the cache.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from spatial_v2.engine.numbers.cache_lines import LINE, MANY
from spatial_v2.engine.shipped.kernel import shipped_kernel
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern

_BLOCK = 1 << 16
"""Maximum number of values in a block of more than one SIMD batch: half a megabyte."""

T = TypeVar("T")
Fill = Callable[[list[np.ndarray], list[np.ndarray], bool], T]


def room(lead: Sequence[int], nnz: int) -> np.ndarray:
    """Return a new array (*lead, nnz) in which the values of each state begin at a cache line."""
    states = int(np.prod(lead, dtype=int))
    if states < 2:
        return np.empty((*lead, nnz))
    return allocate((*lead, width(nnz)))[..., :nnz]


def width(nnz: int) -> int:
    """Return the length of a row of nnz values and a zero after them, in whole cache lines."""
    return -(-(nnz + 1) // LINE) * LINE


def fill_dense(
    fill: Fill[T],
    patterns: Sequence[TensorPattern],
    zero: Sequence[bool],
    arrays: Sequence[np.ndarray],
    outs: Sequence[np.ndarray],
    batched: bool,
) -> list[T]:
    """Fill dense tensors `outs` (B, n, n, n), block by block; return what `fill` returns for each.

    ``fill(part of arrays, values, batched)`` computes the packed values of a block of states. If
    zero[k] is True, outs[k] is already zero outside its pattern.
    """
    compose: Any = shipped_kernel("compose")
    if compose is None:
        from spatial_v2.engine.tensors.dense import compose

    states = len(arrays[0])
    most = max(_BLOCK // max(sum(p.nnz for p in patterns), 1), 1)
    block = max(min(max(most // LINE * LINE, LINE), states), 1)
    values = [allocate((block, width(p.nnz)), result=False) for p in patterns]
    for row, pattern in zip(values, patterns, strict=True):
        row[:, pattern.nnz] = 0.0
    outcomes = []
    for b in range(0, states, block):
        part = [x[b : b + block] for x in arrays]
        rows = [x[: len(part[0])] for x in values]
        outcomes.append(fill(part, rows, batched))
        for row, pattern, kept, x in zip(rows, patterns, zero, outs, strict=True):
            to = x[b : b + block].reshape(len(row), pattern.n**3)
            compose(row, *pattern.lines, not kept, x.size >= MANY, to)
    return outcomes
