"""Sparsity patterns of tensors, which follow from the tree alone."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_lead
from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model.layout import Layout
from spatial_v2.packed.entries import checked_entries, entries_of


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

    Raises
    ------
    ArrayShapeError
        Indices that are no whole numbers, or not as many of each.
    SpatialError
        An index that is not in the tensor, or an entry that occurs twice.

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
        self._set(checked_entries(i, j, k, n), n)

    @classmethod
    def of(cls, index: np.ndarray, n: int) -> TensorPattern:
        """Create the pattern of indices (3, nnz) without checks."""
        made = object.__new__(cls)
        made._set(index.astype(np.int32), n)
        return made

    def _set(self, index: np.ndarray, n: int) -> None:
        self.i, self.j, self.k = map(_frozen, index)
        self.n, self.nnz, self.shape = n, index.shape[1], (n, n, n)

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
        starts = np.cumsum(room) - room + LINE
        places = np.full(room.sum(), self.nnz, dtype=np.uint32)
        span = np.searchsorted(begin, flat, side="right") - 1
        places[flat - begin[span] + starts[span]] = order
        return places, np.stack([begin, end, starts], axis=1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorPattern):
            return NotImplemented
        return self is other or (self.n == other.n and np.array_equal(self.flat, other.flat))

    def __hash__(self) -> int:
        # Cheap: patterns of one size that differ are rare, and `==` tells them apart.
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
        elif not isinstance(out, np.ndarray):
            raise ArrayShapeError(f"out: want a NumPy array, got {type(out).__name__}")
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
        return read_only_zeros((*as_lead("lead", lead), *self.shape), self)

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
                part.append(entries_of(runs, tensor, p, path))
    indices = [np.concatenate(part, axis=1) for part in parts]
    return tuple(TensorPattern.of(index, n) for index in indices)
