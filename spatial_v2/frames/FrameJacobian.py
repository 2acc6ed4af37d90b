"""The Jacobian of a frame."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant
from spatial_v2.calls.options import Options
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state

__all__ = ["FrameJacobian"]


@accelerated("FrameJacobian", "(q)->(6,v)", subject="frame")
def FrameJacobian(
    model: Model,
    q: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    **options: Unpack[Options],
) -> Array:
    """Compute the Jacobian J of a frame: ``J qd`` is the spatial velocity of the frame.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Rotors have no effect.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    frame : Frame, int or str
        A `Frame` on a body; the number of a body, -1 for the base; or the name of a frame in
        ``model.frames``, or of a body.
    axes : {"body", "base", "mixed"}, optional
        Axes and reference point of the coordinates. ``"body"``: axes and origin of the frame.
        ``"base"``: axes and origin of the base. ``"mixed"``: axes of the base, origin of the frame.

    Returns
    -------
    array, shape (..., 6, NV)
        The Jacobian, angular rows first; columns of joints that do not carry the frame are zero.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame; the message lists similar names.
    SpatialError
        An invalid value of `axes`.

    Notes
    -----
    Featherstone (2008), Sec. 4.4: the columns are ``Y S_j`` for the joints j between the base and
    the frame, with S_j in base coordinates. For ``"body"`` Y is the transform from the base to the
    frame, for ``"base"`` the identity, and for ``"mixed"`` ``xlt(p)`` with p the position of the
    frame, so that the linear rows give the time derivative of p. In Pinocchio they are LOCAL, WORLD
    and LOCAL_WORLD_ALIGNED, with the linear rows first.

    Examples
    --------
    >>> from spatial_v2 import Frame, xlt
    >>> from spatial_v2.models import autoTree
    >>> FrameJacobian(autoTree(3), [0, 0, 0], Frame(2, xlt([1, 0, 0])), "mixed")[4]
    array([3., 2., 1.])
    """
    (q,) = check_state(model, q=q)
    return view(model, q, constant(np.zeros(model.NV), q), frame, axes).J
