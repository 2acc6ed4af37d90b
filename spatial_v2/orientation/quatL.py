"""quatL: matrix of the multiplication by a quaternion from the left."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector
from spatial_v2.three_d.skew import CROSS

__all__ = ["quatL"]


def quatL(q: Any) -> Array:
    """Return the matrix with ``quatL(q1) @ q2 = quatProduct(q1, q2)`` (MATLAB ``quatL``).

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, u] of a real and a vector part.

    Returns
    -------
    array, shape (..., 4, 4)
        [w, -u^T; u, w 1 + skew(u)].

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Examples
    --------
    >>> quatL([0, 1, 0, 0]) @ [0, 0, 1, 0]
    array([0., 0., 0., 1.])
    """
    return combination(as_vector(q, "quatL: q", 4), _BASIS)


def _basis() -> np.ndarray:
    B = np.zeros((4, 4, 4), dtype=np.int8)
    B[0] = np.eye(4)
    B[1:, 1:, 0], B[1:, 0, 1:], B[1:, 1:, 1:] = np.eye(3), -np.eye(3), CROSS
    return B


_BASIS = _basis()
