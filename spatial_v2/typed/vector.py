"""Base class of motions and forces, with a frame, units, and arithmetic within a kind."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import SpatialError
from spatial_v2.typed.plain import Typed, frame_name, numbers

__all__ = ["Vector", "power", "same"]


def power(unit: str, rate: int) -> str:
    """Return the name of a unit divided by a power of the second.

    Examples
    --------
    >>> power("m", 2), power("m", 0)
    ('m/s^2', 'm')
    """
    return unit + {0: "", 1: "/s"}.get(rate, f"/s^{rate}")


def same(what: str, left: object, right: object, did: str) -> None:
    """Raise an error if a property of two operands differs.

    Examples
    --------
    >>> same("frames", "base", "hand", "sum")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: sum: frames differ: 'base' and 'hand'
    """
    if left != right:
        raise SpatialError(f"{did}: {what} differ: {left!r} and {right!r}")


def _each(number: Any, did: str) -> Any:
    """Shape a number, or one for each vector of a batch, to broadcast with arrays (..., 6)."""
    if isinstance(number, Typed):
        raise SpatialError(f"{did}: want a number, got {type(number).__name__}")
    x = as_numbers(number, did)
    return x[..., None] if x.ndim else x


def _order(rate: Any, name: str) -> int:
    if not isinstance(rate, int | np.integer) or rate < 0:
        raise SpatialError(f"{name}: want a whole number from 0, got {rate!r}")
    return int(rate)


class Vector(Typed):
    """A spatial vector, motion or force, in coordinates of a named frame.

    Parameters
    ----------
    value : array, shape (..., 6)
        The six components, angular part first.
    frame : str
        Name of the frame whose coordinates these are.
    rate : int, optional
        Order of the derivative with respect to time, which determines the units.
    """

    UNITS: ClassVar[dict[int, tuple[str, str]]] = {}
    """Units of the angular and the linear part, for rates whose units have special names."""
    BASE: ClassVar[tuple[str, str]]
    """Units at rate 0."""
    DUAL: ClassVar[str]
    """Name of the dual class, with which `dot` is defined."""

    def __init__(self, value: Any, frame: str, rate: int) -> None:
        kind = type(self).__name__
        self.value = numbers(value, f"{kind}: value", 6, hint=", angular part first")
        self.frame = frame_name(frame, f"{kind}: frame")
        self.rate = _order(rate, f"{kind}: rate")

    @property
    def units(self) -> tuple[str, str]:
        """Units of the angular and of the linear part."""
        angular, linear = self.BASE
        return self.UNITS.get(self.rate) or (power(angular, self.rate), power(linear, self.rate))

    def like(self, value: Array) -> Self:
        """Return a vector with this value and the kind, frame and rate of this vector."""
        return type(self)(value, self.frame, self.rate)

    def _match(self, other: object, did: str) -> None:
        kinds = type(self).__name__, type(other).__name__
        if not isinstance(other, type(self)):
            raise SpatialError(
                f"{did}: want a {kinds[0]} as second term, got {kinds[1]}; vectors of different "
                f"kinds have no {did}"
            )
        same("frames", self.frame, other.frame, did)
        same("units", ", ".join(self.units), ", ".join(other.units), did)

    def __add__(self, other: Self) -> Self:
        self._match(other, "sum")
        return self.like(self.value + other.value)

    def __sub__(self, other: Self) -> Self:
        self._match(other, "difference")
        return self.like(self.value - other.value)

    def dot(self, other: Any) -> Array:
        """Return ``v . f`` of a motion and a force: the power [W] of a force for a velocity."""
        if not isinstance(other, Vector) or other.DUAL == self.DUAL:
            kinds = type(self).__name__, type(other).__name__
            raise SpatialError(f"dot: a {kinds[0]} wants a {self.DUAL}, got a {kinds[1]}")
        same("frames", self.frame, other.frame, "dot")
        product: Array = namespace(self.value).sum(self.value * other.value, axis=-1)
        return product

    def __neg__(self) -> Self:
        return self.like(-self.value)

    def __mul__(self, factor: Any) -> Self:
        if isinstance(factor, Vector):
            raise SpatialError(
                "product of two spatial vectors: want a vector and a number; for products of two "
                "vectors there is `cross`, and `dot` of a Motion and a Force"
            )
        return self.like(self.value * _each(factor, "product"))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Self:
        return self.like(self.value / _each(divisor, "quotient"))

    def __repr__(self) -> str:
        parts = np.split(np.asarray(self.value), 2, axis=-1)
        said = ", ".join(f"{x} {unit}" for x, unit in zip(parts, self.units, strict=True))
        return f"{type(self).__name__} in {self.frame!r}: {said}"
