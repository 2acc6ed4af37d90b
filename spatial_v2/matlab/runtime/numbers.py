"""Functions of numbers, entry by entry and along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.values import (
    Array,
    Cell,
    MatlabError,
    Text,
    copy,
    empty,
    objects,
    string,
)

__all__ = ["axis_of", "entrywise"]

SYMBOLS = {"asin": "asin", "acos": "acos", "atan": "atan", "abs": "Abs", "fix": "floor"}


def entrywise(f: Callable[[Any], Any], name: str) -> Callable[..., Any]:
    """Make a function of MATLAB's of one that computes with NumPy's arrays."""

    def call(x: Any) -> Any:
        if hasattr(x, "_apply"):
            return x._apply(name)
        if not isinstance(x, Array):
            raise MatlabError(f"{name}: wrong type argument '{type(x).__name__.lower()}'")
        if x.a.dtype == object:
            import sympy

            g = getattr(sympy, SYMBOLS.get(name, name))
            return Array(objects((g(y) for y in x.a.ravel(order="F")), x.a.shape))
        with np.errstate(all="ignore"):
            return Array(np.asarray(f(arithmetic.number(x.a))))

    return call


def _round(a: Any) -> Any:
    return np.trunc(a + np.copysign(0.5 * (a != np.trunc(a)), a))


def _conjugated(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def g(x: np.ndarray) -> Any:
        y = f(x)
        return np.where(np.real(x) > 1, np.conj(y), y) if np.isrealobj(x) else y

    return g


def _sign(a: Any) -> Any:
    if a.dtype.kind == "c":
        return np.where(a == 0, 0, a / np.where(a == 0, 1, np.abs(a)))
    return np.sign(a)


UFUNCS = ("sin", "cos", "tan", "exp", "sinh", "cosh", "tanh", "floor", "ceil", "expm1")
ENTRYWISE: dict[str, Callable[[Any], Any]] = {
    **{n: getattr(np, n) for n in UFUNCS},
    "sqrt": np.emath.sqrt, "log": np.emath.log, "log2": np.emath.log2, "log10": np.emath.log10,
    "log1p": np.log1p, "asin": _conjugated(np.emath.arcsin), "acos": _conjugated(np.emath.arccos),
    "atan": np.arctan, "asinh": np.arcsinh,
    "acosh": lambda a: np.arccosh(a + 0j if np.any(a < 1) else a),
    "atanh": np.emath.arctanh, "abs": np.abs, "fix": np.trunc, "sign": _sign,
    "real": np.real, "imag": np.imag, "conj": np.conj, "angle": np.angle, "arg": np.angle,
    "deg2rad": np.deg2rad, "rad2deg": np.rad2deg, "sind": lambda a: _degrees(np.sin, a, 0),
    "cosd": lambda a: _degrees(np.sin, a, 90), "tand": lambda a: np.tan(np.deg2rad(a)),
    "asind": lambda a: np.rad2deg(np.arcsin(a)), "acosd": lambda a: np.rad2deg(np.arccos(a)),
    "atand": lambda a: np.rad2deg(np.arctan(a)), "sec": lambda a: 1 / np.cos(a),
    "csc": lambda a: 1 / np.sin(a), "cot": lambda a: 1 / np.tan(a), "cbrt": np.cbrt,
    "sinc": np.sinc,
}  # fmt: skip
"""Function of each entry -> the same for NumPy's arrays."""


def _degrees(f: Callable[[Any], Any], a: Any, more: float) -> Any:
    turned = np.mod(a + more, 360)
    return np.where(np.mod(turned, 180) == 0, 0.0, f(np.deg2rad(turned)))


for _name, _f in ENTRYWISE.items():
    matlab(_name)(entrywise(_f, _name))


@matlab("round")
def round_(x: Any, n: Any = None) -> Any:
    if n is None:
        if np.iscomplexobj(x.a):
            return Array(_round(x.a.real) + 1j * _round(x.a.imag))
        return Array(_round(arithmetic.number(x.a)))
    scale = 10.0 ** whole(n)
    return Array(_round(arithmetic.number(x.a) * scale) / scale)


