"""angleAxisRateLeft: rate of the rotation vector (angle times axis) from angular velocity in space
axes.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector
from spatial_v2.orientation.angleAxisRateRight import angleAxisRateRight

__all__ = ["angleAxisRateLeft"]


def angleAxisRateLeft(phi: Any, w: Any) -> Array:
    """Compute the rate of phi from w in space axes (MATLAB ``angleAxisRateLeft``).

    It is (1 - W/2 + b W^2) w with W = skew(phi) and b as in `angleAxisRateRight`.

    The inverse rotation has the angular velocity -w in its body axes, so that this equals
    ``angleAxisRateRight(-phi, w)``.

    Parameters
    ----------
    phi : array, shape (..., 3) or (..., 3, 1)
        Angle times axis [rad].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in space coordinates [rad/s].

    Returns
    -------
    array, shape (..., 3)
        Rates of change [rad/s].

    Raises
    ------
    ArrayShapeError
        If `phi` does not hold 3-vectors or `w` 3-vectors.

    Examples
    --------
    >>> angleAxisRateLeft([0, 0, 0.5], [0, 0, 2])
    array([0., 0., 2.])
    """
    return angleAxisRateRight(-as_vector(phi, "angleAxisRateLeft: phi", 3), w)
