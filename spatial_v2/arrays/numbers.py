"""Checks of options that are single numbers."""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["check_count", "check_positive", "check_switch", "check_tolerance", "is_one_of"]


def check_positive(name: str, x: Any) -> None:
    """Raise an error unless x is a real number, positive and finite.

    Examples
    --------
    >>> check_positive("tolerance", 0)
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: tolerance: want a positive number, got 0
    """
    if type(x) is float and 0.0 < x < math.inf:
        return
    value = np.asarray(x)
    if value.shape != () or value.dtype.kind not in "fiu" or not 0 < value < np.inf:
        raise SpatialError(f"{name}: want a positive number, got {x!r}")


def check_tolerance(name: str, x: Any) -> None:
    """Raise an error unless x is a real number, zero or positive.

    Examples
    --------
    >>> check_tolerance("rtol", float("nan"))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: rtol: want a number of at least 0, got nan
    """
    value = np.asarray(x)
    if value.shape != () or value.dtype.kind not in "fiu" or not value >= 0:
        raise SpatialError(f"{name}: want a number of at least 0, got {x!r}")


def check_switch(name: str, x: Any) -> None:
    """Raise an error unless x is True or False.

    Examples
    --------
    >>> check_switch("reduce", "no")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: reduce: want True or False, got 'no'
    """
    if not isinstance(x, bool | np.bool_):
        raise SpatialError(f"{name}: want True or False, got {x!r}")


def check_count(name: str, x: Any) -> None:
    """Raise an error unless x is a whole number of at least zero.

    Examples
    --------
    >>> check_count("restarts", 1.5)
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: restarts: want a whole number of at least 0, got 1.5
    """
    if isinstance(x, bool) or not isinstance(x, (int, np.integer)) or x < 0:
        raise SpatialError(f"{name}: want a whole number of at least 0, got {x!r}")


def is_one_of(x: Any, *choices: str | int) -> bool:
    """Return whether an option has one of some values; an array, as of a state, has none of them.

    Examples
    --------
    >>> is_one_of("exp", "exp", "matlab"), is_one_of(np.ones(2), "exp", "matlab")
    (True, False)
    """
    return isinstance(x, str | Number) and x in choices
