"""Prepared calls of functions whose kernels write the values of packed tensors.

The call for packed results is that of the kernel, whose results are values. The call for dense ones
expands the values of a state, or of a few states of a batch, while they are in the cache.
"""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.steps import Results
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.engine.python_call import fits, may_overlap, rows_of
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.status import Status
from spatial_v2.packed.compute import fill_dense
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

Patterns = tuple[TensorPattern, ...]
Dense = tuple[tuple[np.ndarray, ...], int]
"""Dense tensors, and a number whose bit k is set if tensor k has to be zeroed first."""


def prepare_tensors(
    runner: Runner, finish: Callable[..., Any], batched: bool, patterns: Patterns
) -> Prepared:
    """Prepare a function of tensors with these sparsity patterns, dense and, as its `packed`,
    packed.

    `runner` fills values or returns new packed tensors; see `Prepared` for the others.
    """
    values = Results(
        new=functools.partial(_new_values, runner.takes.rows, patterns),
        targets=functools.partial(_values_of, patterns),
    )
    packed = Prepared(runner, finish, batched, values)
    dense = Results(
        shapes=[pattern.shape for pattern in patterns],
        new=functools.partial(_new, patterns),
        targets=functools.partial(_dense, patterns),
        fill_one=_fill_state(runner, patterns),
        fill_batch=functools.partial(_fill_batch, runner, patterns),
    )
    return Prepared(runner, finish, batched, dense, packed=packed)


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
        if type(out) is not PackedTensor:
            return None
        if out.pattern is not pattern and out.pattern != pattern:
            return None
        x = out.values
        if x.shape != (*lead, pattern.nnz):
            return None
        values.append(rows_of(x) if lead else x)
    return None if any(x is None for x in values) else tuple(values)


def _new_values(
    widths: Sequence[int], patterns: Patterns, lead: tuple[int, ...]
) -> tuple[tuple[PackedTensor, ...], Any]:
    """Allocate packed tensors of a batch, whose values begin at cache lines."""
    rows = [allocate((math.prod(lead), width)) for width in widths]
    values = [x[:, : pattern.nnz] for x, pattern in zip(rows, patterns, strict=True)]
    shaped = values
    if len(lead) > 1:
        pairs = zip(rows, patterns, strict=True)
        shaped = [x.reshape(*lead, x.shape[1])[..., : pattern.nnz] for x, pattern in pairs]
    return tuple(map(PackedTensor.of, patterns, shaped)), values


def _new(patterns: Patterns, lead: tuple[int, ...]) -> tuple[tuple[np.ndarray, ...], Dense]:
    """Allocate dense tensors, those of one state in one block."""
    if lead:
        outs = tuple([allocate((*lead, *pattern.shape)) for pattern in patterns])
    else:
        outs = tuple(allocate((len(patterns), *patterns[0].shape)))
    flat = outs
    if len(lead) > 1:
        flat = tuple([x.reshape(-1, *x.shape[-3:]) for x in outs])
    return outs, (flat, (1 << len(outs)) - 1)


def _dense(patterns: Patterns, outs: Sequence[Any], lead: tuple[int, ...]) -> Dense | None:
    """Return the arrays to write, with at most one leading axis; None if they do not fit."""
    if len(outs) != len(patterns):
        return None
    arrays, clear = [], 0
    for k, (out, pattern) in enumerate(zip(outs, patterns, strict=True)):
        shape = (*lead, *pattern.shape)
        inner = retarget(out, pattern) if getattr(out, "shape", None) == shape else None
        if inner is None and not fits(out, shape):
            return None
        x = out if inner is None else inner
        arrays.append(x if len(lead) < 2 else x.reshape(math.prod(lead), *pattern.shape))
        clear |= (inner is None) << k
    return tuple(arrays), clear


def _fill_state(runner: Runner, patterns: Patterns) -> Callable[..., Status]:
    """Return the function that computes dense tensors of one state."""
    if runner.kernel.function is None:  # a library has code for one tensor at a time
        return functools.partial(_fill_each, runner, patterns)
    from spatial_v2.engine.tensors.dense import compose_all

    begin = np.cumsum([0, *(pattern.nnz for pattern in patterns)]).tolist()
    parts, size = [slice(*x) for x in itertools.pairwise(begin)], len(patterns) * patterns[0].n ** 3
    tables = functools.cache(lambda: _tables(patterns, begin))

    def fill(targets: Dense, args: tuple[Any, ...]) -> Status:
        outs, clear = targets
        values = allocate((begin[-1] + 1,), result=False)
        values[-1] = 0.0
        status = runner.fill(tuple([values[part] for part in parts]), args)
        if status:
            return Status(status)
        apart = compose_all(values, *tables(), clear, size >= MANY, outs)
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
    outs, clear = targets

    def fill(part: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> Status:
        pairs = zip(rows, patterns, strict=True)
        return Status(runner.fill(tuple([x[0, : p.nnz] for x, p in pairs]), args))

    if may_overlap(outs, ()):
        return Status.OVERLAP
    one, states = [args[0][None]], [x[None] for x in outs]
    return max(fill_dense(fill, patterns, _zero(clear, outs), one, states, False))


def _fill_batch(
    runner: Runner, patterns: Patterns, targets: Dense, args: tuple[Any, ...]
) -> Status:
    """Compute dense tensors of a batch."""
    outs, clear = targets

    def fill(part: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> Status:
        return Status(runner.fill_batch(tuple(rows), tuple(part)))

    return max(fill_dense(fill, patterns, _zero(clear, outs), args, outs, True))


def _zero(clear: int, outs: Sequence[np.ndarray]) -> list[bool]:
    """Tell for each tensor if it is already zero outside its pattern."""
    return [not clear >> k & 1 for k in range(len(outs))]
