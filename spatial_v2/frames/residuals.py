"""Residuals of the pose of a frame, and their derivatives."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import block, column
from spatial_v2.arrays.entire import cotc, cotc_derivatives
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.spatial import motion_cross_matrix, transform_parts
from spatial_v2.three_d import rotation_to_rotation_vector
from spatial_v2.three_d.skew import cross_matrix

__all__ = ["log6_residual", "pose_residual"]

_PLANE = np.eye(6)[:, [2, 3, 4]]


def pose_residual(X: np.ndarray, X_target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the pose of a frame relative to its target, and the derivative of that error.

    Parameters
    ----------
    X, X_target : array, shape (..., 6, 6), planar (..., 3, 3)
        Transforms from the base to the frame and to its target.

    Returns
    -------
    e : array, shape (..., 6)
        Rotation vector, at most pi long, and position in the axes of the target [rad, m].
    M : array, shape (..., 6, 6)
        ``de/dt = M v`` for the velocity v of the frame in its own coordinates.

    Notes
    -----
    With the rotation vector phi, ``M = diag(1 + W / 2 + cotc(phi . phi) W^2, R)``, where
    ``W = skew(phi)`` and R transforms vectors from the axes of the frame to the axes of the target.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> pose_residual(xlt([1.0, 2.0, 3.0]), np.eye(6))[0] + 0
    array([0., 0., 0., 1., 2., 3.])
    """
    E, r = transform_parts(X @ motion_inverse(X_target))
    R = np.swapaxes(E, -1, -2)
    if X.shape[-1] == 3:
        phi = np.arctan2(E[..., 0, 1], E[..., 0, 0])[..., None]
        D = np.broadcast_to(np.eye(1), (*phi.shape, 1))
    else:
        phi = rotation_to_rotation_vector(E)
        K = cross_matrix(phi)
        s = np.sum(phi * phi, axis=-1)[..., None, None]
        D = np.eye(3) + K / 2 + cotc(s) * (K @ K)
    zero = 0 * column(phi) * r[..., None, :]
    M = block((D, zero), (np.swapaxes(zero, -1, -2), R))
    return np.concatenate([phi, r], axis=-1), M


def log6_residual(X: np.ndarray, X_target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the logarithm of the pose of a frame relative to its target, and its derivative.

    Parameters
    ----------
    X, X_target : array, shape (..., 6, 6), planar (..., 3, 3)
        Transforms from the base to the frame and to its target.

    Returns
    -------
    e : array, shape (..., 6)
        The logarithm of the pose, with equal coordinates in target and frame [rad, m].
    M : array, shape (..., 6, 6)
        ``de/dt = M v`` for the velocity v of the frame in its own coordinates.

    Notes
    -----
    ``M = 1 + ad / 2 + (c - s c') ad^2 - c' ad^4``, the inverse of the right Jacobian of the
    exponential; ad is the matrix of the spatial cross product with e, c = `cotc`, as a function of
    ``s = phi . phi``, phi the angular part of e.

    Examples
    --------
    >>> from spatial_v2.spatial import rotz, xlt
    >>> log6_residual(rotz(np.pi / 2) @ xlt([1.0, 1.0, 0.0]), np.eye(6))[0].round(4) + 0
    array([0.    , 0.    , 1.5708, 1.5708, 0.    , 0.    ])
    """
    planar = X.shape[-1] == 3
    e, _ = pose_residual(X, X_target)
    e = e @ _PLANE.T if planar else e
    phi, p = e[..., :3], e[..., 3:]
    s = np.sum(phi * phi, axis=-1)[..., None]
    c, c1, _ = cotc_derivatives(s)
    turned = np.cross(phi, p)
    e = np.concatenate([phi, p - turned / 2 + c * np.cross(phi, turned)], axis=-1)
    ad, s, c, c1 = motion_cross_matrix(e), s[..., None], c[..., None], c1[..., None]
    M = np.eye(6) + ad / 2 + (c - s * c1) * (ad @ ad) - c1 * (ad @ ad @ ad @ ad)
    return (e @ _PLANE, _PLANE.T @ M @ _PLANE) if planar else (e, M)
