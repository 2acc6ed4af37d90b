"""icrf: matrix of the force cross product with the motion vector on the right."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector
from spatial_v2.spatial.crf import FORCE_CROSS

__all__ = ["icrf"]

_BASIS = {n: np.ascontiguousarray(basis.transpose(2, 1, 0)) for n, basis in FORCE_CROSS.items()}


def icrf(f: Any) -> Array:
    """Return [-skew(n), -skew(f); -skew(f), 0] with icrf(f) v = crf(v) f (MATLAB ``icrf``).

    Parameters
    ----------
    f : array, shape (..., 6) or planar (..., 3); columns (..., 6, 1) or (..., 3, 1)
        Force vectors [n; f].

    Returns
    -------
    array, shape (..., 6, 6) or planar (..., 3, 3)
        Skew-symmetric matrices that act on motion vectors; planar [0 f_y -f_x; -f_y 0 0; f_x 0 0].

    Raises
    ------
    ArrayShapeError
        If `f` does not hold force vectors.

    Notes
    -----
    The operator x-bar* of Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body
    Dynamics" (2023), Section II. MATLAB has the spatial form only.

    Examples
    --------
    >>> icrf([5, 3, 4])
    array([[ 0.,  4., -3.],
           [-4.,  0.,  0.],
           [ 3.,  0.,  0.]])
    """
    f = as_vector(f, "icrf: f", 6, 3)
    return combination(f, _BASIS[f.shape[-1]])
