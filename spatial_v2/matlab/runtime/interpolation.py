"""Interpolation, splines and piecewise polynomials, by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.solver_options import SCIPY
from spatial_v2.matlab.runtime.value_types import (
    Array,
    MatlabError,
    Struct,
    Text,
    string,
)

__all__: list[str] = []


@numeric()
def interp1(x: Any, y: Any, xi: Any = None, *more: Any) -> Any:
    if xi is None or isinstance(xi, Text):
        more = (xi, *more) if xi is not None else more
        n = y.a.shape[0] if y.a.shape[0] > 1 else y.a.size
        y, xi, x = x, y, Array(np.arange(1.0, n + 1)[:, None])
    words = [string(m) for m in more if isinstance(m, Text)]
    method = next((w.lower() for w in words if w.lower() != "extrap"), "linear")
    extrapolate = any(w.lower() == "extrap" for w in words) or method in (
        "spline",
        "pchip",
        "cubic",
    )
    outside = next((float(m) for m in more if not isinstance(m, Text)), np.nan)
    at, values = x.a.ravel(), y.a.ravel() if 1 in y.a.shape else y.a
    order = np.argsort(at)
    at, values = at[order], values[order]
    q = xi.a.ravel()
    f = _interpolant(method, at, values)
    found = np.asarray(f(q), dtype=complex if np.iscomplexobj(values) else float)
    out = (q < at[0]) | (q > at[-1]) | np.isnan(q)
    if not extrapolate or (
        method in ("pchip", "cubic", "spline")
        and "extrap" not in words
        and method != "spline"
        and method != "pchip"
        and method != "cubic"
    ):
        found[out] = outside
    if not np.isnan(outside):
        found[out] = outside
    if values.ndim == 1:
        return found.reshape(xi.a.shape)
    return found


def _interpolant(method: str, at: np.ndarray, values: np.ndarray) -> Any:
    interpolate = SCIPY.interpolate

    if method == "spline":
        return interpolate.CubicSpline(at, values)
    if method in ("pchip", "cubic"):
        return interpolate.PchipInterpolator(at, values)
    if method == "makima":
        return interpolate.Akima1DInterpolator(at, values, method="makima")
    if method in ("nearest", "previous", "next"):
        kind = {"nearest": "nearest-up"}.get(method, method)
        return interpolate.interp1d(at, values, kind, axis=0, fill_value="extrapolate")
    return interpolate.interp1d(at, values, axis=0, fill_value="extrapolate")


def _nearest(grid: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the nearest points of a grid, the upper of two; NaN outside."""
    found = grid[np.searchsorted((grid[1:] + grid[:-1]) / 2, at, side="right")]
    return np.where((at >= grid[0]) & (at <= grid[-1]), found, np.nan)


@numeric()
def interp2(*args: Any) -> Any:
    RegularGridInterpolator = SCIPY.interpolate.RegularGridInterpolator

    words = [string(a) for a in args if isinstance(a, Text)]
    *grid, z, xi, yi = (a.a for a in args if not isinstance(a, Text))
    x, y = grid or (np.arange(1.0, n + 1)[None, :] for n in z.shape[::-1])
    gx = x[0] if min(x.shape) > 1 else x.ravel()
    gy = y[:, 0] if min(y.shape) > 1 else y.ravel()
    asked = words[0] if words else "linear"
    method = {"linear": "linear", "nearest": "nearest", "spline": "cubic"}.get(asked)
    if method is None:
        raise MatlabError(f"interp2: want 'linear', 'nearest' or 'spline', got {asked!r}")
    if method == "nearest":
        xi, yi, method = _nearest(gx, xi), _nearest(gy, yi), "linear"
    f = RegularGridInterpolator((gy, gx), z, method, bounds_error=False, fill_value=np.nan)
    if xi.shape != yi.shape:
        xi, yi = np.meshgrid(xi.ravel(), yi.ravel())
    return f(np.stack([yi, xi], -1))


def _piecewise(breaks: np.ndarray, coefficients: np.ndarray, dim: int = 1) -> Struct:
    """Return MATLAB's struct of a piecewise polynomial."""
    pieces = len(breaks) - 1
    return Struct(
        form="pp", breaks=Array(breaks[None, :]), coefs=Array(coefficients),
        pieces=float(pieces), order=float(coefficients.shape[-1]), dim=float(dim),
    )  # fmt: skip


@numeric("spline", "pchip")
def spline(x: Any, y: Any, xi: Any = None) -> Any:
    CubicSpline = SCIPY.interpolate.CubicSpline

    at = x.a.ravel()
    values = y.a.ravel() if 1 in y.a.shape else y.a.T
    ends: Any = "not-a-knot"
    if len(values) == len(at) + 2:
        ends, values = ((1, values[0]), (1, values[-1])), values[1:-1]
    f = CubicSpline(at, values, bc_type=ends)
    if xi is not None:
        found = f(xi.a.ravel())
        return found.reshape(xi.a.shape) if values.ndim == 1 else found.T
    c = f.c  # (4, pieces, ...)
    if c.ndim == 2:
        return _piecewise(at, c.T.copy())
    dim = c.shape[2]
    return _piecewise(at, c.transpose(1, 2, 0).reshape(-1, 4), dim)


@numeric()
def mkpp(breaks: Any, coefficients: Any, dim: Any = None) -> Any:
    d = 1 if dim is None else whole(dim)
    return _piecewise(breaks.a.ravel(), coefficients.a, d)


@numeric()
def ppval(pp: Any, x: Any) -> Any:
    PPoly = SCIPY.interpolate.PPoly

    c, breaks, dim = pp.coefs.a, pp.breaks.a.ravel(), whole(pp.dim)
    pieces = len(breaks) - 1
    shaped = c.reshape(pieces, dim, -1).transpose(2, 0, 1)
    found = PPoly(shaped, breaks)(x.a.ravel())
    return found[:, 0].reshape(x.a.shape) if dim == 1 else found.T


@numeric()
def ppder(pp: Any) -> Any:
    c = pp.coefs.a
    n = c.shape[1]
    return _piecewise(pp.breaks.a.ravel(), c[:, :-1] * np.arange(n - 1, 0, -1), whole(pp.dim))


@numeric()
def fnder(pp: Any, n: Any = None) -> Any:
    for _ in range(1 if n is None else whole(n)):
        c = pp.coefs.a
        pp = _piecewise(
            pp.breaks.a.ravel(), c[:, :-1] * np.arange(c.shape[1] - 1, 0, -1), whole(pp.dim)
        )
    return pp


@numeric()
def fnval(pp: Any, x: Any) -> Any:
    if not isinstance(pp, Struct):
        pp, x = x, pp
    from spatial_v2.matlab.runtime.functions import FUNCTIONS

    return FUNCTIONS["ppval"](pp, x)
