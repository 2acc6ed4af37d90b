"""The acceleration of a frame."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state
from spatial_v2.spatial import crm

__all__ = ["frame_acceleration"]


@accelerated("frame_acceleration", "(q),(v),(v)->(6)", subject="frame")
def frame_acceleration(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    classical: bool = False,
    **options: Unpack[Options],
) -> Array:
    """Compute the spatial or the classical acceleration of a frame, without gravity.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Rotors have no effect.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    axes : {"body", "base", "mixed"}, optional
        Axes and reference point of the coordinates; see `FrameJacobian`.
    classical : bool, optional
        False: the spatial acceleration, a motion vector. True: the classical acceleration, whose
        linear part is that of the point at the reference point; for ``"mixed"`` it is the second
        time derivative of the frame's position.

    Returns
    -------
    array, shape (..., 6)
        Angular and linear acceleration [rad/s^2, m/s^2].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        An invalid value of `axes` or `classical`.

    Notes
    -----
    Featherstone (2008), Sec. 2.11: the spatial acceleration is
    ``sum_j S_j qdd_j + (v_j x S_j) qd_j``; the classical one has ``omega x v`` added to its linear
    part. ``J qdd + dJ/dt qd`` of `FrameJacobian` is the spatial acceleration for ``"body"`` and
    ``"base"``, and the classical one for ``"mixed"``. An accelerometer measures the classical
    acceleration minus gravity.

    Examples
    --------
    A point on a circle is accelerated towards the centre:

    >>> from spatial_v2.models import autoTree
    >>> state = [0, 0], [2, 0], [0, 0]
    >>> frame_acceleration(autoTree(2), *state, 1, classical=True)[3:] + 0
    array([-4.,  0.,  0.])
    >>> frame_acceleration(autoTree(2), *state, 1)[3:] + 0
    array([0., 0., 0.])
    """
    q, qd, qdd = check_state(model, q=q, qd=qd, qdd=qdd)
    seen = view(model, q, qd, frame, axes)
    a = seen.J @ column(qdd) + seen.Sd @ column(qd)
    if classical:
        angular = np.repeat([[1.0], [0.0]], [1, 2] if model.is_planar else [3, 3], axis=0)
        omega = constant(angular, a) * seen.v
        a = a + crm(omega) @ (seen.v - omega)
    return uncolumn(a)
