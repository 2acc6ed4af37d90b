"""affineInvariantDistance: distance between positive definite matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real, check_leads
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.inertia.positive import as_positive

__all__ = ["affineInvariantDistance"]


def affineInvariantDistance(P: Any, Q: Any) -> np.ndarray:
    """Compute the affine-invariant distance of matrices (MATLAB ``affineInvariantDistance``).

    With eigenvalues l of P^-1 Q it is the square root of half the sum of log(l)^2. It is a metric.
    Its value is the same for A P A^T, A Q A^T as for P, Q, so for pseudo-inertias it is independent
    of body frames and units.

    Parameters
    ----------
    P, Q : array_like, shape (..., n, n)
        Symmetric positive definite matrices, such as pseudo-inertias.

    Returns
    -------
    numpy.ndarray, shape (...)
        Distances [-].

    Raises
    ------
    ArrayShapeError
        If `P` and `Q` do not hold real positive definite matrices of one size.

    Notes
    -----
    Lee, Park, "A Geometric Algorithm for Robust Multibody Inertial Parameter Identification"
    (2018). The function is not analytic: complex steps do not work.

    Examples
    --------
    >>> import numpy as np
    >>> float(affineInvariantDistance(np.eye(4), np.e * np.eye(4)).round(6))
    1.414214
    """
    P, Q = (
        np.asarray(as_positive(as_real(x, f"affineInvariantDistance: {name}"), name))
        for x, name in ((P, "P"), (Q, "Q"))
    )
    if P.shape[-1] != Q.shape[-1]:
        sizes = P.shape[-1], Q.shape[-1]
        raise ArrayShapeError(
            f"affineInvariantDistance: P and Q must have the same size, got {sizes}"
        )
    check_leads("affineInvariantDistance", P=P.shape[:-2], Q=Q.shape[:-2])
    L = np.linalg.cholesky(P)
    half = np.linalg.solve(L, Q)
    M = np.linalg.solve(L, half.swapaxes(-1, -2))
    return np.asarray(np.sqrt((np.log(np.linalg.eigvalsh(M)) ** 2).sum(-1) / 2))
