"""rotx: Plücker transform of a rotation about the x axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["rotx"]


def rotx(theta: Any) -> Array:
    """Return the transform X = [E 0; 0 E] with E = rx(theta) (MATLAB ``rotx``).

    X transforms motion coordinates from frame A to frame B, which is A rotated by theta about its x
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
    >>> from spatial_v2.three_d import rx
    >>> X = rotx(0.3)
    >>> np.array_equal(X[:3, :3], rx(0.3)), np.array_equal(X[3:, 3:], rx(0.3))
    (True, True)
    """
    return axis_rotation(theta, 0, copies=2, name="rotx: theta")
