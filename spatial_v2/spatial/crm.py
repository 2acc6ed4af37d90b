"""crm: matrix of the cross product of motion vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_numbers, as_vector, is_matrix
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.spatial.crmExtract import crmExtract
from spatial_v2.three_d.skew import CROSS

__all__ = ["MOTION_CROSS", "crm", "motion_cross_matrix"]

_O = np.zeros_like(CROSS)
_OMEGA = np.block([[CROSS, _O],
                   [_O, CROSS]])  # fmt: skip
_V = np.block([[_O, _O],
               [CROSS, _O]])  # fmt: skip
_SPATIAL = np.concatenate((_OMEGA, _V))

MOTION_CROSS = {6: _SPATIAL, 3: np.ascontiguousarray(_SPATIAL[2:5, 2:5, 2:5])}
"""Cross-product matrices of unit motion vectors e_k: MOTION_CROSS[6][k] spatial, [3][k] planar."""


def motion_cross_matrix(v: Any) -> Array:
    """Return the motion cross-product matrix [skew(omega), 0; skew(v), skew(omega)].

    Parameters
    ----------
    v : array, shape (..., 6) or planar (..., 3); columns (..., 6, 1) or (..., 3, 1)
        Motion vectors [omega; v].

    Returns
    -------
    array, shape (..., 6, 6) or planar (..., 3, 3)
        Matrices; planar [0 0 0; v_y 0 -omega; -v_x omega 0].

    Raises
    ------
    ArrayShapeError
        If `v` does not hold motion vectors.

    Examples
    --------
    >>> motion_cross_matrix([1, 2, 3])
    array([[ 0.,  0.,  0.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    v = as_vector(v, "crm: v", 6, 3)
    return combination(v, MOTION_CROSS[v.shape[-1]])


def crm(v: Any) -> Array:
    """Convert motion vectors to cross-product matrices, or 6x6 matrices back (MATLAB ``crm``).

    ``crm(v)`` calls `motion_cross_matrix`. If the last two axes are 6x6, ``crm(M)`` calls
    `crmExtract`. A 6x6 array of six vectors would count as a matrix: for batches pass columns (6,
    6, 1) or call `motion_cross_matrix`.

    Parameters
    ----------
    v : array, shape (..., 6), planar (..., 3), columns of either, or (..., 6, 6)
        Motion vectors, or 6x6 cross-product matrices.

    Returns
    -------
    array, shape (..., 6, 6) or planar (..., 3, 3); (..., 6) for matrices
        Cross-product matrices, or motion vectors.

    Raises
    ------
    ArrayShapeError
        If `v` holds neither motion vectors nor 6x6 matrices with zero diagonals.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.9; ``crm(X v) = X crm(v) X^-1``.

    Examples
    --------
    >>> crm([0, 0, 1, 0, 0, 0]) @ [1, 0, 0, 0, 1, 0]
    array([ 0.,  1.,  0., -1.,  0.,  0.])
    """
    M = as_numbers(v, "crm: v")
    if not is_matrix(M, 6):
        return motion_cross_matrix(M)
    plain = isinstance(M, np.ndarray) and M.dtype.kind in "fc"
    if plain and np.any(np.diagonal(M, axis1=-2, axis2=-1) != 0):
        raise ArrayShapeError(
            "crm: a 6x6 argument must be a cross-product matrix, with zeros on its diagonal; "
            "for the matrices of 6 motion vectors pass columns, shape (6, 6, 1)"
        )
    return crmExtract(M)
