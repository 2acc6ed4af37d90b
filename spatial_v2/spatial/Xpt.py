"""Xpt: coordinate transforms of points."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, uncolumn
from spatial_v2.arrays.checks import as_matrix, as_vector, check_leads, is_column
from spatial_v2.spatial.plux import transform_parts

__all__ = ["Xpt"]


def Xpt(X: Any, p: Any) -> Array:
    """Transform points p from A to B coordinates, ``E (p - r)`` (MATLAB ``Xpt``).

    E and r are the rotation and the displacement of the transform X.

    Points are rows here: transpose MATLAB's 3xn array of columns. An array of columns raises an
    error, except a 3x3 array, which is read as rows.

    Parameters
    ----------
    X : array, shape (..., 6, 6) or planar (..., 3, 3)
        Coordinate transforms for motion vectors from frame A to frame B.
    p : array, shape (..., 3) or planar (..., 2); columns (..., 3, 1) or (..., 2, 1)
        Points in A coordinates [m]; leading axes broadcast against those of `X`.

    Returns
    -------
    array, shape as `p`
        The points in B coordinates [m].

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 or 3x3 matrices, or `p` points of the same space.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> Xpt(xlt([1, 0, 0]), [[1, 2, 3], [0, 0, 0]])
    array([[ 0.,  2.,  3.],
           [-1.,  0.,  0.]])
    """
    X = as_matrix(X, "Xpt: X", 6, 3)
    n = 3 if X.shape[-1] == 6 else 2
    X, points = alike(X, as_vector(p, "Xpt: p", n))
    check_leads("Xpt", X=X.shape[:-2], p=points.shape[:-1])
    E, r = transform_parts(X)
    moved = E @ column(points - r)
    return moved if is_column(p, n) else uncolumn(moved)
