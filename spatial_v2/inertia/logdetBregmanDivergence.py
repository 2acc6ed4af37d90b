"""logdetBregmanDivergence: log-det divergence of positive definite matrices."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import check_leads
from spatial_v2.arrays.linear import pivots, solve
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.inertia.positive import as_positive

__all__ = ["logdetBregmanDivergence"]


def logdetBregmanDivergence(P: Any, Q: Any) -> Array:
    """Compute -log(det P / det Q) + tr(Q^-1 P) - n (MATLAB ``logdetBregmanDivergence``).

    The divergence is not symmetric in P and Q. It is zero if they are equal, and positive
    otherwise.

    Parameters
    ----------
    P, Q : array, shape (..., n, n)
        Symmetric positive definite matrices, such as pseudo-inertias.

    Returns
    -------
    array, shape (...)
        Divergences [-].

    Raises
    ------
    ArrayShapeError
        If `P` and `Q` do not hold positive definite matrices of the same size.

    Notes
    -----
    Lee, Wensing, Park, "Geometric Robot Dynamic Identification: A Convex Programming Approach"
    (2020). MATLAB gives complex numbers for matrices that are not positive definite.

    Examples
    --------
    >>> import numpy as np
    >>> float(logdetBregmanDivergence(np.eye(4), 2 * np.eye(4)).round(4))
    0.7726
    """
    P = as_positive(P, "logdetBregmanDivergence: P")
    P, Q = alike(P, as_positive(Q, "logdetBregmanDivergence: Q"))
    if P.shape[-1] != Q.shape[-1]:
        sizes = P.shape[-1], Q.shape[-1]
        raise ArrayShapeError(
            f"logdetBregmanDivergence: P and Q must have the same size, got {sizes}"
        )
    check_leads("logdetBregmanDivergence", P=P.shape[:-2], Q=Q.shape[:-2])
    xp, R = namespace(P, Q), solve(Q, P)
    diagonal = xp.concat([R[..., k, k : k + 1] for k in range(R.shape[-1])], axis=-1)
    return xp.sum(xp.log(pivots(Q) / pivots(P)) + diagonal - 1, axis=-1)
