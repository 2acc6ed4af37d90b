"""rightJacobianOfExp: right Jacobian of the exponential map of rotations."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant
from spatial_v2.arrays.checks import as_matrix, as_numbers

__all__ = ["rightJacobianOfExp"]

_TERMS = 41


def rightJacobianOfExp(ad: Any) -> Array:
    """Compute the right Jacobian of the exponential map (MATLAB ``rightJacobianOfExp``).

    Parameters
    ----------
    ad : array, shape (..., n, n)
        Matrix of the Lie bracket with w: ``skew(w)`` for rotation vectors, ``crm(w)`` for twists.

    Returns
    -------
    array, shape (..., n, n)
        Right Jacobians B: exp(w)^-1 exp(w + dw) = exp(B dw) to first order in dw.

    Raises
    ------
    ArrayShapeError
        If `ad` does not hold square matrices.

    Notes
    -----
    The sum of (-ad)^i / (i + 1)! from i = 0 to 40, as in MATLAB. This is accurate for rotations of
    less than a full turn, but not for long vectors.

    Examples
    --------
    >>> from spatial_v2 import rv, skew
    >>> w, dw = np.array([0.3, -0.2, 0.5]), 1e-7 * np.array([1.0, 2.0, 3.0])
    >>> step = -rv(rv(w + dw) @ rv(w).T)
    >>> np.allclose(-step, rightJacobianOfExp(skew(w)) @ dw, atol=1e-12)
    True
    """
    ad = as_numbers(ad, "rightJacobianOfExp: ad")
    ad = as_matrix(ad, "rightJacobianOfExp: ad", *(ad.shape[-1:] or (1,)))
    one = constant(np.eye(ad.shape[-1]), ad)
    B = one + 0 * ad
    for i in reversed(range(1, _TERMS)):
        B = one - ad @ B / (i + 1)
    return B
