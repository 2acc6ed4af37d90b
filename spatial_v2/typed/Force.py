"""Force vectors with a frame and units."""

from __future__ import annotations

from typing import Any, ClassVar

from spatial_v2.typed.vector import Vector

__all__ = ["Force"]


class Force(Vector):
    """A force: a wrench (rate 2), or a momentum or impulse (rate 1).

    Parameters
    ----------
    value : array, shape (..., 6)
        ``[n; f]``.
    frame : str
        Name of the frame whose coordinates these are.
    rate : int, optional
        2 for [N m, N], 1 for [N m s, N s].

    Raises
    ------
    ArrayShapeError
        A value whose last axis is not 6.

    Examples
    --------
    >>> Force([0, 0, 1, 5, 0, 0], "hand")
    Force in 'hand': [0. 0. 1.] N m, [5. 0. 0.] N
    """

    DUAL: ClassVar = "Motion"
    BASE: ClassVar = ("kg m^2", "kg m")
    UNITS: ClassVar = {1: ("N m s", "N s"), 2: ("N m", "N"), 3: ("N m/s", "N/s")}

    def __init__(self, value: Any, frame: str, rate: int = 2) -> None:
        super().__init__(value, frame, rate)
