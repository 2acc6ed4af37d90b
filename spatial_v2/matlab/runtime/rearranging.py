"""Arrays that are repeated, joined, turned and indexed."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import join, sizes_of, whole
from spatial_v2.matlab.runtime.value_types import (
    Array,
    MatlabError,
    copy,
    empty,
)

__all__: list[str] = []


@matlab()
def repmat(x: Any, *counts: Any) -> Any:
    shape, _ = sizes_of(counts)
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
