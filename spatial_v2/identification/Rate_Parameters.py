"""Rate_Parameters: rate of inertial parameters in a fixed frame."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.inertia import inertiaMatToVec
from spatial_v2.inertia.parameters import INERTIAS
from spatial_v2.spatial import crf, crm

__all__ = ["Rate_Parameters"]


def Rate_Parameters(v: Any) -> Array:
    """The matrix A with ``vec(v x* I - I v x) = A vec(I)`` (MATLAB ``Rate_Parameters``).

    Parameters
    ----------
    v : array, shape (..., 6) or (..., 6, 1)
        Motion vectors [omega; v].

    Returns
    -------
    array, shape (..., 10, 10)
        Matrices on parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ArrayShapeError
        If `v` does not hold 6-vectors.

    Notes
    -----
    The derivative of `Transform_Parameters` of ``exp(-t v x)`` at t = 0.

    Examples
    --------
    >>> Rate_Parameters([0, 0, 0, 2, 0, 0]) @ [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    array([0., 2., 0., 0., 0., 0., 0., 0., 0., 0.])
    """
    v = as_vector(v, "Rate_Parameters: v", 6)
    B, T = constant(INERTIAS, v), namespace(v).matrix_transpose
    return T(inertiaMatToVec(crf(v)[..., None, :, :] @ B - B @ crm(v)[..., None, :, :]))
