"""The exponential of SE(3)."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, column, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.entire import cosc, sincc
from spatial_v2.poses.exp3 import exp3
from spatial_v2.poses.pose import homogeneous
from spatial_v2.three_d import cross_matrix

__all__ = ["exp6"]


def exp6(xi: Any) -> Array:
    """Compute the pose T = exp([skew(phi) rho; 0 0]), the exponential of SE(3).

    Parameters
    ----------
    xi : array, shape (..., 6)
        Twists [phi; rho] times the time, angular part first [rad, m].

    Returns
    -------
    array, shape (..., 4, 4)
        Poses [R p; 0 1] after this motion: R from body to space coordinates, p in space. Then
        ``T exp6(xi)`` is T moved by a twist in body coordinates, ``exp6(xi) T`` by one in space.

    Raises
    ------
    ArrayShapeError
        If `xi` does not hold 6-vectors.

    Notes
    -----
    ``R = exp3(phi)``, ``p = (1 + cosc W + sincc W^2) rho`` with W = skew(phi).

    Examples
    --------
    >>> import numpy as np
    >>> exp6([0, 0, np.pi, 0, np.pi, 0]).round(3)[:3] + 0.0  # half a turn about x = -1
    array([[-1.,  0.,  0., -2.],
           [ 0., -1.,  0.,  0.],
           [ 0.,  0.,  1.,  0.]])
    """
    xi = as_vector(xi, "exp6: xi", 6)
    phi, rho = xi[..., :3], column(xi[..., 3:])
    W = cross_matrix(phi)
    s = namespace(xi).sum(phi * phi, axis=-1)[..., None, None]
    turned = W @ rho
    p = rho + cosc(s) * turned + sincc(s) * (W @ turned)
    return homogeneous(exp3(phi), p[..., 0])
