"""The manipulability of a frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, namespace
from spatial_v2.frames import FrameJacobian
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model
from spatial_v2.tasks.rows import Rows, rows_of

__all__ = ["manipulability"]


def manipulability(model: Model, q: Array, frame: Frame | int | str, rows: Rows = "pose") -> Array:
    """Compute Yoshikawa's manipulability of a frame, which is zero at singularities.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    rows : {"pose", "position", "orientation"}, optional
        The part of the velocity that counts.

    Returns
    -------
    array, shape (...)
        The product of the singular values of J, the rows of `FrameJacobian`:
        ``sqrt(det(J J^T))``, or with fewer joints than rows ``sqrt(det(J^T J))``. It does not
        depend on the axes.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        Unknown rows.

    Notes
    -----
    Yoshikawa, "Manipulability of robotic mechanisms" (1985). Its square is the volume ratio of the
    ellipsoid of velocities that joint velocities of norm one produce.

    Examples
    --------
    >>> from spatial_v2 import Frame, planar, xlt
    >>> arm, tip = planar(2), Frame(1, [[1, 0, 0], [0, 1, 0], [-1, 0, 1]])
    >>> manipulability(arm, [[0.0, 0.0], [0.0, 1.5707963267948966]], tip, "position").round(3)
    array([0., 1.])
    """
    check_model(model)
    J = FrameJacobian(model, q, frame, "body")[..., rows_of(model, rows), :]
    if isinstance(J, np.ndarray) and J.dtype.kind == "f":
        return np.prod(np.linalg.svdvals(J), axis=-1)
    xp = namespace(J)
    T = xp.matrix_transpose(J)
    return _volume(J @ T if J.shape[-2] <= J.shape[-1] else T @ J)[..., 0]


def _volume(A: Array) -> Array:
    """Return the product (..., 1) of the roots of the pivots of positive semidefinite matrices; a
    row whose pivot vanishes is zero.
    """
    xp, pivot = namespace(A), A[..., 0, :1]
    if A.shape[-1] == 1:
        return xp.sqrt(pivot)
    zero = xp.zeros_like(pivot)
    divisor = xp.where(xp.equal(pivot, zero), zero + 1, pivot)[..., None]
    rest = A[..., 1:, 1:] - A[..., 1:, :1] @ A[..., :1, 1:] / divisor
    return xp.sqrt(pivot) * _volume(rest)
