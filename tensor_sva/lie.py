"""Ad, ad, ad_star: spatial transforms and cross products under their names in Lie theory."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.spatial import SE3toAdjoint, crf, motion_cross_matrix

__all__ = ["Ad", "ad", "ad_star"]


def Ad(T: Any) -> Array:
    r"""Return the adjoint :math:`\operatorname{Ad}_T`: the motion transform of a pose.

    Parameters
    ----------
    T : array, shape (..., 4, 4)
        Homogeneous transforms [R p; 0 1] of SE(3).

    Returns
    -------
    array, shape (..., 6, 6)
        Matrices ``[R, 0; skew(p) R, R]``. If T is the pose of a body in ground coordinates, they
        transform motion vectors from body to ground coordinates.

    Raises
    ------
    ArrayShapeError
        If `T` does not consist of 4x4 matrices.

    Notes
    -----
    Singh, Russell, Wensing (2023), Table I. ``Ad(T)`` is `spatial_v2.spatial.SE3toAdjoint`.

    Examples
    --------
    >>> from tensor_sva import ad
    >>> import numpy as np
    >>> from scipy.linalg import expm
    >>> from tensor_sva import hat
    >>> v = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> np.allclose(Ad(expm(hat(v))), expm(ad(v)))
    True
    """
    return SE3toAdjoint(T)


def ad(u: Any) -> Array:
    r"""Return the adjoint of the Lie algebra, the matrix :math:`\operatorname{ad}_u = u\times`.

    Parameters
    ----------
    u : array, shape (..., 6), or columns (..., 6, 1)
        Motion vectors.

    Returns
    -------
    array, shape (..., 6, 6)
        Matrices of the motion cross product: ``ad(u) @ v`` is the Lie bracket [u, v].

    Raises
    ------
    ArrayShapeError
        If `u` does not consist of motion vectors.

    Notes
    -----
    Singh, Russell, Wensing (2023), Table I: ``ad(u) = crm(u)``; see `spatial_v2.spatial.crm`.

    Examples
    --------
    >>> from tensor_sva import ad
    >>> ad([0, 0, 1, 0, 0, 0]) @ [1, 0, 0, 0, 0, 0]
    array([0., 1., 0., 0., 0., 0.])
    """
    return motion_cross_matrix(u)


def ad_star(u: Any) -> Array:
    r"""Return the coadjoint :math:`\operatorname{ad}^*_u = -(u\times{}^*)`, the transpose of `ad`.

    Parameters
    ----------
    u : array, shape (..., 6), or columns (..., 6, 1)
        Motion vectors.

    Returns
    -------
    array, shape (..., 6, 6)
        Minus the matrices of the force cross product.

    Raises
    ------
    ArrayShapeError
        If `u` does not consist of motion vectors.

    Notes
    -----
    Singh, Russell, Wensing (2023), Table I: ``ad_star(u) = -crf(u)``; see
    `spatial_v2.spatial.crf`.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import ad
    >>> u = np.arange(6.0)
    >>> np.array_equal(ad_star(u), ad(u).T)
    True
    """
    return -crf(u)
