"""Vpt: velocities of points of a moving body."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, constant, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads, is_column
from spatial_v2.three_d.skew import TURN, cross_matrix

__all__ = ["Vpt"]


def Vpt(v: Any, p: Any) -> Array:
    """Compute velocities v_lin + omega x p of body-fixed points p (MATLAB ``Vpt``).

    Points and velocities are rows here: transpose MATLAB's 3xn and 6xn arrays of columns. Arrays of
    columns raise an error, except square arrays, which are read as rows.

    Parameters
    ----------
    v : array, shape (..., 6) or planar (..., 3); columns are accepted
        Motion vectors of the bodies [rad/s, m/s]; the argument order is velocity, point.
    p : array, shape (..., 3) or planar (..., 2); columns (..., 3, 1) or (..., 2, 1)
        Points in the same coordinates [m]; leading axes broadcast against those of `v`.

    Returns
    -------
    array, shape as `p`
        Velocities of the points [m/s].

    Raises
    ------
    ArrayShapeError
        If `v` does not hold motion vectors, or `p` points of the same space.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.2.

    Examples
    --------
    >>> Vpt([0, 0, 1, 0, 0, 0], [[1, 0, 0], [0, 2, 0]])
    array([[ 0.,  1.,  0.],
           [-2.,  0.,  0.]])
    """
    v = as_vector(v, "Vpt: v", 6, 3)
    n = 3 if v.shape[-1] == 6 else 2
    v, points = alike(v, as_vector(p, "Vpt: p", n))
    check_leads("Vpt", v=v.shape[:-1], p=points.shape[:-1])
    omega = cross_matrix(v[..., :3]) if n == 3 else v[..., :1, None] * constant(TURN, v)
    velocity = column(v[..., -n:]) + omega @ column(points)
    return velocity if is_column(p, n) else uncolumn(velocity)
