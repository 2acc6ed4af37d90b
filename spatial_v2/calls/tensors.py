"""Prepared calls of functions whose kernels write the values of packed tensors.

The call for packed results is that of the kernel, whose results are values. The call for dense ones
expands the values of a state, or of a few states of a batch, while they are in the cache.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.plan import Prepared
from spatial_v2.calls.steps import Arguments, Results
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.engine.python_call import fits, may_overlap, rows_of
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.status import Status
from spatial_v2.packed.compute import fill_dense, room
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["packed_results", "prepare_tensors"]

Patterns = tuple[TensorPattern, ...]
Dense = tuple[Sequence[np.ndarray], list[bool]]
"""Dense tensors, and for each True if it is already zero outside its pattern."""


def prepare_tensors(
    runner: Runner, takes: Arguments, finish: Callable[..., Any], batched: bool, patterns: Patterns
) -> Prepared:
    """Prepare a function of tensors, dense and, as its `packed`, packed.

    Parameters
    ----------
    runner : Runner
        The prepared kernel, which fills values or returns new packed tensors.
    takes, finish, batched
        See `Prepared`.
    patterns : tuple of TensorPattern
        Sparsity patterns of the tensors.
    """
    values = Results(
        new=lambda lead: tuple([PackedTensor.of(x, room(lead, x.nnz)) for x in patterns]),
        targets=functools.partial(_values_of, patterns),
    )
    packed = Prepared(runner, takes, finish, batched, values)
    dense = Results(
        shapes=[pattern.shape for pattern in patterns],
        new=functools.partial(_new, patterns),
        targets=functools.partial(_dense, patterns),
        one=_fill_state(runner, patterns),
        batch=functools.partial(_fill_batch, runner, patterns),
    )
    return Prepared(runner, takes, finish, batched, dense, packed=packed)


def packed_results(
    patterns: Sequence[TensorPattern], finish: Callable[..., Any], values: Sequence[np.ndarray]
) -> Any:
    """Create packed tensors from their values, and return them as the function does."""
    return finish(tuple(map(PackedTensor.of, patterns, values)))


def _values_of(patterns: Patterns, outs: Sequence[Any], lead: tuple[int, ...]) -> Any:
    """Return the values of packed tensors, those of a batch as rows; None if they do not fit."""
    if len(outs) != len(patterns):
        return None
    values = []
    for out, pattern in zip(outs, patterns, strict=True):
        if type(out) is not PackedTensor or out.pattern != pattern:
            return None
        x = out.values
        if x.shape != (*lead, pattern.nnz):
            return None
        values.append(rows_of(x) if lead else x)
    return None if any(x is None for x in values) else tuple(values)


def _new(patterns: Patterns, lead: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Allocate dense tensors, those of one state in one block."""
    if not lead:
        return tuple(allocate((len(patterns), *patterns[0].shape)))
    return tuple([allocate((*lead, *pattern.shape)) for pattern in patterns])


def _dense(patterns: Patterns, outs: Sequence[Any], lead: tuple[int, ...]) -> Dense | None:
    """Return the arrays to write, with at most one leading axis; None if they do not fit."""
    if len(outs) != len(patterns):
        return None
    arrays, zero = [], []
    for out, pattern in zip(outs, patterns, strict=True):
        shape = (*lead, *pattern.shape)
        inner = retarget(out, pattern) if getattr(out, "shape", None) == shape else None
        if inner is None and not fits(out, shape):
            return None
        x = out if inner is None else inner
        arrays.append(x if len(lead) < 2 else x.reshape(math.prod(lead), *pattern.shape))
        zero.append(inner is not None)
    return tuple(arrays), zero


def _fill_state(runner: Runner, patterns: Patterns) -> Callable[..., Status]:
    """Return the function that computes dense tensors of one state."""
    if runner.kernel.function is None:  # a library has code for one tensor at a time
        return functools.partial(_fill_each, runner, patterns)
    from spatial_v2.engine.tensors.dense import compose_all

    begin = np.cumsum([0, *(pattern.nnz for pattern in patterns)]).tolist()
    parts, size = [slice(*x) for x in itertools.pairwise(begin)], len(patterns) * patterns[0].n ** 3
    tables = functools.cache(lambda: _tables(patterns, begin))

    def fill(targets: Any, args: tuple[Any, ...]) -> Status:
        outs, zero = targets
        values = allocate((begin[-1] + 1,), result=False)
        values[-1] = 0.0
        status = runner.fill(tuple([values[part] for part in parts]), args)
        if status:
            return Status(status)
        clear = sum(1 << k for k in range(len(zero)) if not zero[k])
        apart = compose_all(values, *tables(), clear, size >= MANY, tuple(outs))
        return Status.DONE if apart else Status.OVERLAP

    return fill


def _tables(patterns: Patterns, begin: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the tables `TensorPattern.lines` of all tensors, joined to one."""
    parts = [pattern.lines for pattern in patterns]
    first = np.cumsum([0, *(len(places) for places, _ in parts)])
    places = [
        np.where(place == pattern.nnz, begin[-1], place + start).astype(np.uint32)
        for (place, _), pattern, start in zip(parts, patterns, begin, strict=False)
    ]
    spans = [np.add(spans, [0, 0, k]) for (_, spans), k in zip(parts, first, strict=False)]
    ends = np.cumsum([len(x) for x in spans])
    return np.concatenate(places), np.concatenate(spans), ends


def _fill_each(runner: Runner, patterns: Patterns, targets: Dense, args: tuple[Any, ...]) -> Status:
    """Compute dense tensors of one state, one after another."""
    outs, zero = targets

    def fill(part: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> Status:
        pairs = zip(rows, patterns, strict=True)
        return Status(runner.fill(tuple([x[0, : p.nnz] for x, p in pairs]), args))

    if may_overlap(outs, ()):
        return Status.OVERLAP
    one, states = [args[0][None]], [x[None] for x in outs]
    return max(fill_dense(fill, patterns, zero, one, states, False))


def _fill_batch(
    runner: Runner, patterns: Patterns, targets: Dense, args: tuple[Any, ...]
) -> Status:
    """Compute dense tensors of a batch."""
    outs, zero = targets

    def fill(part: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> Status:
        return Status(runner.batch(tuple(rows), tuple(part)))

    return max(fill_dense(fill, patterns, zero, args, outs, True))
