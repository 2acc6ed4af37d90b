"""roty: Plücker transform of a rotation about the y axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["roty"]


def roty(theta: Any) -> Array:
    """Return the transform X = [E 0; 0 E] with E = ry(theta) (MATLAB ``roty``).

    X transforms motion coordinates from frame A to frame B, which is A rotated by theta about its y
    axis.

    Parameters
    ----------
    theta : array, shape (...)
        Angles [rad].

    Returns
    -------
    array, shape (..., 6, 6)
        Coordinate transforms for motion vectors.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.three_d import ry
    >>> X = roty(0.3)
    >>> np.array_equal(X[:3, :3], ry(0.3)), np.array_equal(X[3:, 3:], ry(0.3))
    (True, True)
    """
    return axis_rotation(theta, 1, copies=2, name="roty: theta")
