"""The velocity of a frame."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state

__all__ = ["frame_velocity"]


@accelerated("frame_velocity", "(q),(v)->(6)", subject="frame")
def frame_velocity(
    model: Model,
    q: Array,
    qd: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    **options: Unpack[Options],
) -> Array:
    """Compute the spatial velocity of a frame.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Rotors have no effect.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    axes : {"body", "base", "mixed"}, optional
        Axes and reference point of the coordinates; see `FrameJacobian`.

    Returns
    -------
    array, shape (..., 6)
        Angular and linear velocity [rad/s, m/s], ``FrameJacobian(model, q, frame, axes) @ qd``. In
        ``"mixed"`` the linear velocity is the time derivative of the position; in ``"base"`` it is
        the velocity of the point of the moving body that is at the origin of the base.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        An invalid value of `axes`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> frame_velocity(autoTree(3), [0, 0, 0], [1, 0, 0], 2, "mixed") + 0
    array([0., 0., 1., 0., 2., 0.])
    """
    q, qd = check_state(model, q=q, qd=qd)
    return uncolumn(view(model, q, qd, frame, axes).v)
