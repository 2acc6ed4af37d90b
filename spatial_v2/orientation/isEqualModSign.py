"""isEqualModSign: equality of vectors up to their sign."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real, check_leads
from spatial_v2.arrays.numbers import check_tolerance
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["isEqualModSign"]


def isEqualModSign(a: Any, b: Any, tol: float = 2.0**-27) -> np.ndarray:
    """Return whether a = b or a = -b, as for quaternions of a rotation (MATLAB ``isEqualModSign``).

    Parameters
    ----------
    a, b : array_like, shape (..., n)
        Vectors; leading axes broadcast, and signs may differ from vector to vector.
    tol : float
        Maximum difference of entries; 2^-27 is MATLAB's default, half the root of its eps.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
        One answer for each pair of vectors.

    Raises
    ------
    ArrayShapeError
        If `a` and `b` do not hold vectors of the same length.

    Examples
    --------
    >>> isEqualModSign([1, 2, 3, 4], [[-1, -2, -3, -4], [-1, 2, 3, 4]])
    array([ True, False])
    """
    check_tolerance("isEqualModSign: tol", tol)
    x, y = as_real(a, "isEqualModSign: a"), as_real(b, "isEqualModSign: b")
    if not x.ndim or not y.ndim or x.shape[-1] != y.shape[-1]:
        raise ArrayShapeError(
            f"isEqualModSign: a and b must be vectors of one length, got {x.shape} and {y.shape}"
        )
    check_leads("isEqualModSign", a=x.shape[:-1], b=y.shape[:-1])
    near = [np.max(np.abs(x - sign * y), axis=-1, initial=0) < tol for sign in (1, -1)]
    return np.asarray(near[0] | near[1])
