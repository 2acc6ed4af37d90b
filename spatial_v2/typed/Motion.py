"""Motion vectors with a frame and units."""

from __future__ import annotations

from typing import Any, ClassVar, overload

from spatial_v2.arrays import column, uncolumn
from spatial_v2.exceptions import SpatialError
from spatial_v2.spatial import crf, crm
from spatial_v2.typed.Force import Force
from spatial_v2.typed.vector import Vector, same

__all__ = ["Motion"]


class Motion(Vector):
    """A motion: an axis or displacement (rate 0), a velocity (1), an acceleration (2).

    Parameters
    ----------
    value : array, shape (..., 6)
        ``[omega; v]``.
    frame : str
        Name of the frame whose coordinates these are.
    rate : int, optional
        0 for [rad, m], 1 for [rad/s, m/s], 2 for [rad/s^2, m/s^2].

    Raises
    ------
    ArrayShapeError
        A value whose last axis is not 6.

    Examples
    --------
    >>> v = Motion([0, 0, 1, 0, 2, 0], "base")
    >>> v
    Motion in 'base': [0. 0. 1.] rad/s, [0. 2. 0.] m/s
    >>> v + Motion([0, 0, 1, 0, 2, 0], "hand")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: sum: frames differ: 'base' and 'hand'
    >>> v + Force([0, 0, 1, 0, 2, 0], "base")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: sum: want a Motion as second term, got Force; vectors of
    different kinds have no sum
    >>> v.cross(v).units
    ('rad/s^2', 'm/s^2')
    """

    DUAL: ClassVar = "Force"
    BASE: ClassVar = ("rad", "m")

    def __init__(self, value: Any, frame: str, rate: int = 1) -> None:
        super().__init__(value, frame, rate)

    @overload
    def cross(self, other: Motion) -> Motion: ...
    @overload
    def cross(self, other: Force) -> Force: ...

    def cross(self, other: Motion | Force) -> Motion | Force:
        """Return ``v x m`` for a motion m, or ``v x* f`` for a force f; rates are added."""
        matrix = {Motion: crm, Force: crf}.get(type(other))
        if matrix is None:
            raise SpatialError(f"cross: want a Motion or a Force, got {type(other).__name__}")
        same("frames", self.frame, other.frame, "cross")
        value = uncolumn(matrix(self.value) @ column(other.value))
        return type(other)(value, self.frame, self.rate + other.rate)
