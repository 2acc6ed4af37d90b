"""SwitchedObservabilityMatrix: the smallest invariant space of rows that contains given rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.SwitchedControllabilityMatrix import SwitchedControllabilityMatrix

__all__ = ["SwitchedObservabilityMatrix"]


def SwitchedObservabilityMatrix(C: Any, A: Sequence[Any], tol: float = TOLERANCE) -> np.ndarray:
    """Compute a basis of the smallest space of rows that contains C and all its products with A_k.

    MATLAB: ``SwitchedObservabilityMatrix(C,A_cell)``.

    Parameters
    ----------
    C : array_like, shape (m, n)
        Rows that the space contains.
    A : sequence of array_like, shapes (n, n)
        The matrices A_k, by which rows are multiplied from the right.
    tol : float, optional
        Relative tolerance for singular values; see `RangeBasis`.

    Returns
    -------
    array, shape (r, n)
        Orthonormal rows.

    Raises
    ------
    ArrayShapeError
        Arguments that are not real matrices, or whose sizes do not agree.

    Notes
    -----
    This is the dual of `SwitchedControllabilityMatrix`.

    Examples
    --------
    >>> SwitchedObservabilityMatrix([[1, 0, 0]], [[[0, 1, 0], [0, 0, 1], [0, 0, 0]]]).round(3)
    array([[0., 1., 0.],
           [0., 0., 1.],
           [1., 0., 0.]])
    """
    rows = as_real(C, "SwitchedObservabilityMatrix: C").T
    maps = [as_real(a, f"SwitchedObservabilityMatrix: A[{k}]").T for k, a in enumerate(A)]
    return SwitchedControllabilityMatrix(maps, rows, tol).T
