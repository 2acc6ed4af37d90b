"""plux: conversion of rotation and translation to Plücker transforms, and back."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from spatial_v2.arrays import Array, alike, combination, constant, namespace
from spatial_v2.arrays.checks import as_matrix, as_vector, check_leads
from spatial_v2.arrays.namespaces import copied
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.spatial.xlt import xlt
from spatial_v2.three_d.inv_skew import inv_skew
from spatial_v2.three_d.skew import TURN

__all__ = ["TransformParts", "plux", "transform_from", "transform_parts"]

_ROTATION = {
    3: np.kron(np.eye(2), np.eye(9).reshape(9, 3, 3)).astype(np.int8),
    2: np.pad(np.eye(4, dtype=np.int8).reshape(4, 2, 2), ((0, 0), (1, 0), (1, 0))),
}
_TRANSLATION = np.array(
    [[[0, 0, 0], [0, 0, 0], [1, 0, 0]], [[0, 0, 0], [-1, 0, 0], [0, 0, 0]]], dtype=np.int8
)


@shown_in_notebooks
class TransformParts(NamedTuple):
    """Rotation and translation of a coordinate transform.

    Parameters
    ----------
    E : array, shape (..., 3, 3) or planar (..., 2, 2)
        Coordinate rotations from frame A to frame B.
    r : array, shape (..., 3) or planar (..., 2)
        Position of the origin of B in A coordinates [m].

    Examples
    --------
    >>> from spatial_v2 import transform_parts
    >>> E, r = transform_parts(np.eye(6))
    """

    E: Array
    r: Array


def rotation_transform(E: Array) -> Array:
    """Return [E 0; 0 E] for E (..., 3, 3), or the planar [1 0; 0 E] for E (..., 2, 2)."""
    n = E.shape[-1]
    X = combination(namespace(E).reshape(E, (*E.shape[:-2], n * n)), _ROTATION[n])
    return X if n == 3 else X + constant(np.diag([1, 0, 0]), E)


def transform_from(E: Any, r: Any) -> Array:
    """Compute X = [E 0; -E skew(r), E], or the planar X = [1 0; E [-r_y; r_x] E].

    The transform first shifts the origin by r, then rotates the axes by E: ``rot * xlt(r)``.

    Parameters
    ----------
    E : array, shape (..., 3, 3) or planar (..., 2, 2)
        Coordinate rotations from frame A to frame B.
    r : array, shape (..., 3) or planar (..., 2); columns are accepted
        Position of the origin of B in A coordinates [m].

    Returns
    -------
    array, shape (..., 6, 6) or planar (..., 3, 3)
        Coordinate transforms for motion vectors from A to B.

    Raises
    ------
    ArrayShapeError
        If `E` does not hold 3x3 or 2x2 matrices, or `r` vectors of the same dimension.

    Examples
    --------
    >>> import numpy as np
    >>> transform_from(np.eye(2), [1, 2])
    array([[ 1.,  0.,  0.],
           [-2.,  1.,  0.],
           [ 1.,  0.,  1.]])
    """
    E = as_matrix(E, "plux: E", 3, 2)
    n = E.shape[-1]
    E, r = alike(E, as_vector(r, "plux: r", n))
    check_leads("plux", E=E.shape[:-2], r=r.shape[:-1])
    turn = rotation_transform(E)
    if n == 3:
        return turn @ xlt(r)
    return turn @ (combination(r, _TRANSLATION) + constant(np.eye(3), r))


def transform_parts(X: Any) -> TransformParts:
    """Compute rotation E and translation r of a transform, the inverse of `transform_from`.

    Parameters
    ----------
    X : array, shape (..., 6, 6) or planar (..., 3, 3)
        Coordinate transforms for motion vectors from A to B.

    Returns
    -------
    E : array, shape (..., 3, 3) or planar (..., 2, 2)
        Coordinate rotations from A to B.
    r : array, shape (..., 3) or planar (..., 2)
        Position of the origin of B in A coordinates [m].

    Raises
    ------
    ArrayShapeError
        If `X` does not hold 6x6 or 3x3 matrices.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> transform_parts(xlt([1, 2, 3])).r
    array([1., 2., 3.])
    """
    X = as_matrix(X, "plux: X", 6, 3)
    transpose = namespace(X).matrix_transpose
    if X.shape[-1] == 6:
        E = copied(X[..., :3, :3])
        return TransformParts(E, -inv_skew(transpose(E) @ X[..., 3:, :3]))
    E = copied(X[..., 1:, 1:])
    row = transpose(X[..., 1:, :1]) @ E @ constant(TURN, X)
    return TransformParts(E, row[..., 0, :])


@overload
def plux(E: Any, r: Any) -> Array: ...
@overload
def plux(E: Any) -> TransformParts: ...
def plux(E: Any, r: Any = None) -> Array | TransformParts:
    """``X = plux(E, r)`` or ``E, r = plux(X)``: Plücker transform and its parts (MATLAB ``plux``).

    Two arguments call `transform_from`, one argument calls `transform_parts`; spatial and planar.

    Parameters
    ----------
    E : array, shape (..., 3, 3) or planar (..., 2, 2)
        Coordinate rotations; or, as the only argument, transforms (..., 6, 6) or (..., 3, 3).
    r : array, shape (..., 3) or planar (..., 2), optional
        Position of the origin of the new frame in the old one [m].

    Returns
    -------
    array or (E, r)
        Coordinate transforms for motion vectors, or their parts.

    Raises
    ------
    ArrayShapeError
        If the shapes fit neither form.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8, planar 2.16.

    Examples
    --------
    >>> from spatial_v2.three_d import rx
    >>> E, r = plux(plux(rx(0.3), [1, 2, 3]))
    >>> r.round(12)
    array([1., 2., 3.])
    """
    return transform_parts(E) if r is None else transform_from(E, r)
