"""Matrices that carry first and ordered second derivatives through products and sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Jet", "rows"]

_PARTS = "value", "first", "second", "mixed"


class Jet:
    """A matrix with its derivatives along two sets of directions, j = 1..J and k = 1..K.

    Parameters
    ----------
    value : array, shape (..., r, c)
        The matrix.
    first : array, shape (J, 1, ..., r, c)
        Derivatives d_j.
    second : array, shape (1, K, ..., r, c)
        Derivatives d_k.
    mixed : array, shape (J, K, ..., r, c)
        Ordered second derivatives ``d_k d_j``. They need not be symmetric, so that Lie derivatives
        can be carried as well. With K = 0 there are first derivatives only.

    Notes
    -----
    Sums and linear maps are applied to all four arrays; the product rule is
    ``d_k d_j (A B) = A_jk B + A_j B_k + A_k B_j + A B_jk``. NumPy arrays are constants.

    Examples
    --------
    The square of x at 3, with unit directions:

    >>> one, none = np.ones((1, 1, 1, 1)), np.zeros((1, 1, 1, 1))
    >>> x = Jet(np.array([[3.0]]), one, one, none)
    >>> (x @ x).mixed.item()
    2.0
    """

    __slots__ = ("first", "mixed", "second", "value")
    __array_ufunc__ = None

    def __init__(
        self, value: np.ndarray, first: np.ndarray, second: np.ndarray, mixed: np.ndarray
    ) -> None:
        self.value, self.first, self.second, self.mixed = value, first, second, mixed

    def map(self, f: Callable[[np.ndarray], np.ndarray]) -> Jet:
        """Apply a linear map of matrices to the value and all derivatives."""
        return Jet(f(self.value), f(self.first), f(self.second), f(self.mixed))

    @property
    def mT(self) -> Jet:
        """Matrix transpose."""
        return self.map(np.matrix_transpose)

    def __neg__(self) -> Jet:
        return self.map(np.negative)

    def __add__(self, B: Any) -> Jet:
        if not isinstance(B, Jet):
            return Jet(self.value + B, self.first, self.second, self.mixed)
        return Jet(
            self.value + B.value,
            self.first + B.first,
            self.second + B.second,
            self.mixed + B.mixed,
        )

    __radd__ = __add__

    def __sub__(self, B: Any) -> Jet:
        return self.__add__(-B)

    def __rsub__(self, B: Any) -> Jet:
        return (-self).__add__(B)

    def __matmul__(self, B: Any) -> Jet:
        if not isinstance(B, Jet):
            return self.map(lambda A: A @ B)
        A = self
        return Jet(
            A.value @ B.value,
            A.first @ B.value + A.value @ B.first,
            A.second @ B.value + A.value @ B.second,
            A.mixed @ B.value + A.first @ B.second + A.second @ B.first + A.value @ B.mixed,
        )

    def __rmatmul__(self, A: np.ndarray) -> Jet:
        return self.map(lambda B: A @ B)

    def inv(self) -> Jet:
        """Invert the matrix; derivatives follow from ``d_j A^-1 = -A^-1 A_j A^-1``."""
        V = np.linalg.inv(self.value)
        first, second = V @ self.first, V @ self.second
        mixed = first @ second + second @ first - V @ self.mixed
        return Jet(V, -first @ V, -second @ V, mixed @ V)


def rows(jets: list[Jet]) -> Jet:
    """Stack the rows of jets into one jet.

    Examples
    --------
    >>> one, none = np.ones((1, 1, 1, 1)), np.zeros((1, 0, 1, 1))
    >>> rows([Jet(np.eye(1), one, none, none)] * 2).first.shape
    (1, 1, 2, 1)
    """

    def joined(parts: list[np.ndarray]) -> np.ndarray:
        lead = np.broadcast_shapes(*(x.shape[:-2] for x in parts))
        return np.concatenate([np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in parts], axis=-2)

    return Jet(*(joined([getattr(x, part) for x in jets]) for part in _PARTS))
