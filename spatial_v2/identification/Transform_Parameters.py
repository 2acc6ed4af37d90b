"""Transform_Parameters: change of frame of inertial parameters."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.inertia import inertiaMatToVec
from spatial_v2.inertia.parameters import INERTIAS

__all__ = ["Transform_Parameters"]


def Transform_Parameters(X: Any) -> Array:
    """Return the matrix A with ``vec(X^T I X) = A vec(I)`` (MATLAB ``Transform_Parameters``).

    If X transforms motions from frame 1 to frame 2, A transforms inertial parameters from frame 2
    to frame 1.

    Parameters
    ----------
    X : array, shape (..., 6, 6)
        Transforms of motion vectors.

    Returns
    -------
    array, shape (..., 10, 10)
        Matrices A for parameters vec(I) = [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 matrices.

    Notes
    -----
    Wensing, Niemeyer, Slotine, "A geometric characterization of observability in inertial parameter
    identification" (2024).

    Examples
    --------
    >>> from spatial_v2 import xlt
    >>> Transform_Parameters(xlt([2, 0, 0])) @ [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    array([1., 2., 0., 0., 0., 4., 4., 0., 0., 0.])
    """
    X = as_matrix(X, "Transform_Parameters: X", 6)[..., None, :, :]
    T = namespace(X).matrix_transpose
    return T(inertiaMatToVec(T(X) @ constant(INERTIAS, X) @ X))
