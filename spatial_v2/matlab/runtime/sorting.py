"""Sorting, sets of numbers, and where numbers are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.along import axis_of
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Text,
    copy,
    empty,
    objects,
    string,
)

__all__: list[str] = []


@matlab()
def sort(x: Any, *more: Any, nargout: int = 1) -> Any:
    down = any(isinstance(m, Text) and string(m).lower() == "descend" for m in more)
    axis = next((m for m in more if not isinstance(m, Text)), None)
    if isinstance(x, Cell):
        names = [string(y) for y in x.a.ravel(order="F")]
        places = sorted(range(len(names)), key=lambda k: names[k], reverse=down)
        return Cell(objects((x.a.ravel(order="F")[k] for k in places), x.a.shape)), Array(
            (np.array(places, float) + 1).reshape(x.a.shape)
        )
    a = x.a
    if a.size == 0:
        return copy(x), Array(np.zeros(a.shape))
    k = axis_of(a, axis)
    key = arithmetic.number(a)
    if np.iscomplexobj(a):
        key = np.abs(a) + 0.0
    order = np.argsort(-key if down else key, axis=k, kind="stable")
    if down and np.isnan(key).any():
        order = np.argsort(np.where(np.isnan(key), -np.inf, -key), axis=k, kind="stable")
    return x.__class__(np.take_along_axis(a, order, k)), Array(order + 1.0)


@matlab()
def sortrows(x: Any, columns: Any = None, nargout: int = 1) -> Any:
    a = x.a
    by = [int(c) for c in columns.a.ravel()] if columns is not None else range(1, a.shape[1] + 1)
    order = np.arange(len(a))
    for c in reversed(list(by)):
        key = arithmetic.number(a[order, abs(c) - 1])
        order = order[np.argsort(key if c > 0 else -key, kind="stable")]
    return x.__class__(a[order]), order + 1.0


@matlab()
def issorted(x: Any) -> Any:
    a = x.a.ravel()
    return bool(np.all(a[1:] >= a[:-1]))


@matlab()
def unique(x: Any, *more: Any, nargout: int = 1) -> Any:
    words = [string(m) for m in more]
    if isinstance(x, Cell):
        flat = np.array([string(y) for y in x.a.ravel(order="F")], dtype=object)
    else:
        flat = x.a if "rows" in words else x.a.ravel(order="F")
    a, first, inverse = np.unique(flat, axis=0 if flat.ndim > 1 else None, return_index=True,
                                  return_inverse=True)  # fmt: skip
    if "stable" in words:
        order = np.argsort(first)
        a, first, inverse = a[order], first[order], np.argsort(order)[np.ravel(inverse)]
    if "last" in words:
        first = np.array([np.flatnonzero(np.ravel(inverse) == k)[-1] for k in range(len(a))], int)
    if flat.ndim == 1:
        shape = (1, len(a)) if x.a.shape[0] == 1 and x.a.shape[1] > 1 else (len(a), 1)
        a = objects(map(Text, a), shape) if isinstance(x, Cell) else a.reshape(shape)
    return x.__class__(a), first[:, None] + 1.0, np.ravel(inverse)[:, None] + 1.0


def _sets(name: str, f: Callable[[Any, Any], Any]) -> None:
    @matlab(name)
    def call(x: Any, y: Any, *more: Any, nargout: int = 1) -> Any:
        if isinstance(x, Cell) or isinstance(y, Cell):
            a, b = (
                [string(z) for z in c.a.ravel(order="F")] if isinstance(c, Cell) else [string(c)]
                for c in (x, y)
            )
            both = {
                "union": set(a) | set(b),
                "intersect": set(a) & set(b),
                "setdiff": set(a) - set(b),
            }[name]
            names = sorted(both)
            if more and string(more[0]) == "stable":
                names = [n for n in dict.fromkeys([*a, *b]) if n in both]
            return Cell(objects(map(Text, names))), None, None
        a, b = x.a.ravel(order="F"), y.a.ravel(order="F")
        found = f(a, b)
        if more and string(more[0]) == "stable":
            every = np.concatenate([a, b])
            found = np.array([z for z in dict.fromkeys(every.tolist()) if z in found])
        column = (
            x.a.shape[1] == 1 and x.a.size > 1 and (y.a.shape[1] == 1 or name == "setdiff")
        ) or (x.a.shape[0] > 1 and x.a.shape[1] > 1)
        shape = (-1, 1) if column else (1, -1)
        at = np.array([np.flatnonzero(a == z)[0] + 1.0 for z in found if (a == z).any()])
        also = np.array([np.flatnonzero(b == z)[0] + 1.0 for z in found if (b == z).any()])
        return Array(np.asarray(found).reshape(shape)), at[:, None], also[:, None]


_sets("union", np.union1d)
_sets("intersect", np.intersect1d)
_sets("setdiff", np.setdiff1d)


@matlab()
def find(x: Any, n: Any = None, where: Any = None, nargout: int = 1) -> Any:
    a = x.a != 0
    k = np.flatnonzero(a.ravel(order="F"))
    if n is not None:
        k = k[-whole(n) :] if where is not None and string(where) == "last" else k[: whole(n)]
    row = a.ndim == 2 and a.shape[0] == 1 and a.shape[1] != 1
    shape = (1, -1) if row else (-1, 1)
    if a.size == 0 and a.shape == (0, 0):
        return (empty(),) * 3
    if nargout <= 1:
        return (k + 1.0).reshape(shape)
    rows, columns = np.unravel_index(k, (a.shape[0], a.size // max(a.shape[0], 1)), order="F")
    return tuple(
        Array(v.reshape(shape)) for v in (rows + 1.0, columns + 1.0, x.a.ravel(order="F")[k])
    )


@matlab()
def histc(x: Any, edges: Any) -> Any:
    e = edges.a.ravel()
    at = np.searchsorted(e, x.a.ravel(), side="right")
    found = np.bincount(at, minlength=e.size + 1)[1 : e.size + 1].astype(float)
    inner = np.sum(x.a.ravel() == e[-1])
    found[-1] = inner
    return Array(found.reshape((x.a.shape[0] == 1 and (1, -1)) or (-1, 1)))
