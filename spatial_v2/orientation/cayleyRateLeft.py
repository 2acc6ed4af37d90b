"""cayleyRateLeft: rates of Cayley vectors from angular velocity in space axes."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector
from spatial_v2.orientation.cayleyRateRight import cayleyRateRight

__all__ = ["cayleyRateLeft"]


def cayleyRateLeft(c: Any, w: Any, n: int = 1) -> Array:
    """Compute (1 - skew(c) + c c^T) w / 2 for n = 1, w in space axes (MATLAB ``cayleyRateLeft``).

    The inverse rotation has the angular velocity -w in its body axes, so that this equals
    ``cayleyRateRight(-c, w, n)``.

    Parameters
    ----------
    c : array, shape (..., 3) or (..., 3, 1)
        Cayley vectors of order n [-].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in space coordinates [rad/s].
    n : int
        Order, see `cayleyToQuat`.

    Returns
    -------
    array, shape (..., 3)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `c` does not hold 3-vectors or `w` 3-vectors.
    SpatialError
        If `n` is not a positive whole number.

    Examples
    --------
    >>> cayleyRateLeft([0, 0, 0], [0, 0, 2])
    array([0., 0., 1.])
    """
    return cayleyRateRight(-as_vector(c, "cayleyRateLeft: c", 3), w, n)
