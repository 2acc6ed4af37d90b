"""The inertia of a robot as felt at a frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, is_real, namespace
from spatial_v2.arrays.linear import inverse
from spatial_v2.dynamics import Hinverse
from spatial_v2.exceptions import SpatialError
from spatial_v2.frames import FrameJacobian
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_model
from spatial_v2.tasks.rows import Rows, rows_of

__all__ = ["operational_space_inertia"]

_LOST = 1e-12
"""Least eigenvalue of ``J H^-1 J^T``, scaled to ones on its diagonal, of a singular one."""


def operational_space_inertia(
    model: Model,
    q: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    rows: Rows = "pose",
) -> Array:
    """Compute the operational-space inertia of a frame, ``(J H^-1 J^T)^-1``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    axes : {"body", "base", "mixed"}, optional
        Axes and reference point of the coordinates; see `FrameJacobian`.
    rows : {"pose", "position", "orientation"}, optional
        The part of the velocity that counts; the rest is free.

    Returns
    -------
    array, shape (..., 6, 6), or (..., 3, 3) for a part of the rows
        The inertia that a force on the frame has to accelerate, angular rows first.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        Unknown axes or rows; a singular configuration, where the frame cannot accelerate in some
        direction, or fewer joints than rows.

    Notes
    -----
    Khatib, "A unified approach for motion and force control of robot manipulators" (1987). J is the
    `FrameJacobian`, H the joint-space inertia matrix.

    Examples
    --------
    >>> from spatial_v2 import puma560
    >>> M = operational_space_inertia(puma560(), [0, 0.4, -0.3, 0.2, 0.5, 0], 5, rows="position")
    >>> M.shape, bool((np.linalg.eigvalsh(M) > 0).all())
    ((3, 3), True)
    """
    check_model(model)
    J = FrameJacobian(model, q, frame, axes)[..., rows_of(model, rows), :]
    A = J @ Hinverse(model, q) @ namespace(J).matrix_transpose(J)
    if isinstance(A, np.ndarray) and is_real(A):
        _check_regular(A)
    return inverse(A)


def _check_regular(A: np.ndarray) -> None:
    """Raise an error where some directions of the rows cannot be accelerated."""
    size = np.sqrt(np.diagonal(A, axis1=-2, axis2=-1))
    scale = size[..., :, None] * size[..., None, :]
    scaled = A / np.where(scale > 0, scale, 1.0)
    if not A.size or np.isnan(A).any():
        return
    lost = np.linalg.eigvalsh(scaled)[..., 0] <= _LOST
    if lost.any():
        where = f" in {lost.sum()} of {lost.size} states" if lost.ndim else ""
        raise SpatialError(
            f"operational_space_inertia: the frame cannot accelerate in some direction{where}: a "
            "singular configuration, or fewer joints than rows; choose rows='position', or damp "
            "J H^-1 J^T before you invert it"
        )
