"""The logarithm of SE(3)."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.entire import cotc
from spatial_v2.poses.log3 import log3
from spatial_v2.poses.pose import as_pose
from spatial_v2.three_d import cross_matrix

__all__ = ["log6"]


def log6(T: Any) -> Array:
    """Compute the twist xi of the pose T = exp6(xi), the logarithm of SE(3).

    Parameters
    ----------
    T : array, shape (..., 4, 4)
        Poses [R p; 0 1]: R from body to space coordinates, p in space.

    Returns
    -------
    array, shape (..., 6)
        Twists [phi; rho] of the screw that moves space to the body in one unit of time, angular
        part first [rad, m]; 0 <= angle <= pi, see `log3`.

    Raises
    ------
    ArrayShapeError
        If `T` does not hold poses.

    Notes
    -----
    ``rho = p - W p / 2 + cotc W^2 p`` with W = skew(phi), where phi . phi is the argument of
    ``cotc = (1 - (angle / 2) cot(angle / 2)) / angle^2``.

    Examples
    --------
    >>> from spatial_v2 import exp6
    >>> log6(exp6([0.3, -0.2, 0.5, 1.0, 2.0, 3.0])).round(12)
    array([ 0.3, -0.2,  0.5,  1. ,  2. ,  3. ])
    """
    T = as_pose(T, "log6: T")
    xp = namespace(T)
    phi, p = log3(T[..., :3, :3]), T[..., :3, 3:]
    W = cross_matrix(phi)
    s = xp.sum(phi * phi, axis=-1)[..., None, None]
    turned = W @ p
    rho = p - turned / 2 + cotc(s) * (W @ turned)
    return xp.concat([phi, rho[..., 0]], axis=-1)
