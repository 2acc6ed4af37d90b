"""pinertiaToVec: pseudo-inertias as inertial parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, namespace
from spatial_v2.arrays.checks import as_matrix

__all__ = ["pinertiaToVec"]


def pinertiaToVec(J: Any) -> Array:
    """Convert a pseudo-inertia to ten inertial parameters (MATLAB ``pinertiaToVec``).

    Parameters
    ----------
    J : array, shape (..., 4, 4)
        Pseudo-inertias [S, h; h^T, m]; the lower triangle is read.

    Returns
    -------
    array, shape (..., 10)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ArrayShapeError
        If `J` does not hold 4x4 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> pinertiaToVec(np.diag([1, 1, 1, 2]))
    array([2., 0., 0., 0., 2., 2., 2., 0., 0., 0.])
    """
    J = as_matrix(J, "pinertiaToVec: J", 4)
    return combination(namespace(J).reshape(J, (*J.shape[:-2], 16)), _ENTRIES)


def _entries() -> np.ndarray:
    """Return the coefficients (16, 10) of each entry of the matrix in each parameter."""
    B = np.zeros((4, 4, 10), dtype=np.int8)
    B[3, 3, 0] = B[3, 0, 1] = B[3, 1, 2] = B[3, 2, 3] = 1
    for k in range(3):
        B[k, k, 4:7] = 1 - np.eye(3, dtype=np.int8)[k]
    B[2, 1, 7] = B[2, 0, 8] = B[1, 0, 9] = -1
    return B.reshape(16, 10)


_ENTRIES = _entries()
