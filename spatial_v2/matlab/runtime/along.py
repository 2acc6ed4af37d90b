"""Sums, extremes and differences along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Text,
    empty,
    string,
)

__all__ = ["axis_of"]


def axis_of(a: np.ndarray, axis: Any = None) -> int:
    """Return the axis, from 0, along which MATLAB sums: the first that is not of length 1."""
    if axis is not None:
        return whole(axis) - 1
    return next((k for k, n in enumerate(a.shape) if n != 1), 0)


def _along(name: str, f: Callable[..., Any], zero: float) -> None:
    @matlab(name)
    def call(x: Any, axis: Any = None, *more: Any) -> Any:
        a = arithmetic.number(x.a)
        if isinstance(axis, Text):
            if string(axis) == "all":
                return f(a.ravel(), axis=0)
            axis = None
        if a.shape == (0, 0) and axis is None:
            return zero
        k = axis_of(a, axis)
        if k >= a.ndim:
            return Array(a if name not in ("std", "var") else np.zeros(a.shape))
        return Array(_kept(f(a, axis=k), k, a.ndim))


def _kept(a: Any, k: int, ndim: int) -> Any:
    a = np.asarray(a)
    if a.ndim < ndim:
        a = np.expand_dims(a, k)
    while a.ndim > 2 and a.shape[-1] == 1:
        a = a[..., 0]
    return a


def _deviation(power: float) -> Callable[..., Any]:
    def f(a: np.ndarray, axis: int) -> Any:
        return np.var(a, axis=axis, ddof=1 if a.shape[axis] > 1 else 0) ** power

    return f


ALONG: list[tuple[str, Callable[..., Any], float]] = [
    ("sum", np.sum, 0.0), ("prod", np.prod, 1.0), ("mean", np.mean, np.nan),
    ("median", np.median, np.nan), ("cumsum", np.cumsum, 0.0), ("cumprod", np.cumprod, 1.0),
    ("std", _deviation(0.5), np.nan), ("var", _deviation(1), np.nan),
    ("sumsq", lambda a, axis: np.sum(np.abs(a) ** 2, axis=axis), 0.0),
    ("nanmean", np.nanmean, np.nan), ("nansum", np.nansum, 0.0),
    ("mode", lambda a, axis: np.apply_along_axis(_most_often, axis, a), np.nan),
    ("rms", lambda a, axis: np.sqrt(np.mean(np.abs(a) ** 2, axis=axis)), np.nan),
]  # fmt: skip
for _name, _r, _z in ALONG:
    _along(_name, _r, _z)


def _most_often(a: np.ndarray) -> Any:
    found, times = np.unique(a, return_counts=True)
    return found[np.argmax(times)]


for _name, _q in {"any": np.any, "all": np.all}.items():

    @matlab(_name)
    def _truths(x: Any, axis: Any = None, q: Any = _q, name: str = _name) -> Any:
        a = (
            arithmetic.truth(x.a)
            if not np.isnan(x.a.astype(complex) if x.a.dtype != object else 0).any()
            else x.a != 0
        )
        if a.shape == (0, 0) and axis is None:
            return name == "all"
        if isinstance(axis, Text):
            return bool(q(a))
        k = axis_of(a, axis)
        if k >= a.ndim:
            return Array(a)
        return Array(_kept(q(a, axis=k), k, a.ndim).astype(bool))


def _extreme(name: str) -> None:
    sign = 1 if name == "max" else -1

    @matlab(name)
    def call(x: Any, y: Any = None, axis: Any = None, nargout: int = 1) -> Any:
        if y is not None and y.a.size:
            logical = x.a.dtype == y.a.dtype == bool
            a, b = (z.a if logical else arithmetic.number(z.a) for z in (x, y))
            f = np.fmax if sign > 0 else np.fmin
            return Array(f(a, b))
        logical, a = x.a.dtype == bool, arithmetic.number(x.a)
        if isinstance(axis, Text):
            a, axis = a.reshape(-1, 1, order="F"), None
        if a.size == 0:
            return empty(), empty()
        k = axis_of(a, axis)
        key = np.abs(a) if np.iscomplexobj(a) else a
        key = np.where(np.isnan(key), -np.inf, sign * key)
        at = np.argmax(key, axis=k)
        missing = np.all(np.isnan(a), axis=k)
        at = np.where(missing, 0, at)
        found = np.take_along_axis(a, np.expand_dims(at, k), k)
        found = found.astype(bool) if logical else found
        return Array(_kept(found, k, a.ndim)), Array(_kept(at + 1.0, k, a.ndim))


_extreme("max")
_extreme("min")


def _running(name: str, f: Any) -> None:
    @matlab(name)
    def call(x: Any) -> Any:
        return Array(f.accumulate(x.a, axis=axis_of(x.a)))


_running("cummax", np.fmax)
_running("cummin", np.fmin)


@matlab()
def diff(x: Any, n: Any = None, axis: Any = None) -> Any:
    if isinstance(x, Array) and x.a.dtype == object:
        from spatial_v2.matlab.runtime.symbols import derivative

        return derivative(x, n, axis)
    times = 1 if n is None or n.a.size == 0 else whole(n)
    a = arithmetic.number(x.a)
    for _ in range(times):
        a = np.diff(a, axis=axis_of(a, axis))
    return Array(a)
