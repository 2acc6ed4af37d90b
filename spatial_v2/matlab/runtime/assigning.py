"""Assignment to entries and fields: ``x = put(x, v, steps...)``.

A step is ``(i, j)`` for parentheses, ``[i, j]`` for braces, and text for a field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.subscripts import everywhere, placed, removed, taken
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    CommaList,
    Handle,
    MatlabError,
    Struct,
    Text,
    class_of,
    copy,
    empty,
    objects,
    own,
    value,
)

__all__ = ["delete", "put", "put_each"]


def put(base: Any, new: Any, *steps: Any) -> Any:
    """Return `base` with a part replaced, as after ``base(i).field{j} = new``.

    Other variables that hold the same value keep it. The array, cell or struct is made if `base` is
    None or empty, and grows where needed.

    Examples
    --------
    >>> import spatial_v2.matlab.runtime as ml
    >>> x = ml.row(1, 2)
    >>> ml.put(x, 7, (3,))
    [[1. 2. 7.]]
    """
    return _put(None if base is None else value(base), copy(value(new)), steps)


def put_each(base: Any, call: Callable[[int], Any], *steps: Any) -> Any:
    """Return `base` with several parts replaced, as after ``[base{:}] = call``.

    The last step stands for several entries of a cell, or a field of each struct of an array;
    `call` is given their number, and returns as many results.
    """
    inner: Any = None if base is None else value(base)
    last = steps[-1]
    for step in steps[:-1]:
        if inner is None:
            break
        if isinstance(step, str):
            inner = inner.a.item().get(step)
        else:
            inner = inner[tuple(step)] if isinstance(step, list) else inner(*step)
    shape = (0, 0) if inner is None else inner.a.shape
    if isinstance(last, list):
        parts: list[list[Any]] = [[list(place)] for place in everywhere(shape, tuple(last))]
    elif inner is None or inner.a.size <= 1:
        parts = [[last]]
    else:
        parts = [[(k + 1,), last] for k in range(inner.a.size)]
    found = call(len(parts))
    results = list(found) if isinstance(found, (tuple, CommaList)) else [found]
    if len(results) < len(parts):
        raise MatlabError(f"on the left: {len(parts)} places, {len(results)} values")
    for part, new in zip(parts, results, strict=False):
        base = put(base, new, *steps[:-1], *part)
    return base


def _put(base: Any, new: Any, steps: tuple[Any, ...]) -> Any:
    if not steps:
        return new
    step, *rest = steps
    if hasattr(base, "_put"):
        return base._put(new, steps)
    if isinstance(step, list):
        return _braces(base, new, tuple(step), tuple(rest))
    if isinstance(step, tuple):
        return _parentheses(base, new, step, tuple(rest))
    return _field(base, new, str(step), tuple(rest))


def _nothing(x: Any) -> bool:
    return x is None or (isinstance(x, Array) and x.a.size == 0)


def _own(x: Any) -> Any:
    """Return a value that no other variable holds, so that it may be changed."""
    if not x.twice:
        return x
    return x.__class__(own(x.a.copy()))


def _field(base: Any, new: Any, name: str, rest: tuple[Any, ...]) -> Any:
    s = Struct() if _nothing(base) else base
    if not isinstance(s, Struct):
        raise MatlabError(f"`.{name} = `: want a struct, got {class_of(s)}")
    s = _own(s)
    if s.a.size != 1:
        raise MatlabError(f"`.{name} = `: want one struct, got an array of {s.a.size}")
    d = s.a.item()
    d[name] = _put(d.get(name), new, rest) if rest else new
    s.model = None
    return s


def _braces(base: Any, new: Any, at: tuple[Any, ...], rest: tuple[Any, ...]) -> Any:
    if _nothing(base):
        base = Cell(np.empty((0, 0) if base is None else base.a.shape, dtype=object))
    if not isinstance(base, Cell):
        raise MatlabError(f"braces on the left: want a cell, got {class_of(base)}")
    c = _own(base)
    if rest:
        try:
            old = taken(c.a, at)
        except IndexError:
            old = np.empty((0, 0), dtype=object)
        new = _put(old.item() if old.size == 1 else None, new, rest)
    c.a = placed(c.a, at, objects([new]), empty)
    return c


def _parentheses(base: Any, new: Any, at: tuple[Any, ...], rest: tuple[Any, ...]) -> Any:
    if rest:
        return _entry(base, new, at, rest)
    if _nothing(base):
        base = _first(base, new)
    x = _own(base)
    if isinstance(x, Cell):
        given = own(new.a) if isinstance(new, Cell) else objects([new])
        x.a = placed(x.a, at, given, empty)
        return x
    if isinstance(x, Struct):
        if not isinstance(new, Struct):
            raise MatlabError(f"entries of an array of structs: want a struct, got {class_of(new)}")
        names = [*dict.fromkeys([*x.names, *new.names])]
        _complete(x.a, names)
        x.a = placed(x.a, at, own(new.a.copy()), dict)
        _complete(x.a, names)
        x.model = None
        return x
    if isinstance(x, Handle) or not isinstance(new, Array):
        if isinstance(new, Cell):
            raise MatlabError("entries of an array: want numbers, got a cell")
        raise MatlabError(f"entries of a {class_of(x)} cannot be a {class_of(new)}")
    kind = np.result_type(x.a, new.a) if object not in (x.a.dtype, new.a.dtype) else object
    if x.a.dtype.kind == "b" and not isinstance(new, Text):
        given = arithmetic.truth(new.a)
    elif x.a.dtype.kind in "iu":
        given = arithmetic.limited(new.a.astype(float), x.a.dtype)
    else:
        given = new.a
        if kind != x.a.dtype:
            x.a = x.a.astype(kind)
    fill = float if x.a.dtype != object else _zero
    x.a = placed(x.a, at, given, fill)
    return x


def _zero() -> Any:
    import sympy

    return sympy.Integer(0)


def _first(base: Any, new: Any) -> Any:
    """Return an empty value of the class of the first entries that are assigned."""
    shape = (0, 0) if base is None else base.a.shape
    if isinstance(new, Cell):
        return Cell(np.empty(shape, dtype=object))
    if isinstance(new, Struct):
        return Struct(np.empty(shape, dtype=object))
    if isinstance(new, Handle):
        raise MatlabError("function handles cannot be entries of an array; use a cell")
    if base is None or (isinstance(new, Text) and shape == (0, 0)):
        return new.__class__(np.zeros(shape, new.a.dtype))
    if new.a.dtype == object or new.a.dtype.kind in "iu":
        return Array(np.zeros(shape, new.a.dtype))
    return base


def _complete(a: np.ndarray, names: list[str]) -> None:
    """Give all structs of an array the same fields, in the same order."""
    for k in np.ndindex(a.shape):
        a[k] = {n: a[k][n] if n in a[k] else empty() for n in names}


def _entry(base: Any, new: Any, at: tuple[Any, ...], rest: tuple[Any, ...]) -> Any:
    """Assign to a part of one entry of an array of structs, or of a cell."""
    if isinstance(base, Cell):
        c = _own(base)
        if isinstance(rest[0], list) and len(rest[0]) == 1:
            return _braces(c, new, at, rest[1:])
        raise MatlabError("on the left: want braces to reach into an entry of a cell")
    if not _nothing(base) and not isinstance(base, Struct):
        raise MatlabError(f"on the left: want an array of structs, got {class_of(base)}")
    s = Struct(np.empty((0, 0), dtype=object)) if _nothing(base) else _own(base)
    try:
        old = taken(s.a, at)
    except IndexError:
        old = np.empty((0, 0), dtype=object)
    part = Struct(objects([dict(old.item()) if old.size == 1 else {n: empty() for n in s.names}]))
    part = _put(part, new, rest)
    return _parentheses(s, part, at, ())


def delete(base: Any, *steps: Any) -> Any:
    """Return `base` without entries, as after ``base(i) = []``."""
    *before, at = steps
    base = value(base)
    if not before:
        if hasattr(base, "_delete"):
            return base._delete(at)
        return base.__class__(own(removed(base.a, at)))
    inner = base
    for step in before:
        if isinstance(step, str):
            inner = inner.a.item()[step]
        else:
            inner = inner[tuple(step)] if isinstance(step, list) else inner(*step)
    return put(base, delete(inner, at), *before)
