"""Functions that make, join and reshape arrays and cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab, numeric
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    copy,
    empty,
    items,
    objects,
    own,
    string,
)

__all__ = ["cell_of", "colon", "column", "count", "join", "matrix", "row", "whole"]


def whole(x: Any) -> int:
    """Return a value as an integer."""
    return int(float(x)) if not isinstance(x, int) else x


def count(first: Any, last: Any, step: Any = 1) -> Any:
    """Return the numbers of ``first:step:last`` for a loop: integers if all are whole."""
    a = colon(first, last, step).a.ravel()
    if a.size and np.all(a == np.trunc(a)) and np.abs(a).max() < 2**53:
        return [int(x) for x in a]
    return a.tolist()


def colon(first: Any, last: Any, step: Any = 1) -> Array:
    """Return the row ``first:step:last``."""
    ends = []
    for x in (first, step, last):
        x = x.a if isinstance(x, Array) else x
        if np.size(x) == 0:
            return Array(np.zeros((1, 0)))
        ends.append(float(np.real(np.ravel(x)[0])))
    a, by, b = ends
    if by == 0 or not np.all(np.isfinite(ends)) or (b - a) * by < 0:
        return Array(np.zeros((1, 0)))
    n = int(np.floor((b - a) / by * (1 + 4 * np.finfo(float).eps)))
    found = a + by * np.arange(n + 1)
    if n >= 0 and (found[-1] - b) * by > 0:
        found[-1] = b
    return Array(found[None, :])


def _kind(parts: list[Any]) -> type:
    for kind in (Cell, Struct, Text):
        if any(isinstance(p, kind) for p in parts):
            return kind
    return Array


def join(parts: list[Any], axis: int) -> Any:
    """Return values side by side, or one above the other (axis 0)."""
    parts = items(parts)
    other = next((p for p in parts if hasattr(p, "_join")), None)
    if other is not None:
        return other._join(parts, axis)
    if any(isinstance(p, Handle) for p in parts):
        if len(parts) == 1:
            return parts[0]
        raise MatlabError("function handles cannot be joined to an array; use a cell")
    kind = _kind(parts)
    if kind is Cell:
        given = [
            p.a if isinstance(p, Cell) else objects([p])
            for p in parts
            if isinstance(p, Cell) or p.a.size
        ]
    elif kind is Struct:
        given = [p.a for p in parts if p.a.size]
        names = [*dict.fromkeys(n for a in given for d in a.flat for n in d)]
        given = [
            objects(({n: d[n] for n in names} for d in a.ravel(order="F")), a.shape) for a in given
        ]
    else:
        given = [p.a for p in parts]
        if any(a.dtype.kind in "iu" for a in given):
            whole_kind = next(a.dtype for a in given if a.dtype.kind in "iu")
            given = [a.astype(whole_kind) for a in given]
        if any(a.dtype == np.float32 for a in given):
            given = [a.astype(np.float32) for a in given]
    if kind in (Array, Text) and len({a.dtype == object for a in given}) == 2:
        given = [a.astype(object) for a in given]
    # entries of size 0x0 are passed over; others must fit
    full = [a for a in given if a.shape != (0, 0)]
    if kind is Text or axis == 1:
        full = (
            [a for a in full if a.size or a.shape[0] not in (0, 1) or a.shape[1 - axis] == 1]
            if kind is Text
            else full
        )
    if not full:
        return (
            kind(given[0].copy())
            if given
            else kind(np.zeros((0, 0), object if kind in (Cell, Struct) else float))
        )
    if len(full) > 1:
        depth = max(a.ndim for a in full)
        full = [a.reshape(a.shape + (1,) * (depth - a.ndim)) for a in full]
        lengths = {a.shape[:axis] + a.shape[axis + 1 :] for a in full}
        if len(lengths) > 1:
            kept = [a for a in full if a.size] or full
            full = kept if len({a.shape[:axis] + a.shape[axis + 1 :] for a in kept}) == 1 else full
        lengths = {a.shape[:axis] + a.shape[axis + 1 :] for a in full}
        if len(lengths) > 1:
            word = "vertical" if axis == 0 else "horizontal"
            shapes = " vs ".join("x".join(map(str, a.shape)) for a in full)
            raise MatlabError(f"{word} dimensions mismatch ({shapes})")
    return kind(own(np.concatenate(full, axis=axis) if len(full) > 1 else full[0].copy()))


def row(*parts: Any) -> Any:
    """Return ``[a, b, ...]``."""
    if all(type(p) in (int, float) for p in parts):
        return Array(np.array([parts], dtype=float).reshape(1, len(parts)))
    return join(list(parts), 1)


def column(*parts: Any) -> Any:
    """Return ``[a; b; ...]``."""
    if all(type(p) in (int, float) for p in parts):
        return Array(np.array(parts, dtype=float).reshape(len(parts), 1))
    return join(list(parts), 0)


def matrix(*rows: Any) -> Any:
    """Return ``[a, b; c, d]``, of rows as lists."""
    return join([row(*r) for r in rows], 0)


def cell_of(*rows: Any) -> Cell:
    """Return ``{a, b; c, d}``, of rows as lists; cells stay entries."""
    made = [Cell(objects(copy(x) for x in items(r))) for r in rows]
    made = [m for m in made if m.a.size] if len(made) > 1 else made
    if not made or not made[0].a.size:
        return Cell(np.empty((0, 0), dtype=object))
    if len(made) == 1:
        return made[0]
    found = join(made, 0)
    assert isinstance(found, Cell)
    return found


def sizes_of(args: tuple[Any, ...]) -> tuple[tuple[int, ...], str]:
    kind = ""
    given = list(args)
    while given and isinstance(given[-1], Text):
        kind = string(given.pop())
        if given and isinstance(given[-1], Text):
            given.pop()
            kind = ""
    if not given:
        return (1, 1), kind
    if len(given) == 1:
        n = np.ravel(given[0].a)
        sizes = [int(x) for x in n] if n.size > 1 else [int(n[0])] * 2
    else:
        sizes = [int(float(x)) for x in given]
    sizes = [max(x, 0) for x in sizes]
    while len(sizes) > 2 and sizes[-1] == 1:
        sizes.pop()
    return tuple(sizes), kind


def _typed(a: np.ndarray, kind: str) -> Array:
    if kind in ("", "double", "like"):
        return Array(a)
    return Array(a.astype({"single": np.float32, "logical": bool}.get(kind, kind)))


@matlab()
def zeros(*args: Any) -> Any:
    shape, kind = sizes_of(args)
    return _typed(np.zeros(shape), kind)


@matlab()
def ones(*args: Any) -> Any:
    shape, kind = sizes_of(args)
    return _typed(np.ones(shape), kind)


@matlab("nan", "NaN", "NA")
def nan(*args: Any) -> Any:
    return Array(np.full(sizes_of(args)[0], np.nan))


@matlab("inf", "Inf")
def inf(*args: Any) -> Any:
    return Array(np.full(sizes_of(args)[0], np.inf))


@matlab()
def eye(*args: Any) -> Any:
    shape, kind = sizes_of(args)
    return _typed(np.eye(shape[0], shape[1]), kind)


@matlab()
def true(*args: Any) -> Any:
    return Array(np.ones(sizes_of(args)[0], dtype=bool))


@matlab()
def false(*args: Any) -> Any:
    return Array(np.zeros(sizes_of(args)[0], dtype=bool))


@matlab()
def cell(*args: Any) -> Any:
    shape, _ = sizes_of(args)
    shape = (0, 0) if not args else shape
    return Cell(objects((empty() for _ in range(int(np.prod(shape)))), shape))


@matlab("pi")
def _pi(*args: Any) -> Any:
    return Array(np.full(sizes_of(args)[0], np.pi))


@numeric("eps")
def _eps(x: Any = None) -> Any:
    return Array(np.array([[np.finfo(float).eps]]) if x is None else np.spacing(np.abs(x.a)))


for _name, _constant in {
    "i": 1j,
    "j": 1j,
    "I": 1j,
    "J": 1j,
    "e": np.e,
    "realmax": np.finfo(float).max,
    "realmin": np.finfo(float).tiny,
}.items():
    matlab(_name)(lambda *args, c=_constant: Array(np.full(sizes_of(args)[0], c)))


@matlab()
def intmax(kind: Any = None) -> Any:
    return float(np.iinfo(str(kind) if kind else "int32").max)


@matlab()
def linspace(a: Any, b: Any, n: Any = 100) -> Any:
    return np.linspace(complex(a) if np.iscomplexobj(a) else float(a), float(b), whole(n))[None, :]


@matlab()
def logspace(a: Any, b: Any, n: Any = 50) -> Any:
    return np.power(10.0, np.linspace(float(a), float(b), whole(n)))[None, :]


@matlab("colon")
def _colon(a: Any, b: Any, c: Any = None) -> Any:
    return colon(a, b) if c is None else colon(a, c, b)


@matlab()
def struct(*args: Any) -> Any:
    names, given = [string(n) for n in args[::2]], args[1::2]
    cells = [x for x in given if isinstance(x, Cell) and x.a.size != 1]
    shape = cells[0].a.shape if cells else (1, 1)
    n = int(np.prod(shape))

    def entry(x: Any, k: int) -> Any:
        if not isinstance(x, Cell):
            return copy(x)
        return copy(x.a.ravel(order="F")[k if x.a.size > 1 else 0])

    made = ({m: entry(x, k) for m, x in zip(names, given, strict=True)} for k in range(n))
    return Struct(objects(made, shape))
