"""XtoV: the small displacement of a coordinate transform."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.spatial.crmExtract import crmExtract

__all__ = ["XtoV"]


def XtoV(X: Any) -> Array:
    """Compute the motion vector v of a small displacement X, with X v = v (MATLAB ``XtoV``).

    To first order X = 1 - crm(v). For a finite rotation by theta the angular part has length
    sin(theta), not theta: this is an error measure for small displacements, not a logarithm.
    Pure translations are exact.

    Parameters
    ----------
    X : array, shape (..., 6, 6) or planar (..., 3, 3)
        Coordinate transforms for motion vectors from frame A to frame B.

    Returns
    -------
    array, shape (..., 6) or planar (..., 3)
        Constant velocity that moves A to B in one unit of time; it is the same in A and B
        coordinates.

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 or 3x3 matrices.

    Notes
    -----
    Used as the position error of loop closures in Featherstone, Rigid Body Dynamics Algorithms
    (2008), Section 8.3.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> XtoV(xlt([1, 2, 3]))
    array([0., 0., 0., 1., 2., 3.])
    """
    X = as_matrix(X, "XtoV: X", 6, 3)
    if X.shape[-1] == 6:
        return -crmExtract(X)
    c, s, x, y = X[..., 1, 1], X[..., 1, 2], X[..., 2, 0], X[..., 1, 0]
    return namespace(X).stack([s, (x + c * x + s * y) / 2, (s * x - y - c * y) / 2], axis=-1)
