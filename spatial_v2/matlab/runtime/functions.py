"""Table of the functions of MATLAB that the runtime has, filled by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.value_types import (
    Array,
    MatlabError,
    Value,
    copy,
    counts,
    items,
    numbers,
    own,
    value,
)

__all__ = ["FUNCTIONS", "function", "matlab", "numeric", "outputs"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""Name in MATLAB -> function of MATLAB's values, with the number of results as ``nargout``."""


def matlab(
    *names: str, given: Callable[[Any], list[Any]] = items
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function under its name, or under the names given.

    Its arguments are what `given` makes of those of the call.
    """

    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        counting, name = counts(f), names[0] if names else f.__name__.rstrip("_")

        @wraps(f)
        def call(*args: Any, nargout: int = 1) -> Any:
            values = given(args)
            other = next((x for x in values if hasattr(x, "_call")), None)
            found = NotImplemented if other is None else other._call(name, values, nargout)
            if other is not None and found is NotImplemented:
                values = [x._plain(name) if hasattr(x, "_plain") else x for x in values]
            if found is NotImplemented:
                found = f(*values, nargout=nargout) if counting else f(*values)
            found = outputs(found, nargout, name)
            for x in found if isinstance(found, tuple) else (found,):
                _apart(x, values)
            return found

        call.__dict__.pop("__wrapped__", None)
        for known in names or (name,):
            FUNCTIONS[known] = call
        return call

    return register


def _apart(x: Any, given: list[Any]) -> None:
    """Let a result share no entries with arguments, which may change after it."""
    if not isinstance(x, Value) or hasattr(x, "_call"):
        return
    if any(x is y for y in given):
        copy(x)
    elif x.a.dtype == object:
        own(x.a)
    elif not x.a.flags.writeable or any(
        isinstance(y, Array) and np.may_share_memory(x.a, y.a) for y in given
    ):
        x.a = x.a.copy()


def numeric(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as `matlab` does; its logical arguments become numbers."""
    return matlab(*names, given=numbers)


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
