"""Construction of the functions of `spatial_v2.matlab` from the table `parity.toml`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import signature
from typing import Any

from spatial_v2.exceptions import SpatialError
from spatial_v2.matlab.arguments import cells, vector
from spatial_v2.matlab.table import ROWS, VERSION_1, Row

__all__ = ["adapted", "function_of"]

ADAPTED = {
    "spatial": "spatial",
    "models": "models",
    "dynamics": "dynamics",
    "derivatives": "derivatives",
    "contact and impact": "contact",
    "tensors": "tensors",
    "sparsity": "sparsity",
    "regressor": "regressor",
    "identifiability": "identifiability",
    "orientation_tools": "orientation",
    "utility": "utility",
    "animation and start-up": "animation",
}
"""MATLAB's folders, each with the module of this package that has its adapted functions."""


def function_of(name: str) -> Callable[..., Any]:
    """Make the function with a MATLAB name."""
    row = ROWS[name] if name in ROWS else VERSION_1[name]
    if own := adapted(row):
        return as_in_matlab(own, row)
    if row.python and not row.differs:
        package, function = row.python[0].rsplit(".", 1)
        return as_in_matlab(getattr(import_module(package), function), row)
    return explained(row)


def adapted(row: Row) -> Callable[..., Any] | None:
    """Return the adapted function of this package for a row of the table, or None."""
    if row.folder not in ADAPTED:
        return None
    module = import_module(f"spatial_v2.matlab.{ADAPTED[row.folder]}")
    found: Callable[..., Any] | None = (
        vars(module)[row.name] if row.name in module.__all__ else None
    )
    return found


def as_in_matlab(function: Callable[..., Any], row: Row) -> Callable[..., Any]:
    """Wrap a function to accept columns and cells, and to return `nargout` results."""
    names = [*signature(function).parameters]
    force = names.index("f_ext") if "f_ext" in names else None
    counts = "nargout" in names

    @wraps(function)
    def call(*args: Any, nargout: int | None = None, **options: Any) -> Any:
        n = row.usual if nargout is None else nargout
        if not 1 <= n <= max(1, len(row.outputs)):
            told = f"{len(row.outputs)}: {', '.join(row.outputs)}" if row.outputs else "1"
            raise SpatialError(f"{row.name}: nargout must be from 1 to {told}; got {nargout}")
        given = [cells(x) if k == force else vector(x) for k, x in enumerate(args)]
        if "f_ext" in options:
            options["f_ext"] = cells(options["f_ext"])
        if counts:
            options["nargout"] = n
        result = function(*given, **options)
        if not row.outputs or not isinstance(result, tuple) or n >= len(result):
            return result
        return result[0] if n == 1 else tuple(result[:n])

    return call


def explained(row: Row) -> Callable[..., Any]:
    """Make a function that raises an error saying what to write in Python instead."""
    there = f"{' or '.join(row.python)}: {row.differs}" if row.python else row.instead

    def call(*args: Any, **options: Any) -> Any:
        raise SpatialError(f"{row.name} of MATLAB is not supported; in Python: {there}")

    call.__name__ = call.__qualname__ = row.name
    call.__doc__ = f"Raise an error that says what to use instead: {there}."
    return call
