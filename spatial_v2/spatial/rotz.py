"""rotz: Plücker transform of a rotation about the z axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["rotz"]


def rotz(theta: Any) -> Array:
    """Return the transform X = [E 0; 0 E] with E = rz(theta) (MATLAB ``rotz``).

    X transforms motion coordinates from frame A to frame B, which is A rotated by theta about its z
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
    >>> from spatial_v2.three_d import rz
    >>> X = rotz(0.3)
    >>> np.array_equal(X[:3, :3], rz(0.3)), np.array_equal(X[3:, 3:], rz(0.3))
    (True, True)
    """
    return axis_rotation(theta, 2, copies=2, name="rotz: theta")
