"""SwitchedControllabilityMatrix: the smallest subspace that contains given vectors and that given
matrices map to itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.identification.RangeBasis import TOLERANCE, RangeBasis, as_plain_matrix

__all__ = ["SwitchedControllabilityMatrix"]


def SwitchedControllabilityMatrix(A: Sequence[Any], B: Any, tol: float = TOLERANCE) -> np.ndarray:
    """Compute a basis of the smallest subspace that contains B and that every A_k maps to itself.

    MATLAB: ``SwitchedControllabilityMatrix(A_cell,B)``.

    Parameters
    ----------
    A : sequence of array_like, shapes (n, n)
        The matrices A_k.
    B : array_like, shape (n, m)
        Columns that the subspace contains.
    tol : float, optional
        Relative tolerance for singular values; see `RangeBasis`.

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
    ``R <- range [R, A_1 R, A_2 R, ...]`` is repeated until R no longer grows. The subspace has the
    reachable states of a system that switches between the linear systems ``x' = A_k x + B u``.

    Examples
    --------
    >>> import numpy as np
    >>> turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    >>> SwitchedControllabilityMatrix([turn], [[1], [0], [0]]).round(3)
    array([[0., 1.],
           [1., 0.],
           [0., 0.]])
    """
    B = as_plain_matrix(B, "SwitchedControllabilityMatrix: B")
    n, name = len(B), "SwitchedControllabilityMatrix: A"
    maps = [as_plain_matrix(a, f"{name}[{k}]", n) for k, a in enumerate(A)]
    R, before = RangeBasis(B, tol).Q, -1
    while before < R.shape[1] < n:
        before = R.shape[1]
        R = RangeBasis(np.hstack([R, *(a @ R for a in maps)]), tol).Q
    return R
