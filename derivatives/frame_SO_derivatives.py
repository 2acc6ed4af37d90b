"""The first and second derivatives of the Jacobian of a frame."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.frame_path import asked_for, frame_path, jacobian_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state
from spatial_v2.spatial import crm

__all__ = ["FrameSODerivatives", "frame_SO_derivatives"]


@shown_in_notebooks
class FrameSODerivatives(NamedTuple):
    """The Jacobian of a frame and its derivatives; for planar models 3 replaces 6."""

    J: Array
    """`FrameJacobian`, shape (..., 6, NV)."""
    dJ_dq: Array
    """Entry [i, j, k] is the derivative of the Jacobian's entry J[i, j] along q_k, shape (..., 6,
    NV, NV).
    """
    d2J_dq: Array
    """Entry [i, j, k, l] is the derivative of dJ_dq[i, j, k] along q_l, (..., 6, NV, NV, NV)."""


@accelerated("frame_SO_derivatives", "(q)->(6,v),(6,v,v),(6,v,v,v)", subject="frame")
def frame_SO_derivatives(
    model: Model,
    q: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    **options: Unpack[Options],
) -> FrameSODerivatives:
    """Compute the Jacobian of a frame and its first and second derivatives along q.

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
    FrameSODerivatives
        Named tuple ``J, dJ_dq, d2J_dq``. Derivatives are ordered: the last index of ``d2J_dq`` is
        the variable along which ``dJ_dq`` of `frame_derivatives` is differentiated.

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
    The second derivatives follow from the product rule on the formula of `frame_derivatives`, with
    ``D = [joint l at or before joint k] - N``, where the bracket is 1 if the condition holds and
    else 0::

        d2J_k / dq_l dq_m = (D dJ_l/dq_m) x J_k + (D J_l) x dJ_k/dq_m

    `modFrame_second_derivatives` computes products of these tensors with vectors at far lower cost.

    Examples
    --------
    The height of a hand is ``sin q0 + sin(q0 + q1)``:

    >>> import numpy as np
    >>> from spatial_v2 import Frame, xlt
    >>> from spatial_v2.models import autoTree
    >>> hand = Frame(1, xlt([1, 0, 0]))
    >>> frame_SO_derivatives(autoTree(2), np.zeros(2), hand, "mixed").d2J_dq[4, 1]
    array([[-1., -1.],
           [-1., -1.]])
    """
    (q,) = check_state(model, q=q)
    path = frame_path(model, q, frame, axes)
    J, N, n = path.J, path.N, path.J.shape[-1]
    xp = namespace(J)
    T, moveaxis = xp.matrix_transpose, xp.moveaxis
    dJ = jacobian_derivatives(path)
    carried = T(path.below)[:, None, :]

    pairs = moveaxis(dJ, -3, -1)[..., None]
    each = J[..., None, None, :, :]
    turned = carried[:, None, :, :] * (crm(pairs) @ each) - crm(N @ pairs) @ each

    flat = xp.reshape(dJ, (*dJ.shape[:-2], n * n))[..., None, :, :]
    a, b = (crm(column(T(x))) @ flat for x in (J, N @ J))
    a, b = (xp.reshape(x, (*x.shape[:-1], n, n)) for x in (a, b))
    moved = carried[..., None] * a - b

    d2J = moveaxis(turned, (-4, -3), (-2, -1)) + moveaxis(moved, -4, -2)
    return FrameSODerivatives(
        asked_for(path, J, 1), asked_for(path, dJ, 2), asked_for(path, d2J, 3)
    )
