"""Conversion of inertial parameters to and from the order of Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector

__all__ = ["inertiaVecToPinocchio", "pinocchioToInertiaVec"]


def inertiaVecToPinocchio(a: Any) -> Array:
    """Convert inertial parameters to the order of Pinocchio's dynamic parameters.

    Parameters
    ----------
    a : array, shape (..., 10) or (..., 10, 1)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Returns
    -------
    array, shape (..., 10)
        [m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz], as ``pin.Inertia.toDynamicParameters``.

    Raises
    ------
    ArrayShapeError
        If `a` does not hold 10-vectors.

    Examples
    --------
    >>> inertiaVecToPinocchio(range(10))
    array([0., 1., 2., 3., 4., 9., 5., 8., 7., 6.])
    """
    return combination(as_vector(a, "inertiaVecToPinocchio: a", 10), _ORDER)


def pinocchioToInertiaVec(p: Any) -> Array:
    """Convert inertial parameters from Pinocchio's order to MATLAB's.

    Parameters
    ----------
    p : array, shape (..., 10) or (..., 10, 1)
        [m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz].

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
    >>> from spatial_v2 import inertiaVecToPinocchio
    >>> pinocchioToInertiaVec(inertiaVecToPinocchio(range(10)))
    array([0., 1., 2., 3., 4., 5., 6., 7., 8., 9.])
    """
    return combination(as_vector(p, "pinocchioToInertiaVec: p", 10), _ORDER.T)


_ORDER = np.ascontiguousarray(np.eye(10, dtype=np.int8)[:, [0, 1, 2, 3, 4, 9, 5, 8, 7, 6]])
