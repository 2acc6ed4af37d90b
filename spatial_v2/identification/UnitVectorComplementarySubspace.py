"""UnitVectorComplementarySubspace: unit vectors that complete the basis of a subspace."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.identification.RangeBasis import TOLERANCE, RangeBasis, as_plain_matrix

__all__ = ["UnitVectorComplementarySubspace"]

_SHARES = 10.0 ** -np.arange(1, 17)
"""Least distance of a unit vector from the span so far, for it to be chosen in each round."""


def UnitVectorComplementarySubspace(S: Any, tol: float = TOLERANCE) -> np.ndarray:
    """Choose unit vectors that, together with the columns of S, span the whole space.

    MATLAB: ``UnitVectorComplementarySubspace(S)``. Unit vectors are chosen in the order of the
    coordinates. One that is nearly in the span of S and of the chosen ones is postponed until no
    other is left, so that linear combinations of the result have no large coefficients.

    Parameters
    ----------
    S : array_like, shape (n, m)
        Columns that span the subspace.
    tol : float, optional
        Relative tolerance for singular values; see `RangeBasis`.

    Returns
    -------
    array, shape (n, n - r)
        Columns of the unit matrix, in order, where r is the dimension of the subspace.

    Raises
    ------
    ArrayShapeError
        If `S` is not a real matrix.

    Examples
    --------
    >>> UnitVectorComplementarySubspace([[1], [0], [1]])
    array([[1., 0.],
           [0., 1.],
           [0., 0.]])
    """
    Q = RangeBasis(as_plain_matrix(S, "UnitVectorComplementarySubspace: S"), tol).Q
    n = len(Q)
    one, chosen = np.eye(n), []
    # Vectors that are far from the span come first, so that the result is well conditioned.
    for share in _SHARES:
        for k in range(n):
            new = one[k] - Q @ Q[k]
            # A second time, as the first leaves rounding errors that a short remainder would
            # magnify.
            new -= Q @ (Q.T @ new)
            if Q.shape[1] < n and k not in chosen and new @ new > share**2:
                chosen.append(k)
                Q = np.column_stack([Q, new / np.sqrt(new @ new)])
    return one[:, sorted(chosen)]
