"""Functions of numbers, entry by entry and along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.value_types import (
    Array,
    MatlabError,
    objects,
)

__all__: list[str] = []

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
