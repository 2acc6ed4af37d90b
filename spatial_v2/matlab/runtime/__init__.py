"""MATLAB's semantics for translated scripts: values, operators and functions.

Translations use this package where the kinds of their values do not follow from the script.
Arrays have at least two axes: ``x(2, 3)`` is an entry, counted from 1, as in MATLAB; ``@`` is
MATLAB's ``*``, and ``*`` is ``.*``. ``c[2]`` is ``c{2}``. ``x = put(x, v, (2, 3))`` assigns to
an entry, and other variables keep their values. Functions have MATLAB's names, and take the
number of results as ``nargout``; functions of the library are among them.

Examples
--------
>>> import spatial_v2.matlab.runtime as ml
>>> x = ml.matrix([1, 2], [3, 4])
>>> x(2, ":")
[[3. 4.]]
>>> ml.max(x(":"), nargout=2)
(4.0, 4.0)
"""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

from spatial_v2.matlab.runtime.assigning import delete, put, put_each
from spatial_v2.matlab.runtime.functions import FUNCTIONS, function
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    CommaList,
    Handle,
    MatlabError,
    Struct,
    Text,
    copy,
    empty,
    field,
    handle,
    value,
)

__all__ = [
    "Array", "Cell", "CommaList", "Handle", "MatlabError", "Struct", "Text", "copy", "delete",
    "empty", "field", "function", "handle", "put", "put_each", "shared", "value",
]  # fmt: skip

MODULES = (
    "making", "rearranging", "random_numbers", "numbers", "along", "sorting", "linear", "asking",
    "cells", "texts", "printing", "patterns", "maps", "plots", "mat_files", "solver_options",
    "odes", "minimisers", "equations", "quadrature", "polynomials", "interpolation", "symbols",
    "matrices", "classes", "parsing", "rotations", "tables", "statistics",
)  # fmt: skip
HELPERS = {
    "row": "making", "column": "making", "matrix": "making", "cell_of": "making",
    "colon": "making", "count": "making", "nargin": "asking",
    "display": "printing", "loaded": "mat_files", "saved": "mat_files",
    "divide": "branches", "case": "branches", "caught": "branches", "spreads": "branches",
    "loop": "branches", "unknown": "branches", "symbol": "symbols", "casadi": "casadi_objects",
    "Instance": "classes", "HandleInstance": "classes", "method": "classes", "static": "classes",
    "method_of": "classes", "named_options": "asking", "from_numpy": "numpy_values",
    "generator": "random_numbers",
}  # fmt: skip
"""Functions that translations call and MATLAB does not have -> the module that has them."""


class _Shared(SimpleNamespace):
    """Global variables, which are empty before they are assigned."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return empty()


shared = _Shared()
"""Global variables of all files."""


def names() -> set[str]:
    """Return the names of all functions, except those of the library."""
    for module in MODULES:
        importlib.import_module(f"spatial_v2.matlab.runtime.{module}")
    return {*FUNCTIONS}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in HELPERS:
        module = importlib.import_module(f"spatial_v2.matlab.runtime.{HELPERS[name]}")
        found = getattr(module, name)
    else:
        from spatial_v2.matlab.table import ROWS

        plain = name.removesuffix("_")
        names()
        if plain in ROWS and plain not in ("showmotion",):
            from spatial_v2.matlab.runtime.library import library_function

            found = library_function(plain)
        elif plain in FUNCTIONS:
            found = FUNCTIONS[plain]
        else:
            raise AttributeError(f"the runtime has no function {name!r}")
    globals()[name] = found
    return found
