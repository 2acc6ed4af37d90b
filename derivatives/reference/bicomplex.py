"""Bicomplex arrays: numbers with two commuting imaginary units, for exact second derivatives.

The numbers are ``z = z1 + i2 z2`` with complex parts ``z1 = a + i1 b`` and ``z2 = c + i1 d``, so
that ``z = a + i1 b + i2 c + i1 i2 d``. For a function evaluated at ``x + i1 h + i2 h``, the
coefficient of ``i1 i2`` is h^2 times the second derivative. Nothing is subtracted, so nothing
cancels, and h can be 1e-20. The parts may themselves be bicomplex, which gives tricomplex arrays,
and so on.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from spatial_v2.arrays import namespace

__all__ = ["Bicomplex", "order"]


def order(x: Any) -> int:
    """Return the number of imaginary units: 2 or more for `Bicomplex`, 1 for NumPy arrays."""
    return x.order if isinstance(x, Bicomplex) else 1


class Bicomplex:
    """Array of bicomplex numbers ``z1 + i2 z2``.

    Arithmetic, ``@``, indexing and the functions of its array namespace are analytic continuations
    of the real operations. Comparisons use the real part alone, so that branches are those of the
    real computation. NumPy arrays and numbers are treated as constants.

    Parameters
    ----------
    z1, z2 : array_like of complex, or Bicomplex
        The two parts, of shapes that broadcast; `z2` is zero when left out. Bicomplex parts
        give a tricomplex array.

    Notes
    -----
    Lantoine, Russell, Dargent (2012); equation (54) of Singh, Russell, Wensing (2023). Numbers are
    stored as two complex parts, not as idempotent components ``z1 +- i1 z2``, whose difference
    would cancel the digits of a step of 1e-20. Division by a zero divisor (``z1^2 + z2^2 = 0``)
    gives
    inf or nan as NumPy's does.

    Examples
    --------
    The second derivative of x^3 at 2 is 12, and the third one is 6:

    >>> x = Bicomplex(2 + 1e-20j, 1e-20)
    >>> float((x**3).im12 / 1e-40)
    12.0
    >>> x = Bicomplex(x, 1e-20)
    >>> round(float((x**3).part(1, 2, 3) / 1e-60), 12)
    6.0
    """

    __slots__ = ("z1", "z2")
    functions: ClassVar[Any]
    """The array namespace, set by `bicomplex_namespace` when it is imported."""
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    z1: Any
    z2: Any

    def __init__(self, z1: Any, z2: Any = 0.0) -> None:
        n = max(order(z1), order(z2))
        z1, z2 = (_promote(z, n) for z in (z1, z2))
        shape = np.broadcast_shapes(z1.shape, z2.shape)
        self.z1, self.z2 = (namespace(z).broadcast_to(z, shape) for z in (z1, z2))

    @classmethod
    def _of(cls, z1: Any, z2: Any) -> Bicomplex:
        """Build an array from parts with the same number of units; `z2` is broadcast to `z1`."""
        self = object.__new__(cls)
        self.z1 = z1
        self.z2 = z2 if z2.shape == z1.shape else namespace(z2).broadcast_to(z2, z1.shape)
        return self

    @property
    def order(self) -> int:
        """Number of imaginary units: one more than that of the parts, 2 for complex parts."""
        return order(self.z1) + 1

    def part(self, *units: int) -> np.ndarray:
        """Return the real coefficient of a product of units, ``part(1, 2)`` for ``i1 i2``."""
        z = self.z2 if self.order in units else self.z1
        if isinstance(z, Bicomplex):
            return z.part(*units)
        return np.asarray(z.imag if 1 in units else z.real)

    @property
    def real(self) -> np.ndarray:
        """Real part."""
        return self.part()

    @property
    def im1(self) -> np.ndarray:
        """Coefficient of i1."""
        return self.part(1)

    @property
    def im2(self) -> np.ndarray:
        """Coefficient of i2."""
        return self.part(2)

    @property
    def im12(self) -> np.ndarray:
        """Coefficient of i1 i2."""
        return self.part(1, 2)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return tuple(self.z1.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape))

    @property
    def dtype(self) -> Any:
        """Data type of the complex arrays inside: complex128."""
        return self.z1.dtype

    @property
    def device(self) -> str:
        """Always "cpu"."""
        return "cpu"

    @property
    def mT(self) -> Bicomplex:
        """Matrix transpose."""
        return self._of(self.z1.mT, self.z2.mT)

    def reshape(self, *shape: Any) -> Bicomplex:
        """Return the same elements in another shape."""
        return self._of(self.z1.reshape(*shape), self.z2.reshape(*shape))

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return self.functions

    def __repr__(self) -> str:
        return f"Bicomplex({self.z1!r}, {self.z2!r})"

    def __len__(self) -> int:
        return len(self.z1)

    def __getitem__(self, key: Any) -> Bicomplex:
        return self._of(self.z1[key], self.z2[key])

    def __float__(self) -> float:
        raise TypeError(
            "float: a Bicomplex array is not silently made real. Use its attribute .real"
        )

    def __neg__(self) -> Bicomplex:
        return self._of(-self.z1, -self.z2)

    def __pos__(self) -> Bicomplex:
        return self

    def __abs__(self) -> Any:
        return self * np.where(self.real < 0, -1.0, 1.0)

    def __add__(self, w: Any) -> Any:
        if order(w) > self.order:
            return w.__radd__(self)
        if order(w) < self.order:
            return self._of(self.z1 + w, self.z2)
        return self._of(self.z1 + w.z1, self.z2 + w.z2)

    __radd__ = __add__

    def __sub__(self, w: Any) -> Any:
        if order(w) > self.order:
            return w.__rsub__(self)
        if order(w) < self.order:
            return self._of(self.z1 - w, self.z2)
        return self._of(self.z1 - w.z1, self.z2 - w.z2)

    def __rsub__(self, w: Any) -> Any:
        return (-self).__add__(w)

    def __mul__(self, w: Any) -> Any:
        if order(w) > self.order:
            return w.__rmul__(self)
        if order(w) < self.order:
            return self._of(self.z1 * w, self.z2 * w)
        return self._of(self.z1 * w.z1 - self.z2 * w.z2, self.z1 * w.z2 + self.z2 * w.z1)

    __rmul__ = __mul__

    def __matmul__(self, w: Any) -> Any:
        if order(w) > self.order:
            return w.__rmatmul__(self)
        if order(w) < self.order:
            return self._of(self.z1 @ w, self.z2 @ w)
        return self._of(self.z1 @ w.z1 - self.z2 @ w.z2, self.z1 @ w.z2 + self.z2 @ w.z1)

    def __rmatmul__(self, w: Any) -> Bicomplex:
        return self._of(w @ self.z1, w @ self.z2)

    def __truediv__(self, w: Any) -> Any:
        if order(w) > self.order:
            return w.__rtruediv__(self)
        if order(w) < self.order:
            return self._of(self.z1 / w, self.z2 / w)
        return self.__mul__(w._reciprocal())

    def __rtruediv__(self, w: Any) -> Any:
        return self._reciprocal().__mul__(w)

    def _reciprocal(self) -> Bicomplex:
        n = self.z1 * self.z1 + self.z2 * self.z2
        return self._of(self.z1 / n, -self.z2 / n)

    def __pow__(self, n: int) -> Any:
        if not isinstance(n, (int, np.integer)):
            return NotImplemented
        if n < 0:
            return self._reciprocal() ** (-n)
        power = self * 0.0 + 1.0
        for bit in f"{n:b}":
            power = power * power
            if bit == "1":
                power = power * self
        return power

    def __lt__(self, w: Any) -> Any:
        return self.real < _real(w)

    def __le__(self, w: Any) -> Any:
        return self.real <= _real(w)

    def __gt__(self, w: Any) -> Any:
        return self.real > _real(w)

    def __ge__(self, w: Any) -> Any:
        return self.real >= _real(w)

    def __eq__(self, w: object) -> Any:
        return self.real == _real(w)

    def __ne__(self, w: object) -> Any:
        return self.real != _real(w)


def _real(w: Any) -> Any:
    return w.real if isinstance(w, Bicomplex) else np.real(w)


def _promote(z: Any, n: int) -> Any:
    """Convert `z` to an array with n >= 1 imaginary units; coefficients of new units are zero."""
    if order(z) == n:
        return z if n > 1 else np.asarray(z, dtype=np.complex128)
    z = _promote(z, n - 1)
    return Bicomplex._of(z, z * 0.0)
