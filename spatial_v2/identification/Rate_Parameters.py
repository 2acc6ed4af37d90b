"""Rate_Parameters: time derivative of the inertial parameters of a moving body."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.inertia import inertiaMatToVec
from spatial_v2.inertia.parameters import INERTIAS
from spatial_v2.spatial import crf, crm

__all__ = ["Rate_Parameters"]


def Rate_Parameters(v: Any) -> Array:
    """Return A with ``vec(crf(v) I - I crm(v)) = A vec(I)`` (MATLAB ``Rate_Parameters``).

    Parameters
    ----------
    v : array, shape (..., 6) or (..., 6, 1)
        Motion vectors [omega; v].

    Returns
    -------
    array, shape (..., 10, 10)
        Matrices A for parameters vec(I) = [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ArrayShapeError
        If `v` does not hold 6-vectors.

    Notes
    -----
    A is the derivative of ``Transform_Parameters(exp(-t crm(v)))`` with respect to t at t = 0.

    Examples
    --------
    >>> Rate_Parameters([0, 0, 0, 2, 0, 0]) @ [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    array([0., 2., 0., 0., 0., 0., 0., 0., 0., 0.])
    """
    v = as_vector(v, "Rate_Parameters: v", 6)
    B, T = constant(INERTIAS, v), namespace(v).matrix_transpose
    return T(inertiaMatToVec(crf(v)[..., None, :, :] @ B - B @ crm(v)[..., None, :, :]))
