"""ry: coordinate rotation about the y axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["ry"]


def ry(theta: Any) -> Array:
    """Return E = [c 0 -s; 0 1 0; s 0 c] with c, s = cos, sin of theta (MATLAB ``ry``).

    E transforms coordinates in frame A to coordinates in frame B, which is A rotated by theta about
    its y axis; the matrix that rotates vectors is the transpose.

    Parameters
    ----------
    theta : array, shape (...)
        Angles [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Coordinate rotations E.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8.

    Examples
    --------
    >>> import numpy as np
    >>> ry(np.pi / 2).round(3) + 0.0
    array([[ 0.,  0., -1.],
           [ 0.,  1.,  0.],
           [ 1.,  0.,  0.]])
    """
    return axis_rotation(theta, 1, name="ry: theta")
