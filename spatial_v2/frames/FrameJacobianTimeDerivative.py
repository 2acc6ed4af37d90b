"""The time derivative of the Jacobian of a frame."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.calls.options import Options
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state
from spatial_v2.spatial import crm

__all__ = ["FrameJacobianTimeDerivative"]


@accelerated("FrameJacobianTimeDerivative", "(q),(v)->(6,v)", subject="frame")
def FrameJacobianTimeDerivative(
    model: Model,
    q: Array,
    qd: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    **options: Unpack[Options],
) -> Array:
    """Compute the time derivative of `FrameJacobian` along a motion, entry by entry.

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
    array, shape (..., 6, NV)
        ``dJ/dt``. Then ``J qdd + dJ/dt qd`` is the time derivative of the velocity's coordinates:
        the spatial acceleration for ``"body"`` and ``"base"``, the classical one for ``"mixed"``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        An invalid value of `axes`.

    Notes
    -----
    Column j is ``Y (v_j x S_j) - (N v) x J_j``, with v the velocity of the frame, Y as in
    `FrameJacobian`, and N v the velocity of the coordinate system: all of v for ``"body"``, its
    linear part for ``"mixed"``, zero for ``"base"``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> FrameJacobianTimeDerivative(autoTree(2), [0, 0], [1.0, 0], 1, "mixed")[3]
    array([-1., 0.])
    """
    q, qd = check_state(model, q=q, qd=qd)
    seen = view(model, q, qd, frame, axes)
    return seen.Sd - crm(seen.N @ seen.v) @ seen.J
