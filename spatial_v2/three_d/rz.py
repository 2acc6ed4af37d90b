"""rz: coordinate rotation about the z axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["rz"]


def rz(theta: Any) -> Array:
    """Return E = [c s 0; -s c 0; 0 0 1] with c, s = cos, sin of theta (MATLAB ``rz``).

    E transforms coordinates in frame A to coordinates in frame B, which is A rotated by theta about
    its z axis; the matrix that rotates vectors is the transpose.

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
    >>> rz(np.pi / 2).round(3) + 0.0
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return axis_rotation(theta, 2, name="rz: theta")
