"""Functions of the array API for `Bicomplex` arrays, as reference implementations use them.

``x.__array_namespace__()`` returns this module. Functions that only rearrange elements are applied
to the two parts. Analytic functions are computed from the same functions of the parts, so that
arrays can be nested to any order. NumPy arguments are treated as constants.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from derivatives.reference.bicomplex import Bicomplex, _promote, _real, order
from spatial_v2.arrays import namespace

pi = np.pi
complex128 = np.complex128
float64 = np.float64
_of = Bicomplex._of
Bicomplex.functions = sys.modules[__name__]


def asarray(x: Any, /, *, dtype: Any = None, device: Any = None, copy: Any = None) -> Bicomplex:
    """Convert `x` to a bicomplex array; parts that `x` lacks are zero."""
    return x if isinstance(x, Bicomplex) else Bicomplex(x)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Bicomplex:
    """Array of zeros."""
    return asarray(np.zeros(shape))


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Bicomplex:
    """Array of ones."""
    return asarray(np.ones(shape))


def eye(n: int, m: int | None = None, /, *, dtype: Any = None, device: Any = None) -> Bicomplex:
    """Identity matrix."""
    return asarray(np.eye(n, m))


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """Array of zeros of the shape and order of `x`."""
    return _each("zeros_like", x)


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    """Array of ones of the shape and order of `x`."""
    return zeros_like(x) + 1.0


def _each(name: str, x: Any, *args: Any, **kwargs: Any) -> Any:
    if not isinstance(x, Bicomplex):
        return getattr(namespace(x), name)(x, *args, **kwargs)
    return _of(_each(name, x.z1, *args, **kwargs), _each(name, x.z2, *args, **kwargs))


def reshape(x: Any, /, shape: Any, *, copy: Any = None) -> Any:
    """Return the same elements in another shape."""
    return _each("reshape", x, shape)


def permute_dims(x: Any, /, axes: Any) -> Any:
    """Permute axes."""
    return _each("permute_dims", x, axes)


def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """Move axes to new positions."""
    return _each("moveaxis", x, source, destination)


def matrix_transpose(x: Any, /) -> Any:
    """Exchange the last two axes, without conjugation."""
    return _each("matrix_transpose", x)


def expand_dims(x: Any, /, *, axis: Any) -> Any:
    """Insert an axis of length one."""
    return _each("expand_dims", x, axis=axis)


def squeeze(x: Any, /, axis: Any) -> Any:
    """Remove an axis of length one."""
    return _each("squeeze", x, axis=axis)


def broadcast_to(x: Any, /, shape: Any) -> Any:
    """Broadcast to a larger shape."""
    return _each("broadcast_to", x, shape)


def flip(x: Any, /, *, axis: Any = None) -> Any:
    """Reverse the order of elements along axes."""
    return _each("flip", x, axis=axis)


def take(x: Any, indices: Any, /, *, axis: Any = None) -> Any:
    """Select elements at `indices` along an axis."""
    return _each("take", x, indices, axis=axis)


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Sum along axes."""
    return _each("sum", x, axis=axis, keepdims=keepdims)


def all(x: Any, /, *, axis: Any = None) -> Any:
    """Test if all elements along axes are true."""
    return namespace(x).all(x, axis=axis)


def _common(xs: Sequence[Any]) -> list[Any]:
    n = max(map(order, xs))
    return [_promote(x, n) for x in xs]


def _join(name: str, xs: Sequence[Any], axis: Any) -> Any:
    xs = _common(xs)
    if not isinstance(xs[0], Bicomplex):
        return getattr(namespace(*xs), name)(xs, axis=axis)
    return _of(_join(name, [x.z1 for x in xs], axis), _join(name, [x.z2 for x in xs], axis))


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Any:
    """Join arrays along a new axis."""
    return _join("stack", arrays, axis)


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Any:
    """Join arrays along an existing axis."""
    return _join("concat", arrays, axis)


def broadcast_arrays(*arrays: Any) -> list[Any]:
    """Broadcast arrays to their common shape."""
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return [broadcast_to(x, shape) for x in arrays]


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """Select elements of `x1` if the condition holds, else of `x2`."""
    x1, x2 = _common([x1, x2])
    if not isinstance(x1, Bicomplex):
        return np.where(condition, x1, x2)
    return _of(where(condition, x1.z1, x2.z1), where(condition, x1.z2, x2.z2))


def less(x1: Any, x2: Any, /) -> Any:
    """Return whether x1 < x2, comparing real parts."""
    return _real(x1) < _real(x2)


def less_equal(x1: Any, x2: Any, /) -> Any:
    """Return whether x1 <= x2, comparing real parts."""
    return _real(x1) <= _real(x2)


def equal(x1: Any, x2: Any, /) -> Any:
    """Return whether x1 == x2, comparing real parts."""
    return _real(x1) == _real(x2)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Return whether a data type is of a kind, as NumPy's `isdtype`."""
    return bool(namespace().isdtype(dtype, kind))


