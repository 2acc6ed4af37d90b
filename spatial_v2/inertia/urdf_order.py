"""Conversion of inertial parameters to and from the numbers of a URDF inertial element."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, namespace
from spatial_v2.arrays.checks import as_vector

__all__ = ["inertiaVecToURDF", "urdfToInertiaVec"]


def inertiaVecToURDF(a: Any) -> Array:
    """Convert parameters to the numbers of a URDF ``inertial`` element without rotation.

    A URDF has the inertia about the centre of mass, so the mass must not be zero.

    Parameters
    ----------
    a : array, shape (..., 10) or (..., 10, 1)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Returns
    -------
    array, shape (..., 10)
        [mass, x, y, z, ixx, ixy, ixz, iyy, iyz, izz]: the centre of mass in the body frame [m] and
        the rotational inertia about it in axes parallel to those of the body [kg m^2].

    Raises
    ------
    ArrayShapeError
        If `a` does not hold 10-vectors.

    Examples
    --------
    >>> inertiaVecToURDF([2, 2, 0, 0, 1, 3, 3, 0, 0, 0])
    array([2., 1., 0., 0., 1., 0., 0., 1., 0., 1.])
    """
    a = as_vector(a, "inertiaVecToURDF: a", 10)
    xp, m = namespace(a), a[..., :1]
    c, I = a[..., 1:4] / m, a[..., 4:]
    return xp.concat([m, c, combination(I - _moved(m, c), _ORDER)], axis=-1)


def urdfToInertiaVec(p: Any) -> Array:
    """Convert the numbers of a URDF ``inertial`` element to inertial parameters.

    Parameters
    ----------
    p : array, shape (..., 10) or (..., 10, 1)
        [mass, x, y, z, ixx, ixy, ixz, iyy, iyz, izz] about the centre of mass at [x, y, z], in axes
        parallel to those of the body; if the element has ``rpy``, rotate the inertia first.

    Returns
    -------
    array, shape (..., 10)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ArrayShapeError
        If `p` does not hold 10-vectors.

    Examples
    --------
    >>> urdfToInertiaVec([2, 1, 0, 0, 1, 0, 0, 1, 0, 1])
    array([2., 2., 0., 0., 1., 3., 3., 0., 0., 0.])
    """
    p = as_vector(p, "urdfToInertiaVec: p", 10)
    m, c = p[..., :1], p[..., 1:4]
    I = combination(p[..., 4:], _ORDER.T) + _moved(m, c)
    return namespace(p).concat([m, m * c, I], axis=-1)


_ORDER = np.ascontiguousarray(np.eye(6, dtype=np.int8)[:, [0, 5, 4, 1, 3, 2]])


def _moved(m: Array, c: Array) -> Array:
    """Return ``m c x c x^T``, with mass m and centre of mass c, as [xx, yy, zz, yz, xz, xy]: the
    shift of an inertia to the origin.
    """
    x, y, z = c[..., :1], c[..., 1:2], c[..., 2:]
    xp = namespace(c)
    rows = [y * y + z * z, z * z + x * x, x * x + y * y, -y * z, -x * z, -x * y]
    return m * xp.concat(rows, axis=-1)
