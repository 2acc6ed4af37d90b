"""Preallocated results: ``out=`` of accelerated functions, checked, written or copied into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.arguments import FLOAT
from spatial_v2.engine.python_call import rows_of
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

_WORK = 10**6
"""Limit `max_work` of `numpy.shares_memory`."""


class Call(NamedTuple):
    """The options `out`, `packed` and `workers` of a call."""

    out: Any = None
    packed: bool = False
    workers: int = 1
    targets: list[Target] | None = None
    """Arrays of `out` that the kernel may write directly; None if results must be copied."""


class Target(NamedTuple):
    """One array, or packed tensor, of `out`."""

    out: Any
    array: np.ndarray
    """Array to write: the given array, the values of a packed tensor, or the array of `zeros` that
    the given array is a view of.
    """
    zero: bool
    """True if the array is already zero outside the sparsity pattern of the result."""

    def direct(self, arrays: Sequence[np.ndarray]) -> bool:
        """Test if a kernel can write the array while it reads `arrays`."""
        x = self.array
        if any(np.may_share_memory(x, y) for y in arrays):
            return False
        return (
            rows_of(x) is not None if isinstance(self.out, PackedTensor) else x.flags.c_contiguous
        )

    def check_dtype(self, dtype: Any) -> None:
        """Raise an error if the array has another dtype."""
        if self.array.dtype != dtype:
            raise SpatialError(f"out: want dtype {dtype}, got {self.array.dtype}")


def targets_of(
    name: str,
    out: Any,
    shapes: Sequence[tuple[int, ...]],
    patterns: Sequence[TensorPattern] | None,
    packed: bool,
) -> list[Target]:
    """Check `out` and return a `Target` for each of the results, which have the given shapes.

    If there are `patterns`, the results are packed tensors (`packed`) or dense ones. No part of
    `out` may share memory with another part.
    """
    if len(shapes) == 1 and not isinstance(out, tuple):
        out = (out,)
    if not isinstance(out, tuple) or len(out) != len(shapes):
        got = f"{len(out)} in a tuple" if isinstance(out, tuple) else type(out).__name__
        raise SpatialError(
            f"out: {name} has {len(shapes)} results: want a tuple of as many, got {got}"
        )
    _check_memory([getattr(x, "values", x) for x in out])
    if patterns is None:
        return [_array(x, shape) for x, shape in zip(out, shapes, strict=True)]
    make: Callable[..., Target] = _packed if packed else _dense
    return [make(x, s, p) for x, s, p in zip(out, shapes, patterns, strict=True)]


def _check_memory(parts: Sequence[Any]) -> None:
    """Raise an error if results overlap one another, or themselves."""
    arrays = {f"result {k}": x for k, x in enumerate(parts) if isinstance(x, np.ndarray)}
    others: dict[str, np.ndarray] = {}
    for name, x in arrays.items():
        if overlaps_itself(x):
            raise SpatialError(
                f"out: several entries of {name} have the same address (strides {x.strides}); "
                f"give an array with separate memory for each of its {x.size} entries"
            )
        for other, y in others.items():
            if shares_memory(x, y):
                raise SpatialError(
                    f"out: {name} and {other} share memory: give each an array of its own"
                )
        others[name] = x


def shares_memory(x: np.ndarray, y: np.ndarray) -> bool:
    """Test if arrays share an entry; if that is hard to decide, if their address ranges overlap."""
    if not np.may_share_memory(x, y):
        return False
    try:
        return bool(np.shares_memory(x, y, max_work=_WORK))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def overlaps_itself(x: np.ndarray) -> bool:
    """Test if two entries of an array are at the same address."""
    if x.flags.c_contiguous or not x.size:
        return False
    reach = x.itemsize
    for stride, n in sorted((abs(s), n) for s, n in zip(x.strides, x.shape, strict=True) if n > 1):
        if stride < reach:
            return True
        reach += stride * (n - 1)
    return False


def _array(x: Any, shape: Sequence[int]) -> Target:
    if not isinstance(x, np.ndarray):
        raise SpatialError(f"out: want a NumPy array, got {type(x).__name__}")
    if x.shape != tuple(shape):
        raise ArrayShapeError(f"out: want shape {tuple(shape)}, got {x.shape}")
    if not x.flags.writeable:
        raise SpatialError(
            "out: the array is read-only; want one that can be written, as out.copy()"
        )
    return Target(x, x, False)


def _dense(x: Any, shape: Sequence[int], pattern: TensorPattern) -> Target:
    inner = retarget(x, pattern) if isinstance(x, np.ndarray) and x.shape == tuple(shape) else None
    return _array(x, shape) if inner is None else Target(x, inner, True)


def _packed(x: Any, shape: Sequence[int], pattern: TensorPattern) -> Target:
    if not isinstance(x, PackedTensor):
        raise SpatialError(f"out: want a PackedTensor, got {type(x).__name__}")
    if x.pattern != pattern:
        raise ArrayShapeError(
            f"out: want the pattern of this model, {pattern!r}, got {x.pattern!r}"
        )
    return Target(x, _array(x.values, (*shape[:-3], pattern.nnz)).array, True)


def in_place(targets: Sequence[Target], arrays: Sequence[np.ndarray]) -> bool:
    """Test if a kernel can write all targets, which must be float64, while it reads `arrays`."""
    for target in targets:
        target.check_dtype(FLOAT)
    return bool(targets) and all(target.direct(arrays) for target in targets)


def copy_into(targets: Sequence[Target], parts: Sequence[Any]) -> None:
    """Copy results into their targets; raise an error if dtypes differ."""
    for target, part in zip(targets, parts, strict=True):
        target.check_dtype(getattr(part, "values", part).dtype)
    for target, part in zip(targets, parts, strict=True):
        np.copyto(target.array, getattr(part, "values", part))
