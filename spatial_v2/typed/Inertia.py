"""Spatial inertias with a frame."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import column, uncolumn
from spatial_v2.exceptions import SpatialError
from spatial_v2.spatial import mcI
from spatial_v2.typed.Force import Force
from spatial_v2.typed.Motion import Motion
from spatial_v2.typed.plain import Typed, frame_name, numbers
from spatial_v2.typed.vector import same

__all__ = ["Inertia"]


class Inertia(Typed):
    """A spatial inertia, which maps velocities to momenta, and accelerations to forces.

    Parameters
    ----------
    value : array, shape (..., 6, 6)
        The inertia matrix.
    frame : str
        Name of the frame whose coordinates these are.

    Raises
    ------
    ArrayShapeError
        A value whose last axes are not (6, 6).

    Examples
    --------
    >>> import numpy as np
    >>> I = Inertia.of(2.0, [0, 0, 0], np.eye(3), "body")
    >>> I @ Motion([0, 0, 1, 3, 0, 0], "body")
    Force in 'body': [0. 0. 1.] N m s, [6. 0. 0.] N s
    >>> v, a = Motion([0, 0, 1, 3, 0, 0], "body"), Motion([0, 0, 1, 0, 0, 0], "body", rate=2)
    >>> I @ a + v.cross(I @ v)
    Force in 'body': [0. 0. 1.] N m, [0. 6. 0.] N
    """

    def __init__(self, value: Any, frame: str) -> None:
        hint = " (Inertia.of takes mass, centre of mass and rotational inertia)"
        self.value = numbers(value, "Inertia: value", 6, 6, hint=hint)
        self.frame = frame_name(frame, "Inertia: frame")

    @classmethod
    def of(cls, m: Any, c: Any, I: Any, frame: str) -> Inertia:
        """Make an inertia from mass m [kg], centre of mass c [m], inertia I about c [kg m^2]."""
        return cls(mcI(m, c, I), frame)

    def __add__(self, other: Inertia) -> Inertia:
        if not isinstance(other, Inertia):
            raise SpatialError(
                f"sum: want an Inertia as second term, got {type(other).__name__}; inertias can "
                "only be added to inertias"
            )
        same("frames", self.frame, other.frame, "sum")
        return Inertia(self.value + other.value, self.frame)

    def __matmul__(self, motion: Motion) -> Force:
        if not isinstance(motion, Motion):
            raise SpatialError(f"I @ m: want a Motion, got {type(motion).__name__}")
        same("frames", self.frame, motion.frame, "I @ m")
        return Force(uncolumn(self.value @ column(motion.value)), self.frame, motion.rate)

    def __repr__(self) -> str:
        m, c, _ = mcI(self.value)
        return f"Inertia in {self.frame!r}: mass {m} kg, centre of mass {c} m"
