"""OutputMatrix: combinations of inertial parameters that occur in products v1^T I v2."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.identification.Output_InnerProduct import Output_InnerProduct
from spatial_v2.identification.RangeBasis import TOLERANCE, RangeBasis, as_plain_matrix

__all__ = ["OutputMatrix"]


def OutputMatrix(L1: Any, L2: Any, tol: float = TOLERANCE) -> np.ndarray:
    """Return a basis of the rows ``Output_InnerProduct(l1, l2)`` (MATLAB ``OutputMatrix``).

    For pairs of motions [link; rotor] it is MATLAB's ``OutputMatrix_rotor``.

    Parameters
    ----------
    L1, L2 : array_like, shapes (6, n), (6, m), or (12, n), (12, m)
        Matrices whose columns l1 and l2 are motion vectors.
    tol : float, optional
        Relative tolerance for singular values; see `RangeBasis`.

    Returns
    -------
    array, shape (r, 10) or (r, 20)
        Orthonormal rows.

    Raises
    ------
    ArrayShapeError
        If `L1` and `L2` are not real matrices of 6 rows, or of 12.

    Examples
    --------
    >>> import numpy as np
    >>> OutputMatrix(np.eye(6), np.eye(6))[0].round(3)
    array([0., 0., 1., 0., 0., 0., 0., 0., 0., 0.])
    """
    L1 = as_plain_matrix(L1, "OutputMatrix: L1")
    if len(L1) not in (6, 12):
        raise ArrayShapeError(f"OutputMatrix: L1 must have 6 rows, or 12, got shape {L1.shape}")
    L2 = as_plain_matrix(L2, "OutputMatrix: L2", len(L1))
    n = len(L1) // 6 * 10
    rows = np.asarray(Output_InnerProduct(L1.T[:, None], L2.T[None])).reshape(-1, n)
    return RangeBasis(rows.T, tol).Q.T
