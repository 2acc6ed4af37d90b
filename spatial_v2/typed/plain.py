"""Base class of typed quantities, and checks of plain numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Typed", "frame_name", "numbers"]


class Typed:
    """Base class of typed quantities. `numpy.asarray` returns their numbers; ufuncs reject them.

    Attributes
    ----------
    value : array
        The numbers.
    """

    __array_ufunc__ = None
    value: Array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the numbers as a NumPy array."""
        return np.array(self.value, dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        """Test if both have the same kind, frames, units and numbers, without a tolerance."""
        if type(other) is not type(self):
            return NotImplemented
        own, others = vars(self), vars(other)
        return own.keys() == others.keys() and all(
            np.array_equal(x, others[k]) for k, x in own.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __radd__(self, other: Any) -> Self:
        """Return x for ``0 + x``, so that Python's `sum` works."""
        return self if type(other) is int and other == 0 else NotImplemented


def numbers(value: Any, name: str, *core: int, hint: str = "") -> Array:
    """Convert plain numbers to an array of shape (..., *core); typed quantities raise an error.

    NumPy arrays are copied, so that later changes of `value` do not change the quantity.

    Examples
    --------
    >>> numbers([1, 2, 3], "Motion: value", 6)
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ArrayShapeError: Motion: value: want shape (..., 6), got (3,)
    """
    if isinstance(value, Typed):
        raise SpatialError(
            f"{name}: want numbers, got {type(value).__name__}; a Transform converts "
            "quantities to other frames, numpy.asarray gives their numbers"
        )
    array = as_numbers(value, name)
    if array.shape[-len(core) :] != core:
        wanted = ", ".join(map(str, core))
        raise ArrayShapeError(f"{name}: want shape (..., {wanted}){hint}, got {array.shape}")
    return np.array(array) if isinstance(array, np.ndarray) else array


def frame_name(frame: Any, name: str) -> str:
    """Check that a frame is named by a text.

    Examples
    --------
    >>> frame_name(3, "Motion: frame")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: Motion: frame: want the name of a frame, a string, got 3
    """
    if not isinstance(frame, str):
        raise SpatialError(f"{name}: want the name of a frame, a string, got {frame!r}")
    return frame
