"""Polynomials, filters, and linear systems in discrete time."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.solver_options import SCIPY, flat
from spatial_v2.matlab.runtime.value_types import (
    Array,
)

__all__: list[str] = []


@numeric()
def polyfit(x: Any, y: Any, n: Any, nargout: int = 1) -> Any:
    return np.polyfit(flat(x), flat(y), whole(n))[None, :]


@numeric()
def polyval(p: Any, x: Any) -> Any:
    return Array(np.asarray(np.polyval(p.a.ravel(), x.a)))


@numeric()
def roots(p: Any) -> Any:
    return np.roots(p.a.ravel())[:, None]


@numeric()
def poly(x: Any) -> Any:
    return np.atleast_1d(np.poly(x.a.ravel() if 1 in x.a.shape else x.a))[None, :]


@numeric()
def polyder(p: Any) -> Any:
    return np.polyder(p.a.ravel())[None, :]


@numeric()
def polyint(p: Any) -> Any:
    return np.polyint(p.a.ravel())[None, :]


@numeric()
def conv(a: Any, b: Any, *_: Any) -> Any:
    flat = np.convolve(a.a.ravel(), b.a.ravel())
    return flat[:, None] if a.a.shape[1] == 1 and a.a.size > 1 else flat[None, :]


@numeric("filter")
def filter_(b: Any, a: Any, x: Any) -> Any:
    lfilter = SCIPY.signal.lfilter

    return lfilter(b.a.ravel(), a.a.ravel(), x.a, axis=1 if x.a.shape[0] == 1 else 0)


@numeric("c2d")
def c2d(a: Any, b: Any, step: Any, *_: Any, nargout: int = 2) -> Any:
    expm = scipy.linalg.expm

    n, m = b.a.shape
    big = np.zeros((n + m, n + m))
    big[:n, :n], big[:n, n:] = a.a, b.a
    found = expm(big * float(step))
    return found[:n, :n], found[:n, n:]
