"""Derivative of the Jacobian of a frame: the kinematic Hessian."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.frame_path import asked_for, frame_path, jacobian_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state

__all__ = ["FrameDerivatives", "frame_derivatives"]


@shown_in_notebooks
class FrameDerivatives(NamedTuple):
    """The Jacobian of a frame and its derivative; for planar models 3 replaces 6."""

    J: Array
    """`FrameJacobian`, shape (..., 6, NV)."""
    dJ_dq: Array
    """Entry [i, j, k] is the derivative of the Jacobian's entry J[i, j] along q_k, shape (..., 6,
    NV, NV).
    """


@accelerated("frame_derivatives", "(q)->(6,v),(6,v,v)", subject="frame")
def frame_derivatives(
    model: Model,
    q: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    **options: Unpack[Options],
) -> FrameDerivatives:
    """Compute the Jacobian of a frame and its derivative along q, the kinematic Hessian.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Rotors have no effect.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    axes : {"body", "base", "mixed"}, optional
        Axes and reference point of the coordinates; see `FrameJacobian`.

    Returns
    -------
    FrameDerivatives
        Named tuple ``J, dJ_dq``. The second index of ``dJ_dq`` is the column of J, the third the
        variable of the derivative; in ``"mixed"`` its linear rows are the Hessian of the position.

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
    In the coordinates of J, where the bracket is 1 if the condition holds and else 0, and N
    projects on the part of the frame's velocity with which the coordinate axes and their origin
    move::

        dJ_k / dq_l = ([joint l at or before joint k] - N) J_l x J_k

    For ``"body"`` N is the identity, for ``"base"`` zero, and for ``"mixed"`` it selects the linear
    part. The first term is the motion of column k with the joints before it, the second the motion
    of the coordinates. Then ``dJ/dt`` is ``dJ_dq @ qd``. `frame_SO_derivatives` computes second
    derivatives.

    Examples
    --------
    The height of a hand is ``sin q0 + sin(q0 + q1)``:

    >>> import numpy as np
    >>> from spatial_v2 import Frame, xlt
    >>> from spatial_v2.models import autoTree
    >>> hand = Frame(1, xlt([1, 0, 0]))
    >>> frame_derivatives(autoTree(2), [np.pi / 2, 0], hand, "mixed").dJ_dq[4].round(12)
    array([[-2., -1.],
           [-1., -1.]])
    """
    (q,) = check_state(model, q=q)
    path = frame_path(model, q, frame, axes)
    return FrameDerivatives(
        asked_for(path, path.J, 1), asked_for(path, jacobian_derivatives(path), 2)
    )
