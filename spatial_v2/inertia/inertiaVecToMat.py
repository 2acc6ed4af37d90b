"""inertiaVecToMat: inertial parameters as spatial inertias."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector
from spatial_v2.inertia.parameters import INERTIAS

__all__ = ["inertiaVecToMat"]


def inertiaVecToMat(a: Any) -> Array:
    """Convert parameters to spatial inertias (MATLAB ``inertiaVecToMat``).

    An inertia is [I, skew(h); skew(h)^T, m 1], with mass m, first moment h and moments I.

    Parameters
    ----------
    a : array, shape (..., 10) or (..., 10, 1)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Returns
    -------
    array, shape (..., 6, 6)
        Inertias about the origin of the body frame, as made by `mcI`.

    Raises
    ------
    ArrayShapeError
        If `a` does not hold 10-vectors.

    Notes
    -----
    Comments in MATLAB's files name the last three parameters Ixy, Ixz, Iyz; its code uses the order
    Iyz, Ixz, Ixy, and so do all functions here.

    Examples
    --------
    >>> inertiaVecToMat([2, 0, 0, 0, 3, 4, 5, 0.1, 0.2, 0.3])[:3, :3]
    array([[3. , 0.3, 0.2],
           [0.3, 4. , 0.1],
           [0.2, 0.1, 5. ]])
    """
    return combination(as_vector(a, "inertiaVecToMat: a", 10), INERTIAS)
