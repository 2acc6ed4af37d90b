"""mrpRateLeft: rates of modified Rodrigues parameters from angular velocity in space axes."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector
from spatial_v2.orientation.mrpRateRight import mrpRateRight

__all__ = ["mrpRateLeft"]


def mrpRateLeft(mrp: Any, w: Any) -> Array:
    """Compute ((1 - m^2) 1 - 2 skew(m) + 2 m m^T) w / 4, w in space axes (MATLAB ``mrpRateLeft``).

    The inverse rotation has the angular velocity -w in its body axes, so that this equals
    ``mrpRateRight(-mrp, w)``.

    Parameters
    ----------
    mrp : array, shape (..., 3) or (..., 3, 1)
        Modified Rodrigues parameters [-].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in space coordinates [rad/s].

    Returns
    -------
    array, shape (..., 3)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `mrp` does not hold 3-vectors or `w` 3-vectors.

    Examples
    --------
    >>> mrpRateLeft([0, 0, 0], [0, 0, 2])
    array([0. , 0. , 0.5])
    """
    return mrpRateRight(-as_vector(mrp, "mrpRateLeft: mrp", 3), w)
