"""inertiaMatToVec: spatial inertias as inertial parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, namespace
from spatial_v2.arrays.checks import as_matrix

__all__ = ["inertiaMatToVec"]


def inertiaMatToVec(I: Any) -> Array:
    """Convert a spatial inertia to inertial parameters (MATLAB ``inertiaMatToVec``).

    They are read from the lower triangle, as in MATLAB.

    Parameters
    ----------
    I : array, shape (..., 6, 6)
        Inertias about the origin of the body frame, as made by `mcI`.

    Returns
    -------
    array, shape (..., 10)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ArrayShapeError
        If `I` does not hold 6x6 matrices.

    Examples
    --------
    >>> from spatial_v2 import mcI
    >>> inertiaMatToVec(mcI(2, [1, 0, 0], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    array([2., 2., 0., 0., 1., 3., 3., 0., 0., 0.])
    """
    I = as_matrix(I, "inertiaMatToVec: I", 6)
    return combination(namespace(I).reshape(I, (*I.shape[:-2], 36)), _ENTRIES)


def _entries() -> np.ndarray:
    """Return the coefficients (36, 10) of each entry of the matrix in each parameter."""
    B = np.zeros((6, 6, 10), dtype=np.int8)
    B[5, 5, 0] = B[4, 2, 1] = B[5, 0, 2] = B[3, 1, 3] = 1
    for k, (i, j) in enumerate([(0, 0), (1, 1), (2, 2), (2, 1), (2, 0), (1, 0)]):
        B[i, j, 4 + k] = 1
    return B.reshape(36, 10)


_ENTRIES = _entries()
