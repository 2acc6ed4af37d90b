"""Options of solvers, as structs and as names with values; what solvers share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from spatial_v2.matlab.runtime.cells import function_named
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Struct,
    Text,
    copy,
    empty,
    objects,
    string,
    value,
)

__all__ = ["SCIPY", "flat", "is_given", "options_of", "scalar"]

SCIPY: Any = scipy
"""SciPy, which imports its packages when they are first used; its types do not know MATLAB's."""


def flat(x: Any) -> np.ndarray:
    """Return the numbers of an array of MATLAB, column by column."""
    return np.asarray(value(x).a, float).ravel(order="F")


def options_of(args: tuple[Any, ...]) -> dict[str, Any]:
    """Return options given as structs and as names with values, by names in small letters."""
    found: dict[str, Any] = {}
    rest = list(args)
    while rest:
        x = rest.pop(0)
        if isinstance(x, Struct):
            fields = x.a.item().items()
            found |= {n.lower(): v for n, v in fields if np.size(getattr(v, "a", 1)) > 0}
        elif isinstance(x, Text) and rest:
            found[string(x).lower()] = rest.pop(0)
    return found


def _struct(args: tuple[Any, ...]) -> Struct:
    d: dict[str, Any] = {}
    rest = list(args)
    while rest:
        x = rest.pop(0)
        if isinstance(x, Struct):
            d |= {n: copy(v) for n, v in x.a.item().items()}
        elif isinstance(x, Text) and rest:
            d[string(x)] = copy(rest.pop(0))
        elif isinstance(x, Text):
            d["Solver"] = x
    return Struct(objects([d]))


for _name in ("optimset", "optimoptions", "sdpsettings"):
    matlab(_name)(lambda *args: _struct(args))
ODE_OPTIONS = (
    "AbsTol", "BDF", "Events", "InitialSlope", "InitialStep", "Jacobian", "JConstant", "JPattern",
    "Mass", "MassSingular", "MaxOrder", "MaxStep", "MStateDependence", "MvPattern", "NonNegative",
    "NormControl", "OutputFcn", "OutputSel", "Refine", "RelTol", "Stats", "Vectorized",
)  # fmt: skip


@matlab()
def odeset(*args: Any) -> Any:
    chosen = _struct(args).a.item()
    known = {n.lower(): n for n in ODE_OPTIONS}
    named = {known.get(n.lower(), n): x for n, x in chosen.items()}
    return Struct(objects([{n: empty() for n in ODE_OPTIONS} | named]))


@matlab()
def optimget(options: Any, name: Any, default: Any = None) -> Any:
    found = options_of((options,)).get(string(name).lower())
    return found if found is not None else default if default is not None else empty()


def scalar(f: Any, shape: tuple[int, ...], more: tuple[Any, ...] = ()) -> Callable[[Any], float]:
    """Return a function of NumPy's vectors for a function of MATLAB's arrays of this shape."""
    g = function_named(f)
    return lambda x: float(g(Array(np.reshape(x, shape, order="F")), *more))


def is_given(x: Any) -> bool:
    """Test if an argument is there and not empty."""
    return x is not None and isinstance(x, Array) and x.a.size > 0
