"""Integrals of functions and of samples, and gradients of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.cells import function_named
from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.solver_options import SCIPY
from spatial_v2.matlab.runtime.value_types import (
    Array,
)

__all__: list[str] = []


@numeric("integral", "quad", "quadgk", "quadl", "quadv")
def integral(f: Any, a: Any, b: Any, *more: Any) -> Any:
    quad_vec = SCIPY.integrate.quad_vec

    g = function_named(f)

    def at(x: float) -> Any:
        return g(Array(np.array([[x]]))).a

    found, _ = quad_vec(at, float(a), float(b), epsabs=1e-12, epsrel=1e-12)
    return found


@numeric()
def trapz(x: Any, y: Any = None, axis: Any = None) -> Any:
    from spatial_v2.matlab.runtime.along import axis_of

    f = x if y is None else y
    k = axis_of(f.a, axis)
    at = None if y is None else x.a.ravel()
    return np.expand_dims(np.trapezoid(f.a, at, axis=k), k)


@numeric()
def cumtrapz(x: Any, y: Any = None) -> Any:
    cumulative_trapezoid = SCIPY.integrate.cumulative_trapezoid

    from spatial_v2.matlab.runtime.along import axis_of

    f = x if y is None else y
    at = None if y is None else x.a.ravel()
    return cumulative_trapezoid(f.a, at, axis=axis_of(f.a), initial=0)


@numeric()
def gradient(f: Any, *steps: Any) -> Any:
    a = f.a
    spacings = [s.a.item() if s.a.size == 1 else s.a.ravel() for s in steps]
    if 1 in a.shape:
        return np.gradient(a.ravel(), *spacings).reshape(a.shape)
    dy, dx = np.gradient(a, *(spacings[::-1] or [1.0]))
    return dx, dy
