"""The rate of the Jacobian of a frame."""

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
    """The rate of `FrameJacobian` along the motion, component by component.

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
    out : array or tuple of array, optional
        Preallocated arrays for the results, which are returned.
    workers : int, optional
        Number of threads that share a batch; -1 stands for all processors.

    Returns
    -------
    array, shape (..., 6, NV)
        ``dJ/dt``. Then ``J qdd + dJ/dt qd`` is the rate of the coordinates of the velocity: the
        spatial acceleration in ``"body"`` and ``"base"``, the classical one in ``"mixed"``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        No such frame.
    SpatialError
        No such axes.

    Notes
    -----
    ``Y (v_j x S_j) - (N v) x J_j`` in columns. An observer in the frame (``"body"``) moves with all
    of its velocity v, N is the identity; in ``"mixed"`` with the linear part; in ``"base"`` not.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> FrameJacobianTimeDerivative(autoTree(2), [0, 0], [1.0, 0], 1, "mixed")[3]
    array([-1., 0.])
    """
    q, qd = check_state(model, q=q, qd=qd)
    seen = view(model, q, qd, frame, axes)
    return seen.Sd - crm(seen.N @ seen.v) @ seen.J
