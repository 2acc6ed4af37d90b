"""Rx, Ry, Rz: rotation matrices about the coordinate axes."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.three_d.axis_rotation import axis_rotation

__all__ = ["Rx", "Ry", "Rz"]


def Rx(theta: Any) -> Array:
    """Return R = [1 0 0; 0 c -s; 0 s c], the transpose of ``rx(theta)`` (MATLAB ``Rx``).

    Parameters
    ----------
    theta : array, shape (...)
        Angles [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Rotation matrices about the x axis, body to space, with c and s the cosine and sine of
        theta.

    Examples
    --------
    >>> Rx(1.5707963267948966).round(12) + 0
    array([[ 1.,  0.,  0.],
           [ 0.,  0., -1.],
           [ 0.,  1.,  0.]])
    """
    return axis_rotation(-as_numbers(theta, "Rx: theta"), 0)


def Ry(theta: Any) -> Array:
    """Return R = [c 0 s; 0 1 0; -s 0 c], the transpose of ``ry(theta)`` (MATLAB ``Ry``).

    Parameters
    ----------
    theta : array, shape (...)
        Angles [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Rotation matrices about the y axis, body to space, with c and s the cosine and sine of
        theta.

    Examples
    --------
    >>> Ry(1.5707963267948966).round(12) + 0
    array([[ 0.,  0.,  1.],
           [ 0.,  1.,  0.],
           [-1.,  0.,  0.]])
    """
    return axis_rotation(-as_numbers(theta, "Ry: theta"), 1)


def Rz(theta: Any) -> Array:
    """Return R = [c -s 0; s c 0; 0 0 1], the transpose of ``rz(theta)`` (MATLAB ``Rz``).

    Parameters
    ----------
    theta : array, shape (...)
        Angles [rad].

    Returns
    -------
    array, shape (..., 3, 3)
        Rotation matrices about the z axis, body to space, with c and s the cosine and sine of
        theta.

    Examples
    --------
    >>> Rz(1.5707963267948966).round(12) + 0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return axis_rotation(-as_numbers(theta, "Rz: theta"), 2)
