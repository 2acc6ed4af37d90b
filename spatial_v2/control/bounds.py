"""Bounds on quantities of a motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.control.checks import as_floats, check_order, check_quantity
from spatial_v2.control.costs import Instants
from spatial_v2.control.quantities import Quantity
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Bounds", "check_multipliers"]


class Bounds:
    """Constraints ``lower <= quantity <= upper``; equations where the bounds are equal.

    Parameters
    ----------
    quantity : Quantity
        A function of state and controls with k values.
    lower, upper : array, shape (k,) or (N, k), or float, optional
        The bounds; infinite by default.
    intervals : slice, optional
        Intervals at whose beginning the bounds hold; all by default. Bounds on the last state
        ignore it.

    Raises
    ------
    SpatialError
        Bounds that cross, that are NaN, or that are both at the same infinity.
    TypeError
        No quantity, or intervals that are no slice.

    Examples
    --------
    >>> from spatial_v2.control import JointVelocities
    >>> from spatial_v2.models import autoTree
    >>> slow = Bounds(JointVelocities(autoTree(2)), -3.0, 3.0)
    """

    def __init__(
        self, quantity: Quantity, lower: Any = -np.inf, upper: Any = np.inf,
        intervals: slice = slice(None),
    ) -> None:  # fmt: skip
        check_quantity(quantity)
        if not isinstance(intervals, slice):
            raise TypeError(
                f"intervals: want a slice, for instance slice(4, 5); got {type(intervals).__name__}"
            )
        self.quantity, self.intervals = quantity, intervals
        self.lower, self.upper = as_floats(lower, "lower"), as_floats(upper, "upper")
        check_order(self.lower, self.upper)

    def shape(self, at: Instants) -> tuple[int, ...]:
        """Return the shape of the quantity's values; raise an error if the bounds do not fit."""
        shape = np.shape(self.quantity.value(at))
        for name in ("lower", "upper"):
            got = np.shape(getattr(self, name))
            try:
                fits = np.broadcast_shapes(got, shape) == shape
            except ValueError:
                fits = False
            if not fits:
                raise ArrayShapeError(f"{name}: want shape {shape[-1:]} or {shape}, got {got}")
        return shape


def check_multipliers(multipliers: Any, wanted: list[np.ndarray], name: str) -> None:
    """Raise an error unless multipliers have the shapes (..., instants, k) of those wanted."""
    got, shapes = ([np.shape(y)[-2:] for y in x] for x in (multipliers, wanted))
    if got != shapes:
        hint = "; give its trajectory instead of the Solution" * (name == "guess")
        raise SpatialError(
            f"{name}: want multipliers of the problem's bounds, shapes {shapes}, got {got}{hint}"
        )
