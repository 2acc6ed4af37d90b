"""Statistics, Fourier transforms and further functions of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.along import axis_of
from spatial_v2.matlab.runtime.functions import matlab, numeric
from spatial_v2.matlab.runtime.value_types import Array, MatlabError, Text, string, value

__all__: list[str] = []


@numeric()
def cov(x: Any, y: Any = None, *_: Any) -> Any:
    a = x.a
    if y is not None and y.a.size > 1:
        return Array(np.cov(x.a.ravel(order="F"), y.a.ravel(order="F")))
    if 1 in a.shape:
        return float(np.var(a, ddof=1 if a.size > 1 else 0))
    return Array(np.atleast_2d(np.cov(a, rowvar=False)))


@numeric()
def corrcoef(x: Any, y: Any = None) -> Any:
    if y is not None:
        return Array(np.corrcoef(x.a.ravel(order="F"), y.a.ravel(order="F")))
    return Array(np.atleast_2d(np.corrcoef(x.a, rowvar=False)))


def _quantiles(x: Any, p: Any, scale: float, axis: Any) -> Array:
    """Return quantiles; those of a vector have the shape of `p`."""
    at = p.a.ravel(order="F") / scale
    if axis is None and 1 in x.a.shape:
        return Array(np.quantile(x.a, at, method="hazen").reshape(p.a.shape, order="F"))
    k = axis_of(x.a, axis)
    return Array(np.moveaxis(np.quantile(x.a, at, axis=k, method="hazen"), 0, k))


@numeric()
def quantile(x: Any, p: Any = None, axis: Any = None) -> Any:
    return _quantiles(x, value(np.arange(5) / 4) if p is None else p, 1, axis)


@numeric()
def prctile(x: Any, p: Any = None, axis: Any = None) -> Any:
    return _quantiles(x, value(np.arange(5) * 25.0) if p is None else p, 100, axis)


def _moment(x: Any, n: int) -> Array:
    k = axis_of(x.a)
    apart = x.a - x.a.mean(axis=k, keepdims=True)
    spread = np.sqrt((apart**2).mean(axis=k, keepdims=True))
    return Array((apart**n).mean(axis=k, keepdims=True) / spread**n)


@numeric()
def skewness(x: Any) -> Any:
    return _moment(x, 3)


@numeric()
def kurtosis(x: Any) -> Any:
    return _moment(x, 4)


@numeric()
def bounds(x: Any) -> Any:
    k = axis_of(x.a)
    return Array(x.a.min(axis=k, keepdims=True)), Array(x.a.max(axis=k, keepdims=True))


@numeric()
def rescale(x: Any, low: Any = 0.0, high: Any = 1.0) -> Any:
    a, b = float(low), float(high)
    least, most = x.a.min(), x.a.max()
    return Array(a + (x.a - least) / (most - least) * (b - a))


@numeric()
def movmean(x: Any, window: Any) -> Any:
    """Mean over a window, which is shorter at the ends."""
    w = [int(k) for k in window.a.ravel()]
    before, after = (w[0], w[1]) if len(w) == 2 else (w[0] // 2, (w[0] - 1) // 2)
    k = axis_of(x.a)
    a = np.moveaxis(x.a, k, 0)
    means = [a[max(0, i - before) : i + after + 1].mean(axis=0) for i in range(len(a))]
    return Array(np.moveaxis(np.array(means), 0, k))


@numeric()
def fft(x: Any, n: Any = None, axis: Any = None) -> Any:
    count = None if n is None or n.a.size == 0 else int(float(n))
    return Array(np.fft.fft(x.a, count, axis=axis_of(x.a, axis)))


@numeric()
def ifft(x: Any, n: Any = None, axis: Any = None) -> Any:
    count = None if n is None or n.a.size == 0 else int(float(n))
    found = np.fft.ifft(x.a, count, axis=axis_of(x.a, axis))
    symmetric = np.abs(found.imag).max(initial=0) <= 1e-14 * np.abs(found).max(initial=0)
    return Array(found.real.copy() if symmetric else found)


@numeric()
def unwrap(x: Any, *_: Any) -> Any:
    return Array(np.unwrap(x.a, axis=axis_of(x.a)))


@numeric()
def deconv(y: Any, a: Any) -> Any:
    quotient, rest = np.polydiv(y.a.ravel(), a.a.ravel())
    padded = np.concatenate([np.zeros(y.a.size - rest.size), rest])
    column = y.a.shape[1] == 1 and y.a.size > 1
    shape = (-1, 1) if column else (1, -1)
    return Array(quotient.reshape(shape)), Array(padded.reshape(shape))


@numeric()
def nextpow2(x: Any) -> Any:
    with np.errstate(divide="ignore"):
        return Array(np.where(x.a == 0, 0, np.ceil(np.log2(np.abs(x.a)))))


@numeric()
def erfc(x: Any) -> Any:
    return Array(scipy.special.erfc(x.a))


@numeric()
def normcdf(x: Any, mean: Any = 0.0, deviation: Any = 1.0) -> Any:
    return Array(scipy.special.ndtr((x.a - float(mean)) / float(deviation)))


@numeric()
def normpdf(x: Any, mean: Any = 0.0, deviation: Any = 1.0) -> Any:
    z = (x.a - float(mean)) / float(deviation)
    return Array(np.exp(-(z**2) / 2) / (np.sqrt(2 * np.pi) * float(deviation)))


@numeric()
def bitxor(x: Any, y: Any) -> Any:
    return Array((x.a.astype(np.int64) ^ y.a.astype(np.int64)).astype(float))


@numeric()
def polyarea(x: Any, y: Any) -> Any:
    a, b = x.a.ravel(), y.a.ravel()
    return abs(float(np.sum(a * np.roll(b, -1) - np.roll(a, -1) * b))) / 2


@numeric()
def inpolygon(x: Any, y: Any, xs: Any, ys: Any) -> Any:
    """Points inside a polygon or on its edges."""
    px, py = x.a[..., None], y.a[..., None]
    a, b = xs.a.ravel(), ys.a.ravel()
    c, d = np.roll(a, -1), np.roll(b, -1)
    across = (c - a) * (py - b) - (d - b) * (px - a)
    on = (across == 0) & ((px - a) * (px - c) <= 0) & ((py - b) * (py - d) <= 0)
    crossed = ((b <= py) & (d > py) & (across > 0)) | ((b > py) & (d <= py) & (across < 0))
    return Array((np.sum(crossed, axis=-1) % 2 == 1) | on.any(axis=-1))


@numeric("integral2", "dblquad", "quad2d")
def integral2(f: Any, *limits: Any) -> Any:
    from scipy.integrate import dblquad

    a, b, c, d = (float(x) if isinstance(x, Array) else x for x in limits[:4])

    def border(at: Any) -> Any:
        return (lambda x: float(at(value(x)))) if callable(at) else at

    found, _ = dblquad(
        lambda y, x: float(f(value(x), value(y))), a, b, border(c), border(d), epsabs=1e-11
    )
    return found


@matlab()
def isequaln(*given: Any) -> Any:
    first = given[0].a
    return all(
        x.a.shape == first.shape
        and bool(np.all((x.a == first) | ((x.a != x.a) & (first != first))))
        for x in given[1:]
    )


@matlab()
def typecast(x: Any, kind: Any) -> Any:
    name = {"double": "float64", "single": "float32", "char": "uint8"}.get(
        string(kind), string(kind)
    )
    flat = x.a.ravel(order="F").view(np.dtype(name))
    return Array(flat.reshape((1, -1) if x.a.shape[0] == 1 else (-1, 1)).copy())


@matlab()
def nthargout(n: Any, f: Any, *args: Any) -> Any:
    k = int(float(n))
    found = f(*args, nargout=k)
    return found[k - 1] if isinstance(found, tuple) else found


@matlab()
def append(*parts: Any) -> Any:
    return Text("".join(string(p) for p in parts))


@matlab()
def findstr(x: Any, y: Any) -> Any:
    long, short = sorted((string(x), string(y)), key=len, reverse=True)
    at = [float(k + 1) for k in range(len(long)) if short and long.startswith(short, k)]
    return Array(np.array([at]).reshape(1, len(at)))


@matlab()
def minmax(x: Any) -> Any:
    a = arithmetic.number(x.a)
    return Array(np.stack([a.min(axis=1), a.max(axis=1)], axis=1))


@numeric()
def lsqnonneg(C: Any, d: Any, *_: Any) -> Any:
    from scipy.optimize import nnls

    x, residual = nnls(C.a, d.a.ravel())
    return Array(x[:, None]), residual**2


@numeric()
def obsv(A: Any, C: Any) -> Any:
    rows = [C.a]
    for _ in range(A.a.shape[0] - 1):
        rows.append(rows[-1] @ A.a)
    return Array(np.vstack(rows))


@numeric("place", "acker")
def place(A: Any, B: Any, poles: Any) -> Any:
    from scipy.signal import place_poles

    if B.a.shape[1] == 1:  # Ackermann's formula
        n = A.a.shape[0]
        reached = np.hstack([np.linalg.matrix_power(A.a, k) @ B.a for k in range(n)])
        if np.linalg.matrix_rank(reached) < n:
            raise MatlabError("place: the inputs do not reach all states")
        by = np.poly(poles.a.ravel())
        found = sum(c * np.linalg.matrix_power(A.a, n - k) for k, c in enumerate(by))
        return Array(np.real(np.linalg.solve(reached.T, np.eye(n)[:, -1:]).T @ found))
    return Array(place_poles(A.a, B.a, poles.a.ravel()).gain_matrix)


@numeric()
def dlyap(A: Any, Q: Any) -> Any:
    from scipy.linalg import solve_discrete_lyapunov

    return Array(solve_discrete_lyapunov(A.a, Q.a))