for _name, _g in {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
}.items():
    matlab(_name)(
        lambda x, g=_g, name=_name: (
            Array(g(arithmetic.number(x.a)).astype(bool))
            if isinstance(x, Array) and x.a.dtype != object
            else Array(np.full(x.a.shape, name == "isfinite"))
        )
    )

for _name, _h in {
    "plus": arithmetic.add, "minus": arithmetic.subtract, "times": arithmetic.times,
    "rdivide": arithmetic.divide, "power": arithmetic.power, "mtimes": arithmetic.product,
    "eq": arithmetic.equal, "ne": arithmetic.unequal, "lt": arithmetic.less,
    "le": arithmetic.less_equal, "gt": arithmetic.greater, "ge": arithmetic.greater_equal,
    "and": arithmetic.both, "or": arithmetic.either, "mldivide": arithmetic.left_divide,
    "mrdivide": arithmetic.right_divide,
}.items():  # fmt: skip
    matlab(_name)(lambda x, y, h=_h: Array(h(x.a, y.a)))


def _other(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def wrap(f: Callable[..., Any]) -> Callable[..., Any]:
        @matlab(name)
        def call(x: Any, y: Any) -> Any:
            with np.errstate(all="ignore"):
                return Array(np.asarray(f(arithmetic.number(x.a), arithmetic.number(y.a))))

        return call

    return wrap


@_other("mod")
def mod(a: Any, b: Any) -> Any:
    return _remainder(np.floor, a, b)


@_other("rem")
def rem(a: Any, b: Any) -> Any:
    return _remainder(np.trunc, a, b)


def _remainder(rounded: Callable[[Any], Any], a: Any, b: Any) -> Any:
    q = a / np.where(b == 0, 1, b)
    near = np.round(q)
    whole_ = np.abs(q - near) < np.finfo(float).eps * np.maximum(np.abs(q), 1)
    exact = (a == np.trunc(a)) & (b == np.trunc(b))
    r = a - b * rounded(q)
    if rounded is np.floor:
        r = np.where(exact, np.mod(a, np.where(b == 0, 1, b)), r)
    else:
        r = np.where(exact, np.fmod(a, np.where(b == 0, 1, b)), r)
    r = np.where(whole_ & ~exact, 0.0, r)
    return np.where(b == 0, a if rounded is np.floor else np.nan, r)


@matlab()
def atan2d(a: Any, b: Any) -> Any:
    return np.rad2deg(np.arctan2(a.a, b.a))


@matlab("range")
def spread(x: Any) -> Any:
    a = 1 * (x.a.ravel() if 1 in x.a.shape else x.a)
    return Array(np.reshape(np.ptp(a, axis=0), (1, -1)))


@_other("atan2")
def atan2(a: Any, b: Any) -> Any:
    if object in (a.dtype, b.dtype):
        import sympy

        return np.vectorize(sympy.atan2, otypes=[object])(a, b)
    return np.arctan2(a, b)


_other("hypot")(np.hypot)
_other("nthroot")(lambda a, n: np.sign(a) * np.abs(a) ** (1 / n))
_other("idivide")(lambda a, b: np.trunc(a / b))
_other("bitand")(lambda a, b: np.bitwise_and(a.astype(int), b.astype(int)).astype(float))
_other("bitor")(lambda a, b: np.bitwise_or(a.astype(int), b.astype(int)).astype(float))
_other("bitshift")(lambda a, n: np.floor(a * 2.0**n))
_other("gcd")(lambda a, b: np.gcd(a.astype(int), b.astype(int)).astype(float))
_other("lcm")(lambda a, b: np.lcm(a.astype(int), b.astype(int)).astype(float))


@matlab("not")
def not_(x: Any) -> Any:
    return ~x


@matlab()
def xor(x: Any, y: Any) -> Any:
    return Array(arithmetic.truth(x.a) ^ arithmetic.truth(y.a))


@matlab()
def uminus(x: Any) -> Any:
    return -x


@matlab("mpower")
def mpower(x: Any, y: Any) -> Any:
    if x.a.size == 1 and y.a.size == 1:
        return x**y
    if y.a.size == 1 and x.a.ndim == 2 and x.a.shape[0] == x.a.shape[1]:
        n = y.a.item()
        if n == np.trunc(np.real(n)):
            return Array(np.linalg.matrix_power(arithmetic.number(x.a), int(n)))
        from scipy.linalg import fractional_matrix_power

        return Array(fractional_matrix_power(x.a, n))
    if x.a.size == 1:
        from scipy.linalg import expm

        return Array(expm(np.log(x.a.item()) * y.a))
    raise MatlabError("for x^y, only square matrix arguments are permitted; use .^")


@matlab()
def factorial(x: Any) -> Any:
    return Array(np.vectorize(lambda n: float(math.factorial(int(n))))(x.a))


@matlab()
def gamma(x: Any) -> Any:
    from scipy.special import gamma as g

    return Array(g(x.a))


@matlab()
def erf(x: Any) -> Any:
    from scipy.special import erf as g

    return Array(g(x.a))


@matlab()
def nchoosek(n: Any, k: Any) -> Any:
    if n.a.size == 1:
        return float(math.comb(whole(n), whole(k)))
    from itertools import combinations

    return np.array(list(combinations(n.a.ravel(), whole(k))))


@matlab()
def primes(n: Any) -> Any:
    return np.array(
        [k for k in range(2, whole(n) + 1) if all(k % d for d in range(2, int(k**0.5) + 1))], float
    )[None, :]


@matlab()
def isprime(n: Any) -> Any:
    return Array(
        np.vectorize(lambda k: k > 1 and all(k % d for d in range(2, int(k**0.5) + 1)))(
            n.a.astype(int)
        )
    )


def axis_of(a: np.ndarray, axis: Any = None) -> int:
    """Return the axis, from 0, along which MATLAB sums: the first that is not of length 1."""
    if axis is not None:
        return whole(axis) - 1
    return next((k for k, n in enumerate(a.shape) if n != 1), 0)


def _along(name: str, f: Callable[..., Any], zero: float) -> None:
    @matlab(name)
    def call(x: Any, axis: Any = None, *more: Any) -> Any:
        a = arithmetic.number(x.a)
        if isinstance(axis, Text):
            if string(axis) == "all":
                return f(a.ravel(), axis=0)
            axis = None
        if a.shape == (0, 0) and axis is None:
            return zero
        k = axis_of(a, axis)
        if k >= a.ndim:
            return Array(a if name not in ("std", "var") else np.zeros(a.shape))
        return Array(_kept(f(a, axis=k), k, a.ndim))


def _kept(a: Any, k: int, ndim: int) -> Any:
    a = np.asarray(a)
    if a.ndim < ndim:
        a = np.expand_dims(a, k)
    while a.ndim > 2 and a.shape[-1] == 1:
        a = a[..., 0]
    return a


def _deviation(power: float) -> Callable[..., Any]:
    def f(a: np.ndarray, axis: int) -> Any:
        return np.var(a, axis=axis, ddof=1 if a.shape[axis] > 1 else 0) ** power

    return f


ALONG: list[tuple[str, Callable[..., Any], float]] = [
    ("sum", np.sum, 0.0), ("prod", np.prod, 1.0), ("mean", np.mean, np.nan),
    ("median", np.median, np.nan), ("cumsum", np.cumsum, 0.0), ("cumprod", np.cumprod, 1.0),
    ("std", _deviation(0.5), np.nan), ("var", _deviation(1), np.nan),
    ("sumsq", lambda a, axis: np.sum(np.abs(a) ** 2, axis=axis), 0.0),
    ("nanmean", np.nanmean, np.nan), ("nansum", np.nansum, 0.0),
    ("mode", lambda a, axis: np.apply_along_axis(_most_often, axis, a), np.nan),
    ("rms", lambda a, axis: np.sqrt(np.mean(np.abs(a) ** 2, axis=axis)), np.nan),
]  # fmt: skip
for _name, _r, _z in ALONG:
    _along(_name, _r, _z)


def _most_often(a: np.ndarray) -> Any:
    found, times = np.unique(a, return_counts=True)
    return found[np.argmax(times)]


for _name, _q in {"any": np.any, "all": np.all}.items():

    @matlab(_name)
    def _truths(x: Any, axis: Any = None, q: Any = _q, name: str = _name) -> Any:
        a = (
            arithmetic.truth(x.a)
            if not np.isnan(x.a.astype(complex) if x.a.dtype != object else 0).any()
            else x.a != 0
        )
        if a.shape == (0, 0) and axis is None:
            return name == "all"
        if isinstance(axis, Text):
            return bool(q(a))
        k = axis_of(a, axis)
        if k >= a.ndim:
            return Array(a)
        return Array(_kept(q(a, axis=k), k, a.ndim).astype(bool))


def _extreme(name: str) -> None:
    sign = 1 if name == "max" else -1

    @matlab(name)
    def call(x: Any, y: Any = None, axis: Any = None, nargout: int = 1) -> Any:
        if y is not None and y.a.size:
            logical = x.a.dtype == y.a.dtype == bool
            a, b = (z.a if logical else arithmetic.number(z.a) for z in (x, y))
            f = np.fmax if sign > 0 else np.fmin
            return Array(f(a, b))
        logical, a = x.a.dtype == bool, arithmetic.number(x.a)
        if isinstance(axis, Text):
            a, axis = a.reshape(-1, 1, order="F"), None
        if a.size == 0:
            return empty(), empty()
        k = axis_of(a, axis)
        key = np.abs(a) if np.iscomplexobj(a) else a
        key = np.where(np.isnan(key), -np.inf, sign * key)
        at = np.argmax(key, axis=k)
        missing = np.all(np.isnan(a), axis=k)
        at = np.where(missing, 0, at)
        found = np.take_along_axis(a, np.expand_dims(at, k), k)
        found = found.astype(bool) if logical else found
        return Array(_kept(found, k, a.ndim)), Array(_kept(at + 1.0, k, a.ndim))


_extreme("max")
_extreme("min")


def _running(name: str, f: Any) -> None:
    @matlab(name)
    def call(x: Any) -> Any:
        return Array(f.accumulate(x.a, axis=axis_of(x.a)))


_running("cummax", np.fmax)
_running("cummin", np.fmin)


@matlab()
def diff(x: Any, n: Any = None, axis: Any = None) -> Any:
    if isinstance(x, Array) and x.a.dtype == object:
        from spatial_v2.matlab.runtime.symbols import derivative

        return derivative(x, n, axis)
    times = 1 if n is None or n.a.size == 0 else whole(n)
    a = arithmetic.number(x.a)
    for _ in range(times):
        a = np.diff(a, axis=axis_of(a, axis))
    return Array(a)


@matlab()
def sort(x: Any, *more: Any, nargout: int = 1) -> Any:
    down = any(isinstance(m, Text) and string(m).lower() == "descend" for m in more)
    axis = next((m for m in more if not isinstance(m, Text)), None)
    if isinstance(x, Cell):
        names = [string(y) for y in x.a.ravel(order="F")]
        places = sorted(range(len(names)), key=lambda k: names[k], reverse=down)
        return Cell(objects((x.a.ravel(order="F")[k] for k in places), x.a.shape)), Array(
            (np.array(places, float) + 1).reshape(x.a.shape)
        )
    a = x.a
    if a.size == 0:
        return copy(x), Array(np.zeros(a.shape))
    k = axis_of(a, axis)
    key = arithmetic.number(a)
    if np.iscomplexobj(a):
        key = np.abs(a) + 0.0
    order = np.argsort(-key if down else key, axis=k, kind="stable")
    if down and np.isnan(key).any():
        order = np.argsort(np.where(np.isnan(key), -np.inf, -key), axis=k, kind="stable")
    return x.__class__(np.take_along_axis(a, order, k)), Array(order + 1.0)


@matlab()
def sortrows(x: Any, columns: Any = None, nargout: int = 1) -> Any:
    a = x.a
    by = [int(c) for c in columns.a.ravel()] if columns is not None else range(1, a.shape[1] + 1)
    order = np.arange(len(a))
    for c in reversed(list(by)):
        key = arithmetic.number(a[order, abs(c) - 1])
        order = order[np.argsort(key if c > 0 else -key, kind="stable")]
    return x.__class__(a[order]), order + 1.0


@matlab()
def issorted(x: Any) -> Any:
    a = x.a.ravel()
    return bool(np.all(a[1:] >= a[:-1]))


@matlab()
def unique(x: Any, *more: Any, nargout: int = 1) -> Any:
    words = [string(m) for m in more]
    if isinstance(x, Cell):
        flat = np.array([string(y) for y in x.a.ravel(order="F")], dtype=object)
    else:
        flat = x.a if "rows" in words else x.a.ravel(order="F")
    a, first, inverse = np.unique(flat, axis=0 if flat.ndim > 1 else None, return_index=True,
                                  return_inverse=True)  # fmt: skip
    if "stable" in words:
        order = np.argsort(first)
        a, first, inverse = a[order], first[order], np.argsort(order)[np.ravel(inverse)]
    if "last" in words:
        first = np.array([np.flatnonzero(np.ravel(inverse) == k)[-1] for k in range(len(a))], int)
    if flat.ndim == 1:
        shape = (1, len(a)) if x.a.shape[0] == 1 and x.a.shape[1] > 1 else (len(a), 1)
        a = objects(map(Text, a), shape) if isinstance(x, Cell) else a.reshape(shape)
    return x.__class__(a), first[:, None] + 1.0, np.ravel(inverse)[:, None] + 1.0


def _sets(name: str, f: Callable[[Any, Any], Any]) -> None:
    @matlab(name)
    def call(x: Any, y: Any, *more: Any, nargout: int = 1) -> Any:
        if isinstance(x, Cell) or isinstance(y, Cell):
            a, b = (
                [string(z) for z in c.a.ravel(order="F")] if isinstance(c, Cell) else [string(c)]
                for c in (x, y)
            )
            both = {
                "union": set(a) | set(b),
                "intersect": set(a) & set(b),
                "setdiff": set(a) - set(b),
            }[name]
            names = sorted(both)
            if more and string(more[0]) == "stable":
                names = [n for n in dict.fromkeys([*a, *b]) if n in both]
            return Cell(objects(map(Text, names))), None, None
        a, b = x.a.ravel(order="F"), y.a.ravel(order="F")
        found = f(a, b)
        if more and string(more[0]) == "stable":
            every = np.concatenate([a, b])
            found = np.array([z for z in dict.fromkeys(every.tolist()) if z in found])
        column = (
            x.a.shape[1] == 1 and x.a.size > 1 and (y.a.shape[1] == 1 or name == "setdiff")
        ) or (x.a.shape[0] > 1 and x.a.shape[1] > 1)
        shape = (-1, 1) if column else (1, -1)
        at = np.array([np.flatnonzero(a == z)[0] + 1.0 for z in found if (a == z).any()])
        also = np.array([np.flatnonzero(b == z)[0] + 1.0 for z in found if (b == z).any()])
        return Array(np.asarray(found).reshape(shape)), at[:, None], also[:, None]


_sets("union", np.union1d)
_sets("intersect", np.intersect1d)
_sets("setdiff", np.setdiff1d)


@matlab()
def find(x: Any, n: Any = None, where: Any = None, nargout: int = 1) -> Any:
    a = x.a != 0
    k = np.flatnonzero(a.ravel(order="F"))
    if n is not None:
        k = k[-whole(n) :] if where is not None and string(where) == "last" else k[: whole(n)]
    row = a.ndim == 2 and a.shape[0] == 1 and a.shape[1] != 1
    shape = (1, -1) if row else (-1, 1)
    if a.size == 0 and a.shape == (0, 0):
        return (empty(),) * 3
    if nargout <= 1:
        return (k + 1.0).reshape(shape)
    rows, columns = np.unravel_index(k, (a.shape[0], a.size // max(a.shape[0], 1)), order="F")
    return tuple(
        Array(v.reshape(shape)) for v in (rows + 1.0, columns + 1.0, x.a.ravel(order="F")[k])
    )


@matlab()
def histc(x: Any, edges: Any) -> Any:
    e = edges.a.ravel()
    at = np.searchsorted(e, x.a.ravel(), side="right")
    found = np.bincount(at, minlength=e.size + 1)[1 : e.size + 1].astype(float)
    inner = np.sum(x.a.ravel() == e[-1])
    found[-1] = inner
    return Array(found.reshape((x.a.shape[0] == 1 and (1, -1)) or (-1, 1)))
