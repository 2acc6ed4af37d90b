"""rx: coordinate rotation about the x axis."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["rx"]


def rx(theta: Any) -> Array:
    """Return E = [1 0 0; 0 c s; 0 -s c] with c, s = cos, sin of theta (MATLAB ``rx``).

    E transforms coordinates in frame A to coordinates in frame B, which is A rotated by theta about
    its x axis; the matrix that rotates vectors is the transpose.

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
    >>> rx(np.pi / 2).round(3) + 0.0
    array([[ 1.,  0.,  0.],
           [ 0.,  0.,  1.],
           [ 0., -1.,  0.]])
    """
    return axis_rotation(theta, 0, name="rx: theta")
