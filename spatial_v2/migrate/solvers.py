"""Solvers, interpolation and quadrature with MATLAB's arguments and results as NumPy's arrays,
imported by translations.

Vectors have one axis. A function that is an argument gets the state with the shape of the start. An
argument that is left out before others is None, options are a dict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import spatial_v2.matlab.runtime as ml
from spatial_v2.matlab.runtime.numpy_values import from_numpy
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Handle,
    Struct,
    Value,
    objects,
    string,
    value,
)

__all__ = ["RESULTS", "NumpyCall"]


class Shapes(NamedTuple):
    """Shapes of the arguments and results of a solver, one letter each: s is a number, c a vector,
    m a matrix; 1 has the shape of the start, f that of what the called function returns.
    """

    results: str
    called: str = ""
    """Arguments of the function that it calls."""
    start: int = 1
    """Place of the start among the arguments, from 0: an initial state, a first guess, points."""


RESULTS = {
    **dict.fromkeys(("ode45", "ode23"), Shapes("cmcmc", "s1", 2)),
    **dict.fromkeys(("ode15s", "ode23s", "ode23t", "ode23tb", "ode113"), Shapes("cm", "s1", 2)),
    **dict.fromkeys(("fminsearch", "fminunc", "fmincon"), Shapes("1ss", "1")),
    "lsqnonlin": Shapes("1scs", "1"),
    "fsolve": Shapes("1fs", "1"),
    "fzero": Shapes("sss", "s"),
    "fminbnd": Shapes("ss", "s"),
    **dict.fromkeys(("quadprog", "linprog"), Shapes("css", start=0)),
    **dict.fromkeys(("integral", "quad", "quadgk", "quadl"), Shapes("s", "s")),
    **dict.fromkeys(("interp1", "spline", "pchip"), Shapes("1", start=2)),
    "ppval": Shapes("1"),
}
"""Function of MATLAB's -> the shapes of its arguments and results."""


class NumpyCall:
    """A function of MATLAB's, with NumPy's arrays as arguments and results."""

    def __init__(self, name: str) -> None:
        self.name, self.__name__ = name, name
        self.shapes = RESULTS[name]

    def __call__(self, *args: Any, nargout: int = 0) -> Any:
        """Call the function for `nargout` results; by default one, of ``ode45`` and its kin two."""
        nargout = nargout or (2 if self.name.startswith("ode") else 1)
        place = self.shapes.start
        start = args[place] if place < len(args) else 0.0
        returned = [0]
        given = [self._given(x, np.ndim(start), returned) for x in args]
        found = getattr(ml, self.name)(*given, nargout=nargout)
        if nargout == 1:
            if isinstance(found, Struct):
                return found
            found = (found,)
        axes = {"s": 0, "c": 1, "m": 2, "1": np.ndim(start), "f": returned[0]}
        results = tuple(
            _plain(x, axes[k]) for x, k in zip(found, self.shapes.results, strict=False)
        )
        return results[0] if nargout == 1 else results

    def _given(self, x: Any, axes: int, returned: list[int]) -> Any:
        if isinstance(x, dict):
            fields = {n: self._given(y, axes, [0]) for n, y in x.items()}
            return Struct(objects([fields]))
        if callable(x) and not isinstance(x, Value):
            return Handle(self._function(x, axes, returned))
        return value(x) if x is None or isinstance(x, (Value, str)) else from_numpy(x)

    def _function(self, f: Callable[..., Any], axes: int, returned: list[int]) -> Any:
        shapes = [axes if k == "1" else 0 for k in self.shapes.called]

        def call(*args: Any, nargout: int = 1) -> Any:
            found = f(*(_plain(x, n) for x, n in zip(args, shapes, strict=True)))
            if isinstance(found, tuple):
                some = tuple(from_numpy(y) for y in found[: max(nargout, 1)])
                return some if nargout > 1 else some[0]
            returned[0] = np.ndim(found)
            return from_numpy(found)

        return call


def _plain(x: Any, axes: int) -> Any:
    """Return a value of MATLAB's with a number of axes, up to two, in NumPy."""
    x = value(x)
    if not isinstance(x, Array):
        return string(x)
    if axes == 0 and x.a.size == 1:
        return x.a.item()
    return x.a.ravel(order="F") if axes < 2 else x.a


def __getattr__(name: str) -> NumpyCall:
    if name not in RESULTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = NumpyCall(name)
    return found
