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
    """A basis of the smallest space of rows with C in it that every A_k maps into itself.

    MATLAB: ``SwitchedObservabilityMatrix(C,A_cell)``.

    Parameters
    ----------
    C : array_like, shape (m, n)
        Rows that are in the space.
    A : sequence of array_like, shapes (n, n)
        The maps, from the right.
    tol : float, optional
        As of `RangeBasis`.

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
    The dual of `SwitchedControllabilityMatrix`.

    Examples
    --------
    >>> SwitchedObservabilityMatrix([[1, 0, 0]], [[[0, 1, 0], [0, 0, 1], [0, 0, 0]]]).shape
    (3, 3)
    """
    rows = as_real(C, "SwitchedObservabilityMatrix: C").T
    maps = [as_real(a, f"SwitchedObservabilityMatrix: A[{k}]").T for k, a in enumerate(A)]
    return SwitchedControllabilityMatrix(maps, rows, tol).T
