"""What motions and forces have in common: a frame, a rate, and sums of their like."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Vector", "power", "same"]


def power(unit: str, rate: int) -> str:
    """A unit by a power of the second.

    Examples
    --------
    >>> power("m", 2), power("m", 0)
    ('m/s^2', 'm')
    """
    return unit + {0: "", 1: "/s"}.get(rate, f"/s^{rate}")


def same(what: str, left: object, right: object, did: str) -> None:
    """Refuse operands that differ.

    Examples
    --------
    >>> same("frames", "base", "hand", "sum")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: sum: frames differ: 'base' and 'hand'
    """
    if left != right:
        raise SpatialError(f"{did}: {what} differ: {left!r} and {right!r}")


class Vector:
    """A spatial vector of one kind, in one frame.

    Parameters
    ----------
    value : array, shape (..., 6)
        Angular part first.
    frame : str
        Name of the frame whose coordinates these are.
    rate : int, optional
        How often the quantity is a rate by time; it says the units.
    """

    UNITS: ClassVar[dict[int, tuple[str, str]]] = {}
    """Units of the angular and of the linear part, by rate, where they have a name."""
    BASE: ClassVar[tuple[str, str]]
    """Units at rate 0."""

    __array_ufunc__ = None

    def __init__(self, value: Any, frame: str, rate: int) -> None:
        kind = type(self).__name__
        self.value: Array = as_numbers(value, f"{kind}: value")
        if self.value.shape[-1:] != (6,):
            raise ArrayShapeError(
                f"{kind}: value: want shape (..., 6), angular part first, got {self.value.shape}"
            )
        self.frame, self.rate = frame, rate

    @property
    def units(self) -> tuple[str, str]:
        """Units of the angular and of the linear part."""
        angular, linear = self.BASE
        return self.UNITS.get(self.rate) or (power(angular, self.rate), power(linear, self.rate))

    def like(self, value: Array) -> Self:
        """A vector of the same kind, frame and rate."""
        return type(self)(value, self.frame, self.rate)

    def _match(self, other: object, did: str) -> None:
        kinds = type(self).__name__, type(other).__name__
        if not isinstance(other, type(self)):
            raise SpatialError(f"{did}: a {kinds[0]} and a {kinds[1]} have no {did}")
        same("frames", self.frame, other.frame, did)
        same("units", ", ".join(self.units), ", ".join(other.units), did)

    def __add__(self, other: Self) -> Self:
        self._match(other, "sum")
        return self.like(self.value + other.value)

    def __sub__(self, other: Self) -> Self:
        self._match(other, "difference")
        return self.like(self.value - other.value)

    def __neg__(self) -> Self:
        return self.like(-self.value)

    def __mul__(self, factor: Any) -> Self:
        if isinstance(factor, Vector):
            raise SpatialError(
                "product of two spatial vectors: want a number; there is `cross`, and `dot` of a "
                "Motion and a Force"
            )
        return self.like(self.value * factor)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        parts = np.split(np.asarray(self.value), 2, axis=-1)
        said = ", ".join(f"{x} {unit}" for x, unit in zip(parts, self.units, strict=True))
        return f"{type(self).__name__} in {self.frame!r}: {said}"
