"""Parameters of kernels that are tuples of arrays; calls give the arrays one by one."""

import functools
import inspect
import typing
from collections.abc import Callable, Sequence
from typing import Any

from spatial_v2.engine.compile.extend import types


@functools.cache
def _groups(function: Callable[..., Any]) -> tuple[tuple[Any, int], ...]:
    """Return for each parameter after the first its kind of tuple, or None, and the number of its
    arrays; nothing if there are no tuples.
    """
    hints = typing.get_type_hints(function)
    groups: list[tuple[Any, int]] = []
    for name in list(inspect.signature(function).parameters)[1:]:
        hint: Any = hints.get(name)
        kind = typing.get_origin(hint) or hint
        if isinstance(kind, type) and issubclass(kind, tuple):
            groups.append((kind, len(getattr(hint, "_fields", typing.get_args(hint)))))
        else:
            groups.append((None, 1))
    return tuple(groups) if any(kind for kind, _ in groups) else ()


def _group(
    kernel: Any, flat: Sequence[Any], make: Callable[[tuple[Any, ...], Any], Any]
) -> Sequence[Any]:
    groups = _groups(getattr(kernel, "py_func", kernel))
    if not groups:
        return flat
    made, begin = [flat[0]], 1
    for kind, count in groups:
        made.append(make(tuple(flat[begin : begin + count]), kind) if kind else flat[begin])
        begin += count
    return made


def grouped(kernel: Any, flat: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments of a kernel, given its first argument and all arrays."""
    return _group(kernel, flat, lambda items, kind: tuple.__new__(kind, items))


def grouped_types(kernel: Any, flat: Sequence[Any]) -> tuple[Any, ...]:
    """Do as `grouped`, for the types of a kernel's first argument and of all arrays."""
    return tuple(_group(kernel, flat, types.BaseTuple.from_types))
