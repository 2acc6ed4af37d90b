"""Functions that make, join and reshape arrays and cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab, numeric
from spatial_v2.matlab.runtime.values import (
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


def _sizes(args: tuple[Any, ...]) -> tuple[tuple[int, ...], str]:
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
    shape, kind = _sizes(args)
    return _typed(np.zeros(shape), kind)


@matlab()
def ones(*args: Any) -> Any:
    shape, kind = _sizes(args)
    return _typed(np.ones(shape), kind)


@matlab("nan", "NaN", "NA")
def nan(*args: Any) -> Any:
    return Array(np.full(_sizes(args)[0], np.nan))


@matlab("inf", "Inf")
def inf(*args: Any) -> Any:
    return Array(np.full(_sizes(args)[0], np.inf))


@matlab()
def eye(*args: Any) -> Any:
    shape, kind = _sizes(args)
    return _typed(np.eye(shape[0], shape[1]), kind)


@matlab()
def true(*args: Any) -> Any:
    return Array(np.ones(_sizes(args)[0], dtype=bool))


@matlab()
def false(*args: Any) -> Any:
    return Array(np.zeros(_sizes(args)[0], dtype=bool))


@matlab()
def cell(*args: Any) -> Any:
    shape, _ = _sizes(args)
    shape = (0, 0) if not args else shape
    return Cell(objects((empty() for _ in range(int(np.prod(shape)))), shape))


@matlab("pi")
def _pi(*args: Any) -> Any:
    return Array(np.full(_sizes(args)[0], np.pi))


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
    matlab(_name)(lambda *args, c=_constant: Array(np.full(_sizes(args)[0], c)))


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
def repmat(x: Any, *counts: Any) -> Any:
    shape, _ = _sizes(counts)
    n = max(len(shape), x.a.ndim)
    a = x.a.reshape(x.a.shape + (1,) * (n - x.a.ndim))
    return x.__class__(np.tile(a, shape + (1,) * (n - len(shape))))


@matlab()
def reshape(x: Any, *args: Any) -> Any:
    if len(args) > 1:
        given = [None if s.a.size == 0 else whole(s) for s in args]
        known = int(np.prod([s for s in given if s is not None]))
        shape = [x.a.size // known if s is None else s for s in given]
    else:
        shape = [int(s) for s in args[0].a.ravel()]
    if int(np.prod(shape)) != x.a.size:
        raise MatlabError(f"reshape: can't reshape {x.a.shape} array to {tuple(shape)} array")
    while len(shape) > 2 and shape[-1] == 1:
        shape.pop()
    return x.__class__(x.a.reshape(shape, order="F").copy())


@matlab()
def cat(axis: Any, *parts: Any) -> Any:
    axis = whole(axis) - 1
    if axis > 1:
        full = [p for p in parts if p.a.size]
        if not full:
            return empty()
        a = [p.a.reshape(p.a.shape + (1,) * (axis + 1 - p.a.ndim)) for p in full]
        return full[0].__class__(_squeezed(np.concatenate(a, axis=axis)))
    return join(list(parts), axis)


def _squeezed(a: np.ndarray) -> np.ndarray:
    while a.ndim > 2 and a.shape[-1] == 1:
        a = a[..., 0]
    return a


@matlab()
def horzcat(*parts: Any) -> Any:
    return join(list(parts), 1)


@matlab()
def vertcat(*parts: Any) -> Any:
    return join(list(parts), 0)


@matlab()
def squeeze(x: Any) -> Any:
    if x.a.ndim == 2:
        return copy(x)
    a = x.a.reshape([n for n in x.a.shape if n != 1] or [1])
    return x.__class__(a.reshape(-1, 1) if a.ndim == 1 else a)


@matlab()
def permute(x: Any, order: Any) -> Any:
    axes = [int(k) - 1 for k in order.a.ravel()]
    a = x.a.reshape(x.a.shape + (1,) * (len(axes) - x.a.ndim))
    return x.__class__(_squeezed(a.transpose(axes)))


@matlab("transpose")
def transpose(x: Any) -> Any:
    return x.T


@matlab()
def ctranspose(x: Any) -> Any:
    return x.H


@matlab()
def diag(x: Any, k: Any = 0) -> Any:
    if not isinstance(x, Array):
        raise MatlabError("diag: want numbers, got a cell or a struct")
    a, k = x.a, whole(k)
    return Array(np.diag(a.ravel(), k) if 1 in a.shape else np.diag(a, k)[:, None].copy())


@matlab()
def blkdiag(*parts: Any) -> Any:
    rows, columns = (sum(p.a.shape[k] for p in parts) for k in (0, 1))
    kind = (
        object
        if any(p.a.dtype == object for p in parts)
        else np.result_type(float, *(p.a for p in parts))
    )
    a = np.zeros((rows, columns), kind)
    i = j = 0
    for p in parts:
        a[i : i + p.a.shape[0], j : j + p.a.shape[1]] = p.a
        i, j = i + p.a.shape[0], j + p.a.shape[1]
    return Array(a)


for _name, _f in {
    "triu": np.triu,
    "tril": np.tril,
}.items():
    matlab(_name)(lambda x, k=0, f=_f: Array(f(x.a, whole(k))))


@matlab()
def fliplr(x: Any) -> Any:
    return x.__class__(x.a[:, ::-1].copy())


@matlab()
def flipud(x: Any) -> Any:
    return x.__class__(x.a[::-1].copy())


@matlab()
def flip(x: Any, axis: Any = None) -> Any:
    k = whole(axis) - 1 if axis is not None else 1 if x.a.shape[0] == 1 else 0
    return x.__class__(np.flip(x.a, k).copy())


@matlab()
def rot90(x: Any, k: Any = 1) -> Any:
    return x.__class__(np.rot90(x.a, whole(k)).copy())


@matlab()
def circshift(x: Any, n: Any, axis: Any = None) -> Any:
    if axis is None and n.a.size > 1:
        return x.__class__(np.roll(x.a, [int(k) for k in n.a.ravel()], tuple(range(n.a.size))))
    k = whole(axis) - 1 if axis is not None else 1 if x.a.shape[0] == 1 else 0
    return x.__class__(np.roll(x.a, whole(n), k))


@matlab()
def meshgrid(x: Any, y: Any = None, nargout: int = 1) -> Any:
    found = np.meshgrid(x.a.ravel(), (x if y is None else y).a.ravel())
    return tuple(Array(a) for a in found)


@matlab()
def ndgrid(*x: Any, nargout: int = 1) -> Any:
    x = x * max(nargout, 2) if len(x) == 1 else x
    return tuple(Array(a) for a in np.meshgrid(*(y.a.ravel() for y in x), indexing="ij"))


@matlab()
def sub2ind(size: Any, *at: Any) -> Any:
    shape = tuple(int(n) for n in size.a.ravel())
    places = tuple(x.a.astype(int) - 1 for x in at)
    return Array(np.ravel_multi_index(places, shape, order="F") + 1.0)


@matlab()
def ind2sub(size: Any, at: Any, nargout: int = 1) -> Any:
    shape = [int(n) for n in size.a.ravel()]
    shape = [*shape[: nargout - 1], int(np.prod(shape[nargout - 1 :]))]
    found = np.unravel_index(at.a.astype(int) - 1, shape, order="F")
    return tuple(Array(x.astype(float) + 1) for x in found)


@matlab()
def accumarray(at: Any, values: Any) -> Any:
    places = at.a.astype(int)
    found = np.zeros((0, 0))
    v = np.broadcast_to(values.a.ravel(), len(places))
    shape = tuple(places.max(axis=0)) if places.shape[1] > 1 else (places.max(), 1)
    found = np.zeros(shape)
    np.add.at(found, tuple((places - 1).T) if places.shape[1] > 1 else (places[:, 0] - 1, 0), v)
    return Array(found)


@matlab()
def toeplitz(c: Any, r: Any = None) -> Any:
    from scipy.linalg import toeplitz as made

    return Array(made(c.a.ravel(), (c if r is None else r).a.ravel()))


@matlab()
def hankel(c: Any, r: Any = None) -> Any:
    from scipy.linalg import hankel as made

    return Array(made(c.a.ravel(), None if r is None else r.a.ravel()))


GENERATOR: list[Any] = []
"""The generator of random numbers, once one is drawn."""


def generator() -> Any:
    """Return the generator of random numbers of the program."""
    if not GENERATOR:
        GENERATOR.append(np.random.default_rng(0))
    return GENERATOR[0]


@matlab()
def rand(*args: Any) -> Any:
    if args and isinstance(args[0], Text):
        return None
    return np.asarray(generator().random(_sizes(args)[0]))


@matlab()
def randn(*args: Any) -> Any:
    if args and isinstance(args[0], Text):
        return None
    return np.asarray(generator().standard_normal(_sizes(args)[0]))


@matlab()
def randi(limits: Any, *args: Any) -> Any:
    ends = [int(x) for x in limits.a.ravel()]
    low, high = (1, ends[0]) if len(ends) == 1 else ends
    return np.asarray(generator().integers(low, high + 1, _sizes(args)[0])).astype(float)


@matlab()
def randperm(n: Any, k: Any = None) -> Any:
    found = generator().permutation(whole(n)) + 1.0
    return found[None, : whole(n) if k is None else whole(k)]


@matlab("rng")
def _rng(*_: Any) -> Any:
    return empty()


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
