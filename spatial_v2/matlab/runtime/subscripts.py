"""Entries of arrays by MATLAB's subscripts: counted from 1, logical, ``":"``, with ``end``.

A subscript with ``end`` is a function of the number that ``end`` stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import FunctionType
from typing import Any

import numpy as np

__all__ = ["everywhere", "placed", "removed", "taken"]

COLON = slice(None)


def _places(s: Any, n: int) -> Any:
    """Return a subscript as a number or an array counted from 0, or a slice for all of n."""
    if type(s) is int:
        return s - 1
    if isinstance(s, FunctionType):
        s = s(n)
    a = getattr(s, "a", s)
    if isinstance(s, str) or (np.size(a) == 1 and type(s).__name__ == "Text"):
        if str(s) != ":":
            raise IndexError(f"want numbers as subscripts, got {str(s)!r}")
        return COLON
    if not isinstance(a, np.ndarray):
        a = np.asarray(a)
    if a.dtype.kind == "b":
        if a.ndim >= 2 and a.shape[0] == 1:
            return np.flatnonzero(a)[None, :]
        found = np.flatnonzero(a.ravel(order="F"))
        return found[:, None]
    if a.dtype.kind == "c":
        a = a.real
    whole = a.astype(np.intp)
    if a.size and (np.any(whole != a) or whole.min() < 1):
        bad = a.ravel()[int(np.argmax((whole != a).ravel() | (whole.ravel() < 1)))]
        raise IndexError(f"subscripts are positive integers, got {bad:g}")
    return int(whole.item()) - 1 if whole.size == 1 else whole - 1


def _check(place: Any, n: int) -> None:
    if place is COLON:
        return
    most = place if isinstance(place, int) else place.max() if place.size else -1
    if most >= n:
        raise IndexError(f"index {most + 1} is out of bound {n}")
    if isinstance(place, int) and place < 0:
        raise IndexError(f"subscripts are positive integers, got {place + 1}")


def _folded(a: np.ndarray, count: int) -> np.ndarray:
    """Give an array as many axes as there are subscripts; the last holds all further axes."""
    if a.ndim > count:
        return a.reshape((*a.shape[: count - 1], -1), order="F")
    return a.reshape(a.shape + (1,) * (count - a.ndim))


def _trimmed(a: np.ndarray) -> np.ndarray:
    while a.ndim > 2 and a.shape[-1] == 1:
        a = a[..., 0]
    return a


def taken(a: np.ndarray, subscripts: tuple[Any, ...]) -> np.ndarray:
    """Return the entries ``a(i, j, ...)``, with at least two axes."""
    if len(subscripts) == 1:
        return np.asarray(_taken_in_order(a, subscripts[0]))
    a = _folded(a, len(subscripts))
    places = [_places(s, n) for s, n in zip(subscripts, a.shape, strict=True)]
    for place, n in zip(places, a.shape, strict=True):
        _check(place, n)
    if all(isinstance(p, int) for p in places):
        found = np.empty((1, 1), a.dtype)
        found[0, 0] = a[tuple(places)]
        return found
    return _trimmed(a[np.ix_(*(_list(p, n) for p, n in zip(places, a.shape, strict=True)))])


def _list(place: Any, n: int) -> Any:
    if place is COLON:
        return np.arange(n)
    return [place] if isinstance(place, int) else place.ravel(order="F")


def everywhere(shape: tuple[int, ...], subscripts: tuple[Any, ...]) -> list[tuple[int, ...]]:
    """Return each place that subscripts stand for, counted from 1, the first axis fastest."""
    if len(subscripts) == 1:
        sizes: tuple[int, ...] = (int(np.prod(shape)),)
    else:
        sizes = (*shape, *(1,) * len(subscripts))[: len(subscripts)]
    lists = [_list(_places(s, n), n) for s, n in zip(subscripts, sizes, strict=True)]
    return [tuple(int(k) + 1 for k in reversed(p)) for p in product(*reversed(lists))]


def _taken_in_order(a: np.ndarray, subscript: Any) -> Any:
    """Return the entries ``a(i)``, counted column by column."""
    place = _places(subscript, a.size)
    if place is COLON:
        return a.reshape((-1, 1), order="F").copy()
    _check(place, a.size)
    if isinstance(place, int):
        found = np.empty((1, 1), a.dtype)
        found[0, 0] = a[0, place] if a.shape[0] == 1 and a.ndim == 2 else a.T.flat[place]
        return found
    flat = a.ravel(order="F")[place.ravel(order="F")]
    if a.ndim == 2 and a.size != 1 and 1 in a.shape and place.ndim == 2 and 1 in place.shape:
        return flat.reshape((1, -1) if a.shape[0] == 1 else (-1, 1))
    return flat.reshape(place.shape, order="F")


def _most(place: Any, n: int) -> int:
    if place is COLON:
        return n
    return int(place) + 1 if isinstance(place, int) else int(place.max() + 1) if place.size else 0


def _grown(a: np.ndarray, shape: tuple[int, ...], fill: Callable[[], Any]) -> np.ndarray:
    shape = tuple(map(max, shape, a.shape + (1,) * (len(shape) - a.ndim)))
    if a.dtype == object:
        new = np.empty(shape, dtype=object)
        for k in np.ndindex(shape):
            new[k] = fill()
    else:
        new = np.zeros(shape, a.dtype)
    if a.size:
        new[tuple(map(slice, a.shape + (1,) * (len(shape) - a.ndim)))] = a.reshape(
            a.shape + (1,) * (len(shape) - a.ndim)
        )
    return new


def placed(
    a: np.ndarray, subscripts: tuple[Any, ...], new: np.ndarray, fill: Callable[[], Any] = float
) -> np.ndarray:
    """Assign ``a(i, j, ...) = new``; return the array, which may have grown by `fill`."""
    if len(subscripts) == 1:
        return _placed_in_order(a, subscripts[0], new, fill)
    count = len(subscripts)
    whole = a.shape
    if a.ndim > count:
        folded = placed(_folded(a, count), subscripts, new, fill)
        return folded.reshape(whole, order="F")
    sizes = a.shape + (1,) * (count - a.ndim)
    sizes = (0,) * count if a.size == 0 and a.shape == (0, 0) else sizes
    places = [_places(s, size) for s, size in zip(subscripts, sizes, strict=True)]
    wanted = [n for n in new.shape if n != 1]
    if any(p is COLON for p in places) and a.size == 0 and new.size != 1:
        # an empty array takes the length of the new entries along a colon
        at, given = 0, list(new.shape)
        colons = sum(p is COLON for p in places)
        lengths = given if colons == len(given) == count or len(wanted) < colons else wanted
        for k, p in enumerate(places):
            length: Any = 1 if isinstance(p, int) else None if p is COLON else p.size
            if p is COLON:
                if sizes[k] == 0:
                    more = lengths[k] if lengths is given and k < len(given) else lengths[at]
                    places[k] = np.arange(more)[:, None]
                at += 1
            elif length != 1:
                at += 1
    elif a.size == 0 and new.size == 1:
        places = [0 if p is COLON and n == 0 else p for p, n in zip(places, sizes, strict=True)]
    shape = tuple(_most(p, n) for p, n in zip(places, sizes, strict=True))
    now = a.shape + (1,) * (count - a.ndim)
    if any(map(int.__gt__, shape, now)):
        a = _grown(a, shape, fill)
    a = np.asarray(a.reshape(a.shape + (1,) * (count - a.ndim)))
    lists = [_list(place, size) for place, size in zip(places, a.shape, strict=True)]
    target = tuple(map(len, lists))
    if new.size == 1:
        one = new.item() if new.dtype == object else new.ravel()[0]
        if all(isinstance(p, int) for p in places):
            a[tuple(places)] = one
        elif a.dtype == object:
            for where in np.ndindex(target):
                a[tuple(x[i] for x, i in zip(lists, where, strict=True))] = one
        else:
            a[np.ix_(*lists)] = one
    else:
        if [n for n in target if n != 1] != wanted:
            raise IndexError(
                f"A(I,J,...) = X: dimensions mismatch: {'x'.join(map(str, target))} entries, "
                f"{'x'.join(map(str, new.shape))} values"
            )
        a[np.ix_(*lists)] = new.reshape(target)
    return _trimmed(a)


def _placed_in_order(
    a: np.ndarray, subscript: Any, new: np.ndarray, fill: Callable[[], Any]
) -> np.ndarray:
    place = _places(subscript, a.size)
    if place is COLON:
        if new.size not in (1, a.size):
            raise IndexError(f"A(:) = X: X has {new.size} entries, A has {a.size}")
        if new.size == 1:
            a[...] = new.item() if a.dtype == object else new.ravel()[0]
            return a
        a[...] = new.ravel(order="F").reshape(a.shape, order="F")
        return a
    most = _most(place, a.size)
    if most > a.size:
        if a.size == 0:
            column = a.ndim == 2 and a.shape[1] == 1 and a.shape[0] == 0
            shape: tuple[int, ...] = (most, 1) if column else (1, most)
            a = np.zeros((0, 0), a.dtype)
        elif a.ndim == 2 and a.shape[0] == 1:
            shape = (1, most)
        elif a.ndim == 2 and a.shape[1] == 1:
            shape = (most, 1)
        else:
            raise IndexError(
                "A(I) = X: X must have the same size as I; a matrix grows by two subscripts alone"
            )
        a = _grown(a, shape, fill)
    places = np.atleast_1d(place).ravel(order="F")
    if new.size not in (1, places.size):
        raise IndexError(f"A(I) = X: X has {new.size} entries, I has {places.size}")
    flat = new.ravel(order="F")
    at = np.unravel_index(places, a.shape, order="F")
    if a.dtype == object:
        for k in range(places.size):
            a[tuple(x[k] for x in at)] = flat[k if flat.size > 1 else 0]
    else:
        a[at] = flat
    return a


def removed(a: np.ndarray, subscripts: tuple[Any, ...]) -> np.ndarray:
    """Return the array without entries, ``a(i, j) = []``."""
    if len(subscripts) == 1:
        place = _places(subscripts[0], a.size)
        if place is COLON:
            return np.zeros((0, 0), a.dtype)
        _check(place, a.size)
        flat = np.delete(a.ravel(order="F"), _list(place, a.size))
        if np.size(place) == 0:
            return a.copy()
        return flat.reshape((-1, 1) if a.shape[1] == 1 and a.shape[0] != 1 else (1, -1))
    a = _folded(a, len(subscripts))
    places = [_places(s, n) for s, n in zip(subscripts, a.shape, strict=True)]
    for axis, (p, n) in enumerate(zip(places, a.shape, strict=True)):
        others = [q for k, q in enumerate(places) if k != axis]
        sizes = [m for k, m in enumerate(a.shape) if k != axis]
        if all(q is COLON or _covers(q, m) for q, m in zip(others, sizes, strict=True)):
            if p is COLON:
                return np.delete(a, np.arange(n), axis=axis)
            _check(p, n)
            return np.delete(a, _list(p, n), axis=axis)
    raise IndexError("a null assignment can only have one subscript that is not a colon")


def _covers(place: Any, n: int) -> bool:
    return bool(np.array_equal(np.unique(_list(place, n)), np.arange(n)))
