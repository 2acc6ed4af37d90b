"""Sparsity patterns of tensors, which follow from the tree alone."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.engine.tensors.runs import Run, Runs
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model.layout import Layout

__all__ = ["TensorPattern", "patterns"]


class TensorPattern:
    """The entries of tensors (n, n, n) that can be nonzero.

    Parameters
    ----------
    i, j, k : int arrays, shape (nnz,)
        Indices of the entries, without duplicates, in the order of the values.
    n : int
        Length of each axis.

    Attributes
    ----------
    i, j, k : int32 arrays, shape (nnz,)
        The parameters; read-only, as equal models share them.
    shape : tuple of int
        ``(n, n, n)``.
    nnz : int
        Number of entries.

    Examples
    --------
    >>> pattern = TensorPattern([0, 1], [1, 0], [1, 1], 2)
    >>> pattern.todense(np.array([3.0, 4.0]))
    array([[[0., 0.],
            [0., 3.]],
    <BLANKLINE>
           [[0., 4.],
            [0., 0.]]])
    """

    def __init__(self, i: Any, j: Any, k: Any, n: int) -> None:
        self.i, self.j, self.k = (_frozen(np.asarray(x, dtype=np.int32)) for x in (i, j, k))
        self.n, self.nnz, self.shape = n, len(self.i), (n, n, n)

    @functools.cached_property
    def flat(self) -> np.ndarray:
        """Position of each entry in a contiguous tensor (n, n, n), flattened."""
        i, j, k = (x.astype(np.int64) for x in (self.i, self.j, self.k))
        return _frozen((i * self.n + j) * self.n + k)

    @functools.cached_property
    def lines(self) -> tuple[np.ndarray, np.ndarray]:
        """Tables `places` and `spans`, with which `engine.tensors.dense` expands packed values.

        A row [begin, end, at] of `spans` is a range of the flattened tensor; places[at], places[at
        + 1], ... are the indices of the packed values of its entries. Between two spans there are
        more zeros than a cache line holds. Zeros within a span, and for a cache line on both sides
        of it, have the index after the last value.
        """
        order = np.argsort(self.flat)
        flat = self.flat[order]
        gaps = np.flatnonzero(np.diff(flat) > LINE)
        begin, end = flat[:1], flat[-1:] + 1
        begin, end = np.append(begin, flat[gaps + 1]), np.append(flat[gaps] + 1, end)
        room = end - begin + 2 * LINE
        at = np.cumsum(room) - room + LINE
        places = np.full(room.sum(), self.nnz, dtype=np.uint32)
        span = np.searchsorted(begin, flat, side="right") - 1
        places[flat - begin[span] + at[span]] = order
        return places, np.stack([begin, end, at], axis=1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorPattern):
            return NotImplemented
        return self is other or (self.n == other.n and np.array_equal(self.flat, other.flat))

    def __hash__(self) -> int:
        return hash((self.n, self.nnz))

    def __repr__(self) -> str:
        return f"<TensorPattern: {self.nnz} of {self.n}x{self.n}x{self.n} entries>"

    def pack(self, dense: Array) -> Array:
        """Return the entries of a dense tensor that are in the pattern, for any kind of array."""
        xp = namespace(dense)
        return xp.take(xp.reshape(dense, (*dense.shape[:-3], self.n**3)), self.flat, axis=-1)

    def todense(self, values: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return the dense tensor (..., n, n, n) with these entries (..., nnz) of the pattern."""
        shape = (*values.shape[:-1], *self.shape)
        if out is None:
            out = np.zeros(shape, values.dtype)
        elif out.shape != shape or out.dtype != values.dtype:
            raise ArrayShapeError(
                f"out: want an array {shape} of {values.dtype}, got {out.shape} of {out.dtype}"
            )
        else:
            out[...] = 0
        i, j, k = self.i, self.j, self.k
        out[..., i, j, k] = values
        return out

    def zeros(self, lead: int | tuple[int, ...] = ()) -> np.ndarray:
        """Return an array (..., n, n, n) of zeros for repeated use as ``out=``.

        Only functions of this library that get the array as ``out`` can write into it. They rely on
        zeros outside the pattern and do not clear them.

        Parameters
        ----------
        lead : int or tuple of int, optional
            Leading axes of the array.

        Returns
        -------
        float array, shape (..., n, n, n)
            Zeros, read-only.
        """
        lead = (lead,) if isinstance(lead, int) else tuple(lead)
        return read_only_zeros((*lead, *self.shape), self)

    @functools.cached_property
    def contraction(self) -> Any:
        """Sparse matrix (n * n, nnz) that sums packed values of entries [i, j, k] over i."""
        from scipy.sparse import csr_array

        rows = self.j.astype(np.int64) * self.n + self.k
        entries = (np.ones(self.nnz), (rows, np.arange(self.nnz)))
        return csr_array(entries, shape=(self.n**2, self.nnz))


