"""pluho: conversion of Plücker transforms to homogeneous transforms, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, block, column, constant, namespace
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.spatial.plux import rotation_transform
from spatial_v2.spatial.xlt import xlt
from spatial_v2.three_d.inv_skew import inv_skew

__all__ = ["homogeneous_to_transform", "pluho", "transform_to_homogeneous"]


def homogeneous_to_transform(T: Any) -> Array:
    """Convert T = [E p; 0 1], p = -E r, to the Plücker transform X = [E 0; skew(p) E, E].

    Parameters
    ----------
    T : array, shape (..., 4, 4)
        Homogeneous transforms of point coordinates from frame A to frame B. Poses of B in A, as
        graphics libraries use them, are the inverses: use `pose_to_transform`.

    Returns
    -------
    array, shape (..., 6, 6)
        Coordinate transforms for motion vectors from A to B.

    Raises
    ------
    ArrayShapeError
        If `T` does not hold 4x4 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> T = np.eye(4)
    >>> T[:3, 3] = [-1, -2, -3]
    >>> from spatial_v2.spatial import xlt
    >>> np.array_equal(homogeneous_to_transform(T), xlt([1, 2, 3]))
    True
    """
    T = as_matrix(T, "pluho: T", 4)
    return xlt(-T[..., :3, 3]) @ rotation_transform(T[..., :3, :3])


def transform_to_homogeneous(X: Any) -> Array:
    """Convert a Plücker transform to the homogeneous transform T = [E, -E r; 0 1].

    Parameters
    ----------
    X : array, shape (..., 6, 6)
        Coordinate transforms for motion vectors from frame A to frame B.

    Returns
    -------
    array, shape (..., 4, 4)
        Homogeneous transforms of point coordinates from A to B; `transform_to_pose` gives the pose
        of B in A, their inverse.

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 matrices.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> transform_to_homogeneous(xlt([1, 2, 3]))[:3, 3]
    array([-1., -2., -3.])
    """
    X = as_matrix(X, "pluho: X", 6)
    xp = namespace(X)
    E = X[..., :3, :3]
    p = inv_skew(X[..., 3:, :3] @ xp.matrix_transpose(E))
    last = constant(np.eye(4)[3:], X) + xp.zeros_like(X[..., :1, :4])
    return block((block((E, column(p))),), (last,))


def pluho(X: Any) -> Array:
    """Convert 6x6 Plücker transforms to 4x4 homogeneous ones, or back (MATLAB ``pluho``).

    6x6 matrices call `transform_to_homogeneous`, 4x4 matrices `homogeneous_to_transform`.

    Parameters
    ----------
    X : array, shape (..., 6, 6) or (..., 4, 4)
        Coordinate transforms from frame A to frame B in either form. A pose of B in A is the
        inverse; `pose_to_transform` takes it.

    Returns
    -------
    array, shape (..., 4, 4) or (..., 6, 6)
        The same transforms in the other form.

    Raises
    ------
    ArrayShapeError
        If `X` holds neither 6x6 nor 4x4 matrices.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.spatial import plux
    >>> from spatial_v2.three_d import rx
    >>> X = plux(rx(0.3), [1, 2, 3])
    >>> np.allclose(pluho(pluho(X)), X, rtol=0, atol=1e-14)
    True
    """
    X = as_matrix(X, "pluho: argument", 6, 4)
    return transform_to_homogeneous(X) if X.shape[-1] == 6 else homogeneous_to_transform(X)
