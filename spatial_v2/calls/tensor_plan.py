"""Prepared calls of functions whose kernels write the values of packed tensors."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.arguments import convert
from spatial_v2.calls.options import get_workers
from spatial_v2.calls.plan import Prepared, Takes
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.engine.python_call import fits, may_overlap
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.status import Status
from spatial_v2.packed.compute import fill_dense
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["PreparedTensors", "packed_results"]


class PreparedTensors(Prepared):
    """A function of tensors, dense or packed, prepared for repeated calls with the present model.

    Parameters
    ----------
    runner : Runner
        The prepared kernel, which fills values or returns new packed tensors.
    takes, finish, batched
        See `Prepared`.
    patterns : sequence of TensorPattern
        Sparsity patterns of the tensors.
    at_once : bool
        True if compiled code composes all dense tensors of a state at once; a library of the wheel
        has code for one tensor at a time.
    """

    def __init__(
        self,
        runner: Runner,
        takes: Takes,
        finish: Any,
        batched: bool,
        patterns: tuple[TensorPattern, ...],
        at_once: bool,
    ) -> None:
        super().__init__(runner, takes, finish, batched)
        self.patterns, self._compose = patterns, None
        if at_once:
            from spatial_v2.engine.tensors.dense import compose_all

            self._compose = compose_all
        self._begin = np.cumsum([0, *(pattern.nnz for pattern in patterns)]).tolist()
        self._slices = list(itertools.starmap(slice, itertools.pairwise(self._begin)))
        self._size, self._every = len(patterns) * patterns[0].n ** 3, (1 << len(patterns)) - 1

    def load(self) -> None:
        self.runner.load()

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new dense tensors for one state; None if the arguments do not fit."""
        outs = tuple(allocate((len(self.patterns), *self.patterns[0].shape)))
        return None if self._fill_state(args, self._every, outs) else self.finish(outs)

    @functools.cached_property
    def _how(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the tables `TensorPattern.lines` of all tensors, joined to one."""
        parts, count = [pattern.lines for pattern in self.patterns], self._begin[-1]
        first = np.cumsum([0, *(len(places) for places, _ in parts)])
        places = [
            np.where(place == pattern.nnz, count, place + begin).astype(np.uint32)
            for (place, _), pattern, begin in zip(parts, self.patterns, self._begin, strict=False)
        ]
        spans = [np.add(spans, [0, 0, k]) for (_, spans), k in zip(parts, first, strict=False)]
        ends = np.cumsum([len(x) for x in spans])
        return np.concatenate(places), np.concatenate(spans), ends

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if len(options) == 1 and options.get("packed") is True:
            packed = self.runner.one(args)
            if packed is not None:
                return packed
        return super().called(args, options)

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        return self._converted(args, packed)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        """Write results into preallocated arrays, or into the values of packed tensors."""
        status = self._fill(outs, args, (), packed)
        if status is not Status.REFUSED:
            return status
        converted = convert(self._lengths, self._force, args)
        if converted is None or (converted[1] and get_workers() != 1):
            return Status.REFUSED
        return self._fill(outs, *converted, packed)

    def _new(self, args: tuple[Any, ...], lead: tuple[int, ...], packed: bool) -> Any:
        if not lead:
            return self.runner.one(args) if packed else self.new(args)
        if not self._batched:
            return None
        if packed:
            return self._packed_batch(args, lead)
        outs = tuple([allocate((*lead, *pattern.shape)) for pattern in self.patterns])
        status = self._fill_dense(args, [False] * len(outs), self._flat(outs, lead))
        return None if status else self.finish(outs)

    def _flat(self, outs: tuple[Any, ...], lead: tuple[int, ...]) -> tuple[Any, ...]:
        states, shape = math.prod(lead), self.patterns[0].shape
        return tuple([x.reshape(states, *shape) for x in outs])

    def _packed_batch(self, args: tuple[Any, ...], lead: tuple[int, ...]) -> Any:
        states, counts = math.prod(lead), [pattern.nnz for pattern in self.patterns]
        rows = [allocate((states, width)) for width in self.runner.takes.rows]
        if self.batch([x[:, :n] for x, n in zip(rows, counts, strict=True)], args):
            return None
        values = [x.reshape(*lead, x.shape[-1])[..., :n] for x, n in zip(rows, counts, strict=True)]
        return packed_results(self.patterns, self.finish, values)

    def _fill_state(
        self, args: tuple[Any, ...], clear: int, outs: tuple[np.ndarray, ...]
    ) -> Status:
        """Compute dense tensors in `outs`; if bit k of `clear` is set, tensor k is zeroed first."""
        if not self._compose:
            return self._fill_each(args, clear, outs)
        values = allocate((self._begin[-1] + 1,), result=False)
        values[-1] = 0.0
        status = self.runner.fill(tuple([values[part] for part in self._slices]), args)
        if status:
            return Status(status)
        apart = self._compose(values, *self._how, clear, self._size >= MANY, outs)
        return Status.DONE if apart else Status.OVERLAP

    def _fill_each(self, args: tuple[Any, ...], clear: int, outs: tuple[np.ndarray, ...]) -> Status:
        """Do the same tensor by tensor."""
        zero = [not clear >> k & 1 for k in range(len(outs))]

        def fill(part: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> Status:
            pairs = zip(rows, self.patterns, strict=True)
            return Status(self.runner.fill(tuple([x[0, : p.nnz] for x, p in pairs]), args))

        one, states = [args[0][None]], [x[None] for x in outs]
        return max(fill_dense(fill, self.patterns, zero, one, states, False))

    def _fill_dense(
        self, args: tuple[Any, ...], zero: Sequence[bool], outs: Sequence[np.ndarray]
    ) -> Status:
        """Compute dense tensors of a batch; if zero[k], outs[k] is already zero outside its
        pattern.
        """

        def fill(part: list[np.ndarray], rows: list[np.ndarray], batched: bool) -> Status:
            return self.batch(rows, part)

        return max(fill_dense(fill, self.patterns, zero, args, outs, True))

    def _fill(
        self, outs: tuple[Any, ...], args: tuple[Any, ...], lead: tuple[int, ...], packed: bool
    ) -> Status:
        if len(outs) != len(self.patterns) or (lead and not self._batched):
            return Status.REFUSED
        if packed:
            return self._fill_packed(outs, args, lead)
        if len(set(map(id, outs))) < len(outs):
            return Status.OVERLAP
        clear, targets = 0, []
        for k, (out, pattern) in enumerate(zip(outs, self.patterns, strict=True)):
            shape = (*lead, *pattern.shape)
            inner = retarget(out, pattern) if getattr(out, "shape", None) == shape else None
            if inner is None and not fits(out, shape):
                return Status.REFUSED
            clear |= (inner is None) << k
            targets.append(out if inner is None else inner)
        if not lead:
            return self._fill_state(args, clear, tuple(targets))
        if may_overlap(targets, args):
            return Status.OVERLAP
        zero = [not clear >> k & 1 for k in range(len(targets))]
        return self._fill_dense(args, zero, self._flat(tuple(targets), lead))

    def _fill_packed(
        self, outs: tuple[Any, ...], args: tuple[Any, ...], lead: tuple[int, ...]
    ) -> Status:
        for out, pattern in zip(outs, self.patterns, strict=True):
            if type(out) is not PackedTensor or out.pattern != pattern or len(lead) > 1:
                return Status.REFUSED
        values = tuple([out.values for out in outs])
        return self.batch(values, args) if lead else Status(self.runner.fill(values, args))


def packed_results(
    patterns: Sequence[TensorPattern], finish: Callable[..., Any], values: Sequence[np.ndarray]
) -> Any:
    """Create packed tensors from their values, and return them as the function does."""
    return finish(tuple(map(PackedTensor.of, patterns, values)))
