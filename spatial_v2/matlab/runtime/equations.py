"""Roots of functions, and least squares, by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.cells import function_named
from spatial_v2.matlab.runtime.functions import numeric
from spatial_v2.matlab.runtime.solver_options import SCIPY, flat, scalar
from spatial_v2.matlab.runtime.value_types import (
    Array,
    MatlabError,
)

__all__: list[str] = []


@numeric()
def fzero(f: Any, x0: Any, *more: Any, nargout: int = 1) -> Any:
    brentq = SCIPY.optimize.brentq

    g = scalar(f, (1, 1))
    ends = flat(x0)
    if len(ends) == 1:
        a = b = ends[0]
        for grow in np.array(
            [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 50, 100, 500, 1000]
        ):
            for sign in (-1, 1):
                b = a + sign * grow * (abs(a) if a else 1) if abs(a) > 0 else sign * grow
                if g(a) * g(b) <= 0:
                    break
            else:
                continue
            break
        ends = np.array([a, b])
    if g(ends[0]) * g(ends[1]) > 0:
        raise MatlabError("fzero: not a valid initial bracketing")
    x = brentq(g, ends[0], ends[1], xtol=1e-15, rtol=8.9e-16) if ends[0] != ends[1] else ends[0]
    return float(x), g(x), 1.0


def _residuals(f: Any, shape: Any) -> Callable[[Any], np.ndarray]:
    g = function_named(f)
    return lambda x: np.asarray(g(Array(np.reshape(x, shape, order="F"))).a, float).ravel(order="F")


@numeric()
def fsolve(f: Any, x0: Any, *more: Any, nargout: int = 1) -> Any:
    root = SCIPY.optimize.root

    g = _residuals(f, x0.a.shape)
    square = len(g(flat(x0))) == x0.a.size
    found = root(g, flat(x0), method="hybr" if square else "lm", tol=1e-12)
    value_ = function_named(f)(Array(found.x.reshape(x0.a.shape, order="F")))
    done = float(np.max(np.abs(found.fun), initial=0.0) < 1e-6)
    return found.x.reshape(x0.a.shape, order="F"), value_, done


@numeric()
def lsqnonlin(
    f: Any, x0: Any, low: Any = None, high: Any = None, *more: Any, nargout: int = 1
) -> Any:
    least_squares = SCIPY.optimize.least_squares

    bounds = [
        (-np.inf if k == 0 else np.inf) if b is None or not b.a.size else flat(b)
        for k, b in enumerate((low, high))
    ]
    found = least_squares(
        _residuals(f, x0.a.shape),
        flat(x0),
        bounds=tuple(bounds),
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
    )
    return (found.x.reshape(x0.a.shape, order="F"), float(2 * found.cost), found.fun[:, None], 1.0)


@numeric()
def lsqcurvefit(f: Any, x0: Any, xdata: Any, ydata: Any, *more: Any, nargout: int = 1) -> Any:
    least_squares = SCIPY.optimize.least_squares

    g = function_named(f)

    def off(x: Any) -> Any:
        found = g(Array(np.reshape(x, x0.a.shape, order="F")), xdata)
        return (found.a - ydata.a).ravel(order="F")

    found = least_squares(off, flat(x0), xtol=1e-12, ftol=1e-12, gtol=1e-12)
    return found.x.reshape(x0.a.shape, order="F"), float(2 * found.cost)
