"""Checks of arguments of shooting problems and their solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = [
    "as_floats",
    "as_row",
    "check_count",
    "check_limit",
    "check_list",
    "check_order",
    "check_quantity",
]

_COSTS = "costs with the methods value and add_derivatives", ("value", "add_derivatives")
_BOUNDS = "Bounds", ("quantity", "lower", "upper", "intervals")
ENTRIES = {
    "running": _COSTS,
    "terminal": _COSTS,
    "running_bounds": _BOUNDS,
    "terminal_bounds": _BOUNDS,
    "phases": ("ContactPhase", ("steps", "constraints", "impact", "restitution")),
}
"""Names and attributes of the entries of the lists of a problem."""


def as_floats(x: Any, name: str) -> np.ndarray:
    """Copy real numbers into a new array; raise an error for complex numbers and other objects.

    Examples
    --------
    >>> as_floats([0, 1], "q")
    array([0., 1.])
    """
    return np.array(as_real(x, name))


def as_row(x: Any, n: int, name: str) -> np.ndarray:
    """Copy real numbers into a new array, in which a single number is repeated n times.

    Examples
    --------
    >>> as_row(2, 3, "weight")
    array([2., 2., 2.])
    """
    row = as_floats(x, name)
    return row * np.ones(n) if row.shape[-1:] in ((), (1,)) else row


def check_quantity(x: Any) -> None:
    """Raise an error unless x is a quantity.

    Examples
    --------
    >>> check_quantity(3)
    Traceback (most recent call last):
    TypeError: quantity: want an object with the methods value, jacobian and add_hessian, got int
    """
    methods = "value", "jacobian", "add_hessian"
    if isinstance(x, type) or not all(hasattr(x, name) for name in methods):
        raise TypeError(
            "quantity: want an object with the methods value, jacobian and add_hessian, got "
            f"{x.__name__ + ' itself' if isinstance(x, type) else type(x).__name__}"
        )


def check_list(given: Any, name: str) -> None:
    """Raise an error if a list of costs, bounds or phases is no sequence of such objects.

    Examples
    --------
    >>> check_list([3], "running")
    Traceback (most recent call last):
    TypeError: running[0]: want costs with the methods value and add_derivatives, got int
    """
    entries, attributes = ENTRIES[name]
    if not isinstance(given, Sequence) or isinstance(given, str) or hasattr(given, "_fields"):
        raise TypeError(
            f"{name}: want a list of {entries}, got {type(given).__name__}; put a single one "
            "into a list"
        )
    for k, x in enumerate(given):
        if not all(hasattr(x, y) for y in attributes):
            raise TypeError(f"{name}[{k}]: want {entries}, got {type(x).__name__}")


def check_order(lower: np.ndarray, upper: np.ndarray, of: str = "", strictly: bool = False) -> None:
    """Raise an error unless lower bounds do not exceed the upper ones, or `strictly` are less, with
    numbers between them.

    Examples
    --------
    >>> check_order(np.array([0.0, 2.0]), np.array([1.0, 1.0]))
    Traceback (most recent call last):
    spatial_v2.exceptions.SpatialError: lower, upper: want lower bounds that do not exceed the upper
    ones, with numbers between them, without NaN; got 2 and 1 at [1]
    """
    try:
        lower, upper = np.broadcast_arrays(lower, upper)
    except ValueError:
        raise ArrayShapeError(
            f"lower, upper: want equal shapes, or numbers; got {lower.shape} and {upper.shape}"
        ) from None
    fits = (lower < upper) if strictly else (lower <= upper)
    fits &= (lower < np.inf) & (upper > -np.inf)
    if not fits.all():
        first = tuple(np.argwhere(~fits)[0].tolist())
        where = f" at {list(first)}" if first else ""
        order = "are less than" if strictly else "do not exceed"
        raise SpatialError(
            f"lower, upper: want lower bounds{of} that {order} the upper ones, with numbers "
            f"between them, without NaN; got {lower[first]:g} and {upper[first]:g}{where}"
        )


def check_limit(x: Any, name: str) -> None:
    """Raise an error unless a limit is a number that is at least zero.

    Examples
    --------
    >>> check_limit(float("nan"), "tolerance")
    Traceback (most recent call last):
    spatial_v2.exceptions.SpatialError: tolerance: want a number, at least 0, got nan
    """
    if not isinstance(x, int | float | np.integer | np.floating) or not x >= 0:
        raise SpatialError(f"{name}: want a number, at least 0, got {x!r}")


def check_count(x: Any, name: str, least: int) -> None:
    """Raise an error unless x is a whole number that is large enough.

    Examples
    --------
    >>> check_count(-1, "max_iterations", 0)
    Traceback (most recent call last):
    spatial_v2.exceptions.SpatialError: max_iterations: want a whole number, at least 0, got -1
    """
    if isinstance(x, bool) or not isinstance(x, int | np.integer) or x < least:
        raise SpatialError(f"{name}: want a whole number, at least {least}, got {x!r}")
