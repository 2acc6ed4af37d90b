"""Single states of functions whose kernels write the values of tensors."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from spatial_v2.packed.memory import allocate
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["PreparedTensors", "fits"]


class PreparedTensors:
    """A kernel that writes values, ready for single states of a model as it is.

    Parameters
    ----------
    single : Single
        The kernel; its results are arrays for the values.
    patterns : sequence of TensorPattern
        Where the values stand.
    returned : callable
        Of a list of tensors what a caller gets.

    Attributes
    ----------
    shape : None
        Results are not returned as the kernel fills them.
    """

    __slots__ = ("_ascending", "_put", "patterns", "returned", "single")
    shape = None

    def __init__(self, single: Any, patterns: tuple[TensorPattern, ...], returned: Any) -> None:
        self.single, self.patterns, self.returned = single, patterns, returned
        self._ascending = [pattern.ascending for pattern in patterns]
        self._put: Any = importlib.import_module("spatial_v2.engine.dense")

    def _values(self, args: tuple[Any, ...]) -> list[np.ndarray] | None:
        values = [np.empty(pattern.nnz) for pattern in self.patterns]
        return None if self.single.run(args, tuple(values)) else values

    def packed(self, args: tuple[Any, ...]) -> Any:
        """Packed tensors, or None where the arguments have to go another way."""
        values = self._values(args)
        if values is None:
            return None
        return self.returned(list(map(PackedTensor, self.patterns, values)))

    def several(self, args: tuple[Any, ...]) -> Any:
        """Dense tensors, or None where the arguments have to go another way."""
        values = self._values(args)
        if values is None:
            return None
        large = self.patterns[0].n ** 3 >= self._put.MANY
        outs = [(allocate if large else np.zeros)(pattern.shape) for pattern in self.patterns]
        write = self._put.compose if large else self._put.scatter
        for x, (order, places), out in zip(values, self._ascending, outs, strict=True):
            write(x[None], order, places, out.reshape(1, -1))
        return self.returned(outs)

    def many(self, args: tuple[Any, ...]) -> None:
        """None: batches go another way."""

    def fill(self, args: tuple[Any, ...], outs: tuple[Any, ...]) -> bool:
        """Fill dense tensors; True, and nothing done, where they have to be filled another way."""
        targets = []
        for out, pattern in zip(outs, self.patterns, strict=False):
            inner = retarget(out, pattern)
            if inner is None and not fits(out, pattern.shape):
                return True
            targets.append((inner is None, out if inner is None else inner))
        values = self._values(args) if len(outs) == len(self.patterns) else None
        if values is None:
            return True
        for x, (order, places), (clear, out) in zip(values, self._ascending, targets, strict=True):
            large = clear and out.size >= self._put.MANY
            if clear and not large:
                out.fill(0.0)
            write = self._put.compose if large else self._put.scatter
            write(x[None], order, places, out.reshape(1, -1))
        return False


def fits(x: Any, shape: tuple[int, ...]) -> bool:
    """Whether a result can be written into x as it is."""
    plain = type(x) is np.ndarray and x.dtype == np.float64 and x.shape == shape
    return plain and x.flags.c_contiguous and x.flags.writeable and x.flags.aligned
