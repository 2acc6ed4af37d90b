"""Packed tensors: the values of the entries of a sparsity pattern."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.packed.pattern import TensorPattern


class PackedTensor:
    """A tensor (n, n, n), or a batch of them, stored as the values of a sparsity pattern.

    Parameters
    ----------
    pattern : TensorPattern
        The entries that have a value.
    values : array, shape (..., nnz)
        The values; the leading axes are those of the batch.

    Examples
    --------
    >>> from spatial_v2 import H_derivatives
    >>> from spatial_v2.models import autoTree
    >>> dH = H_derivatives(autoTree(3), [0.1, 0.2, 0.3], packed=True)
    >>> dH
    <PackedTensor: 13 of 3x3x3 entries>
    >>> np.allclose(dH.contract([1.0, 2.0, 3.0]), np.einsum("ijk,i->jk", dH.todense(), [1, 2, 3]))
    True
    """

    # NumPy then leaves operators between arrays and packed tensors to this class.
    __array_ufunc__ = None

    def __init__(self, pattern: TensorPattern, values: Array) -> None:
        values = values if hasattr(values, "ndim") else as_numbers(values, "values")
        if not values.ndim or values.shape[-1] != pattern.nnz:
            raise ArrayShapeError(f"values: want (..., {pattern.nnz}), got {tuple(values.shape)}")
        self.pattern, self.values = pattern, values

    @classmethod
    def of(cls, pattern: TensorPattern, values: Array) -> PackedTensor:
        """Create a packed tensor without checks of the values."""
        made = object.__new__(cls)
        made.pattern, made.values = pattern, values
        return made

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        """Refuse a silent conversion to a dense array."""
        raise TypeError("want an array, got a PackedTensor; todense() makes it an array")

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the dense tensors, batch axes first."""
        return (*self.values.shape[:-1], *self.pattern.shape)

    def __len__(self) -> int:
        if self.values.ndim == 1:
            raise TypeError("len: want a batch of packed tensors, got a single packed tensor")
        return int(self.values.shape[0])

    def __iter__(self) -> Iterator[PackedTensor]:
        """Iterate over the first axis of the batch."""
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        lead = f" of shape {self.shape[:-3]}" if self.values.ndim > 1 else ""
        n = self.pattern.n
        return f"<PackedTensor{lead}: {self.pattern.nnz} of {n}x{n}x{n} entries>"

    def __getitem__(self, key: Any) -> PackedTensor:
        """Select states of the batch."""
        values = self.values[key]
        if values.shape[-1:] != (self.pattern.nnz,) or _count(key) >= self.values.ndim:
            raise IndexError(
                f"key: want an index of the batch, which has shape {self.shape[:-3]}; got {key!r}. "
                "For single entries use the arrays i, j, k of the pattern, or todense()"
            )
        return PackedTensor(self.pattern, values)

    def __mul__(self, number: Any) -> PackedTensor:
        factor = self._factor(number)
        return (
            NotImplemented if factor is None else PackedTensor(self.pattern, self.values * factor)
        )

    __rmul__ = __mul__

    def __truediv__(self, number: Any) -> PackedTensor:
        factor = self._factor(number)
        return (
            NotImplemented if factor is None else PackedTensor(self.pattern, self.values / factor)
        )

    def __neg__(self) -> PackedTensor:
        return PackedTensor(self.pattern, -self.values)

    def __add__(self, other: Any) -> PackedTensor:
        if not isinstance(other, PackedTensor):
            return NotImplemented
        self._same(other)
        self._lead("tensors", other.shape[:-3])
        return PackedTensor(self.pattern, self.values + other.values)

    def __sub__(self, other: Any) -> PackedTensor:
        return self + -other if isinstance(other, PackedTensor) else NotImplemented

    def todense(self, out: np.ndarray | None = None) -> Array:
        """Return the dense tensors (..., n, n, n).

        Parameters
        ----------
        out : array, shape (..., n, n, n), optional
            Array for the result, if the values are a NumPy array.

        Returns
        -------
        array, shape (..., n, n, n)
        """
        if out is not None and not isinstance(out, np.ndarray):
            raise TypeError(f"out: want a NumPy array, got {type(out).__name__}")
        if isinstance(self.values, np.ndarray):
            return self.pattern.todense(self.values, out)
        if out is not None:
            raise TypeError(
                f"out: want values that are a NumPy array, got {type(self.values).__name__}"
            )
        n = self.pattern.n
        return namespace(self.values).reshape(self._spread(), (*self.values.shape[:-1], n, n, n))

    def contract(self, lambda_: Array) -> Array:
        """Return the matrices ``sum_i lambda_i T[i, :, :]``, for weights lambda_i.

        For second derivatives of tau these are Hessians of the scalar ``lambda . tau``.

        Parameters
        ----------
        lambda_ : array, shape (..., n)
            Weight of each first index.

        Returns
        -------
        array, shape (..., n, n)
        """
        xp, n = namespace(self.values, lambda_), self.pattern.n
        lambda_ = as_numbers(lambda_, "lambda_")
        if not lambda_.ndim or lambda_.shape[-1] != n:
            raise ArrayShapeError(f"lambda_: want (..., {n}), got {tuple(lambda_.shape)}")
        self._lead("lambda_", tuple(lambda_.shape[:-1]))
        weighted = self.values * xp.take(lambda_, self.pattern.i, axis=-1)
        lead = tuple(weighted.shape[:-1])
        # SciPy has no sparse products of objects, or of arrays of other libraries.
        if isinstance(weighted, np.ndarray) and weighted.dtype != object:
            flat = weighted.reshape(int(np.prod(lead, dtype=int)), self.pattern.nnz)
            return (self.pattern.contraction @ flat.T).T.reshape(*lead, n, n)
        dense = PackedTensor(self.pattern, weighted).todense()
        return xp.sum(dense, axis=-3)

    def to_coo(self) -> Any:
        """Return one tensor as a SciPy `coo_array` (n, n * n) with entries [i, j n + k]."""
        from scipy.sparse import coo_array

        if self.values.ndim != 1:
            raise ArrayShapeError(
                f"tensor: want a single one, got a batch of shape {self.shape[:-3]}; "
                "select one by an index"
            )
        n = self.pattern.n
        columns = self.pattern.j.astype(np.int64) * n + self.pattern.k
        return coo_array((self.values, (self.pattern.i, columns)), shape=(n, n * n))

    def to_csr(self) -> Any:
        """Return one tensor as a SciPy `csr_array` (n, n * n); see `to_coo`."""
        return self.to_coo().tocsr()

    def _factor(self, number: Any) -> Any:
        """Convert a number, or one per state, to a factor of the values; None for other objects."""
        if isinstance(number, PackedTensor | list | tuple | str):
            return None
        shape = tuple(getattr(number, "shape", ()))
        if not shape:
            return number
        if len(shape) >= self.values.ndim:
            raise ArrayShapeError(
                f"factor: want a number, or an array of the shape {self.shape[:-3]} of the "
                f"batch; got an array of shape {shape}"
            )
        self._lead("factor", shape)
        return number[..., None]

    def _lead(self, name: str, shape: tuple[int, ...]) -> None:
        """Raise an error if leading axes do not broadcast with those of the batch."""
        try:
            np.broadcast_shapes(self.shape[:-3], shape)
        except ValueError:
            raise ArrayShapeError(
                f"{name}: want leading axes that broadcast with the shape {self.shape[:-3]} of the "
                f"batch; got {shape}"
            ) from None

    def _same(self, other: PackedTensor) -> None:
        if self.pattern != other.pattern:
            raise ArrayShapeError(
                f"tensors: want two with the same pattern, got {self!r} and {other!r}"
            )

    def _spread(self) -> Array:
        """Return the dense tensors, flattened to (..., n ** 3), for any kind of array."""
        xp, n = namespace(self.values), self.pattern.n
        # Entries outside of the pattern read the zero behind the values.
        place = np.full(n**3, self.pattern.nnz)
        place[self.pattern.flat] = np.arange(self.pattern.nnz)
        one = self.values[..., :1] if self.pattern.nnz else xp.zeros((*self.values.shape[:-1], 1))
        padded = xp.concat([self.values, xp.zeros_like(one)], axis=-1)
        return xp.take(padded, place, axis=-1)


def _count(key: Any) -> int:
    """Return the least number of axes that an array must have to be indexed by `key`."""
    parts = key if isinstance(key, tuple) else (key,)
    return sum(1 for part in parts if part is not Ellipsis and part is not None)
