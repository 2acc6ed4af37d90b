"""inertiaVecToPinertia: inertial parameters as pseudo-inertias."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector
from spatial_v2.inertia.parameters import PSEUDO_INERTIAS

__all__ = ["inertiaVecToPinertia"]


def inertiaVecToPinertia(a: Any) -> Array:
    """Convert inertial parameters to a pseudo-inertia (MATLAB ``inertiaVecToPinertia``).

    It is [tr(I)/2 1 - I, h; h^T, m]. Parameters are physically consistent if and only if the
    pseudo-inertia is positive definite, or semidefinite for masses in a plane.

    Parameters
    ----------
    a : array, shape (..., 10) or (..., 10, 1)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Returns
    -------
    array, shape (..., 4, 4)
        Pseudo-inertias: second moments of mass, first moments, mass.

    Raises
    ------
    ArrayShapeError
        If `a` does not hold 10-vectors.

    Notes
    -----
    Wensing, Kim, Slotine, "Linear Matrix Inequalities for Physically-Consistent Inertial Parameter
    Identification" (2018).

    Examples
    --------
    >>> inertiaVecToPinertia([2, 0, 0, 0, 2, 2, 2, 0, 0, 0]).diagonal()
    array([1., 1., 1., 2.])
    """
    return combination(as_vector(a, "inertiaVecToPinertia: a", 10), PSEUDO_INERTIAS) / 2
