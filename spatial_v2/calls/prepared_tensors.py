"""States and packed batches of functions whose kernels write the values of tensors."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.options import states_in
from spatial_v2.engine.lines import MANY
from spatial_v2.packed.compute import fill_dense
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["PreparedTensors", "fits", "packed"]


class PreparedTensors:
    """A kernel that writes values, ready for a model as it is.

    Parameters
    ----------
    single : Single
        The kernel; its results are the values, of new ones packed tensors.
    wide : Single or None
        The same for batches, with rows that fill lines of the cache, where these go in packs.
    patterns : sequence of TensorPattern
        Where the values stand.
    finish : callable
        Of a tuple of tensors what a caller gets.

    """

    __slots__ = (
        "_all", "_begin", "_every", "_how", "_size", "finish", "patterns", "single", "wide",
    )  # fmt: skip

    def __init__(
        self, single: Any, wide: Any, patterns: tuple[TensorPattern, ...], finish: Any
    ) -> None:
        self.single, self.wide, self.patterns, self.finish = single, wide, patterns, finish
        self._begin = np.cumsum([0, *(pattern.nnz for pattern in patterns)]).tolist()
        places, spans = zip(*(pattern.lines for pattern in patterns), strict=True)
        count = self._begin[-1]
        self._how = (
            np.stack([
                np.where(at == pattern.nnz, count, at + begin).astype(np.uint32)
                for at, pattern, begin in zip(places, patterns, self._begin, strict=False)
            ]),
            np.concatenate(spans),
            np.cumsum([len(x) for x in spans]),
        )  # fmt: skip
        self._size, self._every = len(patterns) * patterns[0].n ** 3, (1 << len(patterns)) - 1
        self._all: Any = importlib.import_module("spatial_v2.engine.dense").compose_all

    def load(self) -> None:
        """Compile what runs single states."""
        self.single.load()

    def packed(self, args: tuple[Any, ...]) -> Any:
        """Packed tensors, or None where the arguments have to go another way."""
        states = states_in(args)
        if not states:
            return self.single.new(args)
        values = self._rows(args, states)
        return None if values is None else packed(self.patterns, self.finish, values)

    def _rows(self, args: tuple[Any, ...], states: int) -> list[np.ndarray] | None:
        if self.wide is None:
            return None
        rows = [allocate((states, *shape)) for shape in self.wide.shapes]
        values = [row[:, : pattern.nnz] for row, pattern in zip(rows, self.patterns, strict=True)]
        return None if self.wide.batch(tuple(values), args) else values

    def fill_rows(self, args: tuple[Any, ...], rows: tuple[np.ndarray, ...]) -> bool:
        """Fill rows (B, >= nnz), and say so; not where they have to be filled another way."""
        if self.wide is None or not self.wide.batch(rows, args):
            return self.wide is not None
        made = self._rows(args, len(args[0]))
        for row, values in zip(rows, made or (), strict=bool(made)):
            row[:, : values.shape[1]] = values
        return made is not None

    def fill_packed(self, args: tuple[Any, ...], outs: tuple[Any, ...]) -> bool:
        """Fill packed tensors; True where they have to be filled another way."""
        run = self.wide.batch if self.wide and states_in(args) else self.single.run
        if len(outs) != len(self.patterns):
            return True
        for out, pattern in zip(outs, self.patterns, strict=True):
            if type(out) is not PackedTensor or out.pattern != pattern:
                return True
            if any(np.may_share_memory(out.values, x) for x in args):
                return True
        return bool(run(tuple([out.values for out in outs]), args))

    def new(self, args: tuple[Any, ...]) -> Any:
        """Dense tensors, or None where the arguments have to go another way."""
        outs = tuple(allocate((len(self.patterns), *self.patterns[0].shape)))
        return self.finish(outs) if self._fill(args, self._every, outs) else None

    def _fill(self, args: tuple[Any, ...], clear: int, outs: tuple[np.ndarray, ...]) -> bool:
        """Fill dense tensors, of which some are to be cleared; whether that is done."""
        begin = self._begin
        values = allocate((begin[-1] + 1,), result=False)
        values[-1] = 0.0
        if self.single.run(tuple([values[a:b] for a, b in itertools.pairwise(begin)]), args):
            return False
        self._all(values, *self._how, clear, self._size >= MANY, outs)
        return True

    def many(self, args: tuple[Any, ...]) -> Any:
        """Dense tensors for a batch, or None where the arguments have to go another way."""
        states = states_in(args)
        if not states or self.wide is None:
            return None
        outs = tuple([allocate((states, *pattern.shape)) for pattern in self.patterns])
        zero = [False] * len(outs)
        return self.finish(outs) if self._fill_many(args, zero, outs) else None

    def _fill_many(
        self, args: tuple[Any, ...], zero: Sequence[bool], outs: Sequence[np.ndarray]
    ) -> bool:
        if not all(type(x) is np.ndarray and len(x) == len(args[0]) for x in args):
            return False
        refused: list[int] = []

        def fill(part: list[np.ndarray], rows: list[np.ndarray], packs: bool) -> None:
            refused.append(self.wide.batch(tuple(rows), tuple(part)))

        fill_dense(fill, self.patterns, zero, args, outs, True)
        return not any(refused)

    def fill(self, args: tuple[Any, ...], outs: tuple[Any, ...]) -> bool:
        """Fill dense tensors; True where they have to be filled another way."""
        states = states_in(args)
        lead = (states,) if states else ()
        clear, targets = 0, []
        for k, (out, pattern) in enumerate(zip(outs, self.patterns, strict=False)):
            shape = (*lead, *pattern.shape)
            inner = retarget(out, pattern) if getattr(out, "shape", None) == shape else None
            if inner is None and not fits(out, shape):
                return True
            clear |= (inner is None) << k
            targets.append(out if inner is None else inner)
        if len(outs) != len(self.patterns):
            return True
        if not states:
            return not self._fill(args, clear, tuple(targets))
        if self.wide is None or any(np.may_share_memory(x, y) for x in targets for y in args):
            return True
        zero = [not clear >> k & 1 for k in range(len(targets))]
        return not self._fill_many(args, zero, targets)


def packed(
    patterns: Sequence[TensorPattern], returned: Callable[..., Any], values: Sequence[np.ndarray]
) -> Any:
    """What a caller gets of the values of tensors."""
    return returned(tuple(map(PackedTensor.of, patterns, values)))


def fits(x: Any, shape: tuple[int, ...]) -> bool:
    """Whether a result can be written into x as it is."""
    plain = type(x) is np.ndarray and x.dtype == np.float64 and x.shape == shape
    return plain and x.flags.c_contiguous and x.flags.writeable and x.flags.aligned