def _frozen(x: np.ndarray) -> np.ndarray:
    x.flags.writeable = False
    return x


class _Zeros:
    """Owner of the memory of an array that is zero outside a sparsity pattern.

    It is the base of the array of `read_only_zeros`, and presents itself to NumPy as read-only.
    """

    __slots__ = ("__array_interface__", "inner", "pattern")

    def __init__(self, shape: tuple[int, ...], pattern: TensorPattern) -> None:
        self.inner, self.pattern = np.zeros(shape), pattern
        self.__array_interface__ = {
            **self.inner.__array_interface__,
            "data": (self.inner.ctypes.data, True),
        }


def read_only_zeros(shape: tuple[int, ...], pattern: TensorPattern) -> np.ndarray:
    """Return zeros that can be written only through `retarget`, and only within the pattern."""
    return np.asarray(_Zeros(shape, pattern))


def retarget(public: np.ndarray, pattern: TensorPattern) -> np.ndarray | None:
    """Return a writable view of an array of `read_only_zeros`; None for other arrays.

    If the array was used with another pattern, it is cleared.
    """
    owner: Any = getattr(public, "base", None)
    if type(owner) is not _Zeros:
        return None
    if owner.pattern != pattern:
        owner.inner[...] = 0.0
        owner.pattern = pattern
    return owner.inner


def patterns(layout: Layout, runs: Runs) -> tuple[TensorPattern, ...]:
    """Return the sparsity patterns of an algorithm's tensors; equal trees share them."""
    return _patterns(runs, layout.parent.tobytes(), layout.joint[:, 3:5].tobytes())


@functools.lru_cache(maxsize=64)
def _patterns(runs: Runs, parent: bytes, variables: bytes) -> tuple[TensorPattern, ...]:
    above = np.frombuffer(parent, dtype=np.int64)
    joints = [
        np.arange(k, k + m) for k, m in np.frombuffer(variables, dtype=np.int64).reshape(-1, 2)
    ]
    n = sum(map(len, joints))
    parts: list[list[np.ndarray]] = [
        [np.zeros((3, 0), dtype=np.int64)] for _ in range(runs.tensors)
    ]
    for body in reversed(range(len(above))):
        path: list[np.ndarray] = []
        j = body
        while j >= 0:
            path.insert(0, joints[j])
            j = above[j]
        for p in joints[body]:
            for tensor, part in enumerate(parts):
                part.append(_entries(runs, tensor, p, path))
    found = [np.concatenate(part, axis=1) for part in parts]
    return tuple(TensorPattern(i, j, k, n) for i, j, k in found)


def _entries(runs: Runs, tensor: int, p: int, path: list[np.ndarray]) -> np.ndarray:
    """Return the indices (3, entries) of the entries of a tensor that `runs` lists for velocity
    variable p.

    `path` has the velocity variables of each joint from the root to that of p.
    """
    index = np.concatenate(path)
    last = np.repeat(np.cumsum([len(joint) for joint in path]), [len(joint) for joint in path])
    first = last - np.repeat([len(joint) for joint in path], [len(joint) for joint in path])
    before = len(index) - len(path[-1])
    blocks = [
        _run_lengths([run for run in chosen if run.tensor == tensor], t, first[t], last[t])
        for chosen, t in (
            (runs.general, np.arange(before)),
            (runs.own, np.arange(before, len(index))),
        )
    ]
    t, order, begin, end = (np.concatenate(x) for x in zip(*blocks, strict=True))
    which = np.repeat(np.arange(len(t)), end - begin)
    y = np.arange(len(which)) - np.repeat(np.cumsum(end - begin) - (end - begin), end - begin)
    ptr = np.stack([np.full(len(which), p), index[t[which]], index[y + begin[which]]])
    places = np.array([["ptr".index(c) for c in name] for name in _ORDERS])[order[which]].T
    return np.take_along_axis(ptr, places, axis=0)


_ORDERS = ("ptr", "prt", "trp", "tpr", "rpt", "rtp")


def _run_lengths(
    runs: list[Run], t: np.ndarray, first: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return four arrays with a row for each pair of a variable t and a run: t, order of the
    indices, and the range of r (begin and end).
    """
    begins = {"path": 0 * first, "above": 0 * first, "joint": first}
    ends = {"path": last, "above": first, "joint": last}
    shape = (len(t), len(runs))
    order = np.broadcast_to(np.array([_ORDERS.index(run.order) for run in runs], dtype=int), shape)
    columns = [(begins[run.part], ends[run.part]) for run in runs]
    begin = np.stack([b for b, _ in columns], axis=1) if runs else np.zeros(shape, dtype=int)
    end = np.stack([e for _, e in columns], axis=1) if runs else np.zeros(shape, dtype=int)
    return np.repeat(t, len(runs)), order.ravel(), begin.ravel(), end.ravel()