def result_type(*arrays: Any) -> Any:
    """Return the data type of all bicomplex arrays, complex128."""
    return complex128


def matmul(x1: Any, x2: Any, /) -> Any:
    """Matrix product."""
    return x1 @ x2


def multiply(x1: Any, x2: Any, /) -> Any:
    """Multiply element by element."""
    return x1 * x2


def abs(x: Any, /) -> Any:
    """Return x or -x, whichever has a nonnegative real part: the analytic continuation."""
    return x.__abs__() if isinstance(x, Bicomplex) else np.abs(x)


def sin(x: Any, /) -> Any:
    """Sine: sin(a + i b) = sin a cosh b + i cos a sinh b."""
    if not isinstance(x, Bicomplex):
        return np.sin(x)
    a, b = x.z1, x.z2
    return _of(sin(a) * cosh(b), cos(a) * sinh(b))


def cos(x: Any, /) -> Any:
    """Cosine: cos(a + i b) = cos a cosh b - i sin a sinh b."""
    if not isinstance(x, Bicomplex):
        return np.cos(x)
    a, b = x.z1, x.z2
    return _of(cos(a) * cosh(b), -sin(a) * sinh(b))


def tan(x: Any, /) -> Any:
    """Tangent."""
    return sin(x) / cos(x)


def sinh(x: Any, /) -> Any:
    """Hyperbolic sine: sinh(a + i b) = sinh a cos b + i cosh a sin b."""
    if not isinstance(x, Bicomplex):
        return np.sinh(x)
    a, b = x.z1, x.z2
    return _of(sinh(a) * cos(b), cosh(a) * sin(b))


def cosh(x: Any, /) -> Any:
    """Hyperbolic cosine: cosh(a + i b) = cosh a cos b + i sinh a sin b."""
    if not isinstance(x, Bicomplex):
        return np.cosh(x)
    a, b = x.z1, x.z2
    return _of(cosh(a) * cos(b), sinh(a) * sin(b))


def exp(x: Any, /) -> Any:
    """Exponential: exp(a + i b) = exp a (cos b + i sin b)."""
    if not isinstance(x, Bicomplex):
        return np.exp(x)
    a, b = x.z1, x.z2
    return _of(exp(a) * cos(b), exp(a) * sin(b))


def sqrt(x: Any, /) -> Any:
    """Square root: sqrt(a + i b) = sqrt(a) sqrt(1 + i b/a), the branch of sqrt(a)."""
    if not isinstance(x, Bicomplex):
        return np.sqrt(x)
    a, t = x.z1, x.z2 / where(x.z1 == 0, 1.0, x.z1)
    u = sqrt((1.0 + sqrt(1.0 + t * t)) * 0.5) * sqrt(a)
    v = u * t / (1.0 + sqrt(1.0 + t * t))
    return _of(u, v)


def log1p(x: Any, /) -> Any:
    """log1p(a + i b) = log1p(a) + log1p(t^2) / 2 + i atan t with t = b / (1 + a)."""
    if not isinstance(x, Bicomplex):
        if not np.iscomplexobj(x):
            return np.log1p(x)
        a, b = np.real(x), np.imag(x)
        return 0.5 * np.log1p(a * (2 + a) + b * b) + 1j * np.arctan2(b, 1 + a)
    t = x.z2 / (1.0 + x.z1)
    return _of(log1p(x.z1) + 0.5 * log1p(t * t), atan(t))


def log(x: Any, /) -> Any:
    """Natural logarithm: log(a + i b) = log a + log(1 + i b/a)."""
    if not isinstance(x, Bicomplex):
        return np.log(x)
    t = x.z2 / x.z1
    return _of(log(x.z1) + 0.5 * log1p(t * t), atan(t))


def atan(x: Any, /) -> Any:
    """Inverse tangent of a + i b; the real part of b must be below one."""
    if not isinstance(x, Bicomplex):
        return np.arctan(x)
    a, b = x.z1, x.z2
    turn = atan(a / (1.0 - b)) + atan(a / (1.0 + b))
    stretch = log1p(4.0 * b / ((1.0 - b) * (1.0 - b) + a * a))
    return _of(0.5 * turn, 0.25 * stretch)


def _solve(A: Any, b: Any, /) -> Any:
    """Solve A x = b by a Schur complement in the part A.z1, which must be regular."""
    if not isinstance(A, Bicomplex):
        if not isinstance(b, Bicomplex):
            return np.linalg.solve(A, b)
        return _of(_solve(A, b.z1), _solve(A, b.z2))
    A, b = _common([A, b])
    schur = A.z1 + A.z2 @ _solve(A.z1, A.z2)
    x = _solve(schur, b.z1 + A.z2 @ _solve(A.z1, b.z2))
    return _of(x, _solve(A.z1, b.z2 - A.z2 @ x))


def _inv(A: Any, /) -> Any:
    """Inverse matrix."""
    return _solve(A, asarray(np.eye(A.shape[-1])))


linalg = SimpleNamespace(solve=_solve, inv=_inv, matmul=matmul, matrix_transpose=matrix_transpose)
