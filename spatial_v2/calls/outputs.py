"""Where results go: ``out=`` of accelerated functions, checked, and written or copied into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.packed.compute import rows_of
from spatial_v2.packed.pattern import TensorPattern, retarget
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["Call", "Target", "copy_into", "targets_of"]


class Call(NamedTuple):
    """How a function was called, beside its arguments."""

    out: Any = None
    packed: bool = False
    workers: int = 1
    targets: list[Target] | None = None
    """Where kernels may write, if they may write there directly."""


class Target(NamedTuple):
    """A part of `out`."""

    given: Any
    array: np.ndarray
    """What is written: the array given, the values of a packed tensor, or what is behind zeros."""
    zero: bool
    """Whether the array is zero outside the pattern of the result."""

    def direct(self, arrays: Sequence[np.ndarray]) -> bool:
        """Whether a kernel can write it while it reads the arrays."""
        x = self.array
        if any(np.may_share_memory(x, y) for y in arrays):
            return False
        return (
            rows_of(x) is not None if isinstance(self.given, PackedTensor) else x.flags.c_contiguous
        )

    def check_dtype(self, dtype: Any) -> None:
        """Refuse numbers of a type that do not fit as they are."""
        if self.array.dtype != dtype:
            raise SpatialError(f"out: want dtype {dtype}, got {self.array.dtype}")


def targets_of(
    name: str,
    out: Any,
    shapes: Sequence[tuple[int, ...]],
    patterns: Sequence[TensorPattern] | None,
    packed: bool,
) -> list[Target]:
    """The checked parts of `out` for results of these shapes; packed tensors, or dense ones."""
    if len(shapes) == 1 and not isinstance(out, tuple):
        out = (out,)
    if not isinstance(out, tuple) or len(out) != len(shapes):
        got = f"{len(out)} in a tuple" if isinstance(out, tuple) else type(out).__name__
        raise SpatialError(
            f"out: {name} has {len(shapes)} results: want a tuple of as many, got {got}"
        )
    if patterns is None:
        return [_array(x, shape) for x, shape in zip(out, shapes, strict=True)]
    make: Callable[..., Target] = _packed if packed else _dense
    return [make(x, s, p) for x, s, p in zip(out, shapes, patterns, strict=True)]


def _array(x: Any, shape: Sequence[int]) -> Target:
    if not isinstance(x, np.ndarray):
        raise SpatialError(f"out: want an array of NumPy, got {type(x).__name__}")
    if x.shape != tuple(shape):
        raise ArrayShapeError(f"out: want shape {tuple(shape)}, got {x.shape}")
    if not x.flags.writeable:
        raise SpatialError("out: the array is read-only")
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


def copy_into(targets: Sequence[Target], parts: Sequence[Any]) -> None:
    """Copy results into their targets, of the same dtype."""
    for target, part in zip(targets, parts, strict=True):
        target.check_dtype(getattr(part, "values", part).dtype)
    for target, part in zip(targets, parts, strict=True):
        np.copyto(target.array, getattr(part, "values", part))
