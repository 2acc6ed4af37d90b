"""SwitchedControllabilityMatrix: the smallest invariant subspace with given vectors in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.identification.RangeBasis import TOLERANCE, RangeBasis, as_plain_matrix

__all__ = ["SwitchedControllabilityMatrix"]


def SwitchedControllabilityMatrix(A: Sequence[Any], B: Any, tol: float = TOLERANCE) -> np.ndarray:
    """A basis of the smallest subspace with B in it that every A_k maps into itself.

    MATLAB: ``SwitchedControllabilityMatrix(A_cell,B)``.

    Parameters
    ----------
    A : sequence of array_like, shapes (n, n)
        The maps.
    B : array_like, shape (n, m)
        Columns that are in the subspace.
    tol : float, optional
        As of `RangeBasis`.

    Returns
    -------
    array, shape (n, r)
        Orthonormal columns.

    Raises
    ------
    ArrayShapeError
        Arguments that are not real matrices, or whose sizes do not agree.

    Notes
    -----
    ``R <- range [R, A_1 R, A_2 R, ...]`` until nothing is added: what can be reached where one may
    switch between linear systems.

    Examples
    --------
    >>> import numpy as np
    >>> turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    >>> SwitchedControllabilityMatrix([turn], [[1], [0], [0]]).shape
    (3, 2)
    """
    B = as_plain_matrix(B, "SwitchedControllabilityMatrix: B")
    n, name = len(B), "SwitchedControllabilityMatrix: A"
    maps = [as_plain_matrix(a, f"{name}[{k}]", n) for k, a in enumerate(A)]
    R, before = RangeBasis(B, tol).Q, -1
    while before < R.shape[1] < n:
        before = R.shape[1]
        R = RangeBasis(np.hstack([R, *(a @ R for a in maps)]), tol).Q
    return R
