"""Table of the functions of MATLAB that the runtime has, filled by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from spatial_v2.matlab.runtime.values import MatlabError, counts, items, value

__all__ = ["FUNCTIONS", "function", "matlab", "outputs"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""Name in MATLAB -> function of MATLAB's values, with the number of results as ``nargout``."""


def matlab(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function under its name, or under the names given."""

    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        counting = counts(f)

        @wraps(f)
        def call(*args: Any, nargout: int = 1) -> Any:
            found = f(*items(args), nargout=nargout) if counting else f(*items(args))
            return outputs(found, nargout, names[0] if names else f.__name__)

        call.__dict__.pop("__wrapped__", None)
        for name in names or (f.__name__.rstrip("_"),):
            FUNCTIONS[name] = call
        return call

    return register


def outputs(found: Any, nargout: int, name: str) -> Any:
    """Return the first `nargout` results of a function: one value, or a tuple."""
    if not isinstance(found, tuple):
        if nargout > 1:
            raise MatlabError(f"{name}: called with {nargout} results; it has one")
        return value(found) if found is not None else None
    if nargout > len(found):
        raise MatlabError(f"{name}: called with {nargout} results; it has {len(found)}")
    wanted = found[: max(1, nargout)]
    if nargout >= 1 and any(x is None for x in wanted):
        raise MatlabError(f"{name}: a result is not assigned")
    if nargout <= 1:
        return value(wanted[0]) if wanted and wanted[0] is not None else None
    return tuple(value(x) for x in wanted)


def function(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a translated function: arguments become MATLAB's values, `nargout` is counted.

    A function that has itself a parameter ``nargout`` gets the number of results.
    """
    counting = counts(f)

    @wraps(f)
    def call(*args: Any, nargout: int = 1) -> Any:
        given = [None if x is None else x for x in args]
        given = [x if x is None else y for x in given for y in ([x] if x is None else items([x]))]
        found = f(*given, nargout=nargout) if counting else f(*given)
        return outputs(found, nargout, f.__name__)

    call.__dict__.pop("__wrapped__", None)
    return call
